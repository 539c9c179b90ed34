//! The check `worked-roll`: see [`WorkedRoll`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::values::{AlgorithmName, Line, Natural, coin, task};
use flipcost::algorithms::Traced;
use flipcost::unstable::algorithms::parse_rolls;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// A person's rolls and what an algorithm makes of them: an outcome from 1, or nothing yet.
///
/// ```toml
/// [check.worked-roll]
/// source = 4
/// algorithm = "interval"
/// n = 20
/// input = "3,1,4,2"
/// is = 12
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkedRoll {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: Natural,
    /// `HTHHT` or `6,3,4,3`.
    input: Line,
    /// The outcome; left out if these rolls do not decide it.
    is: Option<Natural>,
}

impl Decide for WorkedRoll {
    fn question(&self) -> Option<Value> {
        Some(json!({
            "ask": "follow",
            "target": self.n.0.to_string(),
            "source": self.source.to_string(),
            "algorithm": self.algorithm.0.about().id,
            "rolls": self.input.0,
        }))
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let bound = self
            .algorithm
            .0
            .prepare(&task(self.source, self.n.0.clone())?)?;
        let rolls = parse_rolls(&self.input.0, self.source.into())
            .map_err(|error| Mistake::of("input", &self.input.0, error))?;
        let mut left = rolls.iter().copied();
        let mut state = String::new();
        let mut tell = |step: Traced| state = step.after.unwrap_or_default();
        let rolled = bound.play(&mut |_| left.next(), Some(&mut tell));
        Ok(match (rolled, &self.is) {
            (Some(rolled), is) => {
                let face = rolled.outcome + 1u8;
                let used = rolled.rolls;
                let holds =
                    is.as_ref().is_some_and(|is| is.0 == face) && used == rolls.len() as u64;
                Found::new(format!("{face} after {used} rolls"), holds)
            }
            (None, is) => Found::new(
                format!("undecided after {} rolls: {state}", rolls.len()),
                is.is_none(),
            ),
        })
    }
}
