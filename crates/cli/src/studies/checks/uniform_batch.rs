//! The check `uniform-batch`: see [`UniformBatch`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::FACES;
use crate::studies::quantities::batch::{listed, targets};
use crate::studies::values::{Natural, coin};
use flipcost::number::Rational;
use flipcost::unstable::streams::joint;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

/// Are all sequences of outcomes of a batch exactly equally likely?
///
/// ```toml
/// uniform-batch = { source = 6, targets = [4, 13] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniformBatch {
    #[serde(default = "coin")]
    source: u64,
    /// The targets, in their order.
    targets: Vec<Natural>,
}

impl Decide for UniformBatch {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let targets = targets(self.source, listed(&self.targets))?;
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
