//! Curves: a column of every target in a range, a curve for each algorithm.

use crate::PictureError;
use flipcost::table::{Cell, Column};
use flipcost_figures::{Axis, Chart, Drawing, Scale, Series};
use flipcost_query::{Answer, ColumnId, Foot, Head, Query, QueryError, Sink, Sweep};

/// The place where a cell is drawn; not a number leaves a gap.
pub fn place(cell: &Cell) -> f64 {
    match cell {
        Cell::Integer(value) => value.to_f64(),
        Cell::Double(value) => *value,
        _ => f64::NAN,
    }
}

/// Gathers the points of a column from the answer of a sweep, while it runs.
pub struct Curves {
    column: &'static Column,
    n: usize,
    algorithm: usize,
    value: usize,
    series: Vec<(String, Vec<(f64, f64)>)>,
}

impl Curves {
    /// Of this column.
    pub fn new(column: &'static Column) -> Curves {
        let (n, algorithm, value) = (usize::MAX, usize::MAX, usize::MAX);
        Curves {
            column,
            n,
            algorithm,
            value,
            series: Vec::new(),
        }
    }

    /// The chart of a sweep whose rows were gathered.
    ///
    /// # Errors
    /// [`PictureError::Figure`] if there is nothing to draw.
    pub fn draw(self, sweep: &Sweep, scale: Scale) -> Result<Drawing, PictureError> {
        let name = self.column.name();
        let title = format!("{name} of n = {}..{}", sweep.from, sweep.to);
        let rolls = sweep.source.0.unit().plural();
        let mut chart = Chart::new(title)
            .x(Axis::new("sides of the target, n").scale(scale))
            .y(Axis::new(format!("{name} ({rolls})")));
        for (algorithm, points) in self.series {
            chart = chart.series(Series::line(&algorithm, points));
        }
        Ok(chart.draw()?)
    }
}

impl Sink for Curves {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        let at = |name: &str| head.columns.iter().position(|column| column.name == name);
        let missing = |name: &str| QueryError::Input(format!("the answer has no column {name}"));
        let find = |name: &str| at(name).ok_or_else(|| missing(name));
        (self.n, self.algorithm) = (find("n")?, find("algorithm")?);
        self.value = find(self.column.name())?;
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in rows {
            let point = (place(&row[self.n]), place(&row[self.value]));
            let algorithm = row[self.algorithm].to_string();
            match self.series.iter_mut().find(|(name, _)| *name == algorithm) {
                Some((_, points)) => points.push(point),
                None => self.series.push((algorithm, vec![point])),
            }
        }
        Ok(())
    }

    fn foot(&mut self, _: Foot) -> Result<(), QueryError> {
        Ok(())
    }
}

/// The curves of a complete answer: its last column that is a number.
///
/// # Errors
/// [`PictureError::Kind`] if it is not the answer of a sweep, or has no such column.
pub fn curves(answer: &Answer, scale: Scale) -> Result<Drawing, PictureError> {
    let Query::Sweep(sweep) = &answer.query else {
        return Err(PictureError::kind(answer));
    };
    let columns = answer.head.columns.iter().rev();
    let column = columns.filter_map(|column| column.name.parse::<ColumnId>().ok());
    let mut drawn = column.map(|id| id.0).filter(|column| !column.is_key());
    let column = drawn.next().ok_or_else(|| PictureError::kind(answer))?;
    let mut curves = Curves::new(column);
    let gathered = curves
        .head(&answer.head)
        .and_then(|()| curves.rows(answer.rows.clone()));
    gathered.map_err(|error| PictureError::Input(error.to_string()))?;
    curves.draw(sweep, scale)
}
