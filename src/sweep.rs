//! What the rows of a request cost, roughly: the sizes of chunks and the bounds of units.
//!
//! It is computed in whole numbers, the same on every machine, and only decides who computes which
//! n, never what is written.

use crate::algorithms::{Algorithm, FAST_DICE_ROLLER, Quantity};
use crate::roller::rounds::RoundsTable;
use crate::table::columns::{EXPECTED, EXPECTED_EXACT};
use crate::table::{Column, ColumnKind, Request};
use crate::task::Source;

/// A chunk of tabled rounds holds at most this many n: flips are counted with periods of like
/// length side by side.
const ROUNDS_CHUNK: u64 = 1 << 20;
/// And about this part of all n up to the last, so that the first rows are written while others are
/// computed.
const ROUNDS_CHUNKS: u64 = 8;
/// The same where every n is counted alone.
const COUNTED_CHUNK: u64 = 64;
/// The same for rounds far out, where the periods of a chunk are counted side by side.
const MAX_CHUNK: u64 = 1 << 16;
/// A chunk far out takes as long as about this many flips at most: seconds.
const COUNTED_FLIPS: u64 = 1 << 42;
/// From here on the rounds of n cost what sqrt(2^26 n) flips do.
const ROOTS_FROM: u64 = 1 << 26;
/// The same where every n has a law.
const LAW_CHUNK: u64 = 256;
/// The same for exact fractions with a coin, which have factors in common.
const EXACT_CHUNK: u64 = 8192;
/// All of them are one chunk where their text has about this many bytes at most.
const EXACT_BYTES: u64 = 1 << 25;
/// The same for what is sieved.
const CHEAP_CHUNK: u64 = 1 << 16;
/// The same for what is computed in words, each n alone.
const ALONE_CHUNK: u64 = 1 << 13;
/// And its text has about this many bytes at most: the system has such memory at hand, more is
/// mapped anew.
const ALONE_BYTES: u64 = 1 << 17;
/// The text of a chunk has about this many bytes at most.
const CHUNK_BYTES: u64 = 1 << 22;
/// The same for a chunk of rounds, of which few are in flight.
const ROUNDS_BYTES: u64 = 1 << 25;

/// Bytes of a row, roughly and rather more.
fn row_bytes(request: &Request, last: u64) -> u64 {
    let bytes = |column: &&Column| match column.kind() {
        ColumnKind::Exact => {
            let bits = request.precision.exact_limit.min(u128::from(last)) as u64;
            bits / 3 * 2 + 16 // two numbers, 3 bits and more for a digit
        }
        ColumnKind::Count => 12,
        _ => u64::from(request.precision.digits.unwrap_or(20)) + 12,
    };
    request.columns.iter().map(bytes).sum::<u64>() * request.algorithms.len() as u64
}

fn counts_rounds(request: &Request) -> bool {
    let rounds = |column: &Column| column.quantity() == Some(Quantity::CycleRounds);
    let counts = |column: &&'static Column| {
        rounds(column) || column.operands().iter().any(|operand| rounds(operand))
    };
    request.columns.iter().any(counts)
}

/// Is a column sieved, or computed in words?
fn cheap(request: &Request, column: &Column) -> bool {
    column.is_key()
        || column.quantity().is_some()
        || column == EXPECTED && request.source == Source::COIN
        || request.precision.digits.is_none() && column.is_narrow()
}

fn is_cheap(request: &Request) -> bool {
    let fast =
        |algorithm: &&'static dyn Algorithm| algorithm.about().id == FAST_DICE_ROLLER.about().id;
    request.algorithms.iter().all(fast)
        && (request.columns.iter()).all(|column| cheap(request, column))
}

/// How many consecutive n are best computed together.
pub fn chunk(request: &Request, last: u64) -> u64 {
    let words = request.source == Source::COIN;
    let cheap = |column: &Column| cheap(request, column);
    let exact = |column: &&Column| cheap(column) || *column == EXPECTED_EXACT && words;
    let offered = |column: &&Column| column.quantity().is_some();
    let tabled = request.source == Source::COIN && last <= RoundsTable::MAX_LIMIT;
    let (most, bytes) = if !request.columns.iter().all(exact) {
        (LAW_CHUNK, CHUNK_BYTES)
    } else if request.columns.contains(&EXPECTED_EXACT) {
        // On the average n has n / 12 bits in a numerator, and as many in a denominator: a sixth of
        // what `row_bytes` says, and over all n a twelfth.
        return if last.saturating_mul(row_bytes(request, last)) / 12 <= EXACT_BYTES {
            last.max(1)
        } else {
            EXACT_CHUNK.min(ROUNDS_BYTES / (row_bytes(request, last) / 6))
        };
    } else if !request.columns.iter().any(offered) {
        (ALONE_CHUNK, ALONE_BYTES)
    } else if !counts_rounds(request) {
        (CHEAP_CHUNK, CHUNK_BYTES)
    } else if tabled {
        let part = (last / ROUNDS_CHUNKS).next_power_of_two();
        (part.clamp(CHEAP_CHUNK, ROUNDS_CHUNK), ROUNDS_BYTES)
    } else if request.source == Source::COIN {
        (
            (COUNTED_FLIPS / as_flips(last)).clamp(COUNTED_CHUNK, MAX_CHUNK),
            CHUNK_BYTES,
        )
    } else {
        (COUNTED_CHUNK, CHUNK_BYTES)
    };
    most.min(bytes / row_bytes(request, last).max(1)).max(1)
}

/// How many consecutive n are best written together, where all are one chunk: 128 kB, as
/// fractions are on the average.
pub fn part(request: &Request, last: u64) -> u64 {
    let fraction = request.columns.contains(&EXPECTED_EXACT);
    let bytes = row_bytes(request, last) / if fraction { 12 } else { 1 };
    (ALONE_BYTES / bytes.max(1)).clamp(1, ALONE_CHUNK)
}

/// The flips that would take as long as the rounds of n do.
fn as_flips(n: u64) -> u64 {
    match n {
        0..=ROOTS_FROM => n,
        _ => ROOTS_FROM.isqrt() * n.isqrt(),
    }
}

/// The sum of `own + min(i, cap)` over i = 1, ..., n: below 2^128, 2^84 + 2^127 at most.
fn capped(own: u64, cap: u64, n: u64) -> u128 {
    let (own, cap, n) = (u128::from(own), u128::from(cap), u128::from(n));
    let low = n.min(cap);
    own * n + low * (low + 1) / 2 + cap * (n - low)
}

/// The sum of `2^20 + as_flips(i)` over i = 1, ..., n, with that of the roots as about 2/3 n
/// sqrt(n).
fn rounds(n: u64) -> u128 {
    let roots = |n: u64| u128::from(as_flips(n)) * u128::from(n) * 2 / 3;
    let far = roots(n.max(ROOTS_FROM)) - roots(ROOTS_FROM);
    capped(1 << 20, 0, n) + capped(0, u64::MAX, n.min(ROOTS_FROM)) + far
}

/// About the nanoseconds that the targets above `above` up to `to` take on one core, by what was
/// measured.
///
/// | columns | nanoseconds for n |
/// |---|---|
/// | `cycle_rounds` | 2^8 + n / 2^12, beyond 2^26 2^8 + 2 sqrt(n), once: 0.2 s to 10^6, 5 s to 10^7, 5 to 12 hours to 10^9 |
/// | an exact fraction | 2^10 + n, for each row: 0.24 s to 20,000 |
/// | doubles and counts by words | 100, for each row |
/// | what is computed from a law | 1000, for each row; from a loaded source 4000 n for each algorithm |
pub fn nanoseconds(request: &Request, above: u64, to: u64) -> u128 {
    let upto = |own: u64, cap: u64| capped(own, cap, to) - capped(own, cap, above);
    let each = request.algorithms.len() as u128;
    let fraction = |column: &Column| column.kind() == ColumnKind::Exact;
    let exact = |column: &&&'static Column| {
        fraction(column) || column.operands().iter().any(|operand| fraction(operand))
    };
    let exact = request.columns.iter().filter(exact).count() as u128;
    let others = request.columns.len() as u128 - exact;
    let most = u64::try_from(request.precision.exact_limit).unwrap_or(u64::MAX);
    let counted = if counts_rounds(request) {
        (rounds(to) - rounds(above)) >> 12
    } else {
        0
    };
    let fractions = upto(1 << 10, most).saturating_mul(exact * each);
    let loaded = if request.source.is_fair() {
        0
    } else {
        upto(1, u64::MAX).saturating_mul(4000 * each)
    };
    let row = if is_cheap(request) { 100 } else { 1000 };
    let doubles = upto(row, 0).saturating_mul(others * each);
    [counted, fractions, loaded, doubles]
        .into_iter()
        .fold(0, u128::saturating_add)
}
