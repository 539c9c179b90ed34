//! The kinds of figures. Each kind has its own file, a line in the list below, and a `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Draw`]. The file of a kind imports
//! the layers below (values, axes, columns, costs, rules), but no other kind.

mod best_rules;
mod flow_chart;
mod grid;
mod heat_map;
mod histogram;
mod plot;
mod table_plot;

use super::draw::Draw;
use super::tagged::tagged;

tagged! {
    /// A figure: an item of the list of its kind, `[[plot]]`, `[[histogram]]`, ...
    pub enum Figure: Draw {
        "plot" => Plot(plot::Plot),
        "table-plot" => TablePlot(table_plot::TablePlot),
        "heat-map" => HeatMap(heat_map::HeatMapFigure),
        "histogram" => Histogram(histogram::Bars),
        "flow-chart" => FlowChart(flow_chart::FlowChartFigure),
        "grid" => Grid(grid::GridFigure),
        "best-rules" => BestRules(best_rules::BestRules),
    }
}
