//! The quantity `fractional-parts`: see [`FractionalParts`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use flipcost::number::{BigUint, Real};
use flipcost::unstable::law::toll::{expected_by_fractional_parts, is_short};
use flipcost::unstable::number::short;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

/// ceil(log2 n) + the sum of {2^j y} / (2^j y) over j >= 0, y = 2^ceil(log2 n) / n, exactly: {u} is
/// the part of u after its point.
///
/// ```toml
/// fractional-parts = { n = 11 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FractionalParts {
    n: OfN<BigUint>,
}

impl Measure for FractionalParts {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let n = self.n.at(case.n)?;
        let word = n.to_u64().filter(|n| *n <= 1 << 32 && is_short(*n));
        let n = word.ok_or_else(|| {
            let n = short(&n);
            let what = format!("the sum for n = {n} is out of a study's reach");
            let mistake = Mistake::of("n", n, what);
            mistake.right("choose a smaller n, 1 or more")
        })?;
        Ok(Real::Exact(expected_by_fractional_parts(n)))
    }
}
