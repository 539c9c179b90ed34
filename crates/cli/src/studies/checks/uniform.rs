//! The check `uniform`: see [`UniformOutcomes`].

use crate::studies::case::Case;
use crate::studies::costs::chain;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::of_n::OfN;
use crate::studies::values::{AlgorithmName, coin, task};
use flipcost::number::{BigInt, BigUint, Rational};
use schemars::JsonSchema;
use serde::Deserialize;

/// Are all outcomes of an algorithm exactly equally likely?
///
/// ```toml
/// uniform = { source = 4, algorithm = "interval", n = 20 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniformOutcomes {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: OfN<BigUint>,
}

impl Decide for UniformOutcomes {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let n = self.n.at(case.n)?.into_owned();
        let law = chain(self.algorithm.0, &task(self.source, n.clone())?)?.probabilities();
        let share = Rational::new(1.into(), BigInt::from(n.clone()));
        let fair = law.values().filter(|p| **p == share).count();
        let holds = fair == law.len() && BigUint::from(fair) == n;
        Ok(Found::new(
            format!("{fair} of {n} outcomes: {share} each"),
            holds,
        ))
    }
}
