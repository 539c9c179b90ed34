//! The questions of this package, one file each.

pub mod check;

pub use check::RuleCheck;

use flipcost_question::QuestionKind;

/// Their kinds, in the order of the help.
pub const KINDS: &[QuestionKind] = &[QuestionKind::new::<RuleCheck>()];
