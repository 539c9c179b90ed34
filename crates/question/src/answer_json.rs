//! Writes an answer as one line of JSON.

use crate::{Answer, FrontEnd, cell_to_json, format_cell};
use flipcost::table::Cell;
use std::io::{self, Write};

impl Answer {
    /// Writes the answer as one line of JSON with these fields: `query`, `command`, `version`,
    /// `summary`, `columns`, `rows` and `notes`, and, if present, `verdict`, `text` and the named
    /// values of the foot. Each row is a list in which exact numbers and integers above 2^53 are
    /// strings, and empty cells are null.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        self.json(out, false)
    }

    /// Writes the same line as [`Answer::write_json`] with the additional field `shown`. For each
    /// row, this field lists the cells as people see them.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_shown_json(&self, out: &mut dyn Write) -> io::Result<()> {
        self.json(out, true)
    }

    fn json(&self, out: &mut dyn Write, shown: bool) -> io::Result<()> {
        write!(out, "{{\"query\":{}", self.query.to_json())?;
        let mut field = |name: &str, value: &dyn erased::ToJson| -> io::Result<()> {
            write!(out, ",\"{name}\":{}", value.json())
        };
        field("command", &self.query.command().to_string())?;
        field("version", &env!("CARGO_PKG_VERSION"))?;
        field("summary", &self.summary())?;
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
        let mut field = |name: &str, value: &dyn erased::ToJson| -> io::Result<()> {
            write!(out, ",\"{name}\":{}", value.json())
        };
        if shown {
            let kinds = self.head.columns.iter().map(|column| column.kind);
            let spelled = |row: &Vec<Cell>| -> Vec<String> {
                (row.iter()
                    .zip(kinds.clone())
                    .map(|(cell, kind)| format_cell(cell, kind)))
                .collect()
            };
            field("shown", &self.rows.iter().map(spelled).collect::<Vec<_>>())?;
        }
        field("notes", &self.foot.render_notes(FrontEnd::Plain))?;
        if let Some(verdict) = &self.foot.verdict {
            field("verdict", verdict)?;
        }
        if let Some(text) = &self.foot.text {
            field("text", text)?;
        }
        for (name, value) in &self.foot.values {
            write!(out, ",\"{name}\":")?;
            cell_to_json(value, out)?;
        }
        writeln!(out, "}}")
    }
}

/// Writes values of several types as JSON.
mod erased {
    pub trait ToJson {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> ToJson for T {
        fn json(&self) -> String {
            serde_json::to_string(self).expect("plain values")
        }
    }
}
