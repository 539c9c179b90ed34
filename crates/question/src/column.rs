//! Parses the names of columns, and expressions of columns.

use crate::description::{FieldValue, ValueAbout, plain_choices, plain_text, to_sentence};
use crate::say;
use crate::sentence::Sentence;
use crate::sentence::field;
use crate::value::fair_die_target;
use crate::{CellKind, ColumnHead, Head, Names, QueryError, nearest};
use flipcost::algorithms::{Catalogue, UnknownAlgorithm};
use flipcost::table::Expression;
use flipcost::table::NEEDS_LOAD;
use flipcost::table::{COLUMNS, Column, ColumnKind, ColumnUnit};
use flipcost::task::{Source, Target};
use flipcost_number::expression::ExpressionError;
use serde_json::Value as Json;
use std::fmt;

/// A column of the engine, given by its name, or an expression of columns as the user typed it.
///
/// ```
/// use flipcost_question::ColumnId;
/// let above = ColumnId::read("expected - log2(n)", Default::default())?;
/// assert_eq!(above.to_string(), "expected - log2(n)");
/// # Ok::<(), flipcost_question::ColumnError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnId(pub &'static Column);

/// The error for a text that is not a column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// No column has this name.
    #[error("\"{0}\" is not a column: {known}", known = suggest_columns(.0))]
    Unknown(String),
    /// `over:` is not followed by the id of an algorithm.
    #[error(transparent)]
    Over(#[from] UnknownAlgorithm),
    /// The text is not an expression of columns.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
}

/// Suggests the column that was probably meant, or names some examples.
fn suggest_columns(text: &str) -> String {
    match nearest(text, COLUMNS.iter().map(|column| column.name())) {
        Some(near) => format!("did you mean {near}?"),
        None => "a name such as expected, toll or worst_case, over:ID as in over:interval, or an expression such as expected - log2(n) was expected".to_string(),
    }
}

impl ColumnId {
    /// Reads a name or an expression; `over:` may be followed by any of these algorithms.
    ///
    /// # Errors
    /// [`ColumnError`], if it is neither.
    pub fn read(text: &str, algorithms: Catalogue) -> Result<ColumnId, ColumnError> {
        if let Ok(column) = Column::find(text) {
            return Ok(ColumnId(column));
        }
        if let Some(id) = text.strip_prefix("over:") {
            return Ok(ColumnId(Column::over(algorithms.find(id)?)));
        }
        // A single word is always a name, even if the name is unknown.
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_word =
            text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(letter);
        if is_word && !["e", "pi"].contains(&text) {
            return Err(ColumnError::Unknown(text.chars().take(40).collect()));
        }
        Ok(ColumnId(Expression::column(text)?))
    }
}

impl fmt::Display for ColumnId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.written())
    }
}

impl From<ColumnKind> for CellKind {
    fn from(kind: ColumnKind) -> CellKind {
        match kind {
            ColumnKind::Text => CellKind::Text,
            ColumnKind::Count => CellKind::Count,
            ColumnKind::Exact => CellKind::Exact,
            ColumnKind::Decimal => CellKind::Decimal,
            ColumnKind::Flag => CellKind::Flag,
        }
    }
}

/// The unit of a column for this source; without a source, the general unit.
pub fn unit(column: &Column, source: Option<&Source>) -> String {
    let rolls = source.map_or("rolls", |source| source.unit().plural());
    match column.unit() {
        ColumnUnit::None => String::new(),
        ColumnUnit::Rolls => rolls.to_string(),
        ColumnUnit::RollsSquared => format!("{rolls}^2"),
        ColumnUnit::RollsCubed => format!("{rolls}^3"),
        ColumnUnit::RollsToTheFourth => format!("{rolls}^4"),
        ColumnUnit::Rounds => "rounds".to_string(),
        ColumnUnit::Bits => "bits".to_string(),
        ColumnUnit::Results => "results".to_string(),
    }
}

/// Creates the head of an answer with these columns. Columns that were requested by name (`given`)
/// are all marked as answering the question.
pub fn head(columns: &[&'static Column], source: Option<&Source>, given: &[ColumnId]) -> Head {
    let column = |column: &&'static Column| ColumnHead {
        name: column.name().to_string(),
        kind: column.kind().into(),
        unit: unit(column, source),
        answers: column.answers() || **column == *NEEDS_LOAD || !given.is_empty(),
        names_rows: false,
        words: &[],
    };
    Head {
        columns: columns.iter().map(column).collect(),
    }
}

/// Returns the given columns, or the default columns for fair dice if none are given. Refuses a
/// column that is given twice.
pub fn columns(given: &[ColumnId]) -> Result<Vec<&'static Column>, QueryError> {
    columns_for(given, &fair_die_target())
}

/// Returns the given columns, or the default columns for this kind of target. Refuses a column that
/// is given twice.
pub fn columns_for(
    given: &[ColumnId],
    target: &Target,
) -> Result<Vec<&'static Column>, QueryError> {
    let twice = (1..given.len()).find(|&i| given[..i].contains(&given[i]));
    match twice {
        Some(twice) => {
            let what = say!(field("columns"), format!(" names {} twice", given[twice]));
            Err(QueryError::wrong("columns", what).right("once is enough"))
        }
        None if given.is_empty() => Ok(Column::defaults(target)),
        None => Ok(given.iter().map(|column| column.0).collect()),
    }
}

impl FieldValue for ColumnId {
    const ABOUT: ValueAbout = ValueAbout {
        choices: || plain_choices(COLUMNS.iter().map(|column| column.name())),
        ..ValueAbout::TEXT
    };

    fn of_json(json: &Json, names: Names) -> Result<ColumnId, Sentence> {
        let read = ColumnId::read(plain_text(json)?.trim(), names.algorithms);
        read.map_err(|error| match error {
            error @ ColumnError::Unknown(_) => {
                let list = Sentence::question("flipcost list columns", r#"{"ask":"list-columns"}"#);
                say!(error.to_string(), "; ", list, " lists all")
            }
            error => to_sentence(error),
        })
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}
