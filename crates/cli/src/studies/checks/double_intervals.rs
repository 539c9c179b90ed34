//! The check `double-intervals`: see [`DoubleIntervals`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::doubles::{DEEPEST, doubles, first_wrong, runs};
use crate::studies::error::StudyError;
use crate::studies::values::{Fraction, Line, coin};
use flipcost::number::Real;
use flipcost::number::{BigInt, BigUint, Rational};
use num_traits::{Signed, ToPrimitive, Zero};
use schemars::JsonSchema;
use serde::Deserialize;

/// The interval algorithm in doubles: its first wrong stop, and how far its exact law is from a
/// fair die.
///
/// ```toml
/// [check.double-intervals]
/// source = 4
/// n = 6
/// rolls = "3 x 26"
/// gives = 4
/// distance-below = "1/10^14"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoubleIntervals {
    #[serde(default = "coin")]
    source: u64,
    n: u64,
    /// The shortest rolls that stop wrongly, as `3, 1 x 26`.
    rolls: Line,
    /// What they give.
    gives: u64,
    /// The total variation distance from a fair die is above 0 and below this.
    distance_below: Fraction,
}

impl Decide for DoubleIntervals {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
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
            None => Found::new(format!("no wrong stop in {DEEPEST} rolls; {after}"), false),
            Some(wrong) => {
                let holds = runs(&wrong.rolls) == self.rolls.0
                    && wrong.gives == self.gives
                    && apart.is_positive()
                    && apart < self.distance_below.0;
                Found::new(format!("{}; {after}", wrong.text()), holds)
            }
        })
    }
}
