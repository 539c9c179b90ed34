//! Imports for files that define questions.

pub use crate::chunked::{ChunkResult, Chunked, evenly, from_json_value, to_json_value};
pub use crate::chunks::Chunks;
pub use crate::description::{Described, FieldValue};
pub use crate::precision::{READABLE, decimal, exact, precision, spelled};
pub use crate::query::Question;
pub use crate::sentence::field;
pub use crate::summary::{
    by_algorithm, cell_phrase, dice_phrase, double_phrase, exact_phrase, parts_phrase,
    power_of_ten_phrase, take, value_phrase, with_unit,
};
pub use crate::text::{counted, is_or_are};
pub use crate::{
    AlgorithmId, Answer, Buffers, CellKind, Control, Estimate, Foot, Head, QueryError, Sentence,
    Sides, Sink, TargetText,
};
pub use crate::{choices, question, row, say, texts};
pub use flipcost::table::Cell;
