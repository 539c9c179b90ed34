//! The check `rounds`: see [`Rounds`].

use crate::case::Case;
use crate::decide::{Decide, Found, question};
use crate::error::StudyError;
use crate::limits::{FLOW_CHART_BITS, at_most};
use crate::values::{Natural, coin, fair, task};
use flipcost::algorithms::fast_dice_roller::{Round, flow_chart};
use flipcost_question::Query;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// The rounds of a flow chart, each as [before, rolls, after].
///
/// ```toml
/// rounds = { source = 2, n = 6, is = [[1, 3, 8], [2, 2, 8]], back-to = 2 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rounds {
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
    /// The rounds: number before, rolls, number after.
    is: Vec<(u64, u64, u64)>,
    /// The round, counted from 1, to which the last one returns; left out if there is no cycle.
    back_to: Option<usize>,
}

impl Decide for Rounds {
    fn question(&self, _: &Case) -> Option<Query> {
        question(json!({
            "ask": "show", "view": "flowchart",
            "target": self.n.0.to_string(),
            "source": self.source.to_string(),
        }))
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        at_most("n", self.n.0.bits(), "bits of n", FLOW_CHART_BITS)?;
        let task = task(self.source, self.n.0.clone())?;
        let chart = flow_chart(fair(&task)?, self.is.len() + 1000, u64::MAX);
        let Some(chart) = chart else {
            return Ok(Found::new("over 1000 rounds", false));
        };
        let line = |round: &Round| format!("{} -{}-> {}", round.before, round.rolls, round.after);
        let lines: Vec<String> = chart.rounds.iter().map(line).collect();
        let end = chart.back_to.map_or("no cycle".to_string(), |to| {
            format!("back to round {}", to + 1)
        });
        let wanted = |&(before, rolls, after): &(u64, u64, u64)| Round {
            before: before.into(),
            rolls,
            after: after.into(),
        };
        let holds = chart.rounds.iter().cloned().eq(self.is.iter().map(wanted))
            && chart.back_to == self.back_to.map(|round| round.wrapping_sub(1));
        Ok(Found::new(format!("{}; {end}", lines.join(", ")), holds))
    }
}
