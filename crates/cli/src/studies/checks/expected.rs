//! The check `expected`: see [`Expected`].

use crate::studies::asked::{cost, number};
use crate::studies::case::Case;
use crate::studies::costs::exact_mean;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::of_n::OfN;
use crate::studies::values::{AlgorithmName, coin, task};
use flipcost::number::{BigUint, Rational};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The expected rolls of an algorithm, as a reduced fraction.
///
/// ```toml
/// expected = { source = 6, algorithm = "rejection", n = 6, is = 4 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: OfN<BigUint>,
    is: OfN<Rational>,
}

impl Decide for Expected {
    fn of_n(&self) -> bool {
        self.n.of_n() || self.is.of_n()
    }

    fn question(&self) -> Option<Value> {
        let n = number(&self.n)?;
        Some(cost(
            self.algorithm,
            self.source,
            &n,
            &["expected_exact", "expected"],
        ))
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let task = task(self.source, self.n.at(case.n)?.into_owned())?;
        let mean = exact_mean(self.algorithm.0, &task)?;
        Ok(Found::new(mean.to_string(), mean == *self.is.at(case.n)?))
    }
}
