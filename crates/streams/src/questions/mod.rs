//! The questions of this package, each in its own file.

pub mod batch;
pub mod shuffle;
pub mod stream;
pub mod subset;

pub use batch::Batch;
pub use shuffle::{Shuffle, ShuffleWay};
pub use stream::{StoreClass, Stream, TargetsInTurn, TargetsInTurnError};
pub use subset::Subset;

use flipcost_question::QuestionKind;

/// The kinds of questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<Batch>(),
    QuestionKind::new::<Stream>(),
    QuestionKind::new::<Shuffle>(),
    QuestionKind::new::<Subset>(),
];
