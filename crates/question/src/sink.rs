//! What comes back, part by part: columns, rows, notes, a verdict, a document.

use crate::sentence::{finished, readable};
use crate::{Buffers, QueryError, Sentence};
use flipcost::table::{Cell, Integer};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CellKind {
    /// Words.
    Text,
    /// Integers.
    Count,
    /// Reduced fractions.
    Exact,
    /// Formulas of the unknown probabilities of a source, as a computer algebra system reads them
    /// where they are rational functions.
    Formula,
    /// The double nearest to the exact value, or as many correctly rounded decimals as were wanted:
    /// both from a rigorous enclosure.
    Decimal,
    /// Decimals that are rounded outwards: an end of an enclosure of the value.
    Bound,
    /// Numbers of a random experiment, or that hold asymptotically only.
    Statistical,
    /// Yes or no.
    Flag,
}

/// One column of an answer. Columns are equal if they hold the same, however a screen shows them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ColumnHead {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub kind: CellKind,
    /// Their unit, such as `flips`, `bits`; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Does it answer the question? On a narrow screen such columns are the last to be hidden.
    #[serde(skip)]
    pub answers: bool,
    /// Does it say whose row it is, in place of the first column?
    #[serde(skip)]
    pub names_rows: bool,
    /// What words in its cells mean: those that occur are told below a table.
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

/// What comes before the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The columns, in the order of the cells.
    pub columns: Vec<ColumnHead>,
}

impl Head {
    /// A head without columns yet.
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

    /// Gives the columns with the unit `from`, or a power of it, the unit `to`.
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

    /// The last column answers the question: on a narrow screen it is among the last to be hidden.
    pub fn answers(mut self) -> Head {
        if let Some(last) = self.columns.last_mut() {
            last.answers = true;
        }
        self
    }

    /// The last column says whose row it is, in place of the first, and stands first on a screen.
    pub fn names_rows(mut self) -> Head {
        if let Some(last) = self.columns.last_mut() {
            last.names_rows = true;
        }
        self
    }

    /// What words in the cells of the last column mean.
    pub fn explained(mut self, words: &'static [(&'static str, &'static str)]) -> Head {
        if let Some(last) = self.columns.last_mut() {
            last.words = words;
        }
        self
    }

    /// Every column answers the question.
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

/// Did what was checked hold?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It did.
    Holds,
    /// It did not, and where.
    Fails(String),
}

/// What comes after the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foot {
    /// Remarks, one sentence each: what was left out and why, what stands beside the rows.
    pub notes: Vec<Sentence>,
    /// Why rows are missing that were not requested by name, one sentence each.
    pub asides: Vec<Sentence>,
    /// The outcome of a check.
    pub verdict: Option<Verdict>,
    /// The answer as a document, where it is one: a recipe, a model, a draft.
    pub text: Option<String>,
    /// Values beside the rows, which are fields of the answer in JSON, by their names.
    pub values: Vec<(String, Cell)>,
    /// The first sentence, where the work that found the rows knows more than they show.
    pub summary: Option<String>,
}

impl Foot {
    /// One whose answer is this document.
    pub fn text(text: String) -> Foot {
        Foot {
            text: Some(text),
            ..Foot::default()
        }
    }

    /// Sets the first sentence, without capital and full stop.
    pub fn set_summary(&mut self, text: &str) {
        self.summary = Some(readable(&finished(text)));
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<Sentence>) {
        self.notes.push(note.into());
    }
}

/// Takes an answer, part by part: one head, rows in order, one foot.
pub trait Sink {
    /// Before the first row.
    ///
    /// # Errors
    /// If it cannot be written; the run then ends with [`QueryError::Sink`]. So for the others.
    fn head(&mut self, head: &Head) -> Result<(), QueryError>;
    /// The next rows.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError>;
    /// The next rows, as columns.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn buffers(&mut self, rows: Buffers) -> Result<(), QueryError> {
        const TOGETHER: usize = 4096;
        let starts = (0..rows.len()).step_by(TOGETHER);
        let mut parts = starts.map(|start| start..rows.len().min(start + TOGETHER));
        parts.try_for_each(|part| self.rows(rows.rows(part).collect()))
    }
    /// After the last row.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn foot(&mut self, foot: Foot) -> Result<(), QueryError>;
}

impl dyn Sink + '_ {
    /// Takes a whole answer.
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

/// A cell as JSON: exact numbers as strings, integers as numbers up to 2^53 (readers that keep
/// numbers as doubles would round larger ones) and as strings beyond, empty cells as null.
///
/// # Errors
/// Those of the writer.
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
