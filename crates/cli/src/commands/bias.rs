//! `flipcost bias`: how biased a rule is that never draws again.

use super::args::{self, DigitsArg, OutputArgs};
use super::{Failure, answer};
use flipcost_query::{Natural, Query};

/// How biased x % n, multiply-shift and floor(random() * n) are: exactly, and when somebody notices
#[derive(clap::Args)]
pub struct Bias {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::natural, allow_negative_numbers = true)]
    n: Natural,
    /// Bits of the random word, 1 to 128
    #[arg(
        long,
        value_name = "W",
        default_value_t = 32,
        value_parser = args::count,
        allow_negative_numbers = true
    )]
    words: u32,
    /// Add floor(random() * n) with a double of B random bits, 1 to 53 [default: 53]
    #[arg(long, value_name = "B", num_args = 0..=1, default_missing_value = "53", value_parser = args::count, allow_negative_numbers = true)]
    double: Option<u32>,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Bias {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Bias {
            target: self.n.clone(),
            words: self.words,
            double: self.double,
            digits: self.digits.digits,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
