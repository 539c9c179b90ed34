//! The questions of this package, each in its own file. They have the names of the corresponding
//! questions about finite laws.

mod cost;
mod distance;
mod distribution;
mod roll;
mod supply;
mod tree;

pub use cost::EndlessCost;
pub use distance::EndlessDistance;
pub use distribution::EndlessDistribution;
pub use roll::EndlessRoll;
pub use supply::EndlessSupply;
pub use tree::EndlessTree;

use flipcost_question::QuestionKind;
use flipcost_question::prelude::*;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<EndlessCost>(),
    QuestionKind::new::<EndlessDistribution>(),
    QuestionKind::new::<EndlessRoll>(),
    QuestionKind::new::<EndlessSupply>(),
    QuestionKind::new::<EndlessTree>(),
    QuestionKind::new::<EndlessDistance>(),
];

/// Rejects a source other than a coin.
fn require_coin(source: &Sides) -> Result<(), QueryError> {
    if *source == Sides::default() {
        return Ok(());
    }
    let what = format!(
        "a law with infinitely many outcomes is drawn from a coin here, and not from {}",
        source.0.with_article()
    );
    Err(QueryError::wrong("source", what).right(say!("leave out ", field("source"))))
}

/// Rejects a table with more than `most` rows.
fn check_row_count(field: &str, rows: u64, most: u64) -> Result<(), QueryError> {
    if rows <= most {
        return Ok(());
    }
    let what = say!(flipcost_question::field(field).is(rows), " is too many");
    Err(QueryError::wrong(field, what).right(say!("{most} is the most")))
}
