//! Arguments that several commands share, and functions that write their rows.

use super::Failure;
use clap::{ArgMatches, ValueEnum};
use flipcost::table::Cell;
use flipcost_question::{CellKind, Head, RowView, TargetText, TargetTextError, VIEW_FIELDS};
use flipcost_terminal::question;
use flipcost_terminal::rows::reader::{self, TableStyle};
use flipcost_terminal::rows::{self, Format};
use flipcost_terminal::{screen, terminal};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Reads targets from a file, one per line, in the notation of the command line. Blank lines and
/// lines that begin with `#` are skipped.
pub fn read_target_lines(path: &Path) -> Result<Vec<TargetText>, Failure> {
    let name = path.display().to_string();
    let text = question::read_weights_text(&name).map_err(Failure::Input)?;
    let lines = text.lines().zip(1u64..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |(line, number): (&str, u64)| {
        let target = match line.strip_prefix('@') {
            Some(path) => question::read_target(path),
            None => line
                .parse()
                .map_err(|error: TargetTextError| error.to_string()),
        };
        target.map_err(|error| Failure::Input(format!("line {number} of \"{name}\": {error}")))
    };
    lines.map(read).collect()
}

/// The options `--format` and `-o`.
#[derive(clap::Args, Clone, Default)]
pub struct OutputArgs {
    /// The format of the rows [default: by the file's extension, else table on a terminal and csv
    /// elsewhere]
    #[arg(short, long, value_parser = Format::row_formats_parser())]
    pub format: Option<Format>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The options of a table, for a list that is not the answer to a question.
#[derive(clap::Args, Clone, Default)]
pub struct TableArgs {
    /// Only these columns, in this order
    #[arg(short, long, value_name = "NAMES", help_heading = "Rows")]
    columns: Option<String>,
    /// Only the first K rows
    #[arg(
        long,
        value_name = "K",
        help_heading = "Rows",
        allow_negative_numbers = true
    )]
    top: Option<String>,
    /// Sort the rows by this column, largest first; -COLUMN sorts them smallest first
    #[arg(
        long,
        value_name = "COLUMN",
        help_heading = "Rows",
        allow_hyphen_values = true
    )]
    by: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl TableArgs {
    /// Returns whether the options request a table: by a choice of rows or columns, a format or a
    /// file.
    pub fn is_table(&self) -> bool {
        let view = [&self.columns, &self.top, &self.by];
        view.iter().any(|field| field.is_some())
            || self.output.format.is_some()
            || self.output.output.is_some()
    }

    /// Writes a list whose cells are all texts, with the chosen rows and columns.
    pub fn write(&self, names: &[&str], rows: Vec<Vec<Cell>>) -> Result<(), Failure> {
        let head = names
            .iter()
            .fold(Head::new(), |head, name| head.column(name, CellKind::Text));
        let view = [&self.top, &self.by, &self.columns];
        let fields = VIEW_FIELDS.iter().zip(view).filter_map(|(name, value)| {
            let value = value.as_deref()?;
            Some((name.to_string(), value.into()))
        });
        let (head, rows) = RowView::apply_to_list(fields.collect(), &head, rows)?;
        self.output.write(&head.names(), &rows)
    }
}

/// Returns whether this is the name of a picture file, in any format.
fn is_picture(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let kinds = ["svg", "png", "dot", "gif", "jpg", "jpeg", "pdf", "eps"];
    extension.is_some_and(|extension| kinds.contains(&extension.to_lowercase().as_str()))
}

impl OutputArgs {
    /// Reads these options from the arguments of a command that has them.
    pub fn from_matches(matches: &ArgMatches) -> OutputArgs {
        // read as text, because the command `sequence` has its own type for `--format`
        let format = matches.try_get_raw("format").ok().flatten();
        let format = format.and_then(|mut values| values.next()?.to_str());
        let output = matches.try_get_one::<PathBuf>("output").ok().flatten();
        OutputArgs {
            format: format.and_then(|name| <Format as ValueEnum>::from_str(name, false).ok()),
            output: output.cloned(),
        }
    }

    /// Returns the requested format, else the format that the file's extension names, else the
    /// default: a table on a terminal, CSV elsewhere.
    pub fn format(&self) -> Format {
        let reader = self.output.is_none() && std::io::stdout().is_terminal();
        let named = || self.output.as_deref().and_then(Format::from_extension);
        self.format
            .or_else(named)
            .unwrap_or(if reader { Format::Table } else { Format::Csv })
    }

    /// Returns whether the rows are shown as a table on a terminal.
    pub fn shows_screen_table(&self) -> bool {
        let table = matches!(self.format, None | Some(Format::Table));
        table && self.output.is_none() && std::io::stdout().is_terminal()
    }

    /// Returns the file, if it has the name of a picture.
    pub fn picture_path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| is_picture(path))
    }

    /// Removes and returns the file, if it has the name of a picture.
    pub fn take_picture_path(&mut self) -> Option<PathBuf> {
        self.output.take_if(|path| is_picture(path))
    }

    /// Writes a complete list of rows; a table on a terminal shows every cell as text.
    pub fn write(&self, headers: &[&str], rows: &[Vec<Cell>]) -> Result<(), Failure> {
        refuse_picture(self.output.as_deref())?;
        if self.shows_screen_table() {
            let head = headers
                .iter()
                .fold(Head::new(), |head, name| head.column(name, CellKind::Text));
            let look = TableStyle {
                width: terminal::output_width(),
                color: false,
                best: None,
            };
            return Ok(screen::print_paged(&reader::format_table(
                &head.columns,
                rows,
                &look,
            ))?);
        }
        Ok(rows::write_rows(
            self.output.as_deref(),
            self.format(),
            headers,
            rows,
        )?)
    }
}

/// Returns whether this is the name of a spreadsheet or database file, whose format is not
/// supported.
fn is_spreadsheet(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let kinds = [
        "xlsx", "xls", "ods", "numbers", "parquet", "arrow", "feather", "sqlite",
    ];
    extension.is_some_and(|extension| kinds.contains(&extension.to_lowercase().as_str()))
}

/// Refuses to write rows under the name of a picture or a spreadsheet.
pub fn refuse_picture(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let (what, right) = match (is_picture(path), is_spreadsheet(path)) {
        (true, _) => (
            "a picture's name",
            "; `flipcost show` and `flipcost figure` draw pictures",
        ),
        (_, true) => (
            "the name of a spreadsheet or database",
            ", which these programs can open",
        ),
        _ => return Ok(()),
    };
    let path = path.display();
    Err(Failure::Input(format!(
        "\"{path}\" is {what}, but this command writes rows: a name such as rows.csv or rows.jsonl was expected{right}"
    )))
}

/// Joins values with a separator, for a sentence or a cell: `6,10`.
pub fn join_values<T: ToString>(values: &[T], between: &str) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    values.join(between)
}
