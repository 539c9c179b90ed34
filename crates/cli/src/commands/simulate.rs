//! `flipcost simulate`: Monte Carlo against the exact law.

use super::args::{self, OutputArgs, RowFormat, SourceArg, TargetArg};
use super::{Failure, answer};
use flipcost_query::{AlgorithmId, Door, Foot, Query};
use std::path::PathBuf;

/// Roll very often, and test mean, outcomes and numbers of rolls against the exact law
#[derive(clap::Args)]
pub struct Simulate {
    #[command(flatten)]
    target: TargetArg,
    /// The algorithm, by id (see `flipcost algorithms`, `flipcost libraries`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    #[command(flatten)]
    source: SourceArg,
    /// How often the target is rolled
    #[arg(long, value_name = "K", default_value = "1_000_000", value_parser = args::positive, allow_negative_numbers = true)]
    trials: u64,
    /// The seed of the generator: the same seed repeats the same rolls
    #[arg(long, value_name = "S", default_value = "1", value_parser = args::word, allow_negative_numbers = true)]
    seed: u64,
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

impl Simulate {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(Query::from(flipcost_query::Simulate {
            algorithm: self.algorithm.unwrap_or(target.algorithm()),
            target,
            source: self.source.source,
            trials: self.trials,
            seed: self.seed,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, |threads| threads as usize);
        let answer = answer::collect_on(self.query()?, threads)?;
        match self.format {
            RowFormat::Table => {
                let text = flipcost_pictures::text(&answer, Door::Terminal)?;
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
