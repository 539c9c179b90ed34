//! The questions of this package, one file each.

pub mod bias;
pub mod frontier;
pub mod libraries;

pub use bias::WordBias;
pub use frontier::Frontier;
pub use libraries::Libraries;

use flipcost_question::QuestionKind;

/// Their kinds, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<WordBias>(),
    QuestionKind::new::<Frontier>(),
    QuestionKind::new::<Libraries>(),
];
