//! What comes back: columns, rows, notes, a verdict, a document.

use crate::sentence::say;
use crate::{Door, Query, QueryError, Sentence, spell};
use flipcost::table::{Cell, Integer};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// Words.
    Text,
    /// Integers.
    Count,
    /// Reduced fractions.
    Exact,
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

/// One column of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnHead {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub kind: Kind,
    /// Their unit, such as `flips`, `bits`; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Does it answer the question? On a narrow screen such columns are the last to be hidden.
    #[serde(skip)]
    pub answers: bool,
}

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
    pub fn column(self, name: &str, kind: Kind) -> Head {
        self.measured(name, kind, "")
    }

    /// Adds a column with a unit.
    pub fn measured(mut self, name: &str, kind: Kind, unit: &str) -> Head {
        let (name, unit) = (name.to_string(), unit.to_string());
        self.columns.push(ColumnHead {
            name,
            kind,
            unit,
            answers: false,
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

    /// The names of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.columns
            .iter()
            .map(|column| column.name.as_str())
            .collect()
    }
}

/// Did what was checked hold?
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
}

impl Foot {
    /// Adds a note.
    pub fn note(&mut self, note: impl Into<Sentence>) {
        self.notes.push(note.into());
    }

    /// The notes and the asides as they are said there.
    pub fn said(&self, door: Door) -> Vec<String> {
        let all = self.notes.iter().chain(&self.asides);
        all.map(|note| note.at(door)).collect()
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
    /// After the last row.
    ///
    /// # Errors
    /// See [`Sink::head`].
    fn foot(&mut self, foot: Foot) -> Result<(), QueryError>;
}

/// A whole answer, which says its own question again.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The question.
    pub query: Query,
    /// Its columns.
    pub head: Head,
    /// Its rows, a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// What comes after them.
    pub foot: Foot,
}

impl Answer {
    /// The most rows that are collected; more are streamed by [`Query::run`].
    pub const MOST_ROWS: usize = 1_000_000;

    pub(crate) fn new(query: &Query) -> Answer {
        Answer {
            query: query.clone(),
            head: Head::default(),
            rows: Vec::new(),
            foot: Foot::default(),
        }
    }

    /// The cells of the column of this name; `None` if there is no such column.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &Cell>> {
        let at = (self.head.columns.iter()).position(|column| column.name == name)?;
        Some(self.rows.iter().map(move |row| &row[at]))
    }

    /// Writes the answer as one line of JSON: `query`, `command`, `version`, `columns`, `rows` (a
    /// list for each row; exact numbers and integers above 2^53 as strings, empty cells as null),
    /// `notes`, and `verdict` and `text` where there are any.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        self.json(out, false)
    }

    /// The same with `shown`, a list for each row of how its cells are shown to people.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_shown_json(&self, out: &mut dyn Write) -> io::Result<()> {
        self.json(out, true)
    }

    fn json(&self, out: &mut dyn Write, shown: bool) -> io::Result<()> {
        write!(out, "{{\"query\":{}", self.query.to_json())?;
        let mut field = |name: &str, value: &dyn erased::Json| -> io::Result<()> {
            write!(out, ",\"{name}\":{}", value.json())
        };
        field("command", &self.query.command().to_string())?;
        field("version", &env!("CARGO_PKG_VERSION"))?;
        field("columns", &self.head.columns)?;
        write!(out, ",\"rows\":[")?;
        for (i, row) in self.rows.iter().enumerate() {
            out.write_all(if i == 0 { b"[" } else { b",[" })?;
            for (j, cell) in row.iter().enumerate() {
                if j > 0 {
                    out.write_all(b",")?;
                }
                cell_to_json(cell, out)?;
            }
            out.write_all(b"]")?;
        }
        write!(out, "]")?;
        let mut field = |name: &str, value: &dyn erased::Json| -> io::Result<()> {
            write!(out, ",\"{name}\":{}", value.json())
        };
        if shown {
            let kinds = self.head.columns.iter().map(|column| column.kind);
            let spelled = |row: &Vec<Cell>| -> Vec<String> {
                (row.iter()
                    .zip(kinds.clone())
                    .map(|(cell, kind)| spell(cell, kind)))
                .collect()
            };
            field("shown", &self.rows.iter().map(spelled).collect::<Vec<_>>())?;
        }
        field("notes", &self.foot.said(Door::Plain))?;
        if let Some(verdict) = &self.foot.verdict {
            field("verdict", verdict)?;
        }
        if let Some(text) = &self.foot.text {
            field("text", text)?;
        }
        writeln!(out, "}}")
    }
}

/// Values of several types as JSON.
mod erased {
    pub trait Json {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).expect("plain values")
        }
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
        Cell::Infinite | Cell::Exact(_) => serde_json::to_writer(out, &cell.to_string()),
        Cell::Integer(Integer::Word(word)) if *word <= 1 << 53 => serde_json::to_writer(out, word),
        Cell::Integer(value) => serde_json::to_writer(out, &value.to_string()),
        Cell::Double(value) => serde_json::to_writer(out, value),
        Cell::Flag(value) => serde_json::to_writer(out, value),
    }
    .map_err(io::Error::from)
}

impl Sink for Answer {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.head = head.clone();
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        if self.rows.len() + rows.len() > Answer::MOST_ROWS {
            let most = Answer::MOST_ROWS;
            return Err(
                QueryError::refused(say!("the answer has more than {most} rows"))
                    .right("ask for a smaller range, or let the program write them to a file"),
            );
        }
        self.rows.extend(rows);
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}
