//! Estimates the cost of the rows of a request; the estimates determine the sizes of chunks and of
//! work units.
//!
//! The estimates are computed in whole numbers, so they are the same on every machine. They only
//! decide which thread computes which n; the output does not depend on them.

use crate::algorithms::{Algorithm, FAST_DICE_ROLLER, INTERVAL, Quantity};
use crate::roller::rounds::RoundsTable;
use crate::table::columns::{EXPECTED, EXPECTED_EXACT, VARIANCE, VARIANCE_EXACT};
use crate::table::{Column, ColumnKind, Request};
use crate::task::Source;

/// The maximum number of n in a chunk of tabulated rounds; within a chunk, flips of periods of
/// similar length are counted in parallel.
const ROUNDS_CHUNK: u64 = 1 << 20;
/// The approximate least number of chunks of tabulated rounds; with several chunks, the first rows
/// are written while others are computed.
const ROUNDS_CHUNKS: u64 = 8;
/// The number of n in a chunk if every n is counted alone.
const COUNTED_CHUNK: u64 = 64;
/// The maximum number of n in a chunk of rounds of large n, whose periods are counted in parallel.
const MAX_CHUNK: u64 = 1 << 16;
/// The maximum number of flips in a chunk of large n; counting them takes some seconds.
const COUNTED_FLIPS: u64 = 1 << 42;
/// The least n for which computing the rounds is estimated to take as long as counting sqrt(2^26 n)
/// flips.
const ROOTS_FROM: u64 = 1 << 26;
/// The number of n in a chunk if every n has a separate law.
const LAW_CHUNK: u64 = 256;
/// The number of n in a chunk of exact fractions with a coin, whose denominators have common
/// factors.
const EXACT_CHUNK: u64 = 8192;
/// The approximate maximum number of bytes of text for which all exact fractions form one chunk.
const EXACT_BYTES: u64 = 1 << 25;
/// The number of n in a chunk of sieved columns.
const CHEAP_CHUNK: u64 = 1 << 16;
/// The number of n in a chunk of columns computed in words, each n alone.
const ALONE_CHUNK: u64 = 1 << 13;
/// The maximum number of bytes in the text of a chunk of [`ALONE_CHUNK`] n: the allocator reuses
/// blocks up to this size, but maps larger blocks again each time.
const ALONE_BYTES: u64 = 1 << 17;
/// The approximate maximum number of bytes in the text of a chunk.
const CHUNK_BYTES: u64 = 1 << 22;
/// The maximum number of bytes of a chunk of rounds; only a few of these chunks are in progress at
/// a time.
const ROUNDS_BYTES: u64 = 1 << 25;

/// An approximate upper bound of the number of bytes of a row.
fn row_bytes(request: &Request, last: u64) -> u64 {
    let bytes = |column: &&Column| match column.kind() {
        ColumnKind::Exact => {
            let bits = request.precision.exact_limit.min(u128::from(last)) as u64;
            bits / 3 * 2 + 16 // two numbers, with at least 3 bits for a digit
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

/// Checks whether a column is computed by a sieve or in machine words.
fn is_cheap_column(request: &Request, column: &Column) -> bool {
    column.is_key()
        || column.quantity().is_some()
        || column == EXPECTED && request.source == Source::COIN
        || request.precision.digits.is_none() && column.is_narrow()
}

fn is_cheap(request: &Request) -> bool {
    let fast =
        |algorithm: &&'static dyn Algorithm| algorithm.about().id == FAST_DICE_ROLLER.about().id;
    request.algorithms.iter().all(fast)
        && (request.columns.iter()).all(|column| is_cheap_column(request, column))
}

/// The number of consecutive n to compute together.
pub fn chunk(request: &Request, last: u64) -> u64 {
    let words = request.source == Source::COIN;
    let cheap = |column: &Column| is_cheap_column(request, column);
    let exact = |column: &&Column| cheap(column) || *column == EXPECTED_EXACT && words;
    let offered = |column: &&Column| column.quantity().is_some();
    let tabled = request.source == Source::COIN && last <= RoundsTable::MAX_LIMIT;
    let (most, bytes) = if !request.columns.iter().all(exact) {
        (LAW_CHUNK, CHUNK_BYTES)
    } else if request.columns.contains(&EXPECTED_EXACT) {
        // On average the numerator and the denominator for n have n / 12 bits each, so the text of
        // a row is a sixth of the estimate of `row_bytes`; averaged over all n up to `last`, it is
        // a twelfth of the estimate for `last`.
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
            (COUNTED_FLIPS / flips_of_equal_time(last)).clamp(COUNTED_CHUNK, MAX_CHUNK),
            CHUNK_BYTES,
        )
    } else {
        (COUNTED_CHUNK, CHUNK_BYTES)
    };
    most.min(bytes / row_bytes(request, last).max(1)).max(1)
}

/// The number of consecutive n to write together if all n are one chunk: their text has about 128
/// kB if the fractions have average length.
pub fn part(request: &Request, last: u64) -> u64 {
    let fraction = request.columns.contains(&EXPECTED_EXACT);
    let bytes = row_bytes(request, last) / if fraction { 12 } else { 1 };
    (ALONE_BYTES / bytes.max(1)).clamp(1, ALONE_CHUNK)
}

/// The number of flips whose counting takes as long as computing the rounds of n.
fn flips_of_equal_time(n: u64) -> u64 {
    match n {
        0..=ROOTS_FROM => n,
        _ => ROOTS_FROM.isqrt() * n.isqrt(),
    }
}

/// The sum of `own + min(i, cap)` over i = 1, ..., n: at most 2^84 + 2^127, below 2^128.
fn capped_sum(own: u64, cap: u64, n: u64) -> u128 {
    let (own, cap, n) = (u128::from(own), u128::from(cap), u128::from(n));
    let low = n.min(cap);
    own * n + low * (low + 1) / 2 + cap * (n - low)
}

/// The sum of `min(i, cap)^(3/2)` over i = 1, ..., n, approximated by an integral; at most 2^128.
fn capped_sum_of_powers(cap: u64, n: u64) -> u128 {
    let power = |i: u64| u128::from(i) * u128::from(i.isqrt());
    let low = n.min(cap);
    let sum = power(low).saturating_mul(u128::from(low)) / 5 * 2;
    sum.saturating_add(power(cap).saturating_mul(u128::from(n - low)))
}

/// The sum of 2^19 and the number of flips whose counting takes as long as the rounds of i, over
/// i = 1, ..., n. These flips are `flips_of_equal_time(i)` or, where a table helps, half as many. A
/// sum of square roots is approximated by 2/3 n sqrt(n).
fn flips_of_rounds(n: u64) -> u128 {
    let roots = |n: u64| u128::from(flips_of_equal_time(n)) * u128::from(n) * 2 / 3;
    let far = roots(n.max(ROOTS_FROM)) - roots(ROOTS_FROM);
    capped_sum(1 << 19, 0, n) + capped_sum(0, u64::MAX, n.min(ROOTS_FROM)) / 2 + far
}

/// Estimates the time in nanoseconds, on one core, for the targets above `above` up to `to`, from
/// measurements.
///
/// | columns | nanoseconds for n |
/// |---|---|
/// | `cycle_rounds` | 2^7 + n / 2^13, beyond 2^26 2^7 + 2 sqrt(n), once: 0.2 s to 10^6, 7 s to 10^7, 12 hours to 10^9 |
/// | an exact fraction | 2^10 + n, for each row: 0.24 s to 20,000; 16 times as much for the fast dice roller from another source than a coin |
/// | an exact variance of the fast dice roller | n sqrt(n) / 2 more, for each row: 11 s to 20,000; from another source 4 times as much |
/// | doubles and counts by words | 100, for each row |
/// | values from a law | 1000, for each row; from a loaded source 4000 n for each algorithm, 16,000 n for the interval algorithm, and 160,000 n for it with a variance |
pub fn nanoseconds(request: &Request, above: u64, to: u64) -> u128 {
    let upto = |own: u64, cap: u64| capped_sum(own, cap, to) - capped_sum(own, cap, above);
    let each = request.algorithms.len() as u128;
    let fraction = |column: &Column| column.kind() == ColumnKind::Exact;
    let exact = |column: &&&'static Column| {
        fraction(column) || column.operands().iter().any(|operand| fraction(operand))
    };
    let exact = request.columns.iter().filter(exact).count() as u128;
    let others = request.columns.len() as u128 - exact;
    let most = u64::try_from(request.precision.exact_limit).unwrap_or(u64::MAX);
    let counted = if counts_rounds(request) {
        (flips_of_rounds(to) - flips_of_rounds(above)) >> 12
    } else {
        0
    };
    let roller =
        |algorithm: &&&'static dyn Algorithm| algorithm.about().id == FAST_DICE_ROLLER.about().id;
    let rolled = request.algorithms.iter().filter(roller).count() as u128;
    let is_coin = request.source == Source::COIN;
    let exact_by_roller = if is_coin { exact } else { 16 * exact };
    let fractions =
        upto(1 << 10, most).saturating_mul(exact * (each - rolled) + exact_by_roller * rolled);
    let variances = if request.columns.contains(&VARIANCE_EXACT) {
        let all = capped_sum_of_powers(most, to) - capped_sum_of_powers(most, above);
        all.saturating_mul(rolled * if is_coin { 1 } else { 4 }) / 2
    } else {
        0
    };
    let loaded = if request.source.is_fair() {
        0
    } else {
        let is_interval =
            |algorithm: &&&'static dyn Algorithm| algorithm.about().id == INTERVAL.about().id;
        let intervals = request.algorithms.iter().filter(is_interval).count() as u128;
        let has_variance = [VARIANCE, VARIANCE_EXACT]
            .iter()
            .any(|column| request.columns.contains(column));
        let of_interval = if has_variance { 160_000 } else { 16_000 };
        upto(1, u64::MAX).saturating_mul(4000 * (each - intervals) + of_interval * intervals)
    };
    let row = if is_cheap(request) { 100 } else { 1000 };
    let doubles = upto(row, 0).saturating_mul(others * each);
    [counted, fractions, variances, loaded, doubles]
        .into_iter()
        .fold(0, u128::saturating_add)
}
