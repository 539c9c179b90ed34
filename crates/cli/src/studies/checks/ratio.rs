//! The check `ratio`: see [`Ratio`].

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

/// The n for which an algorithm takes at least a given multiple of the entropy, and the largest
/// ratio.
///
/// ```toml
/// [check.ratio]
/// source = 2
/// algorithm = "rejection"
/// least = 2
/// to = 1000000
/// largest = 4
/// at = 2
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    /// The multiple of the entropy.
    least: Fraction,
    /// The last n.
    to: u64,
    /// The largest ratio, and the n where it stands.
    largest: Fraction,
    /// The n of the largest ratio.
    at: u64,
}

impl Decide for Ratio {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        if self.to < 2 {
            let what = "it needs a range up to 2 at least, because log 1 is 0";
            return Err(Mistake::of("to", self.to, what).right("to = 1000").into());
        }
        all_n_up_to("to", self.algorithm.0, self.source, self.to)?;
        let least = Real::Exact(self.least.0.clone());
        let least_near = Near::of_nearest(least.nearest_f64()?);
        let mut most_near = Near::of_nearest(f64::NEG_INFINITY);
        let (mut most, mut count): (Option<(u64, Real)>, u64) = (None, 0);
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        means_and_entropies(
            self.algorithm.0,
            self.source,
            2..=self.to,
            |n, mean, entropy| {
                let near = mean.over(entropy);
                let (below, above) = (near.is_below(least_near), least_near.is_below(near));
                let smaller = near.is_below(most_near);
                let mut is_found = above;
                if !(below || above) || !smaller {
                    let costs = dice_costs(self.algorithm.0, self.source, n)?;
                    let multiple = least.times(costs.entropy());
                    is_found |= !below && costs.mean().compare(&multiple)? != Ordering::Less;
                    if !smaller {
                        let larger = larger(most.take(), (n, costs.mean().over(costs.entropy())))?;
                        if larger.as_ref().is_some_and(|(at, _)| *at == n) {
                            most_near = near;
                        }
                        most = larger;
                    }
                }
                if is_found {
                    count += 1;
                    match stretches.last_mut() {
                        Some((_, end)) if *end + 1 == n => *end = n,
                        _ => stretches.push((n, n)),
                    }
                }
                Ok(())
            },
        )?;
        let (n, ratio) = most.expect("at least n = 2");
        let holds =
            n == self.at && ratio.compare(&Real::Exact(self.largest.0.clone()))? == Ordering::Equal;
        let shown = |&(a, b): &(u64, u64)| {
            if a == b {
                a.to_string()
            } else {
                format!("{a}..{b}")
            }
        };
        let list: Vec<String> = stretches.iter().map(shown).collect();
        let least = self.least.0.to_string();
        let largest = match ratio.exact() {
            Some(exact) => exact.to_string(),
            None => ratio.decimals(6)?,
        };
        let computed = format!(
            "largest ratio {largest} at n = {n}; at least {least} for {count} n of {}: {}",
            self.to - 1,
            list.join(", ")
        );
        Ok(Found::new(computed, holds))
    }
}
