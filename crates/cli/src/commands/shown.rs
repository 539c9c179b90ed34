//! The trait of all commands that show the answer of a question.

use crate::failure::Failure;
use clap::ArgMatches;
use flipcost_question::Query;
use flipcost_terminal::question;

/// A command that asks a question and shows its answer in its own way.
pub trait QuestionCommand: clap::Args {
    /// The question that the command asks.
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        question::query_from_matches(name, matches, Vec::new()).map_err(Failure::Input)
    }

    /// Runs the command without asking its question, if the arguments request something else;
    /// returns `None` otherwise.
    fn run_instead(&self, _: &ArgMatches) -> Option<Result<(), Failure>> {
        None
    }

    fn run(self, query: Query) -> Result<(), Failure>;
}
