//! `flipcost libraries`: what the libraries of programming languages draw for a die.

use super::args::{self, OutputArgs};
use super::{Failure, answer};
use flipcost_query::{Natural, Query};

/// What the libraries of programming languages draw for a die: words, bits, bias
///
/// A row for each function, exactly: the expected words and bits that it draws, the bits that it looks
/// at, and how far its results are from fair. The ids work wherever an algorithm is named, as in
/// `flipcost cost 6 -a cpython-randbelow`.
#[derive(clap::Args)]
pub struct Libraries {
    /// Only functions with this word in id, language, name or version, as in python
    #[arg(value_name = "WORD")]
    word: Option<String>,
    /// Sides of the target
    #[arg(long, value_name = "N", default_value = "6", value_parser = args::natural, allow_negative_numbers = true)]
    target: Natural,
    #[command(flatten)]
    output: OutputArgs,
}

impl Libraries {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Libraries {
            target: self.target.clone(),
            word: self.word.clone(),
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
