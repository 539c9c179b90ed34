//! The questions of this package, one file each.

pub mod at_hand;
pub mod plan;
pub mod recipe;

pub use at_hand::DiceAtHand;
pub use plan::Plan;
pub use recipe::RecipeSteps;

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<Plan>(),
    QuestionKind::new::<RecipeSteps>(),
    QuestionKind::new::<DiceAtHand>(),
];
