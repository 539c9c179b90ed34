//! The check `worked`: see [`Worked`].

use crate::batch::targets;
use crate::case::Case;
use crate::decide::{Decide, Found, question};
use crate::error::{Mistake, StudyError};
use crate::values::{AlgorithmName, Line, Natural, coin, task};
use flipcost::algorithms::Traced;
use flipcost::algorithms::faces::parse_rolls;
use flipcost_number::BigUint;
use flipcost_question::Query;
use flipcost_streams::sampler::StreamSampler;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// A person's rolls and the outcomes, from 1: of an algorithm, or of a generator that keeps its state from
/// target to target.
///
/// ```toml
/// worked = { source = 4, algorithm = "interval", targets = [20], input = "3,1,4,2", is = [12] }
/// # or: worked = { source = 6, targets = [4, 13], input = "6,3,4,3", is = [1, 2] }
/// # or: worked = { source = 4, algorithm = "interval", targets = [20], input = "3,1,4", is = [] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worked {
    #[serde(default = "coin")]
    source: u64,
    /// The algorithm, which makes one target; without one the state is kept.
    algorithm: Option<AlgorithmName>,
    /// The targets, in their order.
    targets: Vec<Natural>,
    /// The rolls: `HTHHT` or `6,3,4,3`.
    input: Line,
    /// The outcomes; an algorithm has none if these rolls do not decide it.
    is: Vec<u64>,
}

impl Decide for Worked {
    fn question(&self, _: &Case) -> Option<Query> {
        let targets: Vec<String> = self.targets.iter().map(|n| n.0.to_string()).collect();
        let (source, rolls) = (self.source.to_string(), self.input.0.as_str());
        question(match self.algorithm {
            Some(algorithm) => json!({
                "ask": "show", "target": targets.first()?, "source": source,
                "algorithm": algorithm.0.about().id, "rolls": rolls,
            }),
            None => json!({
                "ask": "batch", "targets": targets, "source": source, "trace": true, "input": rolls,
            }),
        })
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let rolls = parse_rolls(&self.input.0, self.source.into())
            .map_err(|error| Mistake::of("input", &self.input.0, error))?;
        let mut left = rolls.iter().copied();
        let wanted: Vec<BigUint> = self.is.iter().map(|&face| face.into()).collect();
        let Some(algorithm) = self.algorithm else {
            let targets = targets(self.source, &self.targets)?;
            let mut recycler = StreamSampler::new(self.source.into());
            let mut outcomes: Vec<BigUint> = Vec::new();
            for n in &targets {
                outcomes.extend(recycler.draw(n, &mut || left.next(), None));
            }
            let shown: Vec<String> = outcomes.iter().map(BigUint::to_string).collect();
            let unused = left.count();
            let computed = format!("{}; {unused} rolls left over", shown.join(", "));
            return Ok(Found::new(computed, outcomes == wanted && unused == 0));
        };
        let [Natural(n)] = &self.targets[..] else {
            let what = "an algorithm makes one target";
            return Err(Mistake::new(what).field("targets").into());
        };
        let bound = algorithm.0.prepare(&task(self.source, n.clone())?)?;
        let mut state = String::new();
        let mut tell = |step: Traced| state = step.after.unwrap_or_default();
        let rolled = bound.play(&mut |_| left.next(), Some(&mut tell));
        Ok(match rolled {
            Some(rolled) => {
                let (face, used) = (rolled.outcome + 1u8, rolled.rolls);
                let computed = format!("{face} after {used} rolls");
                Found::new(computed, [face] == wanted[..] && used == rolls.len() as u64)
            }
            None => Found::new(
                format!("undecided after {} rolls: {state}", rolls.len()),
                wanted.is_empty(),
            ),
        })
    }
}
