//! How `flipcost advise` shows its answer.

use super::args::{OutputArgs, RowFormat};
use super::{Failure, Shown, answer};
use flipcost_query::Query;
use flipcost_terminal::screen;

#[derive(clap::Args)]
pub struct Advise {
    /// A coin is flipped (also what is taken without a source)
    #[arg(long, conflicts_with_all = ["dice", "source"])]
    coin: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Shown for Advise {
    fn run(self, query: Query) -> Result<(), Failure> {
        if self.output.output.is_some() || self.output.format() != RowFormat::Table {
            return answer::write(query, &self.output);
        }
        let answer = answer::collect(query)?;
        let page = answer.foot.text.as_deref().unwrap_or_default();
        Ok(screen::print(page)?)
    }
}
