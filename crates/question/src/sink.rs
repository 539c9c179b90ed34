//! The parts of an answer in their order: columns, rows, notes, a verdict, a document.

use crate::sentence::{capitalize_and_stop, make_printable};
use crate::{Buffers, QueryError, Sentence};
use flipcost::table::{Cell, Integer};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CellKind {
    /// Texts.
    Text,
    /// Integers.
    Count,
    /// Reduced fractions.
    Exact,
    /// Formulas of the unknown probabilities of a source. Rational functions are written in the
    /// syntax of computer algebra systems.
    Formula,
    /// The double nearest to the exact value, or the requested number of correctly rounded
    /// decimals. Both come from a proved enclosure.
    Decimal,
    /// Decimals that are rounded outwards: one end of an enclosure of the value.
    Bound,
    /// Results of a random experiment, or values that hold only asymptotically.
    Statistical,
    /// Yes or no.
    Flag,
}

/// One column of an answer. Two columns are equal if they have the same name, kind and unit, even
/// if their display hints differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ColumnHead {
    /// The column's name.
    pub name: String,
    /// The kind of the column's cells.
    pub kind: CellKind,
    /// The unit of the column's cells, for example `flips` or `bits`; empty if there is no unit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Whether the column answers the question. On a narrow screen this column is hidden last.
    #[serde(skip)]
    pub answers: bool,
    /// Whether this column names the row, instead of the first column.
    #[serde(skip)]
    pub names_rows: bool,
    /// Words in the column's cells with their meanings: the words that occur are explained below a
    /// table.
    #[serde(skip)]
    pub words: &'static [(&'static str, &'static str)],
}

impl PartialEq for ColumnHead {
    fn eq(&self, other: &ColumnHead) -> bool {
        let held = |head: &ColumnHead| (head.kind, head.answers);
        held(self) == held(other) && self.name == other.name && self.unit == other.unit
    }
}

impl Eq for ColumnHead {}

/// The part of an answer before the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The columns, in the order of the cells.
    pub columns: Vec<ColumnHead>,
}

impl Head {
    /// A head without columns.
    pub fn new() -> Head {
        Head::default()
    }

    /// Adds a column without a unit.
    pub fn column(self, name: &str, kind: CellKind) -> Head {
        self.measured(name, kind, "")
    }

    /// Adds columns of one kind without a unit.
    pub fn columns<const N: usize>(self, kind: CellKind, names: [&str; N]) -> Head {
        let column = |head: Head, name| head.column(name, kind);
        names.into_iter().fold(self, column)
    }

    /// Replaces the unit `from` by the unit `to` in all columns, also in powers of the unit.
    pub fn with_unit(mut self, from: &str, to: &str) -> Head {
        for column in &mut self.columns {
            let power = column.unit.strip_prefix(from);
            let power = power.filter(|power| power.is_empty() || power.starts_with('^'));
            if let Some(unit) = power.map(|power| format!("{to}{power}")) {
                column.unit = unit;
            }
        }
        self
    }

    /// Adds a column with a unit.
    pub fn measured(mut self, name: &str, kind: CellKind, unit: &str) -> Head {
        let (name, unit) = (name.to_string(), unit.to_string());
        self.columns.push(ColumnHead {
            name,
            kind,
            unit,
            answers: false,
            names_rows: false,
            words: &[],
        });
        self
    }

    /// Marks the last column as answering the question: on a narrow screen it is hidden last.
    pub fn answers(mut self) -> Head {
        if let Some(last) = self.columns.last_mut() {
            last.answers = true;
        }
        self
    }

    /// Marks the last column as the column that names the row, instead of the first; on a screen it
    /// comes first.
    pub fn names_rows(mut self) -> Head {
        if let Some(last) = self.columns.last_mut() {
            last.names_rows = true;
        }
        self
    }

    /// Explains words in the cells of the last column.
    pub fn explained(mut self, words: &'static [(&'static str, &'static str)]) -> Head {
        if let Some(last) = self.columns.last_mut() {
            last.words = words;
        }
        self
    }

    /// Marks every column as answering the question.
    pub fn all_answer(mut self) -> Head {
        self.columns
            .iter_mut()
            .for_each(|column| column.answers = true);
        self
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.columns
            .iter()
            .map(|column| column.name.as_str())
            .collect()
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The statement holds.
    Holds,
    /// The statement does not hold; the text says for which case.
    Fails(String),
}

/// The part of an answer after the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foot {
    /// Remarks, one sentence each: what was left out and why, and facts that have no column.
    pub notes: Vec<Sentence>,
    /// The reasons why rows that were not requested by name are missing, one sentence each.
    pub asides: Vec<Sentence>,
    /// The result of a check.
    pub verdict: Option<Verdict>,
    /// The answer as a document, if it is a document: a recipe, a model, a draft.
    pub text: Option<String>,
    /// Further values with names, which are fields of the answer in JSON.
    pub values: Vec<(String, Cell)>,
    /// The summary, if it cannot be made from the rows.
    pub summary: Option<String>,
}

impl Foot {
    /// Creates a foot whose answer is this document.
    pub fn text(text: String) -> Foot {
        Foot {
            text: Some(text),
            ..Foot::default()
        }
    }

    /// Sets the summary, given without capital letter and full stop.
    pub fn set_summary(&mut self, text: &str) {
        self.summary = Some(make_printable(&capitalize_and_stop(text)));
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<Sentence>) {
        self.notes.push(note.into());
    }
}

/// Receives an answer in parts: one head, rows in order, one foot.
pub trait Sink {
    /// Called before the first row.
    ///
    /// # Errors
    /// If the head cannot be written; the run then ends with [`QueryError::Sink`]. The other
    /// methods do the same.
    fn head(&mut self, head: &Head) -> Result<(), QueryError>;
    /// Receives the next rows.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError>;
    /// Receives the next rows, stored as columns.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn buffers(&mut self, rows: Buffers) -> Result<(), QueryError> {
        const ROWS_AT_ONCE: usize = 4096;
        let starts = (0..rows.len()).step_by(ROWS_AT_ONCE);
        let mut parts = starts.map(|start| start..rows.len().min(start + ROWS_AT_ONCE));
        parts.try_for_each(|part| self.rows(rows.rows(part).collect()))
    }
    /// Called after the last row.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn foot(&mut self, foot: Foot) -> Result<(), QueryError>;
}

impl dyn Sink + '_ {
    /// Receives a whole answer.
    pub fn write_answer(
        &mut self,
        head: &Head,
        rows: Vec<Vec<Cell>>,
        foot: Foot,
    ) -> Result<(), QueryError> {
        self.head(head)?;
        self.rows(rows)?;
        self.foot(foot)
    }
}

/// Writes a cell as JSON: exact numbers as strings, integers up to 2^53 as numbers and larger ones
/// as strings (readers that store numbers as doubles would round them), empty cells as null.
///
/// # Errors
/// If writing to `out` fails.
pub fn cell_to_json(cell: &Cell, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    match cell {
        Cell::Empty | Cell::Undefined => serde_json::to_writer(out, &()),
        Cell::Text(text) => serde_json::to_writer(out, text),
        Cell::Decimal(value) => serde_json::to_writer(out, value.text()),
        Cell::Infinite | Cell::Exact(_) | Cell::Formula(_) => {
            serde_json::to_writer(out, &cell.to_string())
        }
        Cell::Integer(Integer::Word(word)) if *word <= 1 << 53 => serde_json::to_writer(out, word),
        Cell::Integer(value) => serde_json::to_writer(out, &value.to_string()),
        Cell::Double(value) if value.is_infinite() => {
            serde_json::to_writer(out, &value.to_string())
        }
        Cell::Double(value) => serde_json::to_writer(out, value),
        Cell::Flag(value) => serde_json::to_writer(out, value),
    }
    .map_err(io::Error::from)
}
