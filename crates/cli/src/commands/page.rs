//! Shows answers that are printed as a page on a terminal, and as rows elsewhere.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer};
use flipcost_question::Query;
use flipcost_terminal::rows::Format;

#[derive(clap::Args)]
pub struct PageArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for PageArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        write_page_or_rows(query, &self.output)
    }
}

/// Writes the rows of an answer; on a terminal, prints the answer's page instead of a table.
pub fn write_page_or_rows(query: Query, output: &OutputArgs) -> Result<(), Failure> {
    if output.output.is_some() || output.format() != Format::Table {
        return answer::write(query, output);
    }
    let answer = answer::collect(query)?;
    let page = answer.foot.text.as_deref().unwrap_or_default();
    answer::print_page(&answer, page)
}
