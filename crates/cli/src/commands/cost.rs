//! `flipcost cost`: what one target costs.

use super::args::{self, OutputArgs, PrecisionArgs, RowFormat, SourceArg, TargetArg};
use super::{Failure, answer};
use flipcost_query::{AlgorithmId, ColumnId, Query};

/// What a target costs, a fair die or weights, the algorithms side by side, best first
#[derive(clap::Args)]
pub struct Cost {
    #[command(flatten)]
    target: TargetArg,
    #[command(flatten)]
    source: SourceArg,
    /// Only these algorithms, by id (see `flipcost algorithms`, `flipcost libraries`)
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm_id())]
    algorithm: Vec<AlgorithmId>,
    #[command(flatten)]
    precision: PrecisionArgs,
    /// Only these columns; a column may be an expression of others, as in "expected - log2(n)"
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', value_parser = args::column())]
    columns: Vec<ColumnId>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The columns of a table on a terminal.
const SHOWN: [&str; 7] = [
    "algorithm",
    "expected_exact",
    "expected",
    "entropy",
    "toll",
    "efficiency",
    "worst_case",
];

impl Cost {
    pub fn query(&self) -> Result<Query, Failure> {
        args::each_once(&self.columns)?;
        let query = flipcost_query::Cost {
            target: self.target.get(),
            source: self.source.source,
            algorithms: self.algorithm.clone(),
            columns: self.columns.clone(),
            digits: self.precision.digits,
            exact: self.precision.exact,
        };
        Ok(query.into())
    }

    pub fn run(mut self) -> Result<(), Failure> {
        args::refuse_picture(self.output.output.as_deref())?;
        let table = self.output.format() == RowFormat::Table;
        if table && self.columns.is_empty() {
            let shown = SHOWN.iter().map(|name| name.parse());
            self.columns = shown.collect::<Result<_, _>>().map_err(Failure::input)?;
        }
        let answer = answer::collect(self.query()?)?;
        let said = table || !self.algorithm.is_empty();
        let asides = answer.foot.asides.iter().filter(|_| said);
        if self.output.is_reader() {
            answer::show(&answer, Some("expected"))?;
            answer::remarks(asides);
            return Ok(());
        }
        answer::remarks(asides);
        answer::conclude(&answer.foot)?;
        self.output.write(&answer.head.names(), &answer.rows)
    }
}
