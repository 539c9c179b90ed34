//! The check `rounded-up-intervals`: see [`RoundedUpIntervals`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::FACES;
use crate::studies::values::{Fraction, Natural, coin, fair, task};
use flipcost::law::{Chain, Step};
use flipcost::number::{BigUint, Rational};
use num_traits::{One, Zero};
use schemars::JsonSchema;
use serde::Deserialize;

/// The interval algorithm with both ends of its interval rounded up to whole numbers, in exact
/// arithmetic: the expected rolls, and whether it is fair.
///
/// ```toml
/// rounded-up-intervals = { source = 4, n = 6, is = "29/12" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundedUpIntervals {
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
    let chain = Chain::explore(start, FACES, |_| m, step);
    chain.map(|(chain, _)| chain).map_err(|_| {
        Mistake::new("the rule has too many states")
            .field("n")
            .into()
    })
}

impl Decide for RoundedUpIntervals {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let task = task(self.source, self.n.0.clone())?;
        let chain = rounded_up(self.source, fair(&task)?.n)?;
        let share = Rational::new(1.into(), self.n.0.clone().into());
        let fair = chain.probabilities().values().all(|p| *p == share);
        let word = if fair { "fair" } else { "not fair" };
        let mean = chain.mean();
        let holds = mean == self.is.0 && fair;
        Ok(Found::new(format!("{mean}, {word}"), holds))
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
                for (t, s) in chain.undecided_nodes().take(8).enumerate() {
                    if m.pow(t as u32) >= n {
                        assert_eq!(s, BigUint::from(n - 1), "{m} {n} {t}");
                    }
                }
            }
        }
    }
}
