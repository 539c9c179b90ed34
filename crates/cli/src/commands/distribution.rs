//! `flipcost distribution`: the whole law of T.

use super::args::{self, OutputArgs, PrecisionArgs, RowFormat, SourceArg, TargetArg};
use super::{Failure, answer};
use crate::rows::reader;
use flipcost_query::{AlgorithmId, Fraction, Query};

/// The exact distribution of the number of rolls: P(T = t) and P(T > t)
#[derive(clap::Args)]
pub struct Distribution {
    #[command(flatten)]
    target: TargetArg,
    /// The algorithm, by id (see `flipcost algorithms`, `flipcost libraries`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    #[command(flatten)]
    source: SourceArg,
    /// The last t [default: the worst case, or the first t with P(T > t) < 1/1000]
    #[arg(short, long, value_name = "T", value_parser = args::word, allow_negative_numbers = true)]
    upto: Option<u64>,
    /// Print quantiles instead: the least t with P(T <= t) >= q, for each q
    #[arg(short, long, value_name = "Q", value_delimiter = ',', num_args = 0.., allow_negative_numbers = true, default_missing_value = "1/2,9/10,99/100,999/1000")]
    quantiles: Option<Vec<Fraction>>,
    #[command(flatten)]
    precision: PrecisionArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl Distribution {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(flipcost_query::Distribution {
            algorithm: self.algorithm.unwrap_or(target.algorithm()),
            target,
            source: self.source.source,
            upto: self.upto,
            quantiles: self.quantiles.clone().unwrap_or_default(),
            digits: self.precision.digits,
            exact: self.precision.exact,
        }
        .into())
    }

    pub fn run(self) -> Result<(), Failure> {
        let page = self.output.format() == RowFormat::Table && self.output.output.is_none();
        if !page {
            return answer::write(self.query()?, &self.output);
        }
        let answer = answer::collect(self.query()?)?;
        let summary = answer.foot.text.clone().unwrap_or_default();
        if !self.output.is_reader() {
            answer::write_answer(&answer, &self.output)?;
            return answer::write_text(None, &summary);
        }
        let summary = match self.precision.digits {
            None => reader::rounded(&summary),
            Some(_) => summary,
        };
        answer::show_with(&answer, None, &summary)
    }
}
