//! The quantity `number`: see [`Number`].

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use flipcost::number::Rational;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;

/// A number.
///
/// ```toml
/// number = "11/3"
/// # or: number = "n + 1"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Number(OfN<Rational>);

impl Measure for Number {
    fn of_n(&self) -> bool {
        self.0.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        Ok(Real::Exact(self.0.at(case.n)?.into_owned()))
    }
}
