//! How `flipcost law` shows its answer.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, picture};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct LawArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for LawArgs {
    fn run(mut self, query: Query) -> Result<(), Failure> {
        let Some(path) = self.output.take_picture() else {
            return answer::write(query, &self.output);
        };
        picture::check(&path)?;
        let answer = answer::collect(query)?;
        picture::write(&path, || answer.draw())?;
        answer::write_answer(&answer, &self.output)
    }
}
