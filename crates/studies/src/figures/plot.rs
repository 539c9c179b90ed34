//! The figure `plot`: see [`Plot`].

use crate::axis::{AxisSpec, DashName, HorizontalLine, HueName, MarkName};
use crate::draw::{Draw, DrawContext, DrawnFigure};
use crate::error::StudyError;
use crate::limits::{MAX_CURVES, check_at_most};
use crate::values::{FigureName, Line, MeasureText, NumberRanges};
use flipcost::table::Cell;
use flipcost_figures::Chart;
use flipcost_number::threads::Workers;
use flipcost_one_draw::pictures::curves::drawn_value as plotted;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;

/// Curves against n. Each curve is an expression, written as in the check `that`. If the expression
/// is just one column of an answer, the table repeats the cells of the answer.
///
/// ```toml
/// [[plot]]
/// name = "depth"
/// title = "Weights 4:7:8, by the depth of the tree"
/// n = "5..=18, 20"
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
///
/// [[plot.series]]
/// name = "above the entropy, at powers of two"
/// of = "cost(4:7:8, algorithm: aldr:K=n).expected"
/// drawn = "cost(4:7:8, algorithm: aldr:K=n).toll"
/// column = ""
/// n = "8, 16"
/// hue = "green"
///
/// [[plot]]
/// name = "toll"
/// title = "Flips above the entropy"
/// n = "1..=65536"
/// per-octave = 256
/// x = { label = "n", scale = "log2" }
/// y = { label = "flips" }
/// series = [{ name = "toll", of = "cost(n, algorithm: fast-dice-roller).toll" }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plot {
    name: FigureName,
    title: Line,
    /// The values of n.
    n: NumberRanges,
    /// The step within each range: its first n, then every n that is this much larger than the one
    /// before.
    #[serde(default = "default_every")]
    every: u64,
    /// Only the powers of two of each range, and at most this many n between each two powers: the
    /// first, the last and others in equal steps.
    per_octave: Option<u64>,
    /// The position of a point on the horizontal axis, which is also the first column of the table;
    /// n if the key is missing.
    place: Option<MeasureText>,
    x: AxisSpec,
    y: AxisSpec,
    /// The curves.
    series: Vec<PlotCurve>,
    /// Horizontal lines.
    #[serde(default)]
    lines: Vec<HorizontalLine>,
}

fn default_every() -> u64 {
    1
}

/// One curve of a plot.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "plotted")]
struct PlotCurve {
    /// The curve's name in the legend.
    name: Line,
    /// The expression of the curve's column in the table. The curve draws this expression, too,
    /// unless `drawn` is given.
    of: MeasureText,
    /// The expression to draw instead of `of`.
    drawn: Option<MeasureText>,
    /// The header of the curve's column in the table; the name of the curve if the key is missing.
    /// If the header is empty, the table has no column for the curve.
    column: Option<Line>,
    /// The n of the plot at which the curve has points; all n of the plot if the key is missing.
    n: Option<NumberRanges>,
    hue: Option<HueName>,
    dash: Option<DashName>,
    /// How the values are drawn.
    #[serde(default)]
    mark: MarkName,
}

impl PlotCurve {
    fn is_at(&self, n: u64) -> bool {
        let numbers = self.n.as_ref();
        numbers.is_none_or(|numbers| numbers.contains(n))
    }

    /// Returns the value drawn at n, and the cell of its column.
    fn cell(&self, n: u64) -> Result<(f64, Cell), StudyError> {
        if !self.is_at(n) {
            return Ok((f64::NAN, Cell::Empty));
        }
        let cell = self.of.cell(Some(n))?;
        let drawn = match &self.drawn {
            Some(drawn) => plotted(&drawn.cell(Some(n))?),
            None => plotted(&cell),
        };
        Ok((drawn, cell))
    }

    /// Returns the header of the curve's column, if there is one.
    fn head(&self) -> Option<&str> {
        let Line(head) = self.column.as_ref().unwrap_or(&self.name);
        (!head.is_empty()).then_some(head)
    }
}

/// A position on the horizontal axis, and the values of the curves there.
type Point = (Cell, Vec<(f64, Cell)>);

impl Plot {
    /// Returns the points at some n. A curve that asks one question about n is computed for all n
    /// at once. The other curves are computed n by n, since several of them may be columns of one
    /// answer.
    fn points(&self, targets: &[u64]) -> Result<Vec<Point>, StudyError> {
        let mut at_once: Vec<Option<Vec<Cell>>> = Vec::new();
        for curve in &self.series {
            let plain = curve.drawn.is_none() && curve.n.is_none();
            at_once.push(if plain {
                curve.of.cells(targets)?
            } else {
                None
            });
        }
        let point = |(i, &n): (usize, &u64)| {
            let cells = self.series.iter().zip(&at_once);
            let cells = cells.map(|(curve, cells)| match cells {
                Some(cells) => Ok((plotted(&cells[i]), cells[i].clone())),
                None => curve.cell(n),
            });
            let place = match &self.place {
                Some(place) => place.place(n)?,
                None => Cell::Integer(n.into()),
            };
            Ok((place, cells.collect::<Result<_, StudyError>>()?))
        };
        let points = targets.iter().enumerate().map(|(i, n)| {
            let at = |error: StudyError| error.with_place(format!("for n = {n}"));
            point((i, n)).map_err(at)
        });
        points.collect()
    }
}

impl Draw for Plot {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &DrawContext) -> Result<DrawnFigure, StudyError> {
        let targets = self.n.select(self.every, self.per_octave)?;
        let curves = self.series.len() + self.lines.len();
        check_at_most(
            "series",
            curves as u64,
            "curves and lines",
            MAX_CURVES as u64,
        )?;
        let part = |part: RangeInclusive<u64>| {
            let points = self.points(&targets[*part.start() as usize..=*part.end() as usize]);
            (work.on_part_done)();
            points
        };
        let mut points: Vec<Point> = Vec::new();
        let chunk = (targets.len() as u64 / 64).max(16);
        Workers::new(0).ordered(0..=targets.len() as u64 - 1, chunk, part, |part, _| {
            points.extend(part);
            Ok::<(), StudyError>(())
        })?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        for (at, curve) in self.series.iter().enumerate() {
            let here = points
                .iter()
                .zip(&targets)
                .filter(|(_, n)| curve.is_at(**n));
            let drawn = here.map(|((place, cells), _)| (plotted(place), cells[at].0));
            let drawn = drawn.collect();
            let series = curve.mark.series(&curve.name, drawn, curve.hue, curve.dash);
            chart = series.into_iter().fold(chart, Chart::series);
        }
        chart = HorizontalLine::all(&self.lines).fold(chart, Chart::series);
        let first = if self.place.is_some() { "x" } else { "n" };
        let heads = self.series.iter().filter_map(PlotCurve::head);
        let row = |(place, cells): Point| {
            let cells = cells.into_iter().zip(&self.series);
            let cells = cells.filter(|(_, curve)| curve.head().is_some());
            std::iter::once(place)
                .chain(cells.map(|((_, cell), _)| cell))
                .collect()
        };
        Ok(DrawnFigure {
            drawing: chart.draw()?,
            headers: std::iter::once(first)
                .chain(heads)
                .map(String::from)
                .collect(),
            rows: points.into_iter().map(row).collect(),
        })
    }
}
