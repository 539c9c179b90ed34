//! Converts answers to bytes and back, so that they can be stored.

use crate::cell::StoredCell;
use crate::chunked::{from_json_value, to_json_value};
use crate::description::FieldPairs;
use crate::{Answer, Buffers, ColumnHead, Foot, Query, QueryError, Questions, Sentence, Verdict};
use serde_json::Value;

/// The parts of an answer other than its question and its rows: the columns, each with whether it
/// answers the question; the notes and asides; the verdict, the text, the values and the summary.
type AnswerState = (
    Vec<(ColumnHead, bool)>,
    [Vec<Sentence>; 2],
    Option<Verdict>,
    Option<String>,
    Vec<(String, StoredCell)>,
    Option<String>,
);

impl Answer {
    /// Writes the answer as bytes; [`Answer::from_bytes`] reads it back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows: Buffers = self.rows.iter().cloned().collect();
        rows.to_bytes(&(&self.query, self.state()))
    }

    /// Reads an answer that [`Answer::to_bytes`] wrote. Returns `None` for any other bytes, and for
    /// an answer to a question that is not among `questions`.
    pub fn from_bytes(bytes: &[u8], questions: &Questions) -> Option<Answer> {
        let ((query, state), rows): ((FieldPairs, Value), _) = Buffers::from_bytes(bytes)?;
        let query = questions.read_pairs(query).ok()?;
        let mut answer = Answer::from_state(query, state).ok()?;
        answer.rows = rows.rows(0..rows.len()).collect();
        Some(answer)
    }

    /// Returns everything except the question and the rows as JSON. [`Answer::from_state`] reads it
    /// back.
    pub fn state(&self) -> Value {
        let foot = self.foot.clone();
        let columns = self.head.columns.iter();
        let values = foot.values.into_iter();
        let state: AnswerState = (
            columns.map(|all| (all.clone(), all.answers)).collect(),
            [foot.notes, foot.asides],
            foot.verdict,
            foot.text,
            values
                .map(|(name, cell)| (name, StoredCell(cell)))
                .collect(),
            foot.summary,
        );
        to_json_value(&state)
    }

    /// Creates an answer without rows from the JSON that [`Answer::state`] wrote.
    ///
    /// # Errors
    /// [`QueryError::Input`] for any other value.
    pub fn from_state(query: Query, state: Value) -> Result<Answer, QueryError> {
        let (columns, [notes, asides], verdict, text, values, summary): AnswerState =
            from_json_value(state)?;
        let column = |(column, answers)| ColumnHead { answers, ..column };
        let mut answer = Answer::new(query);
        answer.head.columns = columns.into_iter().map(column).collect();
        answer.foot = Foot {
            notes,
            asides,
            verdict,
            text,
            values: (values.into_iter())
                .map(|(name, StoredCell(cell))| (name, cell))
                .collect(),
            summary,
        };
        Ok(answer)
    }
}
