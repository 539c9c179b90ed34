//! The quantity `variance`: see [`Variance`].

use crate::studies::asked::{cost, number};
use crate::studies::case::Case;
use crate::studies::costs;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::{AlgorithmName, coin, task};
use flipcost::number::BigUint;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The variance of the rolls.
///
/// ```toml
/// variance = { source = 6, algorithm = "rejection", n = 6 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variance {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: OfN<BigUint>,
}

impl Measure for Variance {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn question(&self) -> Option<Value> {
        let n = number(&self.n)?;
        Some(cost(
            self.algorithm,
            self.source,
            &n,
            &["variance_exact", "variance"],
        ))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let n = self.n.at(case.n)?.into_owned();
        costs::variance(self.algorithm.0, &task(self.source, n)?)
    }
}
