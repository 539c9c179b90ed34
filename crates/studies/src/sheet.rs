//! Tables of results: drawn as coloured cells, or written in Markdown.

use super::error::StudyError;
use flipcost::table::Cell;
use flipcost_figures::{Axis, Drawing, HeatMap, Ticks};
use flipcost_terminal::rows::documents::{Markup, MarkupTable};
use flipcost_terminal::rows::sinks::RowSink;

/// A cell of a table: the value that gives its colour, if it has one, and its text.
pub type SheetCell = (Option<f64>, String);

/// The text in the cell of a throw that is discarded.
pub const DISCARDED_THROW: &str = "–";

/// Draws a table of results with coloured cells.
///
/// # Errors
/// If the sheet cannot be drawn.
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

/// Renders rows as a table in Markdown.
pub fn markdown(headers: &[String], rows: &[Vec<Cell>]) -> String {
    let names: Vec<&str> = headers.iter().map(String::as_str).collect();
    let (mut sink, mut text) = (MarkupTable::new(Markup::Markdown, &names), Vec::new());
    let written = sink
        .begin(&mut text)
        .and_then(|()| {
            rows.iter()
                .try_for_each(|row| sink.write_row(row, &mut text))
        })
        .and_then(|()| sink.end(&mut text));
    written.expect("memory takes every byte");
    String::from_utf8(text).expect("cells are texts")
}
