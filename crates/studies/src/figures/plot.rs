//! The figure `plot`: see [`Plot`].

use crate::axis::{AxisSpec, DashName, HorizontalLine, HueName, Mark};
use crate::draw::{Draw, Drawn, Work};
use crate::error::StudyError;
use crate::limits::{CURVES, POINTS, at_most};
use crate::values::{FigureName, Line, MeasureText, Span};
use flipcost::table::{Cell, Precision};
use flipcost_figures::Chart;
use flipcost_number::Rational;
use flipcost_number::chunks::{Pace, ordered};
use flipcost_one_draw::pictures::curves::place as plotted;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;

/// Numbers against n, a curve for each. They are written as in the check `that`.
///
/// ```toml
/// [[plot]]
/// name = "depth"
/// title = "Weights 4:7:8, by the depth of the tree"
/// n = "5..18"
/// every = 1
/// place = "n"
/// x = { label = "depth of the tree, K" }
/// y = { label = "expected flips" }
/// lines = [{ name = "entropy + 2", y = 3.529428 }]
///
/// [[plot.series]]
/// name = "amplified"
/// of = "cost(4:7:8, algorithm: aldr:K=n).expected"
/// column = "aldr"
/// mark = "points"
///
/// [[plot.series]]
/// name = "optimum"
/// of = "cost(4:7:8, algorithm: knuth-yao).expected"
/// dash = "dashed"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plot {
    name: FigureName,
    title: Line,
    /// The range of n.
    n: Span,
    /// Only the first n, and each that is a multiple of this further.
    #[serde(default = "one")]
    every: u64,
    /// Where a point is on the horizontal axis, and the first column of the table; n unless it is
    /// given.
    place: Option<MeasureText>,
    x: AxisSpec,
    y: AxisSpec,
    /// The curves.
    series: Vec<PlotCurve>,
    /// Horizontal lines.
    #[serde(default)]
    lines: Vec<HorizontalLine>,
}

fn one() -> u64 {
    1
}

/// One curve of a plot.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "plotted")]
struct PlotCurve {
    /// Its name in the legend.
    name: Line,
    /// What is drawn.
    of: MeasureText,
    /// The head of its column in the table; its name unless it is given.
    column: Option<Line>,
    hue: Option<HueName>,
    dash: Option<DashName>,
    /// How the values are drawn.
    #[serde(default)]
    mark: Mark,
}

impl Draw for Plot {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let every = self.every.max(1);
        let (first, last) = (*self.n.0.start(), *self.n.0.end());
        let steps = (last - first) / every;
        at_most("n", steps + 1, "points", POINTS)?;
        let curves = self.series.len() + self.lines.len();
        at_most("series", curves as u64, "curves and lines", CURVES as u64)?;
        let row = |step: u64| {
            let n = first + step * every;
            let values = self.series.iter().map(|curve| {
                let value = curve.of.at(n)?;
                Ok(Precision::default().cell(&value)?)
            });
            let values = values.collect::<Result<Vec<Cell>, StudyError>>()?;
            let place = match &self.place {
                Some(place) => place.fraction(n)?,
                None => Rational::from_integer(n.into()),
            };
            let place = Cell::from(place);
            let near = plotted(&place);
            Ok((place, near, values))
        };
        type Found = (Cell, f64, Vec<Cell>);
        let mut found: Vec<Found> = Vec::new();
        let pace = Pace {
            chunk: 16,
            threads: 0,
        };
        let work = |part: RangeInclusive<u64>| {
            let row = |step: u64| {
                let at = |error: StudyError| error.at(format!("for n = {}", first + step * every));
                row(step).map_err(at)
            };
            part.map(row).collect::<Result<Vec<Found>, StudyError>>()
        };
        ordered(0..=steps, pace, work, |part, _| {
            found.extend(part);
            Ok::<(), StudyError>(())
        })?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let first = if self.place.is_some() { "x" } else { "n" };
        let mut headers = vec![first.to_string()];
        for (at, curve) in self.series.iter().enumerate() {
            let point = |(_, x, values): &Found| (*x, plotted(&values[at]));
            let points = found.iter().map(point).collect();
            let series = curve
                .mark
                .series(&curve.name, points, curve.hue, curve.dash);
            chart = chart.series(series);
            headers.push(curve.column.as_ref().unwrap_or(&curve.name).0.clone());
        }
        for series in HorizontalLine::all(&self.lines) {
            chart = chart.series(series);
        }
        let row = |(place, _, values): Found| [vec![place], values].concat();
        Ok(Drawn {
            drawing: chart.draw()?,
            headers,
            rows: found.into_iter().map(row).collect(),
        })
    }
}
