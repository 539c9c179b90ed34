//! Places: what the answer of a question is put together from, its rows or the n of its range.

use crate::{Buffers, Control, QueryError, Sink};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// What places side by side have given.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkResult {
    /// Rows of the answer, or what they are computed from.
    pub rows: Buffers,
    /// What else they have shown, which joins with that of the places behind them.
    pub seen: Value,
}

/// A question whose answer is put together from places.
pub trait Chunked {
    /// How many there are.
    fn count(&self) -> Result<u64, QueryError>;
    /// About the nanoseconds that the first places take on one core together, so many of them.
    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_>;
    /// What these places give.
    fn compute(&self, places: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError>;
    /// Joins what else two runs of places side by side have shown.
    fn join(&self, seen: Value, _later: Value) -> Result<Value, QueryError> {
        Ok(seen)
    }
    /// The answer, from what all places have given.
    fn answer(
        &self,
        all: ChunkResult,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError>;
}

/// So much work, the same for every place.
pub fn evenly(work: u128, count: u64) -> Box<dyn Fn(u64) -> u128> {
    let each = work / u128::from(count.max(1));
    Box::new(move |end| each.saturating_mul(u128::from(end)))
}

/// A value of serde as JSON.
pub fn to_json_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain values")
}

/// What [`to_json_value`] made.
///
/// # Errors
/// [`QueryError::Input`] for what it did not.
pub fn from_json_value<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, QueryError> {
    serde_json::from_value(value).map_err(|_| damaged())
}

/// A part that was not read.
pub fn damaged() -> QueryError {
    QueryError::input("a part of an answer is damaged, or of another version of flipcost")
}
