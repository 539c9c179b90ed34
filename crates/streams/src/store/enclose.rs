//! Bounds of the cost of a store that is too large for exact values, computed with integers in
//! units of 2^-44.
//!
//! Values that were found in doubles are rounded and turned into a certificate for a slightly lower
//! cost: each G(v) is lowered to the least of the bounds that its inequalities give, rounded down,
//! until all inequalities hold. In the same way the values of the proposed policy are raised until
//!
//! ```text
//! m G(v) >= m v + G(m v),   G(v) >= G(k) + G(v - k),   G(v) >= n G(v / n) - lambda v
//! ```
//!
//! hold for the moves of this policy at every size that it reaches from 1; then they prove that the
//! policy costs at most lambda.

use super::certificate::inequalities;
use super::policy::{Move, Policy};
use super::search::Proposal;
use flipcost_number::{BigInt, Rational};

const BITS: u32 = 44;
const UNIT: i128 = 1 << BITS;
/// The maximum number of rounds of lowering or raising values for one cost; then the cost is
/// changed.
const MAX_ROUNDS: usize = 100;
/// The first change of the cost, in units, and the factor by which later changes grow.
const FIRST_CHANGE: i128 = 1 << 8;
const CHANGE_GROWTH: i128 = 16;
/// The maximum number of changes; the last changes the cost by at most 2^-8.
const MAX_CHANGES: u32 = 8;

fn exact(units: i128) -> Rational {
    Rational::new(units.into(), BigInt::from(UNIT))
}

fn units(value: f64) -> i128 {
    (value * UNIT as f64) as i128
}

/// Encloses the least cost: a lower bound for every policy, and an upper bound for the proposed
/// policy.
pub fn enclose(
    proposal: &Proposal,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Rational, Rational)> {
    let near = units(proposal.cost);
    let moved = |step: u32| FIRST_CHANGE * CHANGE_GROWTH.pow(step);
    let mut low = None;
    for step in 0..MAX_CHANGES {
        low = certify_lower_bound(proposal, near - moved(step), go_on)?;
        if low.is_some() {
            break;
        }
    }
    let high = (0..MAX_CHANGES).find_map(|step| certify_upper_bound(proposal, near + moved(step)));
    Some((low?, high?))
}

/// Returns the cost lambda if the values can be turned into a certificate for it; `Some(None)` if
/// not, and `None` if `go_on` stopped the work.
fn certify_lower_bound(
    proposal: &Proposal,
    lambda: i128,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Option<Rational>> {
    let policy: &Policy = &proposal.policy;
    let (m, largest) = (policy.source, policy.largest());
    let rounded = |values: &Vec<f64>| {
        let units = values.iter().map(|value| units(*value));
        [0].into_iter().chain(units.skip(1)).collect()
    };
    let mut values: Vec<Vec<i128>> = proposal.values.iter().map(rounded).collect();
    for _ in 0..MAX_ROUNDS {
        if !go_on() {
            return None;
        }
        let mut changed = false;
        for own in &mut values {
            for v in (1..=(largest / m) as usize).rev() {
                let top = m as usize * v;
                let rolled = (own[top] + UNIT * top as i128).div_euclid(m.into());
                changed |= rolled < own[v];
                own[v] = own[v].min(rolled);
            }
        }
        for v in 2..=largest {
            for (place, &n) in policy.targets.iter().enumerate() {
                let at = v as usize;
                let below = &values[place][1..at];
                let parts = below.iter().zip(below.iter().rev()).take(at / 2);
                let split = parts.map(|(a, b)| a + b).min().unwrap_or(i128::MAX);
                let taken = if v.is_multiple_of(n) {
                    let after = values[policy.next(place)][(v / n) as usize];
                    after * i128::from(n) - lambda * i128::from(v)
                } else {
                    i128::MAX
                };
                let least = split.min(taken);
                changed |= least < values[place][at];
                values[place][at] = values[place][at].min(least);
            }
        }
        if !changed {
            // The products stay far below 2^127, since G(v) is below 2^80.
            let holds = inequalities(m, &policy.targets, &values, &UNIT, &lambda);
            return Some(holds.then(|| exact(lambda)));
        }
    }
    Some(None)
}

/// Returns the cost lambda if the values can be raised so that they prove that the policy costs at
/// most lambda.
fn certify_upper_bound(proposal: &Proposal, lambda: i128) -> Option<Rational> {
    let policy: &Policy = &proposal.policy;
    let reached = policy.reached();
    let rounded = |values: &Vec<f64>| values.iter().map(|value| units(*value) + 1).collect();
    let mut values: Vec<Vec<i128>> = proposal.values.iter().map(rounded).collect();
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for v in 1..=policy.largest() {
            for (place, &n) in policy.targets.iter().enumerate() {
                if !reached[place][v as usize] {
                    continue;
                }
                let at = |v: u64| values[place][v as usize];
                let least = match policy.move_at(place, v) {
                    Move::Roll => {
                        let m = i128::from(policy.source);
                        let sum = at(policy.source * v) + UNIT * m * i128::from(v);
                        sum.div_euclid(m) + i128::from(sum.rem_euclid(m) > 0)
                    }
                    Move::Split(k) => at(k) + at(v - k),
                    Move::Output => {
                        let after = values[policy.next(place)][(v / n) as usize];
                        after * i128::from(n) - lambda * i128::from(v)
                    }
                };
                changed |= least > at(v);
                values[place][v as usize] = least.max(at(v));
            }
        }
        if !changed {
            return Some(exact(lambda));
        }
    }
    None
}
