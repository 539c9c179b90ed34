//! How `flipcost sweep` shows its answer: rows of many n, in files that can be continued.

use super::args::{self, OutputArgs, RowFormat};
use super::{Failure, Shown, answer};
use crate::sweep::job::Job;
use crate::sweep::shard::Shard;
use clap::{ArgMatches, ValueEnum};
use flipcost::algorithms::{Algorithm, REGISTRY};
use flipcost::table::columns;
use flipcost::table::{COLUMNS, Column, ColumnKind};
use flipcost::task;
use flipcost_question::{AlgorithmId, ColumnId, Query};
use flipcost_terminal::question;
use flipcost_terminal::rows::Format;
use flipcost_terminal::terminal;
use serde_json::Value;
use std::io::IsTerminal;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Sweep {
    /// The targets in a file, one a line, as in 1:2:3 or 3d6, in place of --from and --to:
    /// rows in order of the lines, then algorithm
    #[arg(long, value_name = "FILE", conflicts_with_all = RANGED, conflicts_with = "weights")]
    weights_file: Option<PathBuf>,
    /// How rows are written [default: as the file's name ends, else table on a terminal and csv
    /// elsewhere]
    #[arg(short, long)]
    format: Option<SweepFormat>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue what an interrupted run with the same request left beside the file (FILE.part and
    /// FILE.part.journal); begin if there is nothing to continue. Without it, what was left is
    /// replaced
    #[arg(long, conflicts_with_all = ["sources", "summary"])]
    resume: bool,
    /// Only the I-th of K parts of about equal work, from 1, for `flipcost ask --join`
    #[arg(long, value_name = "I/K", conflicts_with_all = ["sources", "summary"])]
    shard: Option<Shard>,
    /// Threads [default: all cores]; the rows do not depend on it
    #[arg(short, long, value_name = "T", value_parser = args::positive, allow_negative_numbers = true)]
    threads: Option<u64>,
}

/// What is about a range.
const RANGED: [&str; 7] = [
    "from",
    "to",
    "sources",
    "summary",
    "quantiles",
    "resume",
    "shard",
];

/// How the rows of a sweep are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SweepFormat {
    /// Aligned columns
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

impl Sweep {
    fn format(&self) -> Format {
        let reader =
            self.output.is_none() && self.shard.is_none() && std::io::stdout().is_terminal();
        match self.format {
            Some(SweepFormat::Table) => Format::Table,
            Some(SweepFormat::Csv) => Format::Csv,
            Some(SweepFormat::Jsonl) => Format::Jsonl,
            Some(SweepFormat::Json) => Format::Json,
            Some(SweepFormat::Markdown) => Format::Markdown,
            Some(SweepFormat::Latex) => Format::Latex,
            Some(SweepFormat::BFile) => Format::BFile,
            None if reader => Format::Table,
            None => {
                let named = self.output.as_deref().and_then(RowFormat::of_name);
                named.unwrap_or(RowFormat::Csv).into()
            }
        }
    }

    /// Where rows are lines of a b-file, the question is about n and one column of integers.
    fn of_b_file(query: &mut flipcost_one_draw::questions::Sweep) -> Result<(), Failure> {
        if query.sources.is_some() {
            return Err(Failure::Input(
                "a b-file holds one value per n: name one source with --source".into(),
            ));
        }
        query.columns.retain(|column| column.0 != columns::N);
        let value = match query.columns[..] {
            [one] if one.0.is_integer() && query.digits.is_none() => one,
            [one] => {
                let integers = COLUMNS.iter().filter(|column| column.is_integer());
                let integers: Vec<&str> = integers.skip(1).map(|column| column.name()).collect();
                return Err(Failure::Input(format!(
                    "a b-file holds integers, and the column {one} does not: choose one of {}",
                    integers.join(", ")
                )));
            }
            _ => return Err(Failure::Input("a b-file holds one integer column: name it with --columns, as in --columns cycle_rounds".into())),
        };
        if query.algorithms.is_empty()
            && let Some(quantity) = value.0.quantity()
        {
            // it is one flow chart
            let offers =
                |algorithm: &&&'static dyn Algorithm| algorithm.quantities().contains(&quantity);
            let first = REGISTRY.iter().find(offers);
            query.algorithms = first
                .map(|algorithm| AlgorithmId(*algorithm))
                .into_iter()
                .collect();
        }
        if query.request()?.algorithms.len() != 1 {
            return Err(Failure::Input(
                "a b-file holds one value per n: name one algorithm with --algorithm".into(),
            ));
        }
        query.columns = vec![ColumnId(columns::N), value];
        Ok(())
    }

    /// The targets of a file, as the weights of a question.
    fn of_file(&self) -> Result<Vec<(String, Value)>, Failure> {
        let Some(path) = &self.weights_file else {
            return Ok(Vec::new());
        };
        let lines = args::wanted_lines(path)?;
        if lines.is_empty() {
            return Err(Failure::Input(
                "the file has no line with weights: lines such as 1:2:3 were expected".into(),
            ));
        }
        let lines: Vec<Value> = lines.iter().map(|line| line.to_string().into()).collect();
        Ok(vec![("weights".to_string(), lines.into())])
    }

    /// What is computed, and whether it can be continued.
    fn write(&self, query: Query) -> Result<(), Failure> {
        let format = self.format();
        if let Some(mut query) = query
            .downcast::<flipcost_one_draw::questions::SweepSummary>()
            .cloned()
        {
            let reader = format == Format::Table && self.output.is_none() && terminal::is_read();
            if query.sweep.columns.is_empty() && reader {
                let fair = task::Target::uniform(1u8).expect("a die");
                // fractions are as wide as the screen, and their decimals are beside them
                let shown = Column::defaults(&fair).into_iter();
                let decimal = shown.filter(|column| column.kind() != ColumnKind::Exact);
                query.sweep.columns = decimal.map(ColumnId).collect();
            }
            return self.rows(query.into(), format);
        }
        let query = match query.downcast::<flipcost_one_draw::questions::Sweep>() {
            Some(query) if query.sources.is_none() => query.clone(),
            _ => return self.rows(query, format),
        };
        let job = Job {
            request: query.request()?,
            from: query.from,
            query: query.clone().into(),
            format,
            shard: self.shard.clone(),
            resume: self.resume,
            output: self.output.as_deref(),
            threads: self.threads(),
        };
        if let Some(remarks) = job.run()? {
            answer::remarks(&remarks.foot(query.exact).notes);
            return Ok(());
        }
        let flag = match (self.resume, &self.shard) {
            (true, _) => "--resume",
            (false, Some(_)) => "--shard",
            (false, None) => return self.rows(query.into(), format),
        };
        let format = match format {
            Format::Json => "json",
            Format::Markdown => "markdown",
            Format::Latex => "latex",
            _ => "table",
        };
        Err(Failure::Input(format!(
            "{flag} does not go with --format {format}: choose csv, jsonl or b-file"
        )))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or(0) as usize
    }

    /// As the answer of a question, row by row, in one file that appears whole.
    fn rows(&self, query: Query, format: Format) -> Result<(), Failure> {
        let format = match format {
            Format::Table => RowFormat::Table,
            Format::Csv | Format::BFile => RowFormat::Csv,
            Format::Jsonl => RowFormat::Jsonl,
            Format::Json => RowFormat::Json,
            Format::Markdown => RowFormat::Markdown,
            Format::Latex => RowFormat::Latex,
        };
        let output = OutputArgs {
            format: Some(format),
            output: self.output.clone(),
        };
        answer::write_on(query, &output, self.threads())
    }
}

impl Shown for Sweep {
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        let query = question::read(name, matches, self.of_file()?).map_err(Failure::Input)?;
        args::refuse_picture(self.output.as_deref())?;
        let b_file = self.format() == Format::BFile;
        if let Some(query) = query.downcast::<flipcost_one_draw::questions::Sweep>() {
            args::each_once(&query.columns)?;
            query.request()?; // a reversed range is said first
            if b_file {
                let mut query = query.clone();
                Sweep::of_b_file(&mut query)?;
                return Ok(query.into());
            }
        }
        if let Some(query) = query.downcast::<flipcost_one_draw::questions::SweepSummary>() {
            args::each_once(&query.sweep.columns)?;
            if b_file {
                return Err(Failure::Input(
                    "a b-file holds one value per n, and --summary one row per column: choose another --format".into(),
                ));
            }
        }
        if let Some(query) = query.downcast::<flipcost_one_draw::questions::SweepWeights>() {
            args::each_once(&query.columns)?;
            if b_file {
                return Err(Failure::Input(
                    "a b-file holds one value per n, and weights have no n: choose another --format"
                        .into(),
                ));
            }
        }
        Ok(query)
    }

    fn run(self, query: Query) -> Result<(), Failure> {
        self.write(query)
    }
}
