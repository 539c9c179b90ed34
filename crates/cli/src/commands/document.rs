//! Answers that are a text: recipes and citations.

use super::{Failure, Shown, answer};
use flipcost_question::Query;

#[derive(clap::Args)]
pub struct Document {}

impl Shown for Document {
    fn run(self, query: Query) -> Result<(), Failure> {
        let answer = answer::collect(query)?;
        answer::write_text(None, answer.foot.text.as_deref().unwrap_or_default())?;
        answer::conclude(&answer.foot)
    }
}
