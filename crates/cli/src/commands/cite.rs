//! Shows the answers of `flipcost cite` and `flipcost rule new`, which are texts.

use super::{Failure, QuestionCommand, answer};
use flipcost_question::Query;
use flipcost_terminal::rows::Output;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct CiteArgs {}

impl QuestionCommand for CiteArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let answer = answer::collect(query)?;
        answer::print_answer_text(&answer, answer.foot.text.as_deref().unwrap_or_default())?;
        answer::print_foot(&answer.foot)
    }
}

#[derive(clap::Args)]
pub struct RuleNewArgs {
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl QuestionCommand for RuleNewArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let answer = answer::collect(query)?;
        let rule = answer.foot.text.as_deref().unwrap_or_default();
        match self.output {
            Some(path) => Ok(Output::write_all(Some(&path), rule.as_bytes())?),
            None => answer::print_page(&answer, rule),
        }
    }
}
