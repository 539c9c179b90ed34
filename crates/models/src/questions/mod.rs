//! The questions of this package, each in its own file.

pub mod export;

pub use export::Export;

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[QuestionKind::new::<Export>()];
