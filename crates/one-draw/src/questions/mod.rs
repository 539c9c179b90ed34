//! The questions of this package, one file each.

pub mod cost;
pub mod decimals;
pub mod distribution;
pub mod flowchart;
pub mod follow;
pub mod law;
pub mod leaves;
pub mod roll;
pub mod simulate;
pub mod supply;
pub mod table;
pub mod tree;
pub mod why;

pub use cost::{Cost, CostRows, FORMULA_LIMIT, Remarks};
pub use decimals::Decimals;
pub use distribution::Distribution;
pub use flowchart::Flowchart;
pub use follow::Follow;
pub use law::{FirstFace, FormulaLaw, LawText, Letters, LettersError};
pub use leaves::Leaves;
pub use roll::Roll;
pub use simulate::Simulate;
pub use supply::Supply;
pub use table::LookupTable;
pub use tree::DecisionTree;
pub use why::Why;

use flipcost_question::QuestionKind;

/// The kinds of the questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<Cost>(),
    QuestionKind::new::<CostRows>(),
    QuestionKind::new::<Distribution>(),
    QuestionKind::new::<FormulaLaw>(),
    QuestionKind::new::<Supply>(),
    QuestionKind::new::<Roll>(),
    QuestionKind::new::<Simulate>(),
    QuestionKind::new::<DecisionTree>(),
    QuestionKind::new::<LookupTable>(),
    QuestionKind::new::<Leaves>(),
    QuestionKind::new::<Flowchart>(),
    QuestionKind::new::<Why>(),
    QuestionKind::new::<Follow>(),
    QuestionKind::new::<Decimals>(),
];
