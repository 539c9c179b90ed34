//! `flipcost export`: an algorithm in another program's language.

use super::Failure;
use super::args::{self, SourceArg};
use crate::rows::Output;
use flipcost::algorithms::{Algorithm, FAST_DICE_ROLLER, prism::prism};
use flipcost::number::BigUint;
use flipcost::task::Task;
use std::path::PathBuf;

/// Write an algorithm in the language of another program
#[derive(clap::Args)]
pub struct Export {
    #[command(subcommand)]
    language: Language,
}

#[derive(clap::Subcommand)]
enum Language {
    Prism(Prism),
}

/// The chain in the PRISM language, for a model checker: R{"rolls"}=? [F "done"] is the expected cost
#[derive(clap::Args)]
struct Prism {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    /// The algorithm, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", default_value = FAST_DICE_ROLLER.about().id, value_parser = args::algorithm())]
    algorithm: &'static dyn Algorithm,
    #[command(flatten)]
    source: SourceArg,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub fn run(self) -> Result<(), Failure> {
        let Language::Prism(prism) = self.language;
        prism.run()
    }
}

impl Prism {
    fn run(self) -> Result<(), Failure> {
        let dice = Task::dice(self.source.source, self.n).map_err(Failure::input)?;
        let text = prism(self.algorithm, &dice).map_err(Failure::input)?;
        Ok(Output::write_all(self.output.as_deref(), text.as_bytes())?)
    }
}
