//! `flipcost band`: the least and the greatest toll over ranges of n.

use super::args::{self, OutputArgs};
use super::{Failure, answer};
use flipcost_query::{Banded, Natural, Query};

/// The least and the greatest toll of the optimal roller with a coin, over parts of a range up to 2^62
#[derive(clap::Args)]
pub struct Band {
    /// The first n
    #[arg(long, value_name = "A", default_value = "1", value_parser = args::natural, allow_negative_numbers = true)]
    from: Natural,
    /// The last n
    #[arg(long, value_name = "B", value_parser = args::natural, allow_negative_numbers = true)]
    to: Natural,
    /// Into how many parts the range is cut, about equally wide in log2 n
    #[arg(long, value_name = "P", default_value = "64", value_parser = args::count, allow_negative_numbers = true)]
    parts: u32,
    /// What is bounded
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Of::Toll)]
    of: Of,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Of {
    /// Expected flips above log2 n
    Toll,
    /// Expected flips
    Expected,
    /// Rounds in the cycle of the flow chart (A136043), up to n = 10^7
    CycleRounds,
}

impl Band {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Band {
            of: match self.of {
                Of::Toll => Banded::Toll,
                Of::Expected => Banded::Expected,
                Of::CycleRounds => Banded::CycleRounds,
            },
            from: self.from.clone(),
            to: self.to.clone(),
            parts: self.parts,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
