//! The trait that all commands with their own display of answers implement.

use crate::failure::Failure;
use clap::ArgMatches;
use flipcost_question::Query;
use flipcost_terminal::question;

/// A command that shows its answers in a special way.
pub trait QuestionCommand: clap::Args {
    /// The question that the command asks.
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        question::query_from_matches(name, matches, Vec::new()).map_err(Failure::Input)
    }

    /// Runs the command in another way than by asking the question, if the arguments request that.
    fn run_instead(&self, _: &ArgMatches) -> Option<Result<(), Failure>> {
        None
    }

    fn run(self, query: Query) -> Result<(), Failure>;
}
