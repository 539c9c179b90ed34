//! The figure `table-plot`: see [`TablePlot`].

use crate::axis::{AxisSpec, DashName, HorizontalLine, HueName, MarkName};
use crate::draw::{Draw, DrawContext, DrawnFigure};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_CURVES, check_at_most};
use crate::tables::StudyTable;
use crate::values::{ColumnsText, FigureName, Line};
use flipcost::table::Cell;
use flipcost_figures::Chart;
use schemars::JsonSchema;
use serde::Deserialize;

/// Columns of a computed table as curves, for tables that no question of the program gives.
///
/// ```toml
/// [[table-plot]]
/// name = "loss"
/// title = "Flips above the entropy, per outcome"
/// table = { recycling = { targets = [5, 6, 52], bits = "6..12" } }
/// place = "log2(capacity)"
/// x = { label = "c" }
/// y = { label = "flips", scale = "log10" }
/// series = [
///   { name = "n = 5", of = "loss", only = ["n", "5"] },
///   { name = "n = 52", of = "loss", only = ["n", "52"], hue = "red" },
///   { name = "bound", of = "bound", dash = "dotted", mark = "points" },
/// ]
/// lines = [{ name = "a thousandth", y = 0.001 }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TablePlot {
    name: FigureName,
    title: Line,
    /// The table to compute: a TOML table with one key, which names its kind.
    table: StudyTable,
    /// The position of a row on the horizontal axis.
    place: ColumnsText,
    x: AxisSpec,
    y: AxisSpec,
    /// The curves.
    series: Vec<TableCurve>,
    /// Horizontal lines across the chart.
    #[serde(default)]
    lines: Vec<HorizontalLine>,
}

/// A curve of a table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "drawn")]
struct TableCurve {
    /// The curve's name in the legend.
    name: Line,
    /// The expression of the table's columns to draw.
    of: ColumnsText,
    /// Only the rows that have a certain text in a certain column: [column, text].
    only: Option<(Line, Line)>,
    hue: Option<HueName>,
    dash: Option<DashName>,
    /// How the values are drawn.
    #[serde(default)]
    mark: MarkName,
}

impl Draw for TablePlot {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &DrawContext) -> Result<DrawnFigure, StudyError> {
        let curves = self.series.len() + self.lines.len();
        check_at_most(
            "series",
            curves as u64,
            "curves and lines",
            MAX_CURVES as u64,
        )?;
        let (headers, rows) = self.table.rows()?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        for curve in &self.series {
            let only = match &curve.only {
                Some((Line(column), Line(text))) => {
                    let at = headers.iter().position(|head| head == column);
                    let what = || Mistake::new(format!("the table has no column {column}"));
                    Some((at.ok_or_else(|| what().field("only"))?, text))
                }
                None => None,
            };
            let is_meant =
                |row: &&Vec<Cell>| only.is_none_or(|(at, text)| row[at].to_string() == *text);
            let mut points = Vec::new();
            for row in rows.iter().filter(is_meant) {
                let place = self.place.value(&headers, row)?;
                let value = curve.of.value(&headers, row)?;
                points.extend(place.zip(value));
            }
            let series = curve
                .mark
                .series(&curve.name, points, curve.hue, curve.dash);
            chart = series.into_iter().fold(chart, Chart::series);
        }
        chart = HorizontalLine::all(&self.lines).fold(chart, Chart::series);
        Ok(DrawnFigure {
            drawing: chart.draw()?,
            headers,
            rows,
        })
    }
}
