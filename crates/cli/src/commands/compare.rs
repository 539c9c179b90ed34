//! `flipcost compare`: the best algorithm for every source and target.

use super::args::{self, DigitsArg, OutputArgs};
use super::{Failure, answer, flowchart};
use flipcost_query::{AlgorithmId, Numbers, Query, TargetText};
use std::path::PathBuf;

/// The best algorithm for every source and target, its cost, and its toll over the entropy bound
#[derive(clap::Args)]
pub struct Compare {
    /// The sources: ranges and lists, as in 2..20 or 2,6,10 (both ends included)
    #[arg(long, value_name = "M", default_value = "2,4,6,8,10,12,20", value_parser = args::sources, allow_negative_numbers = true)]
    sources: Numbers,
    /// The targets, written the same way
    #[arg(long, value_name = "N", default_value = "2..100", value_parser = args::targets, allow_negative_numbers = true)]
    targets: Numbers,
    /// A target by its weights, in place of --targets; may be repeated
    #[arg(long, value_name = "TEXT", value_parser = args::wanted, conflicts_with = "targets", allow_negative_numbers = true)]
    weights: Vec<TargetText>,
    /// Only these algorithms, by id (see `flipcost algorithms`, `flipcost libraries`)
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm_id())]
    algorithm: Vec<AlgorithmId>,
    /// Draw a heat map of the toll in bits as well: the name ends in .svg or .png (-o with such a
    /// name does the same)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Compare {
    pub fn query(&self) -> Result<Query, Failure> {
        let query = flipcost_query::Compare {
            sources: self.sources.clone(),
            targets: match self.weights.is_empty() {
                true => self.targets.clone(),
                false => Numbers::default(),
            },
            weights: self.weights.iter().map(args::told).collect(),
            algorithms: self.algorithm.clone(),
            digits: self.digits.digits,
        };
        Ok(query.into())
    }

    pub fn run(mut self) -> Result<(), Failure> {
        if self.chart.is_none() {
            self.chart = self.output.take_picture();
        }
        let answer = answer::collect(self.query()?)?;
        if let Some(path) = &self.chart {
            flowchart::write(path, None, || flipcost_pictures::heat_map::compare(&answer))?;
        }
        answer::write_answer(&answer, &self.output)
    }
}
