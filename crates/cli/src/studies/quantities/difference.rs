//! The quantity `difference`: see [`Difference`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, Packed, StudyError};
use crate::studies::measure::Measure;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Deref;

/// The first of two other quantities, less the second.
///
/// ```toml
/// difference = [{ expected = { algorithm = "rejection", n = "n" } }, { entropy = { n = "n" } }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Q>", bound = "Q: Deserialize<'de>")]
pub struct Difference<Q>(Vec<Q>);

impl<Q> TryFrom<Vec<Q>> for Difference<Q> {
    type Error = Packed;

    fn try_from(quantities: Vec<Q>) -> Result<Self, Packed> {
        match quantities.len() {
            2 => Ok(Difference(quantities)),
            count => {
                let what = format!("a difference is of two quantities, not {count}");
                Err(Mistake::new(what).right("write [{ ... }, { ... }]").into())
            }
        }
    }
}

impl<Q: Deref<Target = dyn Measure> + Sync> Measure for Difference<Q> {
    fn of_n(&self) -> bool {
        self.0.iter().any(|one| one.of_n())
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        Ok(self.0[0].value(case)?.minus(&self.0[1].value(case)?))
    }
}
