//! `flipcost table`: the look-up table of a block of rolls.

use super::args::{self, SourceArg, TargetArg};
use super::{Failure, answer};
use crate::rows;
use crate::rows::{Format, Output};
use crate::terminal;
use clap::ValueEnum;
use flipcost_query::{AlgorithmId, Answer, Door, Query};
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

/// Calls the rolls 1, 2, ... where their names do not fit into this width.
fn name_by_number(answer: &mut Answer, width: usize) {
    let columns = &mut answer.head.columns;
    let wide: usize = columns.iter().map(|column| column.name.len() + 2).sum();
    let rolls = columns.len().saturating_sub(1);
    if wide + "discard (early)".len() > width {
        for (i, column) in columns.iter_mut().take(rolls).enumerate() {
            column.name = (i + 1).to_string();
        }
        let note = format!("columns 1 to {rolls} are the rolls, in order");
        answer.foot.note(note);
    }
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
        let mut answer = answer::collect(self.query()?)?;
        if self.output.is_none()
            && terminal::is_read()
            && self
                .format
                .is_none_or(|format| format == TableFormat::Terminal)
        {
            name_by_number(&mut answer, terminal::width());
            let notes = answer.foot.said(Door::Terminal).join("\n");
            answer.foot.notes.clear();
            return answer::show_with(&answer, None, &notes);
        }
        let (headers, rows) = (answer.head.names(), &answer.rows);
        let format = self.format.unwrap_or(TableFormat::Csv);
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
            output.with(|out| {
                notes.try_for_each(|note| writeln!(out, "{}", note.at(Door::Terminal)))
            })?;
        }
        Ok(output.finish()?)
    }
}
