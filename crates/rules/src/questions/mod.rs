//! The questions of this package, one file each.

pub mod check;
pub mod new;

pub use check::RuleCheck;
pub use new::RuleNew;

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<RuleNew>(),
    QuestionKind::new::<RuleCheck>(),
];
