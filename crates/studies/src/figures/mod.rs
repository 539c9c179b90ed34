//! The kinds of figures: one file each, and one line of the list below beside its `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Draw`]; what it computes with
//! (values, axes, columns, costs, rules) lies in the files below it, and it imports none of its
//! siblings.

mod above_ceil;
mod best_rules;
mod block_table;
mod capacities;
mod chart;
mod digit_bound;
mod flow_chart;
mod fourier;
mod grid;
mod histogram;
mod loaded_rules;
mod plot;
mod recipes;
mod recycling;
mod sequence_chart;
mod shuffles;
mod store;
mod store_growth;
mod survival;

use super::draw::Draw;
use super::tagged::tagged;

tagged! {
    /// A figure: an item of the list of its kind, `[[chart]]`, `[[histogram]]`, ...
    pub enum Figure: Draw {
        "chart" => Chart(chart::Curves),
        "histogram" => Histogram(histogram::Bars),
        "flow-chart" => FlowChart(flow_chart::Flow),
        "survival" => Survival(survival::Survival),
        "sequence-chart" => SequenceChart(sequence_chart::SequenceChart),
        "grid" => Grid(grid::Grid),
        "block-table" => BlockTable(block_table::BlockSheet),
        "best-rules" => BestRules(best_rules::BestRules),
        "loaded-rules" => LoadedRules(loaded_rules::LoadedRules),
        "recipes" => Recipes(recipes::Recipes),
        "fourier" => Fourier(fourier::FourierSums),
        "above-ceil" => AboveCeil(above_ceil::AboveCeil),
        "plot" => Plot(plot::Plot),
        "digit-bound" => DigitBound(digit_bound::DigitBound),
        "recycling" => Recycling(recycling::Recycling),
        "shuffles" => Shuffles(shuffles::Shuffles),
        "store" => Store(store::Store),
        "store-map" => StoreMap(store::StoreMap),
        "store-growth" => StoreGrowth(store_growth::StoreGrowth),
        "capacities" => Capacities(capacities::Capacities),
    }
}
