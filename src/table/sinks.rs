//! The sinks: a terminal table, CSV, JSON lines, b-file.

use super::Cell;
use num_traits::ToPrimitive;
use std::io::{self, Write};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns for a reader.
    Table,
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON object per line; fractions and big integers are strings.
    Jsonl,
    /// Lines `n a(n)`: the first cell and the second, both integers.
    BFile,
}

/// Writes rows to a writer that is handed in for every row, so that whoever owns it can persist it.
pub trait Sink: Send {
    /// Before the first row.
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()>;
    /// One row.
    fn row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()>;
    /// After the last row.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// The sink of a format, with these headers.
pub fn sink(format: Format, headers: &[&str]) -> Box<dyn Sink> {
    let headers = headers.iter().map(|header| header.to_string()).collect();
    match format {
        Format::Table => Box::new(Table {
            headers,
            waiting: Vec::new(),
            widths: None,
            right: Vec::new(),
        }),
        Format::Csv => Box::new(Csv { headers }),
        Format::Jsonl => Box::new(Jsonl { headers }),
        Format::BFile => Box::new(BFile),
    }
}

/// Aligned columns; numbers to the right. The first rows decide the widths, so that rows stream.
struct Table {
    headers: Vec<String>,
    waiting: Vec<Vec<Cell>>,
    widths: Option<Vec<usize>>,
    right: Vec<bool>,
}

/// Rows that are kept to decide the widths.
const LOOK_AHEAD: usize = 1000;
/// A fraction that is longer is shown by its size.
const WIDEST: usize = 48;

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Empty => "-".to_string(),
        Cell::Exact(text) if text.len() > WIDEST && text.contains('/') => {
            let (p, q) = text.split_once('/').expect("a slash");
            format!("({} digits)/({} digits)", p.len(), q.len())
        }
        cell => cell.to_string(),
    }
}

impl Table {
    fn line(&self, cells: &[String], out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths.as_ref().expect("widths are known");
        let mut line = String::new();
        for (i, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            let gap = if i == 0 { "" } else { "  " };
            line += gap;
            line += &if self.right[i] {
                format!("{pad}{cell}")
            } else {
                format!("{cell}{pad}")
            };
        }
        writeln!(out, "{}", line.trim_end())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let rows: Vec<Vec<String>> = waiting
            .iter()
            .map(|row| row.iter().map(shown).collect())
            .collect();
        if self.widths.is_none() {
            let mut widths: Vec<usize> = self.headers.iter().map(|h| h.chars().count()).collect();
            self.right = vec![true; widths.len()];
            for (row, cells) in rows.iter().zip(&waiting) {
                for (i, text) in row.iter().enumerate() {
                    widths[i] = widths[i].max(text.chars().count());
                    let word = matches!(&cells[i], Cell::Text(text) if text != "inf");
                    self.right[i] &= !word;
                }
            }
            self.widths = Some(widths);
            self.line(&self.headers, out)?;
        }
        rows.iter().try_for_each(|row| self.line(row, out))
    }
}

impl Sink for Table {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        self.waiting.push(cells.to_vec());
        if self.waiting.len() >= LOOK_AHEAD {
            self.flush(out)
        } else {
            Ok(())
        }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.flush(out)
    }
}

struct Csv {
    headers: Vec<String>,
}

fn csv_line(fields: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    writer
        .write_record(fields.map(String::into_bytes).collect::<Vec<_>>())
        .map_err(io::Error::other)?;
    writer.flush()
}

impl Sink for Csv {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        csv_line(self.headers.iter().cloned(), out)
    }

    fn row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        csv_line(cells.iter().map(Cell::to_string), out)
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

struct Jsonl {
    headers: Vec<String>,
}

impl Sink for Jsonl {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        let mut line = String::from("{");
        for (i, (name, cell)) in self.headers.iter().zip(cells).enumerate() {
            let value = match cell {
                Cell::Empty => serde_json::Value::Null,
                Cell::Text(text) | Cell::Exact(text) => text.as_str().into(),
                // readers that keep numbers as doubles would round a larger one
                Cell::Integer(value) => match value.to_u64().filter(|v| *v <= 1 << 53) {
                    Some(small) => small.into(),
                    None => value.to_string().into(),
                },
                Cell::Double(value) => (*value).into(),
                Cell::Flag(value) => (*value).into(),
            };
            let comma = if i == 0 { "" } else { "," };
            line += &format!("{comma}{}:{value}", serde_json::Value::from(name.as_str()));
        }
        writeln!(out, "{line}}}")
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

struct BFile;

impl Sink for BFile {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} {}", cells[0], cells[1])
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
