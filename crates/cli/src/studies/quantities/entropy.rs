//! The quantity `entropy`: see [`Entropy`].

use crate::studies::asked::{cost, number};
use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::AlgorithmName;
use crate::studies::values::{coin, fair, task};
use flipcost::number::BigUint;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The entropy of a fair target in source rolls, log_m n.
///
/// ```toml
/// entropy = { source = 6, n = 36 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entropy {
    #[serde(default = "coin")]
    source: u64,
    n: OfN<BigUint>,
}

impl Measure for Entropy {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn question(&self) -> Option<Value> {
        let fair = AlgorithmName(flipcost::algorithms::find("fast-dice-roller").ok()?);
        let n = number(&self.n)?;
        Some(cost(fair, self.source, &n, &["entropy"]))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let task = task(self.source, self.n.at(case.n)?.into_owned())?;
        fair(&task)?;
        Ok(task.entropy())
    }
}
