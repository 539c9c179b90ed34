//! `{ product = [{ expected = { algorithm = "rejection", n = "n" } }, { number = 2 }] }`: the
//! product of other quantities.

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use flipcost::number::Real;
use serde::Deserialize;
use std::ops::Deref;

/// The product of quantities `Q`; that of none is 1.
#[derive(Deserialize)]
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
