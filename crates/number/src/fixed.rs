//! Fast enclosures in two machine words: a number is bounded by two multiples of 2^-64.

use std::sync::LazyLock;

/// 2^-64, exactly.
const UNIT: f64 = 1.0 / 18_446_744_073_709_551_616.0;

/// An enclosure of a value v: low <= 2^64 v <= high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixed {
    /// The lower end, in units of 2^-64.
    pub low: u128,
    /// The upper end, in units of 2^-64.
    pub high: u128,
}

impl Fixed {
    /// Returns the double nearest to v, if all values in the enclosure have the same nearest
    /// double.
    pub fn nearest(self) -> Option<f64> {
        let (low, high) = (self.low as f64, self.high as f64);
        (low == high).then_some(low * UNIT)
    }
}

/// Encloses log2 n, in bits, for n >= 1; the width is at most 2^-63. Cost: a division and a few
/// products of words.
///
/// Let x = n / 2^floor(log2 n), which is in [1, 2), and let c be x rounded down to 7 binary places.
/// With z = (x - c) / (x + c) < 2^-8,
///
/// ```text
/// log2 x = log2 c + 2/ln 2 (z + z^3/3 + z^5/5 + z^7/7 + ...)
/// ```
///
/// computed in units of 2^-71. The omitted terms add up to less than a unit. The errors of z, of
/// its powers and of the sum are together below 3 units, and times 2/ln 2 below 10; the error of
/// log2 c is below 1.
///
/// # Panics
/// If n = 0.
pub fn log2_fixed(n: u64) -> Fixed {
    let whole = u128::from(n.ilog2()) << 64;
    if n.is_power_of_two() {
        return Fixed {
            low: whole,
            high: whole,
        };
    }
    let x = n << n.leading_zeros(); // in units of 2^-63
    let step = (x >> 56) - LOG_TABLE_STEPS;
    let c = (LOG_TABLE_STEPS + step) << 56;
    // The sum x + c is halved, so that it fits in a word: this causes an error of z 2^-63.
    let half = (x >> 1) + (c >> 1);
    let z = ((u128::from(x - c) << 70) / u128::from(half)) as u64;
    let square = high_word(z, z) >> 14; // from units of 2^-78
    let series = high_word(
        square,
        THIRD + high_word(square, FIFTH + high_word(square, SEVENTH)),
    );
    let sum = z + high_word(z, series);
    let part = (u128::from(sum) * u128::from(TWO_OVER_LN_2)) >> 62;
    let low = whole + ((LOG_TABLE[step as usize] + part).saturating_sub(12) >> 7);
    Fixed { low, high: low + 2 }
}

/// Returns two bounds of log2 n, in bits, for n >= 1: integers in units of 2^-places; the upper
/// bound is 2 units above the lower. There may be at most 120 places. Cost: one squaring per place.
///
/// # Panics
/// If n = 0.
pub(crate) fn log2_places(n: u64, places: u32) -> (u128, u128) {
    let whole = u128::from(n.ilog2()) << places;
    if n.is_power_of_two() {
        (whole, whole)
    } else {
        let low = whole + log2_by_squaring(n << n.leading_zeros(), places);
        (low, low + 2)
    }
}

/// The number of steps from 1 to 2 in the table of logarithms; each step is 1/128.
const LOG_TABLE_STEPS: u64 = 1 << 7;
/// 2/ln 2, in units of 2^-62.
const TWO_OVER_LN_2: u64 = 0xb8aa_3b29_5c17_f0bb;
/// A third of 1, in units of 2^-64.
const THIRD: u64 = u64::MAX / 3;
const FIFTH: u64 = u64::MAX / 5;
const SEVENTH: u64 = u64::MAX / 7;

/// The upper word of a product.
fn high_word(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// log2 (1 + i / 128), rounded down, in units of 2^-71, for each i.
static LOG_TABLE: LazyLock<[u128; LOG_TABLE_STEPS as usize]> = LazyLock::new(|| {
    std::array::from_fn(|i| log2_by_squaring((LOG_TABLE_STEPS + i as u64) << 56, 71))
});

/// Returns log2 x in units of 2^-places, rounded down or one unit less, for 1 <= x < 2, given in
/// units of 2^-63. There may be at most 120 places.
///
/// Method: x is squared again and again; whenever it reaches 2 it is halved, and that binary digit
/// of the logarithm is 1. Squares are truncated to 127 binary places, by less than 4 units. The
/// truncation after j squarings lowers the logarithm by less than 2^-j log2(1 + 2^-125); all of
/// them together lower it by less than 2^-124.
fn log2_by_squaring(x: u64, places: u32) -> u128 {
    let mut x = u128::from(x) << 64;
    (0..places).fold(0, |log, _| {
        let (top, rest) = (x >> 64, x & u128::from(u64::MAX));
        // In units of 2^-126; the square of the low part is dropped.
        let square = top * top + ((top * rest) >> 63);
        let digit = square >> 127;
        x = if digit == 1 { square } else { square << 1 };
        log << 1 | digit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// Exact test: log2 n is above a/b if and only if n^b > 2^a.
    #[test]
    fn logarithms_agree_with_powers() {
        for n in (2..200).chain([1000, 65_537, u64::MAX, (1 << 63) + 1]) {
            let Fixed { low, high } = log2_fixed(n);
            assert!(high - low <= 2);
            // The first 12 places: n^4096 compared with 2^(ends).
            let power = BigUint::from(n).pow(4096);
            let (low, high) = ((low >> 52) as u64, (high >> 52) as u64 + 1);
            assert!(
                BigUint::from(1u32) << low <= power && power <= BigUint::from(1u32) << high,
                "n = {n}"
            );
        }
        // Compare with the digit-by-digit method, on both sides of each step of the table and in
        // between.
        for n in (1..1u64 << 63)
            .step_by((1 << 44) - 1)
            .take(1 << 18)
            .chain((128..256u64).flat_map(|top| [0, 1].map(|less| (top << 50) + 1 - 2 * less)))
        {
            let Fixed { low, high } = log2_fixed(n);
            let (least, most) = log2_places(n, 72);
            assert!(low << 8 <= most && least <= high << 8, "n = {n}");
        }
        // log2(n^2) = 2 log2 n: two independent computations must agree.
        for n in (3..4_000_000_000u64).step_by(49_999_999) {
            let (one, two) = (log2_fixed(n), log2_fixed(n * n));
            assert!(
                2 * one.low <= two.high && two.low <= 2 * one.high,
                "n = {n}"
            );
        }
    }
}
