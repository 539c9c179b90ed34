//! The quantity `plan`: see [`PlanCost`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::at_most;
use crate::studies::measure::Measure;
use flipcost::dice_set::{Die, plan};
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// The expected rolls of the cheapest rule for several dice that keeps one uniform number, or that
/// may split it as well.
///
/// ```toml
/// plan = { dice = [6, 10], n = 13, splitting = true }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanCost {
    /// The sides of the dice that can be rolled.
    dice: Vec<u64>,
    n: u64,
    /// May the values of the number be shared out and continued apart?
    splitting: bool,
}

/// The largest target of a plan in a study.
const MOST: u64 = 200;

impl Measure for PlanCost {
    fn of_n(&self) -> bool {
        false
    }

    fn question(&self) -> Option<Value> {
        let dice: Vec<String> = self.dice.iter().map(u64::to_string).collect();
        Some(json!({
            "ask": "plan",
            "target": self.n.to_string(),
            "dice": dice.join(","),
            "no_split": !self.splitting,
        }))
    }

    fn value(&self, _: &Case) -> Result<Real, StudyError> {
        at_most("n", self.n, "sides of a die that is planned", MOST)?;
        at_most("dice", self.dice.len() as u64, "dice", MOST)?;
        let dice: Vec<Die> = self.dice.iter().map(|sides| Die::new(*sides)).collect();
        let plan = plan(self.n, &dice, self.splitting).map_err(Mistake::new)?;
        Ok(Real::Exact(plan.expected))
    }
}
