//! The check `uniform`: see [`Uniform`].

use crate::studies::batch::targets;
use crate::studies::case::Case;
use crate::studies::costs::chain;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::FACES;
use crate::studies::values::{AlgorithmName, Natural, coin, task};
use flipcost::number::{BigInt, BigUint, Rational};
use flipcost::unstable::streams::joint;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

/// Are all outcomes exactly equally likely: of an algorithm, or all sequences of outcomes of a generator that
/// keeps its state from target to target?
///
/// ```toml
/// uniform = { source = 4, algorithm = "interval", targets = [20] }
/// # or: uniform = { source = 6, targets = [4, 13] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    #[serde(default = "coin")]
    source: u64,
    /// The algorithm, which makes one target; without one the state is kept.
    algorithm: Option<AlgorithmName>,
    /// The targets, in their order.
    targets: Vec<Natural>,
}

impl Decide for Uniform {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let targets = targets(self.source, &self.targets)?;
        if let Some(algorithm) = self.algorithm {
            let [n] = &targets[..] else {
                let what = "an algorithm makes one target";
                return Err(Mistake::new(what).field("targets").into());
            };
            let law = chain(algorithm.0, &task(self.source, n.clone())?)?.probabilities();
            let share = Rational::new(1.into(), BigInt::from(n.clone()));
            let fair = law.values().filter(|p| **p == share).count();
            let holds = fair == law.len() && BigUint::from(fair) == *n;
            let computed = format!("{fair} of {n} outcomes: {share} each");
            return Ok(Found::new(computed, holds));
        }
        let sides: Option<Vec<u64>> = targets.iter().map(ToPrimitive::to_u64).collect();
        let too_large = || Mistake::new("the batch has too many outcomes").field("targets");
        let sides = sides.ok_or_else(too_large)?;
        let law = joint(self.source, &sides, FACES).map_err(|_| too_large())?;
        let all: u128 = sides.iter().map(|&n| u128::from(n)).product();
        let share = Rational::new(1.into(), all.into());
        let holds = law.len() as u128 == all && law.values().all(|p| *p == share);
        let computed = match (law.values().min(), law.values().max()) {
            (Some(least), Some(most)) if least != most => {
                format!("{} outcomes, from {least} to {most} each", law.len())
            }
            _ => format!("{} outcomes, {share} each", law.len()),
        };
        Ok(Found::new(computed, holds))
    }
}
