//! How `flipcost frontier` shows its answer.

use super::args::OutputArgs;
use super::{Failure, Shown, answer, picture};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct Frontier {
    #[command(flatten)]
    output: OutputArgs,
}

impl Shown for Frontier {
    fn run(mut self, query: Query) -> Result<(), Failure> {
        let Some(path) = self.output.take_picture() else {
            return answer::write(query, &self.output);
        };
        picture::check(&path)?;
        let Some(mut query) = query
            .downcast::<flipcost_libraries::questions::Frontier>()
            .cloned()
        else {
            unreachable!("it is the question of its command");
        };
        query.libraries |= query.target.sides().is_some();
        let answer = answer::collect(query)?;
        picture::write(&path, || answer.draw())?;
        answer::conclude(&answer.foot)
    }
}
