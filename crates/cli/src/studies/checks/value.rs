//! The check `value`: see [`Value`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::shown::{same, shown};
use crate::studies::values::{Decimals, Fraction};
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::Deref;

/// The value of a quantity: a fraction, decimals to which it rounds, or what it is above or below.
///
/// ```toml
/// value = { of = { mean-toll = { over = "log-sides" } }, decimals = "1.1099489" }
/// # or: value = { of = { entropy = { n = 6 } }, above = "5/2", below = 3 }
/// # or: value = { of = { expected = { algorithm = "interval", n = 6 } }, is = 5 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "Q: Deserialize<'de>")]
pub struct Value<Q> {
    /// The quantity.
    of: Q,
    is: Option<Fraction>,
    /// Its rounded value, as many digits as given.
    decimals: Option<Decimals>,
    /// What it is above.
    above: Option<Fraction>,
    /// What it is below.
    below: Option<Fraction>,
}

impl<Q: Deref<Target = dyn Measure> + Sync> Decide for Value<Q> {
    fn of_n(&self) -> bool {
        self.of.of_n()
    }

    fn question(&self) -> Option<serde_json::Value> {
        self.of.question()
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let value = self.of.value(case)?;
        let mut holds = true;
        for (bound, wanted) in [
            (&self.above, Ordering::Greater),
            (&self.below, Ordering::Less),
        ] {
            if let Some(Fraction(bound)) = bound {
                holds &= value.compare(&Real::Exact(bound.clone()))? == wanted;
            }
        }
        let is_bounded = self.above.is_some() || self.below.is_some();
        if self.is.is_some() || self.decimals.is_some() || !is_bounded {
            holds &= same(&value, self.is.as_ref(), self.decimals.as_ref())?;
        }
        let computed = match value.exact() {
            Some(_) => shown(&value)?,
            None => value.decimals(12)?,
        };
        Ok(Found::new(computed, holds))
    }
}
