//! Shows the answers of `flipcost supply`.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, picture};
use flipcost_question::Query;
use flipcost_terminal::rows::Format;

#[derive(clap::Args)]
pub struct SupplyArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for SupplyArgs {
    fn run(mut self, query: Query) -> Result<(), Failure> {
        let Some(asked) = query
            .downcast::<flipcost_one_draw::questions::Supply>()
            .cloned()
        else {
            // a law without an end has no complete answer to collect
            return answer::write(query, &self.output);
        };
        if let Some(path) = self.output.take_picture_path() {
            picture::check_picture_path(&path)?;
            let answer = answer::collect(query)?;
            let (least, most) = flipcost_one_draw::pictures::supply::roll_range(&answer)?;
            let curve = answer::collect(asked.curve(least, most))?;
            let chart = flipcost_one_draw::pictures::supply::supply(&answer, &curve)?;
            picture::write_picture(&path, || chart.draw())?;
            return answer::print_foot(&answer.foot);
        }
        if self.output.format() != Format::Table || self.output.output.is_some() {
            return answer::write(query, &self.output);
        }
        let answer = answer::collect(query)?;
        let summary = answer.foot.text.clone().unwrap_or_default();
        if !self.output.shows_screen_table() {
            answer::write_answer(&answer, &self.output)?;
            return answer::write_text(None, &summary);
        }
        // the summary would repeat the rows of the table
        answer::show_answer(&answer, None)
    }
}
