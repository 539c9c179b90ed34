//! The check `digit-bound`: see [`DigitBound`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::digits::{bound, few_digits, relative_toll};
use crate::studies::error::StudyError;
use flipcost::unstable::sweep::{Pace, ordered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// The toll of an outcome of probability x relative to x, (nu(x) - x log2(1/x)) / x, is at most 2 -
/// (1-x) (f - 2 + 1/ln 2), f = -floor(log2(1-x)), for all x in [1/2, 1) of so many binary digits.
///
/// ```toml
/// digit-bound = { depth = 12 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DigitBound {
    /// The binary digits of x.
    depth: u32,
}

impl Decide for DigitBound {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let depth = self.depth;
        few_digits(depth)?;
        let range = (1u64 << (depth - 1))..=(1u64 << depth) - 1;
        let count = range.end() - range.start() + 1;
        let work = |part: RangeInclusive<u64>| {
            for j in part {
                let (toll, bound) = (relative_toll(j, depth), bound(j, depth)?);
                if toll.compare(&bound)? == Ordering::Greater {
                    let (toll, bound) = (toll.decimals(9)?, bound.decimals(9)?);
                    return Ok(Some(format!("{toll} above {bound} at x = {j}/2^{depth}")));
                }
            }
            Ok(None)
        };
        let mut wrong: Option<String> = None;
        ordered(range, Pace::default(), work, |part, _| {
            wrong = wrong.take().or(part);
            Ok::<(), StudyError>(())
        })?;
        Ok(match wrong {
            Some(wrong) => Found::new(wrong, false),
            None => Found::new(
                format!("it holds for all {count} x with {depth} binary digits"),
                true,
            ),
        })
    }
}
