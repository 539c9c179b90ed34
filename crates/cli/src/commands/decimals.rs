//! `flipcost decimals`: a number in decimals.

use super::args::{self, OutputArgs};
use super::{Failure, answer};
use flipcost_query::{Number, Query};

/// A number, such as a fraction that another command printed, in correctly rounded decimals
#[derive(clap::Args)]
pub struct Decimals {
    /// The number: 11/3, 3+1/2, 2^-128, e, sqrt(2), ln(2)
    #[arg(value_name = "X", allow_hyphen_values = true)]
    of: Number,
    /// Decimals after the point [default: 50, and more below 1, so that there are 50 significant
    /// digits]
    #[arg(short, long, value_name = "D", value_parser = args::digits, allow_negative_numbers = true)]
    digits: Option<u32>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Decimals {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Decimals {
            of: self.of.clone(),
            digits: self.digits,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
