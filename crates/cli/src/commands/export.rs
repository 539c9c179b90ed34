//! `flipcost export`: an algorithm in another program's language.

use super::args::{self, SourceArg};
use super::{Failure, answer};
use crate::screen;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost_query::{AlgorithmId, ExportPrism, Natural, Query};
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

/// The chain in the PRISM language, for a model checker: R{"rolls"}=? [F "done"] is the expected
/// cost
#[derive(clap::Args)]
struct Prism {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::natural, allow_negative_numbers = true)]
    n: Natural,
    /// The algorithm, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", default_value = FAST_DICE_ROLLER.about().id, value_parser = args::algorithm_id())]
    algorithm: AlgorithmId,
    #[command(flatten)]
    source: SourceArg,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub fn query(&self) -> Result<Query, Failure> {
        let Language::Prism(prism) = &self.language;
        Ok(Query::from(ExportPrism {
            target: prism.n.clone(),
            algorithm: prism.algorithm,
            source: prism.source.source,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        let answer = answer::collect(self.query()?)?;
        let Language::Prism(Prism { output, .. }) = self.language;
        let text = answer.foot.text.unwrap_or_default();
        Ok(screen::print_or_write(output.as_deref(), &text)?)
    }
}
