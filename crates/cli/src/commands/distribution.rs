//! Shows the answers of `flipcost distribution`.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer};
use flipcost_endless::questions::EndlessDistribution;
use flipcost_question::Query;
use flipcost_terminal::rows::Format;
use flipcost_terminal::rows::reader;

#[derive(clap::Args)]
pub struct DistributionArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for DistributionArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let digits = match query.downcast::<flipcost_one_draw::questions::Distribution>() {
            Some(asked) => asked.digits,
            None => match query.downcast::<EndlessDistribution>() {
                Some(asked) => asked.digits,
                None => unreachable!("each command asks its own question"),
            },
        };
        let page = self.output.format() == Format::Table && self.output.output.is_none();
        if !page {
            return answer::write(query, &self.output);
        }
        let answer = answer::collect(query)?;
        let summary = answer.foot.text.clone().unwrap_or_default();
        if !self.output.shows_screen_table() {
            answer::write_answer(&answer, &self.output)?;
            return answer::write_text(None, &summary);
        }
        let summary = match digits {
            None => reader::round_decimals(&summary),
            Some(_) => summary,
        };
        answer::show_with_footer(&answer, None, &summary)
    }
}
