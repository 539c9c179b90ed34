//! The quantity `product`: see [`Product`].

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Deref;

/// The
/// product of other quantities.
///
/// ```toml
/// product = [
///   { expected = { algorithm = "rejection", n = "n" } },
///   { number = 2 },
/// ]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Product<Q>(Vec<Q>);

impl<Q: Deref<Target = dyn Measure> + Sync> Measure for Product<Q> {
    fn of_n(&self) -> bool {
        self.0.iter().any(|one| one.of_n())
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let mut total = Real::integer(1);
        for one in &self.0 {
            total = total.times(&one.value(case)?);
        }
        Ok(total)
    }
}
