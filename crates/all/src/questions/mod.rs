//! The questions of this package, one file each.

pub mod advise;
pub mod algorithms;
pub mod cite;
pub mod columns;
pub mod constants;
pub mod verify;
pub mod verify_that;

pub use advise::{Advise, CodeLanguage, Prefer};
pub use algorithms::Algorithms;
pub use cite::{Citation, Cite};
pub use columns::Columns;
pub use constants::Constants;
pub use verify::{Claims, Verify};
pub use verify_that::{Assertion, AssertionResult, VerifyThat};

use flipcost_question::QuestionKind;

/// The kinds of questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<Columns>(),
    QuestionKind::new::<Constants>(),
    QuestionKind::new::<Advise>(),
    QuestionKind::new::<Verify>(),
    QuestionKind::new::<VerifyThat>(),
    QuestionKind::new::<Claims>(),
    QuestionKind::new::<Algorithms>(),
    QuestionKind::new::<Cite>(),
];
