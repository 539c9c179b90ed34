//! What the rows of a request cost, roughly: the sizes of chunks and the bounds of shards.
//!
//! The time of one n is modelled as `own + min(n, cap)`, in units of what one more n adds:
//!
//! | columns                       | own  | cap                           | why |
//! |-------------------------------|------|-------------------------------|-----|
//! | `cycle_rounds`                | 2^20 | none                          | a period of up to n flips is counted, 64 and more at a time |
//! | an exact fraction             | 2^10 | the most bits that are written | up to n bits are computed and written |
//! | doubles, decimals, the orders | 1    | 0                             | the same for every n |
//!
//! It only decides who computes which n, never what is written.

use crate::number::rounds::RoundsTable;
use crate::table::{Column, Request};

/// A chunk of tabled rounds holds this many n: flips are counted with periods of like length side by side.
const ROUNDS_CHUNK: u64 = 1 << 20;
/// The same where every n is counted alone.
const COUNTED_CHUNK: u64 = 64;
/// The same where every n has a law.
const LAW_CHUNK: u64 = 256;
/// The same for exact fractions with a coin, which have factors in common.
const EXACT_CHUNK: u64 = 2048;
/// The same for what is sieved or computed in words.
const CHEAP_CHUNK: u64 = 1 << 16;
/// The text of a chunk has about this many bytes at most.
const CHUNK_BYTES: u64 = 1 << 22;
/// The same for a chunk of rounds, of which few are in flight.
const ROUNDS_BYTES: u64 = 1 << 25;

/// Bytes of a row, roughly and rather more.
fn row_bytes(request: &Request, last: u64) -> u64 {
    let bytes = |column: &Column| match column {
        Column::ExpectedExact | Column::VarianceExact => {
            let bits = request.precision.exact_limit.min(u128::from(last)) as u64;
            bits / 3 * 2 + 16 // two numbers, 3 bits and more for a digit
        }
        column if column.is_integer() => 12,
        _ => u64::from(request.precision.digits.unwrap_or(20)) + 12,
    };
    request.columns.iter().map(bytes).sum::<u64>() * request.methods.len() as u64
}

/// How many consecutive n are best computed together.
pub fn chunk(request: &Request, last: u64) -> u64 {
    let has = |column| request.columns.contains(&column);
    let words = request.source == 2;
    let cheap = |column: &Column| {
        matches!(column, Column::N | Column::Source | Column::Algorithm)
            || column.is_cycle()
            || *column == Column::Expected && words
    };
    let exact = |column: &Column| cheap(column) || *column == Column::ExpectedExact && words;
    let tabled = request.source == 2 && last <= RoundsTable::LARGEST;
    let (most, bytes) = if !request.columns.iter().all(exact) {
        (LAW_CHUNK, CHUNK_BYTES)
    } else if has(Column::ExpectedExact) {
        (EXACT_CHUNK, ROUNDS_BYTES)
    } else if !has(Column::CycleRounds) {
        (CHEAP_CHUNK, CHUNK_BYTES)
    } else if tabled {
        (ROUNDS_CHUNK, ROUNDS_BYTES)
    } else {
        (COUNTED_CHUNK, CHUNK_BYTES)
    };
    most.min(bytes / row_bytes(request, last).max(1)).max(1)
}
