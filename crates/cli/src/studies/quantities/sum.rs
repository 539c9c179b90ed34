//! The quantity `sum`: see [`Sum`].

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Deref;

/// The sum of other quantities; that of none is 0.
///
/// ```toml
/// sum = [{ expected = { algorithm = "rejection", n = "n" } }, { number = 2 }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Sum<Q>(Vec<Q>);

impl<Q: Deref<Target = dyn Measure> + Sync> Measure for Sum<Q> {
    fn of_n(&self) -> bool {
        self.0.iter().any(|one| one.of_n())
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let mut total = Real::integer(0);
        for one in &self.0 {
            total = total.plus(&one.value(case)?);
        }
        Ok(total)
    }
}
