//! The check `toll-below`: see [`TollBelow`].

use crate::studies::case::Case;
use crate::studies::columns::means_and_entropies;
use crate::studies::costs::{all_n_up_to, dice_costs};
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::near::Near;
use crate::studies::shown::larger;
use crate::studies::values::{AlgorithmName, Fraction, coin};
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;

/// The toll of an algorithm, `E[T]` - log_m n, is below a bound for every n up to a limit.
///
/// ```toml
/// [check.toll-below]
/// source = 2
/// algorithm = "fast-dice-roller"
/// bound = 2
/// to = 1000000
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TollBelow {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    /// What the toll stays below.
    bound: Fraction,
    /// The last n.
    to: u64,
}

impl Decide for TollBelow {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        if self.to == 0 {
            let what = "it needs a range up to 1 at least";
            return Err(Mistake::of("to", self.to, what).right("to = 1000").into());
        }
        all_n_up_to("to", self.algorithm.0, self.source, self.to)?;
        let bound = Real::Exact(self.bound.0.clone());
        let bound_near = Near::of_nearest(bound.nearest_f64()?);
        let mut most: Option<(u64, Real)> = None;
        let mut most_near = Near::of_nearest(f64::NEG_INFINITY);
        let mut above = 0u64;
        means_and_entropies(
            self.algorithm.0,
            self.source,
            1..=self.to,
            |n, mean, entropy| {
                let near = mean.minus(entropy);
                let [settled, smaller] = [bound_near, most_near].map(|other| near.is_below(other));
                if settled && smaller {
                    return Ok(());
                }
                let toll = dice_costs(self.algorithm.0, self.source, n)?.toll();
                above += (!settled && toll.compare(&bound)? != Ordering::Less) as u64;
                let larger = larger(most.take(), (n, toll))?;
                if larger.as_ref().is_some_and(|(at, _)| *at == n) {
                    most_near = near;
                }
                most = larger;
                Ok(())
            },
        )?;
        let (n, toll) = most.expect("at least n = 1");
        let largest = toll.decimals(12)?;
        Ok(Found::new(
            format!(
                "largest {largest} at n = {n}, of {} n; {above} at the bound or above",
                self.to
            ),
            above == 0,
        ))
    }
}
