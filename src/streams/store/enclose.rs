//! Bounds of a store that is too large for exact values: integers in units of 2^-44.
//!
//! The values of doubles, rounded, become a certificate for a slightly lower cost: G(v) is lowered to
//! the least that its inequalities allow, rounded down, until all hold. In the same way the values of
//! one policy, raised until
//!
//! ```text
//! m G(v) >= m v + G(m v),   G(v) >= G(k) + G(v - k),   G(v) >= n G(v / n) - lambda v
//! ```
//!
//! hold for its own moves at every size that it reaches from 1, prove that it costs at most lambda.

use super::certificate::inequalities;
use super::policy::{Move, Policy};
use super::search::Proposal;
use crate::number::{BigInt, Rational};

const BITS: u32 = 44;
const UNIT: i128 = 1 << BITS;
/// Rounds of lowering or raising before the cost is moved further.
const ROUNDS: usize = 100;
/// How far the cost is moved at first, in units, and by which factor then.
const FIRST: i128 = 1 << 8;
const FURTHER: i128 = 16;
/// Moves of the cost: to 2^-8 at most.
const MOVES: u32 = 8;

fn exact(units: i128) -> Rational {
    Rational::new(units.into(), BigInt::from(UNIT))
}

fn units(value: f64) -> i128 {
    (value * UNIT as f64) as i128
}

/// Bounds of the least cost: of every policy, and of the proposed one.
pub fn enclose(
    proposal: &Proposal,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Rational, Rational)> {
    let near = units(proposal.cost);
    let moved = |step: u32| FIRST * FURTHER.pow(step);
    let mut low = None;
    for step in 0..MOVES {
        low = lowered(proposal, near - moved(step), go_on)?;
        if low.is_some() {
            break;
        }
    }
    let high = (0..MOVES).find_map(|step| raised(proposal, near + moved(step)));
    Some((low?, high?))
}

/// The cost, if the values can be made a certificate for it; no answer if `go_on` ended it.
fn lowered(
    proposal: &Proposal,
    lambda: i128,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Option<Rational>> {
    let (m, n) = (proposal.policy.source, proposal.policy.target);
    let mut values: Vec<i128> = proposal.values.iter().map(|value| units(*value)).collect();
    values[0] = 0;
    let size = values.len() - 1;
    let (many, wide) = (n as usize, m as usize);
    for _ in 0..ROUNDS {
        if !go_on() {
            return None;
        }
        let mut changed = false;
        for v in (1..=size / wide).rev() {
            let rolled = (values[wide * v] + UNIT * (wide * v) as i128).div_euclid(wide as i128);
            changed |= rolled < values[v];
            values[v] = values[v].min(rolled);
        }
        for v in 2..=size {
            let (below, _) = values.split_at(v);
            let parts = below[1..].iter().zip(below[1..].iter().rev()).take(v / 2);
            let split = parts.map(|(a, b)| a + b).min().unwrap_or(i128::MAX);
            let taken = match v.is_multiple_of(many) {
                true => values[v / many] * n as i128 - lambda * v as i128,
                false => i128::MAX,
            };
            let least = split.min(taken);
            changed |= least < values[v];
            values[v] = values[v].min(least);
        }
        if !changed {
            let holds = inequalities(m, n, &widened(&values), &Wide(UNIT), &Wide(lambda));
            return Some(holds.then(|| exact(lambda)));
        }
    }
    Some(None)
}

/// 128 bits as the inequalities take them. The products stay far below 2^127: G(v) is below 2^80.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Wide(i128);

fn widened(values: &[i128]) -> Vec<Wide> {
    values.iter().map(|value| Wide(*value)).collect()
}

impl From<u64> for Wide {
    fn from(value: u64) -> Wide {
        Wide(value.into())
    }
}

impl<'a> std::ops::Add<&'a Wide> for &'a Wide {
    type Output = Wide;
    fn add(self, other: &Wide) -> Wide {
        Wide(self.0 + other.0)
    }
}

impl<'a> std::ops::Mul<&'a Wide> for &'a Wide {
    type Output = Wide;
    fn mul(self, other: &Wide) -> Wide {
        Wide(self.0 * other.0)
    }
}

/// The cost, if the values can be made to prove that the policy costs no more.
fn raised(proposal: &Proposal, lambda: i128) -> Option<Rational> {
    let policy: &Policy = &proposal.policy;
    let n = policy.target;
    let reached = policy.reached();
    let mut values: Vec<i128> = (proposal.values.iter())
        .map(|value| units(*value) + 1)
        .collect();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for v in (1..=policy.largest()).filter(|v| reached[*v as usize]) {
            let at = |v: u64| values[v as usize];
            let least = match policy.at(v) {
                Move::Roll => {
                    let m = i128::from(policy.source);
                    let sum = at(policy.source * v) + UNIT * m * i128::from(v);
                    sum.div_euclid(m) + i128::from(sum.rem_euclid(m) > 0)
                }
                Move::Split(k) => at(k) + at(v - k),
                Move::Output => at(v / n) * i128::from(n) - lambda * i128::from(v),
            };
            changed |= least > values[v as usize];
            values[v as usize] = values[v as usize].max(least);
        }
        if !changed {
            return Some(exact(lambda));
        }
    }
    None
}
