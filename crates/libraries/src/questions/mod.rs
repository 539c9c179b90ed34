//! The questions of this package, one file each.

pub mod bernoulli;
pub mod bias;
pub mod distance;
pub mod doubles;
pub mod libraries;
pub mod measures;
pub mod reductions;
mod row;

pub use bernoulli::LibraryBernoulli;
pub use bias::WordBias;
pub use distance::{ComparedLaw, LawDistance};
pub use doubles::{DoubleInterval, LibraryDoubles};
pub use libraries::Libraries;
pub use reductions::Reductions;
pub use row::question_of_row;

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<WordBias>(),
    QuestionKind::new::<LawDistance>(),
    QuestionKind::new::<Libraries>(),
    QuestionKind::new::<LibraryBernoulli>(),
    QuestionKind::new::<LibraryDoubles>(),
];
