//! Shows the answers of `flipcost batch`.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, picture};
use flipcost_question::Query;
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
            unreachable!("each command asks its own question");
        };
        if query.trace {
            return write_trace(query.into());
        }
        let chart = self
            .chart
            .take()
            .or_else(|| self.output.take_picture_path());
        if let Some(path) = chart {
            let answer = answer::collect(query.curve()?)?;
            let chart = flipcost_streams::pictures::stream::stream(&answer)?;
            picture::write_picture(&path, || chart.draw())?;
        }
        answer::write(query, &self.output)
    }
}

/// Writes the steps, including those of a run that ran out of rolls.
fn write_trace(query: Query) -> Result<(), Failure> {
    let (answer, answered) = answer::collect_partial(query, 0);
    let text = answer.foot.text.as_deref().unwrap_or_default();
    answer::print_answer_text(&answer, text)?;
    answered?;
    answer::print_foot(&answer.foot)
}
