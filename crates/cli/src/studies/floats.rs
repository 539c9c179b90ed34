//! The interval algorithm as it is often programmed: in doubles, with both ends rounded up.
//!
//! "Simulating Dice" (2022) keeps the ends of the current interval as doubles. A roll d of a die of
//! m sides turns (low, high) into
//!
//! ```text
//! lower = (d - 1) * (1 / m)                upper = lower + 1 / m
//! low + lower * (high - low)               low + upper * (high - low)
//! ```
//!
//! and the rule stops as soon as both ends have the same cell, where the cell of x is ceil(n x), and
//! 1 at x = 0. Here every operation is the same operation on the same IEEE doubles. Two things are
//! asked:
//!
//! * *The rule.* A low end that lies on a cut j/n is counted to the cell below, though the interval
//!   lies above. In exact arithmetic that only costs rolls: every cut is in exactly one [low, high),
//!   so s(t) = n - 1 once m^t >= n, instead of n - gcd(n, m^t); the outcomes stay fair.
//! * *The doubles.* A stop is wrong if the exact interval of the same rolls does not lie inside the
//!   cell that was output. [`first_wrong`] finds the shortest such rolls; [`Doubles::law`] solves the
//!   finite chain of all pairs of doubles exactly.

use super::check::Question;
use super::draw::{dice, fair};
use super::spec::{Fraction, Natural, Span, StudyError, coin};
use flipcost::law::{Chain, Step};
use flipcost::number::real::Real;
use flipcost::number::{BigInt, BigUint, Rational};
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::Deserialize;
use std::path::Path;

/// The published rule on doubles.
#[derive(Clone, Copy)]
struct Doubles {
    source: u64,
    target: u64,
}

impl Doubles {
    fn cell(self, x: f64) -> f64 {
        if x == 0.0 {
            1.0
        } else {
            (self.target as f64 * x).ceil()
        }
    }

    fn narrow(self, (low, high): (f64, f64), face: u64) -> (f64, f64) {
        let part = 1.0 / self.source as f64;
        let lower = face as f64 * part;
        let upper = lower + part;
        let size = high - low;
        (low + lower * size, low + upper * size)
    }

    /// The cell, from 1, if both ends agree.
    fn decided(self, (low, high): (f64, f64)) -> Option<u64> {
        let cell = self.cell(low);
        (cell == self.cell(high)).then_some(cell as u64)
    }

    /// The chain of all pairs of doubles.
    fn law(self) -> Result<Chain, StudyError> {
        let settle = |ends: (f64, f64)| match self.decided(ends) {
            Some(cell) => Step::Output(BigUint::from(cell)),
            None => Step::Roll((ends.0.to_bits(), ends.1.to_bits())),
        };
        let step = |&(low, high): &(u64, u64), face| {
            settle(self.narrow((f64::from_bits(low), f64::from_bits(high)), face))
        };
        let chain = Chain::explore(settle((0.0, 1.0)), 1_000_000, |_| self.source, step);
        chain.map(|(chain, _)| chain).map_err(|_| {
            StudyError::Spec("these doubles have too many states for an exact law".to_string())
        })
    }
}

/// A stop that the exact interval does not support.
struct Wrong {
    source: u64,
    target: u64,
    /// The faces, from 1.
    rolls: Vec<u64>,
    /// The cell that was output, from 1.
    gives: u64,
    /// The cells that the exact interval reaches into, from 1.
    open: (BigUint, BigUint),
}

/// `3, 1 x 26`.
fn runs(rolls: &[u64]) -> String {
    let run = |run: &[u64]| match run.len() {
        1 => run[0].to_string(),
        more => format!("{} x {more}", run[0]),
    };
    let parts: Vec<String> = rolls.chunk_by(|a, b| a == b).map(run).collect();
    parts.join(", ")
}

impl Wrong {
    fn text(&self) -> String {
        let (from, to) = &self.open;
        let right = if from == to {
            format!("right is {from}")
        } else {
            format!("{from} to {to} are still open")
        };
        format!("{}: gives {}, {right}", runs(&self.rolls), self.gives)
    }
}

/// The shortest rolls (of equal ones, the first in order) after which the doubles stop wrongly, up to
/// `most` rolls. Every undecided pair of doubles is followed, with the exact interval beside it.
fn first_wrong(doubles: Doubles, most: usize) -> Option<Wrong> {
    type Node = ((f64, f64), BigUint, Vec<u64>); // ends, exact low end times m^t, rolls
    let (m, n) = (doubles.source, doubles.target);
    let start = (0.0, 1.0);
    if doubles.decided(start).is_some() {
        return None;
    }
    let mut level: Vec<Node> = vec![(start, BigUint::zero(), Vec::new())];
    let mut scale = BigUint::one();
    for _ in 0..most {
        scale *= m;
        let mut next = Vec::new();
        for (ends, low, rolls) in &level {
            for face in 0..m {
                let ends = doubles.narrow(*ends, face);
                let low = low * m + face;
                let mut rolls = rolls.clone();
                rolls.push(face + 1);
                let Some(gives) = doubles.decided(ends) else {
                    next.push((ends, low, rolls));
                    continue;
                };
                let from = &low * n / &scale + 1u8;
                let to = ((&low + 1u8) * n + &scale - 1u8) / &scale;
                if from != to || from != BigUint::from(gives) {
                    let open = (from, to);
                    return Some(Wrong {
                        source: m,
                        target: n,
                        rolls,
                        gives,
                        open,
                    });
                }
            }
        }
        level = next;
    }
    None
}

/// Deeper than this no interval of doubles is wider than their rounding.
const DEEPEST: usize = 80;

fn doubles(source: u64, target: u64) -> Result<Doubles, StudyError> {
    dice(source, &Natural(target.into()))?;
    if source > 1000 || target > 1000 {
        let what = "intervals of doubles are studied up to d1000";
        return Err(StudyError::Spec(what.to_string()));
    }
    Ok(Doubles { source, target })
}

/// The first wrong stop of the doubles, and how far their exact law is from a fair die.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DoubleIntervals {
    #[serde(default = "coin")]
    source: u64,
    n: u64,
    /// The shortest rolls that stop wrongly, as `3, 1 x 26`.
    rolls: String,
    /// What they give.
    gives: u64,
    /// The total variation distance from a fair die is above 0 and below this.
    distance_below: Fraction,
}

impl Question for DoubleIntervals {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let doubles = doubles(self.source, self.n)?;
        let law = doubles.law()?;
        let share = Rational::new(1.into(), self.n.into());
        let probabilities = law.probabilities();
        let mut apart = Rational::zero();
        for cell in 1..=self.n {
            let p = probabilities.get(&BigUint::from(cell)).cloned();
            apart += (p.unwrap_or_default() - &share).abs();
        }
        let outside = |cell: &BigUint| cell.is_zero() || cell.to_u64().is_none_or(|c| c > self.n);
        for (_, p) in probabilities.iter().filter(|(cell, _)| outside(cell)) {
            apart += p;
        }
        apart /= BigInt::from(2);
        let distance = format!("{:.3e}", Real::Exact(apart.clone()).nearest_f64()?);
        let cost = Real::Exact(law.mean().clone()).decimals(6)?;
        let after = format!("total variation {distance}, {cost} rolls");
        Ok(match first_wrong(doubles, DEEPEST) {
            None => (format!("no wrong stop in {DEEPEST} rolls; {after}"), false),
            Some(wrong) => {
                let holds = runs(&wrong.rolls) == self.rolls
                    && wrong.gives == self.gives
                    && apart.is_positive()
                    && apart < self.distance_below.0;
                (format!("{}; {after}", wrong.text()), holds)
            }
        })
    }
}

/// The fewest rolls after which the doubles stop wrongly, over a range of dice; of equal ones, the
/// least source and then the least target.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DoubleSearch {
    sources: Span,
    targets: Span,
    source: u64,
    n: u64,
    rolls: String,
    gives: u64,
}

impl Question for DoubleSearch {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let mut best: Option<Wrong> = None;
        let mut pairs = 0u64;
        for source in self.sources.0.clone() {
            for target in self.targets.0.clone() {
                pairs += 1;
                let most = best.as_ref().map_or(DEEPEST, |best| best.rolls.len() - 1);
                best = first_wrong(doubles(source, target)?, most).or(best);
            }
        }
        let Some(best) = best else {
            return Ok((format!("no wrong stop for {pairs} pairs of dice"), false));
        };
        let holds = (best.source, best.target, best.gives) == (self.source, self.n, self.gives)
            && runs(&best.rolls) == self.rolls;
        let (m, n) = (best.source, best.target);
        Ok((
            format!(
                "d{n} from d{m}: {}; shortest of {pairs} pairs of dice",
                best.text()
            ),
            holds,
        ))
    }
}

/// E[T] of the published rule in exact arithmetic.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundedUpIntervals {
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
    is: Fraction,
}

/// Where the exact published rule is in [0, 1).
#[derive(Clone, PartialEq, Eq, Hash)]
enum Place {
    /// [low, low + 1) / scale, scale < n.
    Part(BigUint, BigUint),
    /// The cut above this cell lies r/n of the way through, 0 <= r < n.
    Cut(BigUint, BigUint),
}

fn rounded_up(m: u64, n: &BigUint) -> Result<Chain, StudyError> {
    let settle = |low: BigUint, scale: BigUint| {
        // the cells of both ends, from 0; the low end counts to the cell below
        let first = (&low * n + &scale - 1u8) / &scale; // the first cut at or above low
        let after = (&low + 1u8) * n;
        if first.is_zero() && after <= scale {
            return Step::Output(BigUint::zero());
        }
        if !first.is_zero() && &first * &scale >= after {
            return Step::Output(first - 1u8);
        }
        if scale < *n {
            return Step::Roll(Place::Part(low, scale));
        }
        let cut = if first.is_zero() {
            BigUint::one()
        } else {
            first
        };
        let way = &cut * &scale - &low * n;
        Step::Roll(Place::Cut(cut - 1u8, way))
    };
    let step = |at: &Place, face: u64| match at {
        Place::Part(low, scale) => settle(low * m + face, scale * m),
        Place::Cut(cell, r) => {
            let (way, passed) = (r * m, n * face);
            if way < passed {
                Step::Output(cell + 1u8)
            } else if &way - &passed >= *n {
                Step::Output(cell.clone())
            } else {
                Step::Roll(Place::Cut(cell.clone(), way - passed))
            }
        }
    };
    let start = settle(BigUint::zero(), BigUint::one());
    let chain = Chain::explore(start, 1_000_000, |_| m, step);
    chain
        .map(|(chain, _)| chain)
        .map_err(|_| StudyError::Spec("the rule has too many states".to_string()))
}

impl Question for RoundedUpIntervals {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let dice = dice(self.source, &self.n)?;
        let chain = rounded_up(self.source, fair(&dice)?.n)?;
        let share = Rational::new(1.into(), self.n.0.clone().into());
        let fair = chain.probabilities().values().all(|p| *p == share);
        let word = if fair { "fair" } else { "not fair" };
        let mean = chain.mean();
        Ok((format!("{mean}, {word}"), mean == self.is.0 && fair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_rule_keeps_every_cut_undecided_once() {
        for m in [2u64, 3, 4, 6, 10] {
            for n in 2u64..=30 {
                let chain = rounded_up(m, &n.into()).unwrap();
                let share = Rational::new(1.into(), n.into());
                assert!(
                    chain.probabilities().values().all(|p| *p == share),
                    "{m} {n}"
                );
                for (t, s) in chain.survivors().take(8).enumerate() {
                    if m.pow(t as u32) >= n {
                        assert_eq!(s, BigUint::from(n - 1), "{m} {n} {t}");
                    }
                }
            }
        }
    }

    #[test]
    fn doubles_of_a_coin_are_exact_for_50_flips() {
        for n in [3u64, 6, 20] {
            let doubles = Doubles {
                source: 2,
                target: n,
            };
            assert!(first_wrong(doubles, 45).is_none(), "{n}");
            assert!(first_wrong(doubles, DEEPEST).is_some(), "{n}");
        }
    }

    #[test]
    fn rolls_are_written_in_runs() {
        assert_eq!(runs(&[3, 1, 1, 1, 4]), "3, 1 x 3, 4");
    }
}
