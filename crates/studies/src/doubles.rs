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
//! and the rule stops as soon as both ends have the same cell, where the cell of x is ceil(n x),
//! and 1 at x = 0. Here every operation is the same operation on the same IEEE doubles. Two things
//! are studied:
//!
//! * *The rule.* A low end that lies on a cut j/n is counted to the cell below, though the interval
//!   lies above. In exact arithmetic that only costs rolls: every cut is in exactly one [low,
//!   high), so s(t) = n - 1 once m^t >= n, instead of n - gcd(n, m^t); the outcomes stay fair.
//! * *The doubles.* A stop is wrong if the exact interval of the same rolls does not lie inside the
//!   cell that was output. [`first_wrong`] finds the shortest such rolls; [`Doubles::law`] solves
//!   the finite chain of all pairs of doubles exactly.

use super::error::{Mistake, StudyError};
use super::limits::FACES;
use super::values::task;
use flipcost::law::{Chain, Step};
use flipcost_number::BigUint;
use num_traits::{One, Zero};

/// The published rule on doubles.
#[derive(Clone, Copy)]
pub struct Doubles {
    /// Sides of the source.
    pub source: u64,
    /// Sides of the target.
    pub target: u64,
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
    ///
    /// # Errors
    /// If it is too large to be solved.
    pub fn law(self) -> Result<Chain, StudyError> {
        let settle = |ends: (f64, f64)| match self.decided(ends) {
            Some(cell) => Step::Output(BigUint::from(cell)),
            None => Step::Roll((ends.0.to_bits(), ends.1.to_bits())),
        };
        let step = |&(low, high): &(u64, u64), face| {
            settle(self.narrow((f64::from_bits(low), f64::from_bits(high)), face))
        };
        let chain = Chain::explore(settle((0.0, 1.0)), FACES, |_| self.source, step);
        chain
            .map(|(chain, _)| chain)
            .map_err(|_| Mistake::new("these doubles have too many states for an exact law").into())
    }
}

/// A stop that the exact interval does not support.
pub struct Wrong {
    /// Sides of the source.
    pub source: u64,
    /// Sides of the target.
    pub target: u64,
    /// The faces, from 1.
    pub rolls: Vec<u64>,
    /// The cell that was output, from 1.
    pub gives: u64,
    /// The cells that the exact interval reaches into, from 1.
    open: (BigUint, BigUint),
}

/// Rolls in runs of equal ones: `3, 1 x 26`.
pub fn runs(rolls: &[u64]) -> String {
    let run = |run: &[u64]| match run.len() {
        1 => run[0].to_string(),
        more => format!("{} x {more}", run[0]),
    };
    let parts: Vec<String> = rolls.chunk_by(|a, b| a == b).map(run).collect();
    parts.join(", ")
}

impl Wrong {
    /// `3, 1 x 26: gives 4, right is 3`.
    pub fn text(&self) -> String {
        let (from, to) = &self.open;
        let right = if from == to {
            format!("right is {from}")
        } else {
            format!("{from} to {to} are still open")
        };
        format!("{}: gives {}, {right}", runs(&self.rolls), self.gives)
    }
}

/// The shortest rolls (of equal ones, the first in order) after which the doubles stop wrongly, up
/// to `most` rolls. Every undecided pair of doubles is followed, with the exact interval beside it.
pub fn first_wrong(doubles: Doubles, most: usize) -> Option<Wrong> {
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
                let rolls = || rolls.iter().copied().chain([face + 1]).collect();
                let Some(gives) = doubles.decided(ends) else {
                    next.push((ends, low, rolls()));
                    continue;
                };
                let above = &low * n;
                if &above + &scale < &scale * gives || &above + n > &scale * gives {
                    let from = &above / &scale + 1u8;
                    let open = (from, (above + n + &scale - 1u8) / &scale);
                    return Some(Wrong {
                        source: m,
                        target: n,
                        rolls: rolls(),
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
pub const DEEPEST: usize = 80;

/// The published rule for these dice.
///
/// # Errors
/// If they are no dice.
pub fn doubles(source: u64, target: u64) -> Result<Doubles, StudyError> {
    task(source, target)?;
    Ok(Doubles { source, target })
}

#[cfg(test)]
mod tests {
    use super::*;

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
