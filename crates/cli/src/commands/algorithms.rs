//! How `flipcost algorithms` shows its answer.

use super::args::OutputArgs;
use super::{Failure, Shown, answer};
use flipcost_question::Query;
use flipcost_terminal::screen;

#[derive(clap::Args)]
pub struct Algorithms {
    #[command(flatten)]
    output: OutputArgs,
}

impl Shown for Algorithms {
    fn run(self, query: Query) -> Result<(), Failure> {
        if query
            .downcast::<flipcost_all::questions::Algorithms>()
            .is_some_and(|asked| asked.algorithm.is_some())
            && self.output.is_reader()
        {
            let answer = answer::collect(query)?;
            return Ok(screen::print_text(&answer.foot.text.unwrap_or_default())?);
        }
        answer::write(query, &self.output)
    }
}
