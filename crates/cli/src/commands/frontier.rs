//! `flipcost frontier`: the least bias that any rule of at most t flips can reach.

use super::args::{DigitsArg, OutputArgs, TargetArg};
use super::{Failure, answer};
use flipcost_query::Query;

/// The least bias that any rule of at most t flips can reach, and the least expected flips for it
#[derive(clap::Args)]
pub struct Frontier {
    #[command(flatten)]
    target: TargetArg,
    /// The most flips: a row for each number from 0 to this one
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    to: u32,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Frontier {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Frontier {
            target: self.target.get(),
            to: self.to,
            digits: self.digits.digits,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
