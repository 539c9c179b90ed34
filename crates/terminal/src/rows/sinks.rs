//! Sinks of rows: a terminal table, CSV, JSON lines, b-file.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use flipcost::table::ChunkColumn;
use flipcost::table::{Cell, Integer};
use flipcost_number::Rational;
use flipcost_number::text::{DecimalLimbs, with_fraction};
use flipcost_question::{cell_to_json, power_of_two};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

/// The formats of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Aligned columns
    #[value(alias = "terminal")]
    Table,
    /// Comma-separated values with a header line
    Csv,
    /// One JSON object per line
    Jsonl,
    /// One JSON array of objects
    Json,
    /// A Markdown table
    Markdown,
    /// A LaTeX tabular, fractions as \frac
    Latex,
    /// Lines `n a(n)` of one integer column, as the OEIS wants them
    BFile,
}

impl Format {
    /// Returns a parser of the formats that are possible for all rows: every format except b-files.
    pub fn row_formats_parser() -> impl TypedValueParser<Value = Format> {
        let all = Format::value_variants().iter();
        let names = all.filter(|format| **format != Format::BFile);
        let names = names.filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(names)
            .map(|name| <Format as ValueEnum>::from_str(&name, false).expect("one of them"))
    }

    /// Returns the format that the extension of a file's name implies, if any.
    pub fn from_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_lowercase();
        Some(match extension.as_str() {
            "csv" => Format::Csv,
            "jsonl" | "ndjson" => Format::Jsonl,
            "json" => Format::Json,
            "md" => Format::Markdown,
            "tex" => Format::Latex,
            _ => return None,
        })
    }

    /// Whether each row is a line that does not depend on other rows.
    pub fn is_line_based(self) -> bool {
        matches!(self, Format::Csv | Format::Jsonl | Format::BFile)
    }
}

/// Writes rows to a writer that is passed with each call, so that the owner of the writer can save
/// it to disk.
pub trait RowSink: Send {
    /// Called before the first row.
    ///
    /// # Errors
    /// Errors of the writer.
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()>;
    /// Writes one row.
    ///
    /// # Errors
    /// Errors of the writer.
    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()>;
    /// Called after the last row.
    ///
    /// # Errors
    /// Errors of the writer.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// A table with aligned columns; numbers are aligned to the right. The first [`LOOK_AHEAD`] rows
/// decide the widths, so that later rows can be streamed.
pub(super) struct AlignedTable {
    headers: Vec<String>,
    waiting: Vec<Vec<Cell>>,
    widths: Option<Vec<usize>>,
    right: Vec<bool>,
}

/// The number of rows that decide the widths.
const LOOK_AHEAD: usize = 1000;
/// A longer fraction is replaced by its size.
const MAX_FRACTION_WIDTH: usize = 48;

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Empty | Cell::Undefined => "-".to_string(),
        Cell::Exact(value) => format_fraction(value, MAX_FRACTION_WIDTH),
        cell => cell.to_string(),
    }
}

/// Formats a fraction for a table: if it is longer than `widest`, as a power of two or by its size.
pub(super) fn format_fraction(value: &Rational, widest: usize) -> String {
    let text = with_fraction(value, str::to_string);
    match text.split_once('/') {
        Some((p, q)) if text.len() > widest => power_of_two(value)
            .unwrap_or_else(|| format!("({} digits)/({} digits)", p.len(), q.len())),
        _ => text,
    }
}

impl AlignedTable {
    pub fn new(headers: &[&str]) -> AlignedTable {
        AlignedTable {
            headers: headers.iter().map(|header| header.to_string()).collect(),
            waiting: Vec::new(),
            widths: None,
            right: Vec::new(),
        }
    }

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
            .map(|row| row.iter().map(cell_text).collect())
            .collect();
        if self.widths.is_none() {
            let mut widths: Vec<usize> = self.headers.iter().map(|h| h.chars().count()).collect();
            self.right = vec![true; widths.len()];
            for (row, cells) in rows.iter().zip(&waiting) {
                for (i, text) in row.iter().enumerate() {
                    widths[i] = widths[i].max(text.chars().count());
                    let word = matches!(&cells[i], Cell::Text(_) | Cell::Formula(_));
                    self.right[i] &= !word;
                }
            }
            self.widths = Some(widths);
            self.line(&self.headers, out)?;
        }
        rows.iter().try_for_each(|row| self.line(row, out))
    }
}

impl RowSink for AlignedTable {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
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

/// A format in which each row is a line that does not depend on other rows, so that many threads
/// can write parts of one output.
#[derive(Clone, Debug)]
pub struct LineFormat {
    format: Format,
    headers: Vec<String>,
}

impl LineFormat {
    /// Returns the line format of `format`, or `None` if its rows depend on each other.
    pub fn new(format: Format, headers: &[&str]) -> Option<LineFormat> {
        let headers = headers.iter().map(|header| header.to_string()).collect();
        format
            .is_line_based()
            .then_some(LineFormat { format, headers })
    }

    /// Returns the bytes before the first row.
    pub fn header(&self) -> Vec<u8> {
        match self.format {
            Format::Csv => {
                let mut csv = csv::Writer::from_writer(Vec::new());
                csv.write_record(&self.headers)
                    .expect(MEMORY_WRITE_NEVER_FAILS);
                csv.into_inner().expect(MEMORY_WRITE_NEVER_FAILS)
            }
            _ => Vec::new(),
        }
    }

    /// Formats the rows of consecutive n. `rows` has a list of columns for each row of one n. The
    /// bytes are the same as those that [`EncodedRows::push_row`] writes.
    pub fn format_columns(&self, rows: &[Vec<ChunkColumn>], part: RangeInclusive<u64>) -> Vec<u8> {
        let count = (part.end() - part.start() + 1) as usize * rows.len();
        let between = match self.format {
            Format::BFile => b' ',
            Format::Csv => b',',
            _ => {
                let mut batch = self.start_batch(count);
                for (n, columns) in part.flat_map(|n| rows.iter().map(move |columns| (n, columns)))
                {
                    let cells: Vec<Cell> = columns.iter().map(|column| column.cell(n)).collect();
                    batch.push_row(&cells);
                }
                return batch.into_bytes();
            }
        };
        let columns = rows.first().map_or(&[][..], Vec::as_slice);
        let width: usize = columns.iter().map(|column| column.width() + 1).sum();
        let (mut out, mut sum) = (Vec::with_capacity(count * width), DecimalLimbs::default());
        for n in part {
            for columns in rows {
                for column in columns {
                    column.push_text(n, between, &mut sum, &mut out);
                }
                if let Some(last) = out.last_mut() {
                    *last = b'\n';
                }
            }
        }
        out
    }

    /// Starts a batch of consecutive rows in memory; `rows` is their approximate number.
    pub fn start_batch(&self, rows: usize) -> EncodedRows<'_> {
        let out = Vec::with_capacity(rows * 8 * (self.headers.len() + 1));
        match self.format {
            Format::Csv => EncodedRows::Csv(out),
            Format::Jsonl => EncodedRows::Jsonl(&self.headers, out),
            _ => EncodedRows::BFile(out),
        }
    }
}

const MEMORY_WRITE_NEVER_FAILS: &str = "memory takes every byte";

/// Rows as bytes; see [`LineFormat::start_batch`].
pub enum EncodedRows<'a> {
    /// CSV; fields are quoted if necessary.
    Csv(Vec<u8>),
    /// JSON lines, with the names of the fields.
    Jsonl(&'a [String], Vec<u8>),
    /// A b-file, which has only the first two cells.
    BFile(Vec<u8>),
}

impl EncodedRows<'_> {
    /// Adds a row.
    pub fn push_row(&mut self, cells: &[Cell]) {
        match self {
            EncodedRows::Csv(out) => push_csv(cells, out),
            EncodedRows::Jsonl(names, out) => {
                write_json_object(names, cells, out);
                out.push(b'\n');
            }
            EncodedRows::BFile(out) => {
                with_cell_text(&cells[0], |field| out.extend_from_slice(field));
                out.push(b' ');
                with_cell_text(&cells[1], |field| out.extend_from_slice(field));
                out.push(b'\n');
            }
        }
    }

    /// Returns the rows as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            EncodedRows::Csv(out) | EncodedRows::Jsonl(_, out) | EncodedRows::BFile(out) => out,
        }
    }
}

/// Adds a row as a line of CSV. Rows that may need quotes are written by the library `csv`: those
/// with a text that may need them, and those with a single field.
fn push_csv(cells: &[Cell], out: &mut Vec<u8>) {
    let may_need_quotes = |cell: &Cell| match cell {
        Cell::Text(text) => text.bytes().any(|byte| b",\"\r\n".contains(&byte)),
        cell => matches!(cell, Cell::Formula(_)),
    };
    if cells.len() == 1 || cells.iter().any(may_need_quotes) {
        let mut csv = csv::Writer::from_writer(&mut *out);
        for cell in cells {
            with_cell_text(cell, |field| csv.write_field(field)).expect(MEMORY_WRITE_NEVER_FAILS);
        }
        return csv
            .write_record(None::<&[u8]>)
            .expect(MEMORY_WRITE_NEVER_FAILS);
    }
    for cell in cells {
        with_cell_text(cell, |field| out.extend_from_slice(field));
        out.push(b',');
    }
    if let Some(last) = out.last_mut() {
        *last = b'\n';
    }
}

/// Adds a row as a JSON object.
pub(super) fn write_json_object(names: &[String], cells: &[Cell], out: &mut Vec<u8>) {
    out.push(b'{');
    for (i, (name, cell)) in names.iter().zip(cells).enumerate() {
        if i > 0 {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, name).expect(MEMORY_WRITE_NEVER_FAILS);
        out.push(b':');
        cell_to_json(cell, out).expect(MEMORY_WRITE_NEVER_FAILS);
    }
    out.push(b'}');
}

/// Calls `take` with the text that [`Cell`] displays, without an allocation where that is possible.
fn with_cell_text<T>(cell: &Cell, take: impl FnOnce(&[u8]) -> T) -> T {
    match cell {
        Cell::Empty | Cell::Undefined => take(b""),
        Cell::Text(text) => take(text.as_bytes()),
        Cell::Decimal(value) => take(value.text().as_bytes()),
        Cell::Integer(Integer::Word(word)) => take(itoa::Buffer::new().format(*word).as_bytes()),
        // If two shortest texts are equally near to the value, writes the same one as [`Cell`]
        // displays.
        Cell::Double(value) => {
            let mut buffer = [0; 64];
            let mut rest = &mut buffer[..];
            let fits = write!(rest, "{value}").is_ok();
            let length = 64 - rest.len();
            if fits {
                take(&buffer[..length])
            } else {
                take(value.to_string().as_bytes()) // without an exponent
            }
        }
        Cell::Exact(value) => with_fraction(value, |text| take(text.as_bytes())),
        Cell::Integer(Integer::Big(_)) | Cell::Infinite | Cell::Flag(_) | Cell::Formula(_) => {
            take(cell.to_string().as_bytes())
        }
    }
}

impl RowSink for LineFormat {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.header())
    }

    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        let mut batch = self.start_batch(1);
        batch.push_row(cells);
        out.write_all(&batch.into_bytes())
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::Decimal;
    use proptest::prelude::*;

    fn double() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (any::<i32>(), 0u32..64).prop_map(|(m, k)| f64::from(m) / 2f64.powi(k as i32)),
            (1u64..1 << 60).prop_map(|n| (n as f64).log2()),
            (0i32..60).prop_map(|k| 10f64.powi(k - 30)),
        ]
    }

    fn cell() -> impl Strategy<Value = Cell> {
        prop_oneof![
            Just(Cell::Empty),
            "[a-c,\"\r\n #é]{0,5}".prop_map(Cell::Text),
            any::<u64>().prop_map(|n| Cell::Integer(n.into())),
            any::<u128>().prop_map(|n| Cell::Integer(flipcost_number::BigUint::from(n).into())),
            double().prop_map(Cell::Double),
            (any::<i32>(), 1..u32::MAX).prop_map(|(p, q)| {
                let value = Rational::new(p.into(), q.into());
                match q % 3 {
                    0 => Cell::Decimal(Decimal::up(&value, 5)),
                    _ => Cell::from(value),
                }
            }),
            Just(Cell::Undefined),
            Just(Cell::Infinite),
            any::<bool>().prop_map(Cell::Flag),
        ]
    }

    /// -20584.9268798828125 is halfway between two decimals of 17 digits.
    #[test]
    fn a_tie_of_shortest_texts_is_written_as_everywhere() {
        let cell = Cell::Double(-20584.926879882813);
        let lines = LineFormat::new(Format::Csv, &["a"]).unwrap();
        let mut batch = lines.start_batch(2);
        batch.push_row(std::slice::from_ref(&cell));
        assert_eq!(batch.into_bytes(), format!("{cell}\n").into_bytes());
    }

    proptest! {
        #[test]
        fn a_cell_is_written_as_it_is_displayed(cell in cell()) {
            let written = with_cell_text(&cell, |field| field.to_vec());
            prop_assert_eq!(String::from_utf8(written).unwrap(), cell.to_string());
        }

        #[test]
        fn csv_and_json_lines_equal_those_of_the_libraries(cells in prop::collection::vec(cell(), 1..5)) {
            let names = ["a", "b\"c", "d,e", "f", "g"];
            let names = &names[..cells.len()];
            let lines = |format| {
                let mut lines = LineFormat::new(format, names).unwrap();
                let mut out = Vec::new();
                lines.begin(&mut out).unwrap();
                lines.write_row(&cells, &mut out).unwrap();
                String::from_utf8(out).unwrap()
            };
            let mut csv = csv::Writer::from_writer(Vec::new());
            csv.write_record(names).unwrap();
            csv.write_record(cells.iter().map(Cell::to_string)).unwrap();
            prop_assert_eq!(lines(Format::Csv).into_bytes(), csv.into_inner().unwrap());
            let values = cells.iter().map(|cell| match cell {
                Cell::Empty | Cell::Undefined => serde_json::Value::Null,
                Cell::Double(value) => (*value).into(),
                Cell::Flag(value) => (*value).into(),
                Cell::Integer(Integer::Word(word)) if *word <= 1 << 53 => (*word).into(),
                cell => cell.to_string().into(),
            });
            let pairs: Vec<String> = (names.iter().zip(values))
                .map(|(name, value)| format!("{}:{value}", serde_json::Value::from(*name)))
                .collect();
            prop_assert_eq!(lines(Format::Jsonl), format!("{{{}}}\n", pairs.join(",")));
        }
    }
}
