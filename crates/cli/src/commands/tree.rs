//! `flipcost tree`: the decision tree of an algorithm.

use super::args::{self, SourceArg, TargetArg};
use super::{Failure, answer, flowchart};
use flipcost_query::{AlgorithmId, Query};
use std::path::PathBuf;

/// The decision tree of an algorithm, with the probability of every outcome
///
/// A node such as [v = 4, c = 1] is the state of the algorithm, here of the fast dice roller: c is one
/// of v numbers from 0 that are equally likely. H = 3 is an outcome: heads, then 3.
#[derive(clap::Args)]
pub struct Tree {
    #[command(flatten)]
    target: TargetArg,
    /// The algorithm, by id (see `flipcost algorithms`, `flipcost libraries`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    /// Rolls after which the tree is cut off [default: about as many as fit on a page]
    #[arg(long, value_name = "D", value_parser = args::word, allow_negative_numbers = true)]
    depth: Option<u64>,
    #[command(flatten)]
    source: SourceArg,
    /// Write a picture instead: the name ends in .svg, .png or .dot
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Tree {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(Query::from(flipcost_query::Tree {
            algorithm: self.algorithm.unwrap_or(target.algorithm()),
            target,
            depth: self.depth,
            source: self.source.source,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        let picture = self.output.as_deref();
        picture.map_or(Ok(()), |path| flowchart::check(path, true))?;
        let answer = answer::collect(self.query()?)?;
        flowchart::show(&answer, self.output.as_deref())
    }
}
