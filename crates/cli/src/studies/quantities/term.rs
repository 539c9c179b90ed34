//! `{ term = { id = "A136043", n = "2*n" } }`: a term of a named sequence.

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::terms::term;
use crate::studies::values::Line;
use flipcost::number::BigUint;
use flipcost::number::Real;
use serde::Deserialize;

/// a(n) of a sequence.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    id: Line,
    n: OfN<BigUint>,
}

impl Measure for Term {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let n = self.n.at(case.n)?;
        let (_, value) = term(&self.id, &n)?;
        Ok(Real::integer(value))
    }
}
