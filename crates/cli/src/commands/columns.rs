//! `flipcost columns`: the columns of costs.

use super::args::OutputArgs;
use super::{Failure, answer};
use flipcost_query::Query;

/// The columns of `cost`, `sweep` and `figure`: name, kind, unit, meaning
///
/// Rolls are rolls of the source, whatever it is: flips of a coin, words, or rolls of a die. A library's
/// function that reads words of 32 bits is so counted in flips where the source is a coin, and in words
/// with `--source word:32`.
#[derive(clap::Args)]
pub struct Columns {
    #[command(flatten)]
    output: OutputArgs,
}

impl Columns {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(flipcost_query::Columns {}.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
