//! Draws the cost of a target from a coin of unknown probability, against the probability of heads.

use crate::pictures::curves::{Curves, drawn_column, drawn_value};
use crate::questions::Cost;
use flipcost::table::EXPECTED;
use flipcost_figures::Drawing;
use flipcost_figures::{Axis, Chart, Dash, Hue, Series};
use flipcost_number::short::short;
use flipcost_question::PictureError;
use flipcost_question::{Answer, Sink};
use flipcost_question::{ColumnId, Control, Query};

/// The costs grow without bound as p approaches 0 or 1. Each curve has a minimum, and the vertical
/// axis ends at this multiple of the largest minimum.
const MAX_RATIO_TO_MINIMUM: f64 = 3.5;

/// Draws a column against the probability of heads, with a curve for each algorithm. `answer`
/// answers [`Cost::against_p`](crate::questions::Cost::against_p), or another question about the
/// cost at known probabilities of heads. The column is that of the expected flips, drawn with the
/// entropy as a lower curve; if the answer has no such column, it is the last column of numbers.
///
/// # Errors
/// [`PictureError::Kind`] if the answer is to another question.
pub fn against_p(answer: &Answer) -> Result<Chart, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::Cost>() else {
        return Err(PictureError::kind(answer));
    };
    let column = drawn_column(answer, &query.columns, "expected")?;
    let mut curves = Curves::across(column, "p");
    curves.head(&answer.head)?;
    curves.rows(answer.rows.clone())?;
    let (low, base, high) = curves.value_ranges().fold(
        (0f64, 0f64, f64::NEG_INFINITY),
        |(low, base, high), (least, most)| (low.min(least), base.max(least), high.max(most)),
    );
    let of = query.target.with_article();
    let of = format!("for {of} from {}", query.source.0.with_article());
    let x = Axis::new("probability of heads, p").range(0.0, 1.0);
    let mut chart = curves.chart(&of, x);
    if low == 0.0 && high > 0.0 {
        let rise = if base > 0.0 {
            (MAX_RATIO_TO_MINIMUM * base).min(high)
        } else {
            high
        };
        chart.y = chart.y.range(0.0, rise);
    }
    let bound = |name: &str| answer.head.columns.iter().any(|column| column.name == name);
    if column.name() == "expected" && bound("entropy") {
        // The entropy is the same for every algorithm.
        let mut points: Vec<(f64, f64)> = Vec::new();
        for [p, entropy] in answer.cells(["p", "entropy"])? {
            let point = (drawn_value(p), drawn_value(entropy));
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        let target = match query.target.sides() {
            Some(n) if *n == 2u8.into() => "1".to_string(),
            Some(n) => format!("log2({})", short(n)),
            None => "H(target)".to_string(),
        };
        let name = format!("entropy, {target}/H(p)");
        let series = Series::line(name, points);
        chart = chart.series(series.hue(Hue::Grey).dash(Dash::Dotted));
    }
    Ok(chart)
}

impl Cost {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        if !self.source.0.is_unknown() || self.optimal {
            return Err(PictureError::kind(answer));
        }
        if self.at.is_some() {
            return Ok(against_p(answer)?.draw()?);
        }
        let curve = self.against_p(ColumnId(EXPECTED));
        let curve = Query::from(curve.ok_or_else(|| PictureError::kind(answer))?);
        Ok(against_p(&curve.answer(&Control::default())?)?.draw()?)
    }
}
