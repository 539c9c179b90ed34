//! Draws the probability that the results take more than t rolls, against t.

use crate::pictures::curves::drawn_value;
use crate::questions::Supply;
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use flipcost_figures::{Axis, Chart, Dash, Hue, Series};
use flipcost_number::Real;
use flipcost_question::PictureError;
use flipcost_question::{Answer, CellKind, format_cell};
use flipcost_question::{Control, Query};

/// Returns the range of rolls to draw: from the mean to a little more than the largest number of
/// rolls in an answer.
///
/// # Errors
/// [`PictureError::Kind`] if the answer is to another question.
pub fn roll_range(answer: &Answer) -> Result<(u64, u64), PictureError> {
    let Some(_) = answer.query.downcast::<crate::questions::Supply>() else {
        return Err(PictureError::kind(answer));
    };
    let rows = rows_of_first(answer, ["rolls", "expected"])?;
    let ends = rows
        .iter()
        .map(|[rolls, expected]| (drawn_value(rolls), drawn_value(expected)));
    let (mean, most) = ends.fold(
        (f64::INFINITY, 0.0),
        |(mean, most): (f64, f64), (rolls, expected)| {
            (mean.min(expected).min(rolls), most.max(rolls))
        },
    );
    Ok((mean as u64, (most + (most - mean) / 10.0).ceil() as u64))
}

/// Returns a chart of log2 P(T > t) against t, where `curve` is the answer to
/// [`Supply::curve`](crate::questions::Supply::curve). The requested failure probabilities are
/// drawn as lines; the numbers of rolls that suffice for them, or that the user gave, are drawn as
/// points.
///
/// # Errors
/// [`PictureError::Kind`] if an answer is to another question; [`PictureError::Input`] if the
/// number of rolls is certain.
pub fn supply(answer: &Answer, curve: &Answer) -> Result<Chart, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::Supply>() else {
        return Err(PictureError::kind(answer));
    };
    let tails = |answer: &Answer| -> Result<Vec<(f64, f64)>, PictureError> {
        let rows = rows_of_first(answer, ["rolls", "tail_log2"])?;
        let points = rows
            .iter()
            .map(|[rolls, tail]| (drawn_value(rolls), drawn_value(tail)));
        Ok(points.filter(|(_, tail)| tail.is_finite()).collect())
    };
    let (points, curve) = (tails(answer)?, tails(curve)?);
    if curve.iter().all(|(_, tail)| *tail == 0.0) {
        let what = "the number of rolls is certain: there is no tail to draw";
        return Err(PictureError::Input(what.into()));
    }
    let column = answer
        .head
        .columns
        .iter()
        .find(|column| column.name == "rolls");
    let unit = column.map_or("rolls", |column| column.unit.as_str());
    let mut chart = Chart::new(format!(
        "How many {unit} suffice: {}",
        query.results_in_words()
    ))
    .x(Axis::new(format!("{unit} at hand, t")))
    .y(Axis::new("log2 P(T > t)"))
    .series(
        Series::line("P(more are needed)", curve)
            .hue(Hue::Blue)
            .dash(Dash::Solid),
    );
    let hues = Hue::ORDER.iter().filter(|hue| **hue != Hue::Blue).cycle();
    for ([failure, rolls], hue) in rows_of_first(answer, ["failure", "rolls"])?
        .iter()
        .zip(hues)
    {
        if let Cell::Exact(p) = failure {
            let name = format!(
                "{}: {} {unit}",
                format_cell(failure, CellKind::Exact),
                format_cell(rolls, CellKind::Count)
            );
            let level = Real::log(p.denom().magnitude().clone(), 2)
                .minus(&Real::log(p.numer().magnitude().clone(), 2));
            let level = level
                .to_f64()
                .map_err(|error| PictureError::Input(error.to_string().into()))?;
            chart = chart.series(Series::hline(name, -level).hue(*hue).dash(Dash::Dashed));
        }
    }
    Ok(chart
        .series(Series::points("", points).hue(Hue::Blue))
        .typeset())
}

/// Returns the rows of the first choice of algorithms, since the picture has only one curve.
fn rows_of_first<'a>(
    answer: &'a Answer,
    names: [&str; 2],
) -> Result<Vec<[&'a Cell; 2]>, PictureError> {
    let rules = answer.cells(["algorithm"])?;
    let cells = answer.cells(names)?.into_iter().zip(&rules);
    let first = cells.filter(|(_, rule)| **rule == rules[0]);
    Ok(first.map(|(cells, _)| cells).collect())
}

impl Supply {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        let (least, most) = roll_range(answer)?;
        let curve = Query::from(self.curve(least, most));
        let curve = curve.answer(&Control::default())?;
        Ok(supply(answer, &curve)?.draw()?)
    }
}
