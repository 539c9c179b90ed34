//! The quantity `formula`: see [`Formula`].

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::RealText;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;

/// A number as it is written, with e, pi, sqrt(), ln() and log2().
///
/// ```toml
/// formula = "log2(2*n) - 1/n"
/// # or: formula = "1 - 7^26 / 2^73"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Formula(OfN<RealText>);

impl Measure for Formula {
    fn of_n(&self) -> bool {
        self.0.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        Ok(self.0.at(case.n)?.0.clone())
    }
}
