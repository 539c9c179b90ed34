//! Imports for files that define questions.

pub use crate::chunked::{
    ChunkResult, Chunked, even_time_estimate, from_json_value, to_json_value,
};
pub use crate::chunks::Chunks;
pub use crate::description::{Described, FieldValue};
pub use crate::precision::{
    MAX_SENTENCE_FRACTION, decimal, exact_cell, fraction_with_decimal, precision,
};
pub use crate::query::Question;
pub use crate::sentence::field;
pub use crate::summary::{
    algorithm_phrase, cell_phrase, dice_phrase, double_phrase, exact_phrase, parts_phrase,
    power_of_ten_phrase, take_verb, value_phrase, with_unit,
};
pub use crate::text::{count_with_noun, is_or_are};
pub use crate::{
    AlgorithmId, Answer, Buffers, CellKind, Control, Estimate, Foot, Head, Names, QueryError,
    Sentence, Sides, Sink, TargetText,
};
pub use crate::{choices, question, row, say, texts};
pub use flipcost::table::Cell;
