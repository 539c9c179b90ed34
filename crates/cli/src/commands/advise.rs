//! How `flipcost advise` shows its answer.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, page};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct AdviseArgs {
    /// A coin is flipped (also what is taken without a source)
    #[arg(long, conflicts_with_all = ["dice", "source"])]
    coin: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for AdviseArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        page::write(query, &self.output)
    }
}
