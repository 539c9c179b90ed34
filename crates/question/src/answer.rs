//! A whole answer.

use crate::picture::PictureError;
use crate::say;
use crate::{Control, Door, Foot, Head, Query, QueryError, Sink, cell_to_json, spell};
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use std::io::{self, Write};

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

impl Query {
    /// The whole answer, of up to [`Answer::MOST_ROWS`] rows.
    ///
    /// # Errors
    /// As [`Query::run`]; and [`QueryError::Input`] if there are more rows.
    pub fn answer(&self, control: &Control) -> Result<Answer, QueryError> {
        let mut answer = Answer::new(self.clone());
        self.run(control, &mut answer)?;
        Ok(answer)
    }
}

impl Answer {
    /// One that is still empty.
    pub fn new(query: Query) -> Answer {
        Answer {
            query,
            head: Head::default(),
            rows: Vec::new(),
            foot: Foot::default(),
        }
    }

    /// The most rows that are collected; more are streamed by [`Query::run`].
    pub const MOST_ROWS: usize = 1_000_000;

    /// A picture of it.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of its kind are not drawn, [`PictureError::Input`] if it is
    /// too large, [`PictureError::Figure`] if the drawing fails.
    pub fn draw(&self) -> Result<Drawing, PictureError> {
        self.query.question().draw(self)
    }

    /// The answer in the DOT language of Graphviz.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of its kind are no graphs, [`PictureError::Input`] if it is
    /// too large.
    pub fn to_dot(&self) -> Result<String, PictureError> {
        self.query.question().to_dot(self)
    }

    /// The answer as lines of text, its notes included as they are said at this door. Ends with a line break.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of its kind are rows and no more, [`PictureError::Input`] if
    /// it is too large.
    pub fn to_text(&self, door: Door) -> Result<String, PictureError> {
        let mut text = self.query.question().to_text(self, door)?;
        for note in &self.foot.notes {
            text += &note.at(door);
            text.push('\n');
        }
        Ok(text)
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
