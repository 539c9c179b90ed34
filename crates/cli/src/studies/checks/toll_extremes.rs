//! The check `toll-extremes`: see [`TollExtremes`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::limits::{TARGETS, at_most};
use crate::studies::values::Span;
use flipcost::unstable::roller::doubles::toll_fixed;
use flipcost::unstable::sweep::{Pace, ordered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;

/// Of the n between 2^k and 2^(k+1), the fast dice roller with a coin has the largest toll at 2^k +
/// 1 and the least at 2^(k+1) - 1, for every k of a range.
///
/// ```toml
/// toll-extremes = { blocks = "1..15" }
/// ```
///
/// It is decided by enclosures of the tolls, none of them wider than 2^-59.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TollExtremes {
    /// The range of k.
    blocks: Span,
}

impl Decide for TollExtremes {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let (first, last) = (*self.blocks.0.start(), *self.blocks.0.end());
        let end = if last < 63 { 2u64 << last } else { u64::MAX };
        at_most("blocks", end, "n", TARGETS)?;
        let toll = |n: u64| toll_fixed(n).expect("n is a word of less than 32 bits");
        let ends: Vec<_> = (0..=last)
            .map(|k| [(1 << k) + 1, (2 << k) - 1].map(|n| (n, toll(n))))
            .collect();
        let work = |part: RangeInclusive<u64>| {
            for n in part.filter(|n| !n.is_power_of_two()) {
                let [(most, largest), (least, smallest)] = ends[n.ilog2() as usize];
                let here = toll(n);
                if n != most && here.high >= largest.low {
                    return Ok(Some(format!("the toll of {n} is not below that of {most}")));
                }
                if n != least && here.low <= smallest.high {
                    return Ok(Some(format!(
                        "the toll of {n} is not above that of {least}"
                    )));
                }
            }
            Ok(None)
        };
        let (from, to) = (1u64 << first, (2u64 << last) - 1);
        let mut wrong: Option<String> = None;
        ordered(from..=to, Pace::default(), work, |part, _| {
            wrong = wrong.take().or(part);
            Ok::<(), StudyError>(())
        })?;
        Ok(match wrong {
            Some(wrong) => Found::new(wrong, false),
            None => Found::new(
                format!("largest at 2^k + 1 and least at 2^(k+1) - 1 for k = {first} to {last}"),
                true,
            ),
        })
    }
}
