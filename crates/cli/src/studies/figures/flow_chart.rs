//! A flow chart of the fast dice roller.
//!
//! ```toml
//! [[flow-chart]]
//! name = "flow-chart-11"
//! n = 11
//! ```

use crate::studies::draw::{Draw, Drawn, headers};
use crate::studies::error::StudyError;
use crate::studies::limits::{FLOW_CHART_BITS, at_most};
use crate::studies::values::{FigureName, Natural, coin, fair, task};
use flipcost::algorithms::{self, Round};
use flipcost::table::Cell;
use flipcost::task::Task;
use serde::Deserialize;

/// A flow chart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Flow {
    name: FigureName,
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
}

/// Rounds of a flow chart that can be drawn.
const ROUNDS: usize = 200;

/// The flow chart as plain data for the figures.
pub fn picture_of_flow_chart(
    dice: &Task,
    chart: &algorithms::FlowChart,
) -> flipcost_figures::FlowChart {
    let n = dice.target().weight_sum();
    let round = |round: &Round| {
        let used = &round.after - &round.after % n; // q n
        flipcost_figures::Round::new(
            round.before.to_string(),
            round.rolls,
            round.after.to_string(),
            used.to_string(),
        )
    };
    flipcost_figures::FlowChart {
        target: n.to_string(),
        unit: dice.source().unit().singular().to_string(),
        rounds: chart.rounds.iter().map(round).collect(),
        cycle: chart.back_to,
    }
}

impl Draw for Flow {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        at_most(self.n.0.bits(), "bits of n", FLOW_CHART_BITS)?;
        let task = task(self.source, self.n.0.clone())?;
        let chart = algorithms::flow_chart(fair(&task)?, ROUNDS).ok_or_else(|| {
            StudyError::Input(format!(
                "the flow chart has more than {ROUNDS} rounds: choose a smaller n"
            ))
        })?;
        let row = |round: &Round| {
            vec![
                Cell::Integer((&round.before).into()),
                Cell::Integer(round.rolls.into()),
                Cell::Integer((&round.after).into()),
            ]
        };
        Ok(Drawn {
            drawing: picture_of_flow_chart(&task, &chart).draw()?,
            headers: headers(["before", "rolls", "after"]),
            rows: chart.rounds.iter().map(row).collect(),
        })
    }
}
