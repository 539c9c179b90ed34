//! `flipcost algorithms`: what the registry holds.

use super::args::OutputArgs;
use super::{Failure, answer};
use flipcost_query::Query;

/// The algorithms: id, name, citation, and whether the rolls are bounded
#[derive(clap::Args)]
pub struct Algorithms {
    #[command(flatten)]
    output: OutputArgs,
}

impl Algorithms {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(flipcost_query::Algorithms {}.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
