//! Splits a question into places: the pieces from which its answer is assembled, which are its rows
//! or the n of its range.

use crate::{Buffers, Control, QueryError, Sink};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// The results for a run of consecutive places.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkResult {
    /// The rows of the answer, or the data from which the rows are computed.
    pub rows: Buffers,
    /// Other findings, which are merged with the findings for the next places.
    pub seen: Value,
}

/// A question whose answer is assembled from places.
pub trait Chunked {
    /// The number of places.
    fn count(&self) -> Result<u64, QueryError>;
    /// Returns a function that estimates the time for the first k places, in nanoseconds on one
    /// core.
    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_>;
    /// Computes the results for these places.
    fn compute(&self, places: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError>;
    /// Merges the findings of two consecutive runs of places.
    fn join(&self, seen: Value, _later: Value) -> Result<Value, QueryError> {
        Ok(seen)
    }
    /// Writes the answer from the results of all places.
    fn answer(
        &self,
        all: ChunkResult,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError>;
}

/// An estimate of the time in which every place takes the same share of the work.
pub fn even_time_estimate(work: u128, count: u64) -> Box<dyn Fn(u64) -> u128> {
    let each = work / u128::from(count.max(1));
    Box::new(move |end| each.saturating_mul(u128::from(end)))
}

/// Converts a value to JSON with serde.
pub fn to_json_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain values")
}

/// Reads a value that [`to_json_value`] wrote.
///
/// # Errors
/// [`QueryError::Input`] for any other value.
pub fn from_json_value<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, QueryError> {
    serde_json::from_value(value).map_err(|_| damaged_part_error())
}

/// The error for a stored part of an answer that cannot be read.
pub fn damaged_part_error() -> QueryError {
    QueryError::input("a part of an answer is damaged, or of another version of flipcost")
}
