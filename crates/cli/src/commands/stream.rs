//! Shows the answers of `flipcost stream`.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer};
use flipcost_question::Query;
use flipcost_terminal::rows::Format;

#[derive(clap::Args)]
pub struct StreamArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for StreamArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let page = self.output.format() == Format::Table && self.output.output.is_none();
        if !page {
            return answer::write(query, &self.output);
        }
        let answer = answer::collect(query)?;
        let policy = answer.foot.text.clone().unwrap_or_default();
        if !self.output.shows_screen_table() {
            answer::write_answer(&answer, &self.output)?;
            return answer::write_text(None, &policy);
        }
        answer::show_with_footer(&answer, None, &policy)
    }
}
