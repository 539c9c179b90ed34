//! The questions of this package, one file each.

pub mod export;

pub use export::Export;

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[QuestionKind::new::<Export>()];
