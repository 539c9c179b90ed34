//! Draws the flow chart of the fast dice roller.

use crate::questions::Flowchart;
use flipcost::table::Cell;
use flipcost::task::RollUnit;
use flipcost_figures::Drawing;
use flipcost_figures::{FlowChart, FlowChartRound, Guide};
use flipcost_number::BigUint;
use flipcost_number::short::short;
use flipcost_question::PictureError;
use flipcost_question::picture::word_of_cell;
use flipcost_question::{Answer, say};

/// The largest number of rounds in a picture; the chart as text shows all rounds of the answer.
pub const MAX_ROUNDS: usize = 200;

/// Returns the flow chart that an answer to [`crate::questions::Flowchart`] describes.
///
/// # Errors
/// [`PictureError::Kind`] if the answer is to another question.
pub fn flow_chart(answer: &Answer) -> Result<FlowChart, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::Flowchart>() else {
        return Err(PictureError::kind(answer));
    };
    let columns = ["before", "rolls", "after", "threshold", "in_cycle"];
    let rows = answer.cells(columns)?;
    let n = query.target.value();
    let name = if n.to_string().len() > MAX_SIDES_LEN {
        "n".to_string()
    } else {
        n.to_string()
    };
    let round = |[before, rolls, after, threshold, _]: &[&Cell; 5]| {
        let rolls = word_of_cell(rolls).unwrap_or(0);
        let threshold = match threshold {
            Cell::Integer(threshold) if name == "n" => multiple_of_n(&threshold.to_big(), n),
            threshold => threshold.to_string(),
        };
        let [before, after] = [before, after].map(|cell| cell.to_string());
        FlowChartRound::new(before, rolls, after, threshold)
    };
    let guide = (!rows.is_empty()).then(|| chart_guide(query, name.clone()));
    Ok(FlowChart {
        guide,
        target: query.target.value().to_string(),
        unit: query.source.0.unit().singular().to_string(),
        rounds: rows.iter().map(round).collect(),
        cycle: rows.iter().position(|row| *row[4] == Cell::Flag(true)),
    })
}

/// The largest number of digits of n that the chart shows; a longer number is written as n.
const MAX_SIDES_LEN: usize = 14;

/// Formats a multiple of n, for example `n` or `3n`.
fn multiple_of_n(multiple: &BigUint, n: &BigUint) -> String {
    match (multiple / n).to_string().as_str() {
        "1" => "n".to_string(),
        times => format!("{times}n"),
    }
}

/// Returns instructions for following the chart by hand. At the beginning of a round, the number c
/// has one of `before` equally likely values.
fn chart_guide(query: &crate::questions::Flowchart, n: String) -> Guide {
    let source = &query.source.0;
    let (unit, m) = (source.unit(), source.sides());
    let (m, values) = match unit {
        RollUnit::Flips => (m.to_string(), " (heads is 0, tails is 1)".to_string()),
        RollUnit::Rolls | RollUnit::Steps => (m.to_string(), String::new()),
        RollUnit::Words => {
            let bits = source.bits().unwrap_or(0);
            (format!("2^{bits} "), format!(" (0 to 2^{bits} - 1)"))
        }
    };
    let added = match unit {
        RollUnit::Rolls | RollUnit::Steps => "roll - 1",
        unit => unit.singular(),
    };
    let roll = format!("c = {m}c + {added}");
    let mut lines = vec![
        format!(
            "The source is {}{values}. Carry a number c, at first 0; for every {}, {roll}.",
            source.with_article(),
            unit.singular()
        ),
        "The number in a state says how many values c can have, each equally likely; ✓ ends with the result."
            .to_string(),
    ];
    if n == "n" {
        lines.push(format!("n = {}", query.target.value()));
    }
    Guide { lines, roll, n }
}

/// Returns the flow chart if it is small enough for a picture.
///
/// # Errors
/// The errors of [`flow_chart`], and [`PictureError::Input`] if the chart has more than
/// [`MAX_ROUNDS`] rounds.
pub fn drawable_chart(answer: &Answer) -> Result<FlowChart, PictureError> {
    match answer.query.downcast::<crate::questions::Flowchart>() {
        Some(query) if answer.rows.len() > MAX_ROUNDS => {
            let n = short(query.target.value());
            Err(PictureError::Input(say!(
                "the flow chart of n = {n} has more than {MAX_ROUNDS} rounds: choose a smaller n"
            )))
        }
        _ => flow_chart(answer),
    }
}

/// Returns the flow chart as text for a terminal.
pub(crate) fn text(answer: &Answer) -> Result<String, PictureError> {
    Ok(flow_chart(answer)?.to_text())
}

impl Flowchart {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        Ok(drawable_chart(answer)?.draw()?)
    }

    pub(crate) fn lines(&self, answer: &Answer) -> Result<String, PictureError> {
        text(answer)
    }
}
