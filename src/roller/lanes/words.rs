//! Counts the set bits of periods with plain 64-bit words, several periods in parallel.

use flipcost_number::factor::inverse_of_odd;

/// The number of periods in parallel: enough to hide the latency of two dependent products.
pub(crate) const WIDTH: usize = 6;

/// Counts the set bits in the first `words` words of -start/n; returns the counts and the states c
/// after these words.
pub(super) fn streams(
    n: [u64; WIDTH],
    start: [u64; WIDTH],
    words: u64,
) -> ([u64; WIDTH], [u64; WIDTH]) {
    count_in_streams(n, start, words)
}

/// Counts the set bits among the low `bits` bits of -c/n.
pub(super) fn count_bits(n: u64, c: u64, bits: u64) -> u64 {
    count_in_one(n, c, bits)
}

/// As [`streams`], with instructions (POPCNT and BMI2) that processors have had since 2013.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi2")]
pub(super) fn streams_by_popcnt(
    n: [u64; WIDTH],
    start: [u64; WIDTH],
    words: u64,
) -> ([u64; WIDTH], [u64; WIDTH]) {
    count_in_streams(n, start, words)
}

/// As [`count_bits`], with instructions (POPCNT and BMI2) that processors have had since 2013.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi2")]
pub(super) fn one_by_popcnt(n: u64, c: u64, bits: u64) -> u64 {
    count_in_one(n, c, bits)
}

#[inline(always)]
fn count_in_streams(
    n: [u64; WIDTH],
    start: [u64; WIDTH],
    words: u64,
) -> ([u64; WIDTH], [u64; WIDTH]) {
    let factor = n.map(|n| inverse_of_odd(n).wrapping_neg());
    let (mut c, mut ones) = (start, [0; WIDTH]);
    for _ in 0..words {
        for i in 0..WIDTH {
            let q = c[i].wrapping_mul(factor[i]);
            ones[i] += u64::from(q.count_ones());
            c[i] = ((u128::from(q) * u128::from(n[i])) >> 64) as u64 + 1;
        }
    }
    (ones, c)
}

#[inline(always)]
fn count_in_one(n: u64, mut c: u64, bits: u64) -> u64 {
    assert!(n % 2 == 1, "the low end of 1/n needs an odd n, not {n}");
    let factor = inverse_of_odd(n).wrapping_neg();
    let mut ones = 0;
    for _ in 0..bits / 64 {
        let q = c.wrapping_mul(factor);
        ones += u64::from(q.count_ones());
        c = ((u128::from(q) * u128::from(n)) >> 64) as u64 + 1;
    }
    let rest = c.wrapping_mul(factor) & ((1 << (bits % 64)) - 1);
    ones + u64::from(rest.count_ones())
}
