//! The questions of this package, one file each.

pub mod oeis_check;
pub mod oeis_draft;
pub mod oeis_identify;
pub mod sequence;
pub mod sequence_list;

pub use oeis_check::OeisCheck;
pub use oeis_draft::OeisDraft;
pub use oeis_identify::{OeisIdentify, TermList};
pub use sequence::{NamedSequence, SequenceId};
pub use sequence_list::SequenceList;

use flipcost_question::QuestionKind;

/// The kinds of questions, in the order of the help.
pub const KINDS: &[QuestionKind] = &[
    QuestionKind::new::<NamedSequence>(),
    QuestionKind::new::<SequenceList>(),
    QuestionKind::new::<OeisCheck>(),
    QuestionKind::new::<OeisIdentify>(),
    QuestionKind::new::<OeisDraft>(),
];
