//! Tables of results, drawn as coloured cells.

use super::error::StudyError;
use flipcost_figures::{Axis, Drawing, HeatMap, Ticks};

/// A cell: what gives its colour, if it has one, and what is written in it.
pub type SheetCell = (Option<f64>, String);

/// What is written in a cell of a throw that is discarded.
pub const DISCARD: &str = "–";

/// A table of results by row and column.
///
/// # Errors
/// If it cannot be drawn.
pub fn sheet(
    title: &str,
    (x, y): (&str, &str),
    cells: &[Vec<SheetCell>],
) -> Result<Drawing, StudyError> {
    let count = |length: usize| (1..=length).map(|i| i as f64).collect();
    let columns = cells.first().map_or(0, Vec::len);
    let pick = |row: &Vec<SheetCell>| row.iter().map(|cell| cell.0).collect();
    let text = |row: &Vec<SheetCell>| row.iter().map(|cell| cell.1.clone()).collect();
    let axis = |label: &str| Axis::new(label).ticks(Ticks::Every(1.0));
    let map = HeatMap::new(
        title,
        count(columns),
        count(cells.len()),
        cells.iter().map(pick).collect(),
    )
    .x(axis(x))
    .y(axis(y))
    .value(Axis::new("result"))
    .texts(cells.iter().map(text).collect())
    .missing("discard, and roll again");
    Ok(map.draw()?)
}
