//! Numbers between two multiples of 2^-64: narrow enclosures in two machine words.

/// 2^-64, exactly.
const UNIT: f64 = 1.0 / 18_446_744_073_709_551_616.0;

/// A value v of which only low <= 2^64 v <= high is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixed {
    /// The lower end, in units of 2^-64.
    pub low: u128,
    /// The upper end, in units of 2^-64.
    pub high: u128,
}

impl Fixed {
    /// The nearest double of v, if the enclosure decides it.
    pub fn nearest(self) -> Option<f64> {
        let (low, high) = (self.low as f64, self.high as f64);
        (low == high).then_some(low * UNIT)
    }
}

/// log2 n, in bits, for n >= 1, to within 2^-60. 62 squarings of words.
///
/// x = n / 2^floor(log2 n) in [1, 2) is squared again and again; whenever it reaches 2 it is halved
/// and that binary digit of the logarithm is 1. Squares are cut off to 63 binary places: after j
/// squarings a cut lowers the logarithm by less than 2^-j log2(1 + 2^-63), all cuts together by
/// less than 2^-61.4, and the digits never looked at by 2^-62.
///
/// # Panics
/// If n = 0.
pub fn log2_fixed(n: u64) -> Fixed {
    let whole = n.ilog2();
    let mut low = u128::from(whole) << 64;
    if n.is_power_of_two() {
        return Fixed { low, high: low };
    }
    let mut x = n << n.leading_zeros(); // in units of 2^-63
    for digit in 1..=62 {
        let square = u128::from(x) * u128::from(x); // in units of 2^-126, below 2^128
        if square >> 127 == 1 {
            low += 1 << (64 - digit);
            x = (square >> 64) as u64;
        } else {
            x = (square >> 63) as u64;
        }
    }
    Fixed {
        low,
        high: low + 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// log2 n is above a/b iff n^b > 2^a: exact.
    #[test]
    fn logarithms_by_powers() {
        for n in (2..200).chain([1000, 65_537, u64::MAX, (1 << 63) + 1]) {
            let Fixed { low, high } = log2_fixed(n);
            assert!(high - low <= 16);
            // the first 12 places: n^4096 against 2^(ends)
            let power = BigUint::from(n).pow(4096);
            let (low, high) = ((low >> 52) as u64, (high >> 52) as u64 + 1);
            assert!(
                BigUint::from(1u32) << low <= power && power <= BigUint::from(1u32) << high,
                "n = {n}"
            );
        }
        // log2(n^2) = 2 log2 n: two independent runs must meet
        for n in (3..4_000_000_000u64).step_by(49_999_999) {
            let (one, two) = (log2_fixed(n), log2_fixed(n * n));
            assert!(
                2 * one.low <= two.high && two.low <= 2 * one.high,
                "n = {n}"
            );
        }
    }
}
