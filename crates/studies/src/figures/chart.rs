//! The figure `chart`: see [`Curves`].

use crate::axis::{AxisSpec, DashName, HorizontalLine, HueName, Mark};
use crate::columns::{ColumnName, plotted};
use crate::costs::all_n_up_to;
use crate::draw::{Draw, Drawn, Work};
use crate::error::{Mistake, StudyError};
use crate::limits::{CURVES, at_most};
use crate::octaves;
use crate::values::{AlgorithmName, FigureName, Line, Span, coin, read_from_table};
use flipcost::table::Cell;
use flipcost_figures::Chart;
use schemars::JsonSchema;
use serde::Deserialize;

/// Columns against n: a curve for each algorithm.
///
/// ```toml
/// [[chart]]
/// name = "toll"
/// title = "Flips above the entropy"
/// source = 2
/// targets = "1..=4096"
/// per-octave = 256
/// x = { label = "sides of the die, n", scale = "log2" }
/// y = { label = "flips", range = [0, 14] }
/// series = [
///   { name = "rejection", column = "toll", algorithm = "rejection" },
///   { name = "entropy", column = "entropy", dash = "dashed", mark = "line" },
/// ]
/// lines = [{ name = "bound, 2 flips", y = 2.0 }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Curves {
    name: FigureName,
    title: Line,
    #[serde(default = "coin")]
    source: u64,
    targets: Span,
    /// The powers of two, and so many n between each two of them: the first, the last and others in equal
    /// steps, or all where they are no more; all n unless it is given.
    per_octave: Option<u64>,
    x: AxisSpec,
    y: AxisSpec,
    /// The curves.
    series: Vec<Curve>,
    /// Horizontal lines.
    #[serde(default)]
    lines: Vec<HorizontalLine>,
}

/// A curve that can be computed.
struct Curve {
    name: Line,
    /// The column that is drawn (see `flipcost list columns`).
    column: ColumnName,
    /// `None`: a column of the task.
    algorithm: Option<AlgorithmName>,
    hue: Option<HueName>,
    dash: Option<DashName>,
    mark: Mark,
}

/// One curve.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CurveTable {
    /// Its name in the legend.
    name: Line,
    /// The column that is drawn (see `flipcost list columns`).
    column: ColumnName,
    /// The algorithm; a column of the task, as entropy, needs none.
    algorithm: Option<AlgorithmName>,
    hue: Option<HueName>,
    dash: Option<DashName>,
    /// How the values are drawn.
    #[serde(default)]
    mark: Mark,
}

impl TryFrom<CurveTable> for Curve {
    type Error = Mistake;

    fn try_from(table: CurveTable) -> Result<Self, Mistake> {
        if table.algorithm.is_none() && !table.column.is_of_the_task() {
            let what = format!(
                "the curve \"{}\" has a column of an algorithm, {}, and names none",
                table.name.0,
                table.column.name()
            );
            let right = "write algorithm = \"fast-dice-roller\" or another";
            return Err(Mistake::new(what).field("algorithm").right(right));
        }
        Ok(Curve {
            name: table.name,
            column: table.column,
            algorithm: table.algorithm,
            hue: table.hue,
            dash: table.dash,
            mark: table.mark,
        })
    }
}

read_from_table!(Curve, CurveTable);

impl Draw for Curves {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let targets = octaves::targets("targets", &self.targets, self.per_octave)?;
        let curves = self.series.len() + self.lines.len();
        at_most("series", curves as u64, "curves and lines", CURVES as u64)?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let mut headers = vec!["n".to_string()];
        let n = |n: &u64| vec![Cell::Integer((*n).into())];
        let mut rows: Vec<Vec<Cell>> = targets.iter().map(n).collect();
        for curve in &self.series {
            let algorithm = curve.algorithm.map(|name| name.0);
            if let Some(algorithm) = algorithm {
                all_n_up_to("targets", algorithm, self.source, *self.targets.0.end())?;
            }
            let cells = (curve.column).cells(algorithm, self.source, &targets)?;
            let point = |(n, cell): (&u64, &Cell)| (*n as f64, plotted(cell));
            let points = targets.iter().zip(&cells).map(point).collect();
            let series = curve
                .mark
                .series(&curve.name, points, curve.hue, curve.dash);
            chart = chart.series(series);
            headers.push(match algorithm {
                Some(algorithm) => format!("{} {}", algorithm.about().id, curve.column.name()),
                None => curve.column.name().to_string(),
            });
            let with_cells = rows.iter_mut().zip(cells);
            with_cells.for_each(|(row, cell)| row.push(cell));
        }
        for series in HorizontalLine::all(&self.lines) {
            chart = chart.series(series);
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers,
            rows,
        })
    }
}
