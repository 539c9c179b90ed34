//! `flipcost bounded`: which dice make which in a bounded number of rolls.

use super::Failure;
use super::args::{self, Numbers, OutputArgs};
use crate::rows;
use crate::rows::Output;
use flipcost::algorithms::bounded_rolls;
use flipcost::table::Cell;

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

/// The most pairs.
const MOST: usize = 1_000_000;

impl Bounded {
    pub fn run(self) -> Result<(), Failure> {
        args::check_pairs(&self.sources, &self.targets, MOST)?;
        let headers = ["source", "target", "rolls", "missing_prime"];
        let mut sink = rows::sink(self.output.format().into(), &headers);
        let mut output = Output::open(self.output.output.as_deref())?;
        output.with(|out| {
            sink.begin(out)?;
            for &source in &self.sources.0 {
                for &target in &self.targets.0 {
                    let (rolls, missing) = match bounded_rolls(source, &target.into()) {
                        Ok(rolls) => (Cell::Integer(rolls.into()), Cell::Empty),
                        Err(prime) => {
                            (Cell::Text("never".to_string()), Cell::Integer(prime.into()))
                        }
                    };
                    let (source, target) = (source.into(), target.into());
                    let row = [Cell::Integer(source), Cell::Integer(target), rolls, missing];
                    sink.row(&row, out)?;
                }
            }
            sink.end(out)
        })?;
        Ok(output.finish()?)
    }
}
