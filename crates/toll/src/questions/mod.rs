//! The questions of this package, each in its own file.

pub mod largest_toll;
pub mod toll_extremes;
pub mod toll_oscillations;

pub use largest_toll::LoadedToll;
pub use toll_extremes::{BoundedQuantity, TollExtremes};
pub use toll_oscillations::TollOscillations;

use flipcost_question::QuestionKind;

/// The kinds of questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<TollExtremes>(),
    QuestionKind::new::<TollOscillations>(),
    QuestionKind::new::<LoadedToll>(),
];
