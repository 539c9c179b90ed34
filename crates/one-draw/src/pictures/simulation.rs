//! Renders the result of a simulation in sentences.

use crate::questions::Simulate;
use flipcost::table::Cell;
use flipcost_question::PictureError;
use flipcost_question::picture::double_of_cell;
use flipcost_question::{Answer, CellKind, format_cell, format_measured};

/// Returns the lines about the mean, the outcomes and the numbers of rolls, each with its test, and
/// the verdict.
pub(crate) fn text(answer: &Answer) -> Result<String, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::Simulate>() else {
        return Err(PictureError::kind(answer));
    };
    let columns = [
        "mean",
        "mean_low",
        "mean_high",
        "expected",
        "mean_p",
        "outcomes_chi_square",
        "outcomes_degrees",
        "outcomes_p",
        "rolls_chi_square",
        "rolls_degrees",
        "rolls_p",
    ];
    let rows = answer.cells(columns)?;
    let Some(row) = rows.first() else {
        return Err(PictureError::Input("the answer has no row".into()));
    };
    let [mean, low, high, mean_p] = [row[0], row[1], row[2], row[4]].map(double_of_cell);
    let expected = format_cell(row[3], CellKind::Decimal);
    let test = |at: usize| {
        format!(
            "chi-square {:.3}, {} degrees of freedom, p = {:.4}",
            double_of_cell(row[at]),
            row[at + 1],
            double_of_cell(row[at + 2])
        )
    };
    let mut text = format!(
        "{} trials of {}, {} from {}, seed {}\n",
        query.count,
        query.algorithm,
        query.target.with_article(),
        query.source.0.with_article(),
        query.seed,
    );
    let unit = query.source.0.unit().plural();
    text += &match row[4] {
        Cell::Empty => format!("mean      {mean:.6} {unit}; exact {expected}\n"), // too few trials
        _ => format!(
            "mean      {} {unit}, with 95% confidence; exact {expected}, p = {mean_p:.4}\n\
             outcomes  {}\n\
             rolls     {}\n",
            format_measured(mean, (high - low) / 2.0),
            test(5),
            test(8)
        ),
    };
    Ok(text)
}

impl Simulate {
    pub(crate) fn lines(&self, answer: &Answer) -> Result<String, PictureError> {
        text(answer)
    }
}
