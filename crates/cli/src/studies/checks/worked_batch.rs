//! The check `worked-batch`: see [`WorkedBatch`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::quantities::batch::asked;
use crate::studies::quantities::batch::{listed, targets};
use crate::studies::values::{Line, Natural, coin};
use flipcost::number::BigUint;
use flipcost::unstable::algorithms::parse_rolls;
use flipcost::unstable::streams::StreamSampler;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A person's rolls and the outcomes, from 1, of a generator that keeps its state.
///
/// ```toml
/// [check.worked-batch]
/// source = 6
/// targets = [4, 13]
/// input = "6,3,4,3"
/// is = [1, 2]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkedBatch {
    #[serde(default = "coin")]
    source: u64,
    /// The targets, in their order.
    targets: Vec<Natural>,
    /// The rolls: `HTHHT` or `6,3,4,3`.
    input: Line,
    /// The outcomes.
    is: Vec<u64>,
}

impl Decide for WorkedBatch {
    fn question(&self) -> Option<Value> {
        let targets: Vec<String> = listed(&self.targets).map(|n| n.to_string()).collect();
        let mut question = asked(self.source, &targets);
        question["trace"] = true.into();
        question["input"] = self.input.0.as_str().into();
        Some(question)
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let targets = targets(self.source, listed(&self.targets))?;
        let mut recycler = StreamSampler::new(self.source);
        let rolls = parse_rolls(&self.input.0, self.source.into())
            .map_err(|error| Mistake::of("input", &self.input.0, error))?;
        let mut left = rolls.iter().copied();
        let mut outcomes: Vec<BigUint> = Vec::new();
        for n in &targets {
            outcomes.extend(recycler.draw(n, &mut || left.next(), None));
        }
        let shown: Vec<String> = outcomes.iter().map(BigUint::to_string).collect();
        let unused = left.count();
        let wanted = self.is.iter().map(|&face| BigUint::from(face));
        let holds = outcomes.iter().cloned().eq(wanted) && unused == 0;
        Ok(Found::new(
            format!("{}; {unused} rolls left over", shown.join(", ")),
            holds,
        ))
    }
}
