//! The check `at-most`: see [`AtMost`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, Packed, StudyError};
use crate::studies::measure::Measure;
use crate::studies::shown::shown;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::Deref;

/// Each of two or more quantities is at most the next.
///
/// ```toml
/// for-all = "n in 1..1000"
/// at-most = [
///   { entropy = { n = "n" } },
///   { expected = { algorithm = "fast-dice-roller", n = "n" } },
///   { formula = "k+1" },
/// ]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Q>", bound = "Q: Deserialize<'de>")]
pub struct AtMost<Q>(Vec<Q>);

impl<Q> TryFrom<Vec<Q>> for AtMost<Q> {
    type Error = Packed;

    fn try_from(quantities: Vec<Q>) -> Result<Self, Packed> {
        match quantities.len() {
            0 | 1 => {
                let what = "at-most compares two or more quantities";
                Err(Mistake::new(what).right("write [{ ... }, { ... }]").into())
            }
            _ => Ok(AtMost(quantities)),
        }
    }
}

impl<Q: Deref<Target = dyn Measure> + Sync> Decide for AtMost<Q> {
    fn of_n(&self) -> bool {
        self.0.iter().any(|quantity| quantity.of_n())
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let values = self.0.iter().map(|quantity| quantity.value(case));
        let values = values.collect::<Result<Vec<Real>, _>>()?;
        let mut holds = true;
        for pair in values.windows(2) {
            holds &= pair[0].compare(&pair[1])? != Ordering::Greater;
        }
        let all = values.iter().map(shown).collect::<Result<Vec<_>, _>>()?;
        Ok(Found::new(
            all.join(if holds { " ≤ " } else { ", " }),
            holds,
        ))
    }
}
