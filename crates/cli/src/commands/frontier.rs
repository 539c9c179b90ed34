//! `flipcost frontier`: the least bias that any rule of at most t flips can reach.

use super::args::{self, DigitsArg, OutputArgs, TargetArg};
use super::{Failure, answer, flowchart};
use flipcost_query::Query;

/// The least bias that any rule of at most t flips can reach, and the least expected flips for it
#[derive(clap::Args)]
pub struct Frontier {
    #[command(flatten)]
    target: TargetArg,
    /// The most flips: a row for each number from 0 to this one
    #[arg(long, value_name = "T", value_parser = args::word, allow_negative_numbers = true)]
    to: u64,
    /// Add a row for each function of a library (see `flipcost libraries`), with the flips that would be
    /// enough for its bias; a picture of a fair die has these functions in any case
    #[arg(long)]
    libraries: bool,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Frontier {
    fn question(&self, libraries: bool) -> flipcost_query::Frontier {
        flipcost_query::Frontier {
            target: self.target.get(),
            to: self.to,
            digits: self.digits.digits,
            libraries,
        }
    }

    pub fn query(&self) -> Result<Query, Failure> {
        Ok(self.question(self.libraries).into())
    }

    pub fn run(mut self) -> Result<(), Failure> {
        let Some(path) = self.output.take_picture() else {
            return answer::write(self.query()?, &self.output);
        };
        flowchart::check(&path, false)?;
        let fair = self.target.get().sides().is_some();
        let answer = answer::collect(self.question(fair || self.libraries))?;
        flowchart::write(&path, None, || flipcost_pictures::draw(&answer))?;
        answer::conclude(&answer.foot)
    }
}
