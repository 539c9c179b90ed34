//! How `flipcost cite` shows its answer.

use super::{Failure, QuestionCommand, answer};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct CiteArgs {}

impl QuestionCommand for CiteArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let answer = answer::collect(query)?;
        answer::print_answer_text(&answer, answer.foot.text.as_deref().unwrap_or_default())?;
        answer::conclude(&answer.foot)
    }
}
