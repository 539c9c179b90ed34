//! The kinds of figures: each has one file, one line in the list below, and its `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Draw`]; what it computes with
//! (values, axes, columns, costs, rules) lies in the files below it, and it imports none of its
//! siblings.

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
