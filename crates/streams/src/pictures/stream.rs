//! Draws the cost per result of an endless stream, against the capacity to which the state is
//! expanded.

use crate::questions::Batch;
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use flipcost_figures::{Axis, Chart, Dash, Hue, Scale, Series};
use flipcost_question::Answer;
use flipcost_question::PictureError;

/// Draws the curve of an answer to [`Batch::curve`](crate::questions::Batch::curve): a point for
/// each capacity (the middle of its enclosure if the cost is not exact), the cost of a new start
/// for every result, and the entropy bound.
///
/// # Errors
/// [`PictureError::Kind`] for an answer without rows of this kind.
///
/// ```
/// use flipcost_question::{Control, Query};
/// let query = flipcost_all::from_json(
///     r#"{"ask":"batch","targets":["2"],"source":"6","repeat":true,"capacity":"1,6,36"}"#,
/// )?;
/// let chart = flipcost_streams::pictures::stream::stream(&query.answer(&Control::default())?)?;
/// assert_eq!(chart.title, "An endless stream of d2 from a d6");
/// assert_eq!(chart.series.last().unwrap().points.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stream(answer: &Answer) -> Result<Chart, PictureError> {
    let none = || PictureError::kind(answer);
    let Some(batch) = answer.query.downcast::<crate::questions::Batch>() else {
        return Err(none());
    };
    let [target] = batch.targets.get() else {
        return Err(none());
    };
    let n = target.sides().ok_or_else(none)?;
    let at = |name: &str| {
        let mut columns = answer.head.columns.iter();
        columns.position(|column| column.name == name)
    };
    let (mode, capacity) = (at("mode"), at("capacity"));
    let (expected, low, high) = (at("expected"), at("low"), at("high"));
    let number = |row: &[Cell], column: Option<usize>| row.get(column?).and_then(Cell::to_f64);
    let cost = |row: &[Cell]| {
        let middle = || Some((number(row, low)? + number(row, high)?) / 2.0);
        number(row, expected).or_else(middle)
    };
    let of = |name: &'static str| {
        let named = move |row: &&Vec<Cell>| {
            let cell = mode.and_then(|mode| row.get(mode));
            matches!(cell, Some(Cell::Text(text)) if text == name)
        };
        answer.rows.iter().filter(named)
    };
    // The answer has no column of capacities if there is only one capacity.
    let only = batch.capacity.as_ref().and_then(|all| all.get().first());
    let point = |row: &Vec<Cell>| {
        let capacity = number(row, capacity).or(only.map(|only| *only as f64));
        Some((capacity?, cost(row)?))
    };
    let points: Option<Vec<(f64, f64)>> = of("eager").map(point).collect();
    let points = points.filter(|points| !points.is_empty());
    let points = points.ok_or_else(none)?;
    let line = |name| of(name).next().and_then(|row| cost(row)).ok_or_else(none);
    let (separate, bound) = (line("separate")?, line("bound")?);
    let source = &batch.source.0;
    let title = format!("An endless stream of d{} from {}", n, source.with_article());
    Ok(Chart::new(title)
        .x(Axis::new("capacity").scale(Scale::Log2))
        .y(Axis::new(format!("{} per result", source.unit().plural())))
        .series(
            Series::hline("a fresh start for every result", separate)
                .hue(Hue::Vermillion)
                .dash(Dash::Dashed),
        )
        .series(
            Series::hline("entropy bound", bound)
                .hue(Hue::Blue)
                .dash(Dash::Dotted),
        )
        .series(
            Series::line("", points.clone())
                .hue(Hue::Green)
                .dash(Dash::Solid),
        )
        .series(Series::points("state kept, expanded to the capacity", points).hue(Hue::Green)))
}

impl Batch {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        Ok(stream(answer)?.draw()?)
    }
}
