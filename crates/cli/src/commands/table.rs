//! `flipcost table`: the look-up table of a block of rolls.

use super::Failure;
use super::args::{self, SourceArg};
use crate::rows;
use crate::rows::{Format, Output};
use clap::ValueEnum;
use flipcost::algorithms::{Algorithm, table::BlockRow, table::block_table};
use flipcost::number::BigUint;
use flipcost::table::Cell;
use flipcost::task::Task;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The look-up table of a block: which rolls give which result, and which are discarded
#[derive(clap::Args)]
pub struct Table {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    #[command(flatten)]
    source: SourceArg,
    /// The algorithm, by id: one that starts afresh after a discard
    #[arg(short, long, value_name = "ID", default_value = "base-conversion-early", value_parser = args::algorithm())]
    algorithm: &'static dyn Algorithm,
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

/// What is written for a roll that is not made any more.
const UNUSED: &str = "any";

impl Table {
    pub fn run(self) -> Result<(), Failure> {
        let dice = Task::dice(self.source.source, self.n).map_err(Failure::input)?;
        let block = block_table(&dice, self.algorithm).map_err(Failure::input)?;
        let mut headers: Vec<String> = (1..=block.rolls).map(ordinal).collect();
        headers.push("result".to_string());
        let rows: Vec<Vec<Cell>> = block
            .rows
            .iter()
            .map(|row| cells(row, block.rolls))
            .collect();
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
            let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
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
            let (good, all) = (block.accepted(), block.rows.len());
            output.with(|out| writeln!(out, "{good} of {all} rows give a result"))?;
        }
        Ok(output.finish()?)
    }
}

fn cells(row: &BlockRow, rolls: usize) -> Vec<Cell> {
    let shown = |face: &u64| Cell::Integer((face + 1).into());
    let mut cells: Vec<Cell> = row.rolls.iter().map(shown).collect();
    cells.resize(rolls, Cell::Text(UNUSED.to_string()));
    cells.push(match &row.result {
        Some(outcome) => Cell::Integer((outcome + 1u8).into()),
        None if row.early => Cell::Text("discard (early)".to_string()),
        None => Cell::Text("discard".to_string()),
    });
    cells
}

/// `first roll`, `second roll`, ...
fn ordinal(i: usize) -> String {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    match (WORDS.get(i - 1), i % 10, i % 100) {
        (Some(word), ..) => format!("{word} roll"),
        (_, 1..=3, 11..=13) => format!("{i}th roll"),
        (_, 1, _) => format!("{i}st roll"),
        (_, 2, _) => format!("{i}nd roll"),
        (_, 3, _) => format!("{i}rd roll"),
        _ => format!("{i}th roll"),
    }
}
