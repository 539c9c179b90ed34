//! The check `term`: see [`Term`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::of_n::OfN;
use crate::studies::quantities::term::asked;
use crate::studies::terms::term;
use crate::studies::values::Line;
use flipcost::number::{BigInt, BigUint};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// One term of a named sequence, a(n) = v.
///
/// ```toml
/// term = { id = "A136043", n = 11, is = 5 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    id: Line,
    /// The index.
    n: OfN<BigUint>,
    /// The term.
    is: OfN<BigInt>,
}

impl Decide for Term {
    fn of_n(&self) -> bool {
        self.n.of_n() || self.is.of_n()
    }

    fn question(&self) -> Option<Value> {
        asked(&self.id.0, &self.n)
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let n = self.n.at(case.n)?;
        let (name, value) = term(&self.id, &n)?;
        let holds = value == *self.is.at(case.n)?;
        Ok(Found::new(format!("{name}: a({n}) = {value}"), holds))
    }
}
