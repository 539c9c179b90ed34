//! The check `equal-at`: see [`EqualAt`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::limits::{OUTCOMES, at_most};
use crate::studies::measure::Measure;
use crate::studies::values::Span;
use flipcost::unstable::sweep::{Pace, ordered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::{Deref, RangeInclusive};

/// Two quantities are equal at these n of a range, and at no other.
///
/// ```toml
/// equal-at = { first = { entropy = { n = "n" } }, second = { formula = "k" }, n = "1..9", at = [1, 2, 4, 8] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "Q: Deserialize<'de>")]
pub struct EqualAt<Q> {
    /// A quantity.
    first: Q,
    /// Another.
    second: Q,
    /// The range of n.
    n: Span,
    /// Where they are equal.
    at: Vec<u64>,
}

impl<Q: Deref<Target = dyn Measure> + Sync> Decide for EqualAt<Q> {
    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        at_most("n", self.n.count(), "n", OUTCOMES)?;
        let equal = |n: u64| {
            let case = Case {
                n: Some(n),
                ..*case
            };
            let (first, second) = (self.first.value(&case)?, self.second.value(&case)?);
            Ok::<_, StudyError>(first.compare(&second)? == Ordering::Equal)
        };
        let work = |part: RangeInclusive<u64>| {
            let mut found = Vec::new();
            for n in part {
                if equal(n).map_err(|error| error.at(format!("for n = {n}")))? {
                    found.push(n);
                }
            }
            Ok(found)
        };
        let mut found = Vec::new();
        let pace = Pace {
            chunk: 16,
            threads: 0,
        };
        ordered(self.n.0.clone(), pace, work, |part, _| {
            found.extend(part);
            Ok::<(), StudyError>(())
        })?;
        let mut wanted = self.at.clone();
        wanted.sort_unstable();
        let list: Vec<String> = found.iter().map(u64::to_string).collect();
        let computed = match list.is_empty() {
            true => format!("equal at none of {} n", self.n.count()),
            false => format!("equal at n = {}", list.join(", ")),
        };
        Ok(Found::new(computed, found == wanted))
    }
}
