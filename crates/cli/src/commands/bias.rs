//! How `flipcost bias` shows its answer: rows, or a picture of the least bias with so many flips.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, picture};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct BiasArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for BiasArgs {
    fn run(mut self, query: Query) -> Result<(), Failure> {
        let frontier = query.downcast::<flipcost_libraries::questions::Frontier>();
        let Some(mut frontier) = frontier.cloned() else {
            return answer::write(query, &self.output);
        };
        let Some(path) = self.output.take_picture() else {
            return answer::write(query, &self.output);
        };
        picture::check(&path)?;
        frontier.libraries |= frontier.target.sides().is_some();
        let answer = answer::collect(frontier)?;
        picture::write(&path, || answer.draw())?;
        answer::conclude(&answer.foot)
    }
}
