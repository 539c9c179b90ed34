//! The quantity `term`: see [`Term`].

use crate::studies::asked::number;
use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::terms::term;
use crate::studies::values::Line;
use flipcost::number::BigUint;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// A term of a named sequence.
///
/// ```toml
/// term = { id = "A136043", n = "2*n" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    id: Line,
    /// The index.
    n: OfN<BigUint>,
}

impl Measure for Term {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn question(&self) -> Option<Value> {
        asked(&self.id.0, &self.n)
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let n = self.n.at(case.n)?;
        let (_, value) = term(&self.id, &n)?;
        Ok(Real::integer(value))
    }
}

/// The question what a term of a sequence is.
pub fn asked(id: &str, n: &OfN<BigUint>) -> Option<Value> {
    let n: u64 = number(n)?.parse().ok()?;
    Some(json!({ "ask": "sequence", "id": id, "from": n, "to": n }))
}
