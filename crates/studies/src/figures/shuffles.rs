//! The figure `shuffles`: see [`Shuffles`].

use crate::axis::{AxisSpec, DashName, HorizontalLine, HueName, Mark};
use crate::draw::{Draw, Drawn, Work};
use crate::error::StudyError;
use crate::limits::{CURVES, at_most};
use crate::octaves;
use crate::values::{FigureName, Line, Span};
use crate::ways::Way;
use flipcost::table::{Cell, Precision};
use flipcost_figures::Chart;
use flipcost_number::Real;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What shuffles of K cards cost for each card, in flips of a coin, against K: all of it, or what is
/// above the entropy, (cost - log2 K!) / K. The table has the whole cost of each way.
///
/// ```toml
/// [[shuffles]]
/// name = "above-entropy"
/// title = "Flips above the entropy, for each card"
/// cards = "2..=1024"
/// per-octave = 4
/// also = [52]
/// show = "above-entropy"
/// x = { label = "cards, K", scale = "log2" }
/// y = { label = "flips" }
/// lines = [{ name = "1/4", y = 0.25 }]
///
/// [[shuffles.series]]
/// name = "Rao and Sandelius"
/// by = "rao-sandelius"
/// hue = "blue"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shuffles {
    name: FigureName,
    title: Line,
    /// The range of K.
    cards: Span,
    /// The powers of two, and so many K between each two of them: the first, the last and others in
    /// equal steps; all K unless it is given.
    per_octave: Option<u64>,
    /// More K.
    #[serde(default)]
    also: Vec<u64>,
    /// What is drawn.
    show: Shown,
    x: AxisSpec,
    y: AxisSpec,
    /// The ways to shuffle.
    series: Vec<Curve>,
    /// Horizontal lines.
    #[serde(default)]
    lines: Vec<HorizontalLine>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Shown {
    PerCard,
    AboveEntropy,
}

/// A way to shuffle.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "shuffled")]
struct Curve {
    /// Its name in the legend.
    name: Line,
    /// The way.
    by: Way,
    /// The head of its column in the table; its name unless it is given.
    column: Option<Line>,
    hue: Option<HueName>,
    dash: Option<DashName>,
    /// How the values are drawn.
    #[serde(default)]
    mark: Mark,
}

impl Draw for Shuffles {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let curves = self.series.len() + self.lines.len();
        at_most("series", curves as u64, "curves and lines", CURVES as u64)?;
        let mut sizes = octaves::targets("cards", &self.cards, self.per_octave)?;
        sizes.extend(&self.also);
        sizes.sort_unstable();
        sizes.dedup();
        let bounds = Way::Bound.flips(&sizes)?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let mut headers = vec!["cards".to_string(), "entropy".to_string()];
        let integer = |cards: &u64| Cell::Integer((*cards).into());
        let mut columns = vec![sizes.iter().map(integer).collect(), cells(&bounds)?];
        for curve in &self.series {
            let costs = curve.by.flips(&sizes)?;
            let mut points = Vec::new();
            for ((cards, cost), bound) in sizes.iter().zip(&costs).zip(&bounds) {
                let shown = match self.show {
                    Shown::PerCard => cost.clone(),
                    Shown::AboveEntropy => cost.minus(bound),
                };
                let each = shown.over(&Real::integer(*cards));
                points.push((*cards as f64, each.nearest_f64()?));
            }
            let series = curve
                .mark
                .series(&curve.name, points, curve.hue, curve.dash);
            chart = chart.series(series);
            headers.push(curve.column.as_ref().unwrap_or(&curve.name).0.clone());
            columns.push(cells(&costs)?);
        }
        for series in HorizontalLine::all(&self.lines) {
            chart = chart.series(series);
        }
        let row = |at: usize| {
            let cells = columns.iter().map(|column: &Vec<Cell>| column[at].clone());
            cells.collect()
        };
        Ok(Drawn {
            drawing: chart.draw()?,
            headers,
            rows: (0..sizes.len()).map(row).collect(),
        })
    }
}

fn cells(values: &[Real]) -> Result<Vec<Cell>, StudyError> {
    let cell = |value: &Real| Ok(Precision::default().cell(value)?);
    values.iter().map(cell).collect()
}
