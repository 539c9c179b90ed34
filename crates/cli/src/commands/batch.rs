//! How `flipcost batch` shows its answer.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, picture};
use crate::watch;
use flipcost::table::Cell;
use flipcost_question::{Foot, Head, Query, QueryError, Sink};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct BatchArgs {
    /// Draw the cost per result of an endless stream against the capacity, up to --capacity (the
    /// name ends in .svg or .png; -o with such a name does the same)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for BatchArgs {
    fn run(mut self, query: Query) -> Result<(), Failure> {
        let Some(query) = query
            .downcast::<flipcost_streams::questions::Batch>()
            .cloned()
        else {
            unreachable!("it is the question of its command");
        };
        if query.trace {
            return trace(query.into());
        }
        let chart = self.chart.take().or_else(|| self.output.take_picture());
        if let Some(path) = chart {
            let answer = answer::collect(query.curve()?)?;
            let chart = flipcost_streams::pictures::stream::stream(&answer)?;
            picture::write(&path, || chart.draw())?;
        }
        answer::write(query, &self.output)
    }
}

/// Writes the steps, also those of a run whose rolls run out.
fn trace(query: Query) -> Result<(), Failure> {
    let mut steps = Steps(Foot::default());
    let answered = query.run(&watch::question(&query), &mut steps);
    let text = steps.0.text.as_deref().unwrap_or_default();
    answer::write_text(None, text)?;
    answered?;
    answer::conclude(&steps.0)
}

/// Keeps the text of the steps.
struct Steps(Foot);

impl Sink for Steps {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, _: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.0 = foot;
        Ok(())
    }
}
