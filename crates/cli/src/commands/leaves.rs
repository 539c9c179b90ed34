//! `flipcost leaves`: how the leaves of a decision tree fill the outcomes.

use super::args::{self, DigitsArg, OutputArgs, SourceArg, TargetArg};
use super::{Failure, answer};
use flipcost_query::{AlgorithmId, Query};

/// How the leaves of a decision tree fill the outcomes: what each has within so many rolls
#[derive(clap::Args)]
pub struct Leaves {
    #[command(flatten)]
    target: TargetArg,
    /// The rolls
    #[arg(short, long, value_name = "T", value_parser = args::word, allow_negative_numbers = true)]
    rolls: u64,
    /// The algorithm, by id (see `flipcost algorithms`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    #[command(flatten)]
    source: SourceArg,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Leaves {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(Query::from(flipcost_query::Leaves {
            algorithm: self.algorithm.unwrap_or(target.algorithm()),
            target,
            rolls: self.rolls,
            source: self.source.source,
            digits: self.digits.digits,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
