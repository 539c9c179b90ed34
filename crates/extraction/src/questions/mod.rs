//! The questions of this package, one file each.

pub mod extract;
pub mod test_die;

pub use extract::{Extract, ExtractMethod};
pub use test_die::{Load, LoadError, SeenError, SeenRolls, TestDie};

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<Extract>(),
    QuestionKind::new::<TestDie>(),
];
