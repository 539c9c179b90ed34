//! `flipcost sweep`: every n in a range.

use super::Failure;
use super::args::{self, PrecisionArgs, SourceArg};
use crate::sweep::job::{self, JobError, LeftOut, Written};
use crate::sweep::{Pace, cost, ordered};
use crate::table::{self, Column, Format, Lines, Output, Request, Row};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::PathBuf;

/// What every target in a range costs: rows in order of n, then algorithm
#[derive(clap::Args)]
pub struct Sweep {
    /// The first target
    #[arg(long, value_name = "A", value_parser = args::positive, allow_negative_numbers = true)]
    from: u64,
    /// The last target
    #[arg(long, value_name = "B", value_parser = args::positive, allow_negative_numbers = true)]
    to: u64,
    #[command(flatten)]
    source: SourceArg,
    /// Only these algorithms, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm())]
    algorithm: Vec<&'static str>,
    /// Only these columns, in this order
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', value_parser = column())]
    columns: Vec<Column>,
    #[command(flatten)]
    precision: PrecisionArgs,
    /// How rows are written [default: table on a terminal, csv elsewhere]
    #[arg(short, long)]
    format: Option<SweepFormat>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads [default: all cores]; the rows do not depend on it
    #[arg(short, long, value_name = "T", value_parser = args::positive, allow_negative_numbers = true)]
    threads: Option<u64>,
}

/// How the rows of a sweep are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SweepFormat {
    /// Aligned columns
    Table,
    /// Comma-separated values with a header line
    Csv,
    /// One JSON object per line
    Jsonl,
    /// Lines `n a(n)` of one integer column, as the OEIS wants them
    BFile,
}

/// The columns' names, as clap's possible values.
pub fn column() -> impl TypedValueParser<Value = Column> {
    PossibleValuesParser::new(Column::ALL.iter().map(|column| column.name()))
        .map(|name| Column::find(&name).expect("one of the possible values"))
}

/// A progress bar on stderr, silent where stderr is no terminal.
pub fn progress(length: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} ({eta} left)");
    ProgressBar::new(length).with_style(style.expect("the template is right"))
}

impl Sweep {
    fn format(&self) -> Format {
        let reader = self.output.is_none() && std::io::stdout().is_terminal();
        match self.format {
            Some(SweepFormat::Table) => Format::Table,
            Some(SweepFormat::Csv) => Format::Csv,
            Some(SweepFormat::Jsonl) => Format::Jsonl,
            Some(SweepFormat::BFile) => Format::BFile,
            None if reader => Format::Table,
            None => Format::Csv,
        }
    }

    /// The request that was meant.
    fn request(&self) -> Result<Request, Failure> {
        if self.from > self.to {
            let (from, to) = (self.from, self.to);
            let what = format!(
                "--from {from} --to {to} is reversed: the first target must not be above the last"
            );
            return Err(Failure::Input(what));
        }
        let mut columns = self.columns.clone();
        if columns.is_empty() {
            columns = Column::ALL.to_vec();
        }
        let methods = args::methods(&self.algorithm);
        if self.format() == Format::BFile {
            columns.retain(|column| *column != Column::N);
            let value = match columns[..] {
                [one] if one.is_integer() && self.precision.digits.is_none() => one,
                [one] => {
                    let name = one.name();
                    return Err(Failure::Input(format!("a b-file holds integers, and the column {name} does not: choose one of source, worst_case, preperiod, period, cycle_rounds")));
                }
                _ => return Err(Failure::Input("a b-file holds one integer column: name it with --columns, as in --columns cycle_rounds".into())),
            };
            if methods.len() != 1 {
                return Err(Failure::Input(
                    "a b-file holds one value per n: name one algorithm with --algorithm".into(),
                ));
            }
            columns = vec![Column::N, value];
        }
        Ok(Request {
            methods,
            source: self.source.source,
            columns,
            precision: self.precision.precision(),
        })
    }

    pub fn run(self) -> Result<(), Failure> {
        let request = self.request()?;
        let format = self.format();
        let headers = job::headers(&request);
        let threads = self.threads.unwrap_or(0) as usize;
        let mut output = Output::open(self.output.as_deref())?;
        let bar = progress(self.to - self.from + 1);
        let mut left_out = LeftOut::default();
        let range = self.from..=self.to;
        match Lines::new(format, &headers) {
            Some(lines) => {
                output.with(|out| out.write_all(&lines.header()))?;
                let sink = |chunk: Written, last| {
                    output
                        .with(|out| chunk.parts.iter().try_for_each(|part| out.write_all(part)))?;
                    left_out.join(chunk.left_out);
                    bar.set_position(last - self.from + 1);
                    Ok::<(), Failure>(())
                };
                job::write(&request, format, &lines, range, threads, sink)?;
            }
            None => {
                let mut sink = table::sink(format, &headers);
                output.with(|out| sink.begin(out))?;
                let surveys = request.survey(self.to);
                let pace = Pace {
                    chunk: cost::chunk(&request, self.to),
                    threads,
                };
                let work = |part| request.rows(part, &surveys).map_err(Failure::input);
                ordered(range, pace, work, |rows: Vec<Row>, last| {
                    let first = last + 1 - (rows.len() / request.methods.len()) as u64;
                    for (i, row) in rows.iter().enumerate() {
                        left_out.note(row, first + (i / request.methods.len()) as u64);
                        output.with(|out| sink.row(&row.cells, out))?;
                    }
                    bar.set_position(last - self.from + 1);
                    Ok(())
                })?;
                output.with(|out| sink.end(out))?;
            }
        }
        bar.finish_and_clear();
        output.finish()?;
        if let Some((n, size)) = left_out.first {
            args::say_left_out(left_out.count as usize, Some((format!("n = {n}"), size)));
        }
        Ok(())
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        Failure::input(error)
    }
}
