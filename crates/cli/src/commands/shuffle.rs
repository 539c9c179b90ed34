//! Shows the answers of `flipcost shuffle`.

use super::args::{self, OutputArgs};
use super::{Failure, QuestionCommand, answer};
use flipcost_question::Query;
use flipcost_terminal::rows::Format;
use flipcost_terminal::screen;

#[derive(clap::Args)]
pub struct ShuffleArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for ShuffleArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let deal = query
            .downcast::<flipcost_streams::questions::Shuffle>()
            .is_some_and(|asked| asked.deal);
        if !deal || self.output.format() != Format::Table {
            return answer::write(query, &self.output);
        }
        args::refuse_picture(self.output.output.as_deref())?;
        let answer = answer::collect(query)?;
        let hands = answer.foot.text.as_deref().unwrap_or_default();
        match self.output.output.as_deref() {
            None => answer::print_page(&answer, hands)?,
            path => screen::print_or_write(path, hands)?,
        }
        answer::print_foot(&answer.foot)
    }
}
