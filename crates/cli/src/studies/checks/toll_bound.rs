//! The check `toll-bound`: see [`TollBound`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::largest_toll::{largest_toll, place};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use flipcost::number::{BigInt, BigUint, Rational, Real};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::Deref;

/// The toll of the amplified loaded dice roller, in flips, is at most a bound for all weights of a
/// sum, which have no common divisor. With the least depth it is the fast loaded dice roller.
///
/// ```toml
/// for-all = "n in 2..300"
/// toll-bound = { sum = "n", depth = "2*k", bound = { number = 2 } }
/// ```
///
/// The bound is compared with an upper bound of the tolls of all weights, within 2^-40 of the largest.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "Q: Deserialize<'de>")]
pub struct TollBound<Q> {
    /// The sum of the weights.
    sum: OfN<BigUint>,
    /// The depth K of the tree.
    depth: OfN<BigUint>,
    /// What no toll is above.
    bound: Q,
}

impl<Q: Deref<Target = dyn Measure> + Sync> Decide for TollBound<Q> {
    fn of_n(&self) -> bool {
        self.sum.of_n() || self.depth.of_n() || self.bound.of_n()
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let (sum, depth) = place(&self.sum, &self.depth, case)?;
        let largest = largest_toll(sum, depth);
        let bound = self.bound.value(case)?;
        let end = |end: i64| Real::Exact(Rational::new(end.into(), BigInt::from(1u64 << 56)));
        let holds = end(largest.high).compare(&bound)? != Ordering::Greater;
        let weights: Vec<String> = largest.weights.iter().map(u64::to_string).collect();
        let (toll, weights) = (largest.decimals(), weights.join(":"));
        // between the two ends nothing is known
        if !holds && end(largest.low).compare(&bound)? != Ordering::Greater {
            let what = format!(
                "the largest toll of weights of sum {sum}, {toll}, is too near to the bound to decide"
            );
            return Err(Mistake::of("sum", sum, what).into());
        }
        let bound = bound.decimals(6)?;
        let computed = format!("the largest toll is {toll}, of {weights}; the bound is {bound}");
        Ok(Found::new(computed, holds))
    }
}
