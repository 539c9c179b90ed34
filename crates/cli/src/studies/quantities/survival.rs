//! The quantity `survival`: see [`SurvivalAt`].

use crate::studies::asked::number;
use crate::studies::case::Case;
use crate::studies::costs;
use crate::studies::error::StudyError;
use crate::studies::limits::{ROLLS, at_most};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::{AlgorithmName, coin, task};
use flipcost::number::BigUint;
use flipcost::number::Real;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// The probability that more than t rolls are needed, P(T > t).
///
/// ```toml
/// survival = { source = 2, algorithm = "fast-dice-roller", n = 6, t = "2*n+1" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurvivalAt {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: OfN<BigUint>,
    /// The rolls.
    t: OfN<BigUint>,
}

impl Measure for SurvivalAt {
    fn of_n(&self) -> bool {
        self.n.of_n() || self.t.of_n()
    }

    fn question(&self) -> Option<Value> {
        Some(json!({
            "ask": "distribution",
            "target": number(&self.n)?,
            "source": self.source.to_string(),
            "algorithm": self.algorithm.0.about().id,
            "upto": self.t.at(None).ok()?.to_u64()?,
        }))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let (n, t) = (self.n.at(case.n)?.into_owned(), self.t.at(case.n)?);
        let t = t.to_u64().unwrap_or(u64::MAX);
        at_most("t", t, "rolls", ROLLS)?;
        let costs = costs::costs(self.algorithm.0, &task(self.source, n)?)?;
        let survival = costs.law().survival().nth(t as usize);
        // beyond the worst case, none is undecided
        Ok(Real::Exact(survival.unwrap_or_default()))
    }
}
