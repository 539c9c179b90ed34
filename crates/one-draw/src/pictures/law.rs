//! Draws the law of a formula of dice.

use crate::pictures::curves::drawn_value;
use crate::questions::FormulaLaw;
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use flipcost_figures::{Axis, Chart, Dash, Hue, Series};
use flipcost_question::Answer;
use flipcost_question::PictureError;

/// The largest number of values that are drawn as bars; more are drawn as points.
const MAX_BARS: usize = 60;
/// If there are more bars than this, no probabilities are written above them.
const MAX_LABELS: usize = 13;
/// The largest number of letters of a formula in the title.
const MAX_FORMULA_LEN: usize = 40;

/// Returns a chart of the probability of every value, with a line for a fair die with the same
/// number of values.
///
/// # Errors
/// [`PictureError::Kind`] if the answer is to another question.
pub(crate) fn law(answer: &Answer) -> Result<Chart, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::FormulaLaw>() else {
        return Err(PictureError::kind(answer));
    };
    let rows = answer.cells(["value", "probability_exact", "probability"])?;
    let points: Vec<(f64, f64)> = (rows.iter().zip(1u32..))
        .map(|([value, _, probability], number)| match value {
            Cell::Text(_) => (number.into(), drawn_value(probability)),
            value => (drawn_value(value), drawn_value(probability)),
        })
        .collect();
    let formula: String = query.formula.chars().take(MAX_FORMULA_LEN).collect();
    let dots = if formula == *query.formula { "" } else { "..." };
    let mut title = format!("The law of {formula}{dots}");
    if let Some(dice) = &query.dice {
        let dice: Vec<String> = (dice.get().iter())
            .map(|sides| format!("d{sides}"))
            .collect();
        title += &format!(", from {}", dice.join(", "));
    }
    let gaps = points.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let width = 0.8 * gaps.fold(f64::INFINITY, f64::min).min(1e15);
    let most = points.iter().map(|(_, p)| *p).fold(0.0, f64::max);
    let mark = match points.len() {
        1..=MAX_BARS => {
            let labels = match points.len() {
                0..=MAX_LABELS => rows.iter().map(|row| row[1].to_string()).collect(),
                _ => Vec::new(),
            };
            let width = if points.len() == 1 { 0.8 } else { width };
            Series::bars("", width, points.clone(), labels)
        }
        _ => Series::points("", points.clone()),
    };
    let equal = 1.0 / points.len().max(1) as f64;
    Ok(Chart::new(title)
        .x(Axis::new("value"))
        .y(Axis::new("probability").range(0.0, 1.12 * most))
        .series(mark.hue(Hue::Blue))
        .series(
            Series::hline("equally likely", equal)
                .hue(Hue::Vermillion)
                .dash(Dash::Dashed),
        ))
}

impl FormulaLaw {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        Ok(law(answer)?.draw()?)
    }
}
