//! `flipcost export`: an algorithm in another program's language.

use super::args::{self, SourceArg, TargetArg};
use super::{Failure, answer};
use crate::screen;
use flipcost_query::{AlgorithmId, ExportPrism, Query};
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
    #[command(flatten)]
    target: TargetArg,
    /// The algorithm, by id (see `flipcost algorithms`, `flipcost libraries`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    #[command(flatten)]
    source: SourceArg,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub fn query(&self) -> Result<Query, Failure> {
        let Language::Prism(prism) = &self.language;
        let target = prism.target.get();
        Ok(Query::from(ExportPrism {
            algorithm: prism.algorithm.unwrap_or(target.algorithm()),
            target,
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
