//! The check `against`: see [`Against`].

use crate::studies::case::Case;
use crate::studies::costs::{all_n_up_to, exact_mean};
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::values::{AlgorithmName, Fraction, Span, coin, task};
use flipcost::number::Rational;
use flipcost::unstable::sweep::{Pace, ordered};
use num_traits::Zero;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;

/// The largest ratio of the expected rolls of two algorithms over a range of n, and the first n
/// where it stands. Targets that need no roll are left out.
///
/// ```toml
/// against = { algorithm = "interval", other = "fast-dice-roller", targets = "2..100", largest = "345/256", at = 15 }
/// # or: against = { source = 6, algorithm = "rejection", other = "interval", targets = "2..9", largest = 3, at = 2 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Against {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    /// The algorithm that it is compared with.
    other: AlgorithmName,
    /// The range of n.
    targets: Span,
    /// The largest ratio, and the n where it stands.
    largest: Fraction,
    /// The n of the largest ratio.
    at: u64,
}

impl Decide for Against {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let last = *self.targets.0.end();
        for algorithm in [self.algorithm.0, self.other.0] {
            all_n_up_to("targets", algorithm, self.source, last)?;
        }
        let work = |part: RangeInclusive<u64>| {
            let mut most: Option<(u64, Rational)> = None;
            for n in part {
                let task = task(self.source, n)?;
                let other = exact_mean(self.other.0, &task)?;
                if other.is_zero() {
                    continue;
                }
                let ratio = exact_mean(self.algorithm.0, &task)? / other;
                if most.as_ref().is_none_or(|(_, most)| ratio > *most) {
                    most = Some((n, ratio));
                }
            }
            Ok(most)
        };
        let mut most: Option<(u64, Rational)> = None;
        let pace = Pace {
            chunk: 64,
            threads: 0,
        };
        ordered(self.targets.0.clone(), pace, work, |part, _| {
            if let Some((n, ratio)) = part
                && most.as_ref().is_none_or(|(_, most)| ratio > *most)
            {
                most = Some((n, ratio));
            }
            Ok::<(), StudyError>(())
        })?;
        let Some((n, ratio)) = most else {
            let what = "it needs a target that takes a roll";
            return Err(Mistake::new(what)
                .field("targets")
                .right("targets = \"2..100\"")
                .into());
        };
        let holds = n == self.at && ratio == self.largest.0;
        let computed = format!("largest ratio {ratio} at n = {n}");
        Ok(Found::new(computed, holds))
    }
}
