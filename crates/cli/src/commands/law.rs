//! How `flipcost law` shows its answer.

use super::args::OutputArgs;
use super::{Failure, Shown, answer, picture};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct Law {
    #[command(flatten)]
    output: OutputArgs,
}

impl Shown for Law {
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
