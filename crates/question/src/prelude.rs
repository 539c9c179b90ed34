//! What most files of questions use.

pub use crate::chunks::Chunks;
pub use crate::description::{Described, Value};
pub use crate::places::{Places, Shown, again, evenly, kept};
pub use crate::precision::{READABLE, decimal, exact, precision, spelled};
pub use crate::query::Question;
pub use crate::sentence::field;
pub use crate::{
    AlgorithmId, Buffers, Control, Estimate, Foot, Head, Kind, QueryError, Sentence, Sides, Sink,
    TargetText,
};
pub use crate::{choices, question, row, say, texts};
pub use flipcost::table::Cell;
