//! Draws one column of an answer as a chart: a curve for each algorithm, against the number of
//! sides of the target or the probability of heads.

use super::heat_map::heat_map;
use crate::questions::CostRows;
use flipcost::table::{Cell, Column};
use flipcost_figures::{Axis, Chart, Drawing, Hue, Legend, Scale, Series};
use flipcost_question::PictureError;
use flipcost_question::{Answer, ColumnId, Foot, Head, QueryError, Sink};

/// Returns the number at which a cell is drawn. A cell that is not a number gives NaN, which leaves
/// a gap in the curve.
pub fn drawn_value(cell: &Cell) -> f64 {
    cell.to_f64().unwrap_or(f64::NAN)
}

/// A curve: its algorithm, its source and its points.
struct Curve {
    algorithm: String,
    /// The source, if the answer has several.
    source: Option<String>,
    points: Vec<(f64, f64)>,
}

/// A sink that collects the points of a column while a sweep runs.
pub struct Curves {
    column: &'static Column,
    /// The name of the column on the horizontal axis, n or p, and its index.
    across: &'static str,
    x: usize,
    algorithm: usize,
    value: usize,
    source: Option<usize>,
    unit: String,
    curves: Vec<Curve>,
}

/// Returns the points that have no neighbour to which a line could be drawn.
fn isolated_points(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let drawn = |i: Option<usize>| {
        i.and_then(|i| points.get(i))
            .is_some_and(|(_, y)| y.is_finite())
    };
    let alone = |i: usize| drawn(Some(i)) && !drawn(i.checked_sub(1)) && !drawn(Some(i + 1));
    let places = (0..points.len()).filter(|i| alone(*i));
    places.map(|i| points[i]).collect()
}

/// One curve, or several equal curves drawn as one.
struct MergedCurve {
    labels: Vec<String>,
    points: Vec<(f64, f64)>,
}

/// Returns whether two curves have the same points, including gaps.
fn are_equal_curves(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let same = |((x, y), (u, v)): (&(f64, f64), &(f64, f64))| {
        x == u && (y == v || y.is_nan() && v.is_nan())
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

impl Curves {
    /// Collects the points of this column against n.
    pub fn new(column: &'static Column) -> Curves {
        Curves::across(column, "n")
    }

    /// Collects the points of this column against another column.
    pub(crate) fn across(column: &'static Column, across: &'static str) -> Curves {
        let (x, algorithm, value) = (usize::MAX, usize::MAX, usize::MAX);
        Curves {
            column,
            across,
            x,
            algorithm,
            value,
            source: None,
            unit: String::new(),
            curves: Vec::new(),
        }
    }

    /// Returns the chart of a sweep from the collected rows.
    pub fn chart_of(self, rows: &CostRows, scale: Scale) -> Chart {
        let from = match &rows.sources {
            Some(sources) => format!("sources {sources}"),
            None => rows.source.0.with_article(),
        };
        let x = Axis::new("sides of the target, n").scale(scale);
        self.chart(&format!("from {from}"), x)
    }

    /// Returns the least and the largest value of each curve.
    pub(crate) fn value_ranges(&self) -> impl Iterator<Item = (f64, f64)> {
        let range = |curve: &Curve| {
            let values = curve.points.iter().map(|(_, y)| *y);
            let values = values.filter(|y| y.is_finite());
            values.fold(None, |range: Option<(f64, f64)>, y| {
                Some(range.map_or((y, y), |(low, high)| (low.min(y), high.max(y))))
            })
        };
        self.curves.iter().filter_map(range)
    }

    /// Returns the chart of the collected rows. Equal curves are drawn as one, with all their
    /// names. Columns of integers, and points without a neighbour, are drawn as single points. The
    /// title names the column, the algorithm if there is only one curve, and the subject `of`.
    pub(crate) fn chart(mut self, of: &str, x: Axis) -> Chart {
        let name = self.column.name();
        // An algorithm that can make none of the targets has no curve.
        let is_drawn = |curve: &Curve| curve.points.iter().any(|(_, y)| y.is_finite());
        self.curves.retain(is_drawn);
        let mut drawn: Vec<MergedCurve> = Vec::new();
        let first = self.curves.first().map(|curve| curve.algorithm.clone());
        let alone = first.filter(|id| self.curves.iter().all(|curve| curve.algorithm == *id));
        for Curve {
            algorithm,
            source,
            points,
        } in self.curves
        {
            let label = match (source, &alone) {
                (Some(source), Some(_)) => format!("source {source}"),
                (Some(source), None) => format!("{algorithm}, source {source}"),
                (None, _) => algorithm,
            };
            match drawn
                .iter_mut()
                .find(|mark| are_equal_curves(&mark.points, &points))
            {
                Some(mark) => mark.labels.push(label),
                None => drawn.push(MergedCurve {
                    labels: vec![label],
                    points,
                }),
            }
        }
        let whose = alone.map_or(String::new(), |id| format!(" of {id}"));
        let title = format!("{name}{whose} {of}");
        let label = match self.unit.as_str() {
            "" => name.to_string(),
            unit => format!("{name} ({unit})"),
        };
        let mut chart = Chart::new(title).x(x).y(Axis::new(label));
        // There is a legend only for two or more curves, so the title names a single curve that
        // several algorithms share.
        if drawn.len() == 1 && drawn[0].labels.len() > 1 {
            chart = chart.legend(Legend::Top);
        }
        for (i, MergedCurve { labels, points }) in drawn.into_iter().enumerate() {
            let hue = Hue::ORDER[i % Hue::ORDER.len()];
            let labels = match labels.len() {
                0..=3 => labels.join(" = "),
                many => format!("{} = {} others", labels[0], many - 1),
            };
            let single = isolated_points(&points);
            let all = points.iter().filter(|(_, y)| y.is_finite()).count();
            if self.column.is_integer() || 2 * single.len() > all {
                chart = chart.series(Series::points(labels, points).hue(hue));
                continue;
            }
            chart = chart.series(Series::line(labels, points).hue(hue));
            if !single.is_empty() {
                chart = chart.series(Series::points("", single).hue(hue));
            }
        }
        chart.typeset()
    }
}

impl Sink for Curves {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        let at = |name: &str| head.columns.iter().position(|column| column.name == name);
        let missing = |name: &str| QueryError::input(format!("the answer has no column {name}"));
        let find = |name: &str| at(name).ok_or_else(|| missing(name));
        (self.x, self.algorithm) = (find(self.across)?, find("algorithm")?);
        self.value = find(self.column.name())?;
        self.source = at("source");
        self.unit = head.columns[self.value].unit.clone();
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in rows {
            let point = (drawn_value(&row[self.x]), drawn_value(&row[self.value]));
            let algorithm = row[self.algorithm].to_string();
            let source = self.source.map(|at| row[at].to_string());
            let of = |curve: &&mut Curve| curve.algorithm == algorithm && curve.source == source;
            match self.curves.iter_mut().rev().find(of) {
                Some(curve) => curve.points.push(point),
                None => self.curves.push(Curve {
                    algorithm,
                    source,
                    points: vec![point],
                }),
            }
        }
        Ok(())
    }

    fn foot(&mut self, _: Foot) -> Result<(), QueryError> {
        Ok(())
    }
}

/// Returns the column of a complete answer that is drawn: `usual` if the answer has it, otherwise
/// the last column of numbers. `given` are the columns that the question names.
pub(crate) fn drawn_column(
    answer: &Answer,
    given: &[ColumnId],
    usual: &str,
) -> Result<&'static Column, PictureError> {
    let columns = answer.head.columns.iter().rev();
    let columns = columns.filter_map(|column| {
        let mut given = given.iter().map(|id| id.0);
        let given = given.find(|given| given.name() == column.name);
        given.or_else(|| Column::find(&column.name).ok())
    });
    let columns: Vec<&Column> = columns.filter(|column| !column.is_key()).collect();
    let usual = columns.iter().find(|column| column.name() == usual);
    let column = usual.or(columns.first());
    column.copied().ok_or_else(|| PictureError::kind(answer))
}

/// Returns a chart of the last column of numbers of a complete answer.
///
/// # Errors
/// [`PictureError::Kind`] if this is not the answer of a sweep, or has no such column.
pub fn curves(answer: &Answer, scale: Scale) -> Result<Drawing, PictureError> {
    let Some(rows) = answer.query.downcast::<CostRows>() else {
        return Err(PictureError::kind(answer));
    };
    if rows.summary
        || rows
            .target
            .targets_outside_ranges()
            .any(|one| one.sides().is_none())
    {
        return Err(PictureError::kind(answer));
    }
    let mut curves = Curves::new(drawn_column(answer, &rows.columns, "")?);
    curves.head(&answer.head)?;
    curves.rows(answer.rows.clone())?;
    Ok(curves.chart_of(rows, scale).draw()?)
}

impl CostRows {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        if self.best {
            heat_map(answer)
        } else {
            curves(answer, Scale::Linear)
        }
    }
}
