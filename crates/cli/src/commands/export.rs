//! Shows the answers of `flipcost export`: a model, as a text.

use super::{Failure, QuestionCommand, answer};
use flipcost_question::Query;
use flipcost_terminal::screen;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct ExportArgs {
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl QuestionCommand for ExportArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let answer = answer::collect(query)?;
        let text = answer.foot.text.as_deref().unwrap_or_default();
        match self.output.as_deref() {
            None => answer::print_page(&answer, text),
            path => Ok(screen::print_or_write(path, text)?),
        }
    }
}
