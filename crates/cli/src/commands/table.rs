//! How `flipcost table` shows its answer.

use super::{Failure, Shown, answer, args};
use clap::ValueEnum;
use flipcost_question::{Answer, Door, Query};
use flipcost_terminal::rows;
use flipcost_terminal::rows::{Format, Output};
use flipcost_terminal::terminal;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Table {
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

impl Shown for Table {
    fn run(self, query: Query) -> Result<(), Failure> {
        let mut answer = answer::collect(query)?;
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
