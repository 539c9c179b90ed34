//! The questions of this package, one file each.

pub mod export;
pub mod family;
pub mod import;

pub use export::{Export, ModelLanguage};
pub use family::ModelFamily;
pub use import::{Import, ModelFormat};

use flipcost_question::QuestionKind;

/// Their kinds, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<Export>(),
    QuestionKind::new::<ModelFamily>(),
    QuestionKind::new::<Import>(),
];
