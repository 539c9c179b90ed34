//! `flipcost toll-distribution`: how the toll of the optimal roller with a coin is distributed.

use super::args::OutputArgs;
use super::{Failure, answer};
use flipcost_query::{Positive, Query};

/// How the toll of the optimal roller with a coin is distributed: the part of all n whose toll is at
/// most z, in the limit along log n, and along n from one power of two to the next
#[derive(clap::Args)]
pub struct TollDistribution {
    /// These z, fractions such as 1.5 or 4/3 [default: equal steps from 0 to 2]
    #[arg(
        long,
        value_name = "Z",
        value_delimiter = ',',
        allow_negative_numbers = true,
        conflicts_with = "parts"
    )]
    at: Vec<Positive>,
    /// How many equal steps
    #[arg(long, value_name = "P", default_value_t = 20)]
    parts: u32,
    #[command(flatten)]
    output: OutputArgs,
}

impl TollDistribution {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::TollDistribution {
            at: self.at.clone(),
            parts: self.parts,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
