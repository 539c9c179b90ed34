//! `flipcost columns`: the columns of costs.

use super::args::OutputArgs;
use super::{Failure, answer};
use flipcost_query::Query;

/// The columns of `cost`, `sweep` and `figure`: name, kind, unit, meaning
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
