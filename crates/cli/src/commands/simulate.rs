//! How `flipcost simulate` shows its answer.

use super::args::{self, OutputArgs, RowFormat};
use super::{Failure, Shown, answer};
use flipcost_question::{Door, Foot, Query};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Simulate {
    /// Threads [default: all cores]; the result does not depend on it
    #[arg(short, long, value_name = "T", value_parser = args::positive, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Write one row of numbers with the verdict, instead of sentences (table)
    #[arg(short, long, default_value = "table")]
    format: RowFormat,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Shown for Simulate {
    fn run(self, query: Query) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, |threads| threads as usize);
        let answer = answer::collect_on(query, threads)?;
        match self.format {
            RowFormat::Table => {
                let text = answer.to_text(Door::Terminal)?;
                answer::write_text(self.output.as_deref(), &text)?;
            }
            _ => {
                let output = OutputArgs {
                    format: Some(self.format),
                    output: self.output,
                };
                output.write(&answer.head.names(), &answer.rows)?;
            }
        }
        // The note is the last of the sentences.
        let verdict = answer.foot.verdict;
        answer::conclude(&Foot {
            verdict,
            ..Foot::default()
        })
    }
}
