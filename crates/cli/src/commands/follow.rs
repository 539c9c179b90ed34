//! `flipcost follow`: where rolls lead.

use super::args::{self, OutputArgs, SourceArg, TargetArg};
use super::{Failure, answer};
use flipcost_query::{AlgorithmId, Query};

/// Where rolls lead: the state of the algorithm after each, decided or not
#[derive(clap::Args)]
pub struct Follow {
    #[command(flatten)]
    target: TargetArg,
    /// The rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as 6,3,4,3 [default: none yet]
    #[arg(short, long, value_name = "ROLLS", allow_hyphen_values = true)]
    rolls: Option<String>,
    /// The algorithm, by id (see `flipcost algorithms`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    #[command(flatten)]
    source: SourceArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Follow {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(Query::from(flipcost_query::Follow {
            algorithm: self.algorithm.unwrap_or(target.algorithm()),
            target,
            rolls: self.rolls.clone().unwrap_or_default(),
            source: self.source.source,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
