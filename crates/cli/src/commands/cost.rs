//! How `flipcost cost` shows its answer.

use super::args::{self, OutputArgs, RowFormat};
use super::{Failure, Shown, answer};
use flipcost_query::Query;

#[derive(clap::Args)]
pub struct Cost {
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

impl Shown for Cost {
    fn run(self, query: Query) -> Result<(), Failure> {
        let Query::Cost(mut query) = query else {
            unreachable!("it is the question of its command");
        };
        args::each_once(&query.columns)?;
        args::refuse_picture(self.output.output.as_deref())?;
        let table = self.output.format() == RowFormat::Table;
        let said = table || !query.algorithms.is_empty();
        if table && query.columns.is_empty() {
            let shown = SHOWN.iter().map(|name| name.parse());
            query.columns = shown.collect::<Result<_, _>>().map_err(Failure::input)?;
        }
        let answer = answer::collect(query)?;
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
