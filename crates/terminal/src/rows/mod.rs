//! Writes rows in several formats, to files that appear whole or not at all.

pub mod documents;
pub mod output;
pub mod reader;
pub mod sinks;

pub use output::{Destination, Output, OutputError};
pub use sinks::{Format, LineFormat, RowSink};

use documents::{JsonArray, Markup, MarkupTable};
use flipcost::table::Cell;
use std::path::Path;

/// Writes a complete list of rows to standard output, or to a file that appears whole or not at
/// all.
///
/// # Errors
/// [`OutputError`] if the output cannot be written.
pub fn write_rows(
    path: Option<&Path>,
    format: Format,
    headers: &[&str],
    rows: &[Vec<Cell>],
) -> Result<(), OutputError> {
    let mut sink = new_sink(format, headers);
    let mut output = Output::open(path)?;
    output.with_writer(|out| {
        sink.begin(out)?;
        rows.iter().try_for_each(|row| sink.write_row(row, out))?;
        sink.end(out)
    })?;
    output.finish()
}

/// Formats a complete list of rows as text.
///
/// # Errors
/// Errors of the sink.
pub fn format_rows(
    format: Format,
    headers: &[&str],
    rows: &[Vec<Cell>],
) -> std::io::Result<String> {
    let (mut sink, mut out) = (new_sink(format, headers), Vec::new());
    sink.begin(&mut out)?;
    rows.iter()
        .try_for_each(|row| sink.write_row(row, &mut out))?;
    sink.end(&mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Returns the sink of a format, with these headers.
pub fn new_sink(format: Format, headers: &[&str]) -> Box<dyn RowSink> {
    match format {
        Format::Table => Box::new(sinks::AlignedTable::new(headers)),
        Format::Csv | Format::Jsonl | Format::BFile => {
            Box::new(LineFormat::new(format, headers).expect("a format of lines"))
        }
        Format::Json => Box::new(JsonArray::new(headers)),
        Format::Markdown => Box::new(MarkupTable::new(Markup::Markdown, headers)),
        Format::Latex => Box::new(MarkupTable::new(Markup::Latex, headers)),
    }
}
