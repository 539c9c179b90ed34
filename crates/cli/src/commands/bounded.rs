//! `flipcost bounded`: which dice make which in a bounded number of rolls.

use super::args::{self, OutputArgs};
use super::{Failure, answer};
use flipcost_query::{Numbers, Query};

/// Which dice can be made in a bounded number of rolls, and in how few
#[derive(clap::Args)]
pub struct Bounded {
    /// The sources: ranges and lists, as in 2..20 or 2,6,10 (both ends included)
    #[arg(long, value_name = "M", default_value = "2..20", value_parser = args::sources, allow_negative_numbers = true)]
    sources: Numbers,
    /// The targets, written the same way
    #[arg(long, value_name = "N", default_value = "2..100", value_parser = args::targets, allow_negative_numbers = true)]
    targets: Numbers,
    #[command(flatten)]
    output: OutputArgs,
}

impl Bounded {
    pub fn query(&self) -> Result<Query, Failure> {
        let (sources, targets) = (self.sources.clone(), self.targets.clone());
        Ok(flipcost_query::Bounded { sources, targets }.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
