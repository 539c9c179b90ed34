//! `flipcost algorithms`: what the registry holds.

use super::args::OutputArgs;
use super::{Failure, answer};
use crate::screen;
use flipcost_query::{AlgorithmId, Query};

/// The algorithms: id, name, citation, and whether the rolls are bounded; or all about one of them
#[derive(clap::Args)]
pub struct Algorithms {
    /// Only this one: its rule, law, exact costs and source
    #[arg(value_name = "ID")]
    algorithm: Option<AlgorithmId>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Algorithms {
    pub fn query(&self) -> Result<Query, Failure> {
        let algorithm = self.algorithm;
        Ok(flipcost_query::Algorithms { algorithm }.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        if self.algorithm.is_some() && self.output.is_reader() {
            let answer = answer::collect(self.query()?)?;
            return Ok(screen::print_text(&answer.foot.text.unwrap_or_default())?);
        }
        answer::write(self.query()?, &self.output)
    }
}
