//! The figure `flow-chart`: see [`FlowChartFigure`].

use crate::draw::{Draw, DrawContext, DrawnFigure, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_FLOW_CHART_BITS, check_at_most};
use crate::values::{FigureName, Natural, coin, task};
use flipcost::table::Cell;
use flipcost_number::short::short;
use flipcost_question::{Control, Query, Sides};
use schemars::JsonSchema;
use serde::Deserialize;

/// A flow chart of the fast dice roller.
///
/// ```toml
/// [[flow-chart]]
/// name = "flow-chart-11"
/// source = 2
/// n = 11
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlowChartFigure {
    name: FigureName,
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
}

impl Draw for FlowChartFigure {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &DrawContext) -> Result<DrawnFigure, StudyError> {
        check_at_most("n", self.n.0.bits(), "bits of n", MAX_FLOW_CHART_BITS)?;
        let query = flipcost_one_draw::questions::Flowchart {
            source: Sides(task(self.source, self.n.0.clone())?.source().clone()),
            ..flipcost_one_draw::questions::Flowchart::new(self.n.0.clone())
        };
        let answer = Query::from(query).answer(&Control::default());
        let answer = answer.map_err(Mistake::new)?;
        let chart =
            flipcost_one_draw::pictures::flow_chart::drawable_chart(&answer).map_err(|error| {
                Mistake::split(error)
                    .field("n")
                    .with_value(short(&self.n.0))
            })?;
        // The published charts do not show the number that the roller carries from round to round.
        let chart = flipcost_figures::FlowChart {
            guide: None,
            ..chart
        };
        let drawing = chart.draw().map_err(Mistake::new)?;
        let row = |row: &Vec<Cell>| row[1..4].to_vec();
        Ok(DrawnFigure {
            drawing,
            headers: headers(["before", "rolls", "after"]),
            rows: answer.rows.iter().map(row).collect(),
        })
    }
}
