//! `flipcost decimals`: a number in decimals.

use super::args::OutputArgs;
use super::{Failure, answer};
use flipcost_query::{Positive, Query};

/// A positive number, such as a fraction that another command printed, in correctly rounded decimals
#[derive(clap::Args)]
pub struct Decimals {
    /// The number: 11/3, e, sqrt(2), ln(2)
    #[arg(value_name = "X")]
    of: Positive,
    /// Decimals after the point
    #[arg(short, long, value_name = "D", default_value_t = 50)]
    digits: u32,
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
