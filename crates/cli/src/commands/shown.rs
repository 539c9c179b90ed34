//! How the program shows the answers of one command.

use crate::failure::Failure;
use clap::ArgMatches;
use flipcost_question::Query;
use flipcost_terminal::question;

/// How the program shows the answers of one command.
pub trait QuestionCommand: clap::Args {
    /// The question that the command asks.
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        question::read(name, matches, Vec::new()).map_err(Failure::Input)
    }

    /// What is done in place of asking.
    fn instead(&self, _: &ArgMatches) -> Option<Result<(), Failure>> {
        None
    }

    fn run(self, query: Query) -> Result<(), Failure>;
}
