//! `flipcost algorithms`: what the registry holds.

use super::Failure;
use super::args::OutputArgs;
use flipcost::algorithms::REGISTRY;
use flipcost::table::Cell;

/// The algorithms: id, name, citation, and whether the rolls are bounded
#[derive(clap::Args)]
pub struct Algorithms {
    #[command(flatten)]
    output: OutputArgs,
}

impl Algorithms {
    pub fn run(self) -> Result<(), Failure> {
        let row = |text: [&str; 4]| {
            text.iter()
                .map(|text| Cell::Text(text.to_string()))
                .collect()
        };
        let rows: Vec<Vec<Cell>> = REGISTRY
            .iter()
            .map(|method| method.about())
            .map(|about| row([about.id, about.name, about.citation, about.bounded]))
            .collect();
        self.output
            .write(&["id", "name", "citation", "bounded"], &rows)
    }
}
