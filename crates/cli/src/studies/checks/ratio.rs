//! The check `ratio`: see [`Ratio`].

use crate::studies::case::Case;
use crate::studies::costs::{all_n_up_to, dice_costs, fraction};
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::shown::larger;
use crate::studies::values::{AlgorithmName, Fraction, coin};
use flipcost::number::Real;
use flipcost::unstable::sweep::{Pace, ordered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::RangeInclusive;

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
            let what = "it needs a range up to 2 at least, because log 1 is 0: to = 1000";
            return Err(StudyError::Input(what.to_string()));
        }
        all_n_up_to(self.algorithm.0, self.source, self.to)?;
        let least = Real::Exact(self.least.0.clone());
        let (mut most, mut count): (Option<(u64, Real)>, u64) = (None, 0);
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        let work = |part: RangeInclusive<u64>| {
            let (mut most, mut found) = (None, Vec::new());
            for n in part {
                let costs = dice_costs(self.algorithm.0, self.source, n)?;
                if costs.mean.compare(&least.times(&costs.entropy))? != Ordering::Less {
                    found.push(n);
                }
                most = larger(most, (n, costs.mean.over(&costs.entropy)))?;
            }
            Ok((most, found))
        };
        let sink = |(part, found): (Option<(u64, Real)>, Vec<u64>), _| {
            count += found.len() as u64;
            for n in found {
                match stretches.last_mut() {
                    Some((_, end)) if *end + 1 == n => *end = n,
                    _ => stretches.push((n, n)),
                }
            }
            if let Some(part) = part {
                most = larger(most.take(), part)?;
            }
            Ok::<(), StudyError>(())
        };
        ordered(2..=self.to, Pace::default(), work, sink)?;
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
        let least = fraction(&self.least.0);
        let largest = match ratio.exact() {
            Some(exact) => fraction(exact),
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
