//! The flow chart of the fast dice roller.

use crate::PictureError;
use crate::columns::{rows, word};
use flipcost::table::Cell;
use flipcost::unstable::number::short;
use flipcost_figures::{FlowChart, Round};
use flipcost_query::{Answer, Query};

/// The most rounds of a picture and of a .dot file; a text holds all that an answer has.
pub const MOST_ROUNDS: usize = 200;

/// The flow chart that an answer to a [`flipcost_query::Flowchart`] describes.
///
/// # Errors
/// [`PictureError::Kind`] if it answers another question.
pub fn flow_chart(answer: &Answer) -> Result<FlowChart, PictureError> {
    let Query::Flowchart(query) = &answer.query else {
        return Err(PictureError::kind(answer));
    };
    let columns = ["before", "rolls", "after", "threshold", "in_cycle"];
    let rows = rows(answer, columns)?;
    let round = |[before, rolls, after, threshold, _]: &[&Cell; 5]| {
        let rolls = word(rolls).unwrap_or(0);
        let [before, after, threshold] = [before, after, threshold].map(|cell| cell.to_string());
        Round::new(before, rolls, after, threshold)
    };
    Ok(FlowChart {
        target: query.target.value().to_string(),
        unit: query.source.0.unit().singular().to_string(),
        rounds: rows.iter().map(round).collect(),
        cycle: rows.iter().position(|row| *row[4] == Cell::Flag(true)),
    })
}

/// The same, if a picture has room for it.
///
/// # Errors
/// See [`flow_chart`]; and [`PictureError::Input`] if it has more than [`MOST_ROUNDS`] rounds.
pub(crate) fn small(answer: &Answer) -> Result<FlowChart, PictureError> {
    match &answer.query {
        Query::Flowchart(query) if answer.rows.len() > MOST_ROUNDS => {
            Err(PictureError::Input(format!(
                "the flow chart of n = {} has more than {MOST_ROUNDS} rounds: choose a smaller n",
                short(query.target.value())
            )))
        }
        _ => flow_chart(answer),
    }
}

/// The lines of the flow chart for a terminal, and its note.
pub(crate) fn text(answer: &Answer) -> Result<String, PictureError> {
    let mut text = flow_chart(answer)?.to_text();
    for note in &answer.foot.notes {
        text += note;
        text.push('\n');
    }
    Ok(text)
}
