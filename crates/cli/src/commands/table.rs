//! `flipcost table`: the look-up table of a block of rolls.

use super::args::{self, SourceArg, TargetArg};
use super::{Failure, answer};
use crate::rows;
use crate::rows::{Format, Output};
use clap::ValueEnum;
use flipcost_query::{AlgorithmId, Query};
use std::io::IsTerminal;
use std::path::PathBuf;

/// The look-up table of a block: which rolls give which result, and which are discarded
#[derive(clap::Args)]
pub struct Table {
    #[command(flatten)]
    target: TargetArg,
    #[command(flatten)]
    source: SourceArg,
    /// The algorithm, by id: one that starts afresh after a discard [default: base-conversion-early,
    /// fldr for weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    /// How the table is written [default: terminal on a terminal, csv elsewhere]
    #[arg(short, long)]
    format: Option<TableFormat>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// Aligned columns
    #[value(alias = "table")]
    Terminal,
    /// A Markdown table
    Markdown,
    /// Comma-separated values with a header line
    Csv,
}

impl Table {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(Query::from(flipcost_query::Table {
            algorithm: (self.algorithm).unwrap_or(flipcost_query::Table::usual(&target)),
            target,
            source: self.source.source,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        let answer = answer::collect(self.query()?)?;
        let (headers, rows) = (answer.head.names(), &answer.rows);
        let reader = self.output.is_none() && std::io::stdout().is_terminal();
        let format = self.format.unwrap_or(match reader {
            true => TableFormat::Terminal,
            false => TableFormat::Csv,
        });
        let mut output = Output::open(self.output.as_deref())?;
        if format == TableFormat::Markdown {
            output.with(|out| {
                writeln!(out, "| {} |", headers.join(" | "))?;
                writeln!(out, "|{}", " ---: |".repeat(headers.len()))?;
                rows.iter()
                    .try_for_each(|row| writeln!(out, "| {} |", args::joined(row, " | ")))
            })?;
        } else {
            let rows_format = match format {
                TableFormat::Csv => Format::Csv,
                _ => Format::Table,
            };
            let mut sink = rows::sink(rows_format, &headers);
            output.with(|out| {
                sink.begin(out)?;
                rows.iter().try_for_each(|row| sink.row(row, out))?;
                sink.end(out)
            })?;
        }
        if format == TableFormat::Terminal {
            let mut notes = answer.foot.notes.iter();
            output.with(|out| notes.try_for_each(|note| writeln!(out, "{note}")))?;
        }
        Ok(output.finish()?)
    }
}
