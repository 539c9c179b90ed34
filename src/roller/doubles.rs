//! The nearest doubles of E(n) for long ranges, each from an enclosure of E(n).
//!
//! **Identity.** Let m be the odd part of n = 2^k m, m > 1. The expansion of 1/m is computed 64
//! binary digits at a time: x_0 = 1 and 2^64 x_s = Q_s m + x_(s+1), where the words Q_s are the
//! digits. With J(Q) the sum of j 2^j over the set bits j of Q, the identity of
//! [`super::numerator`] for 64 flips from the residue x is
//!
//! ```text
//! sum over i < 64 of (2^i x mod m) 2^(64-i) = 64 x 2^64 - m J(floor(2^64 x / m))
//! ```
//!
//! so that S words give
//!
//! ```text
//! E(n) = k + sum over s < S of 2^(-64 s) (64 x_s - m J(Q_s) / 2^64) + rest
//! 0 < rest < 2m / 2^(64 S)
//! ```
//!
//! The bounds of the rest follow from 0 < x_t < m.
//!
//! **Rounding.** Rounding is monotone, so if both ends of the enclosure round to the same double
//! (or decimal), so does the value. Two words leave an interval of width 2^-63 for m < 2^32, which
//! is enough for all but about one n in 2^14; for these n more words are used. Finitely many words
//! are always enough, because a fraction with an odd denominator never lies halfway between two
//! doubles.
//!
//! **Cost.** Two divisions of words for a double, if the odd part of n is below 2^32 (except for
//! the few n that need more words).

use std::ops::RangeInclusive;

use flipcost_number::threads;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::half_open;
use super::numerator::weighted;
use crate::roller::narrow::Narrow;
use flipcost_number::Enclosure;
use flipcost_number::fixed::{Fixed, log2_fixed};
use flipcost_number::reduce::from_words;

/// Splits n = 2^k m into k and the odd m; `None` if m is 2^32 or more, or if n = 0.
#[inline]
pub(super) fn odd_part(n: u64) -> Option<(u32, u64)> {
    let k = n.trailing_zeros();
    let m = n.checked_shr(k)?;
    (m >> 32 == 0).then_some((k, m))
}

/// Returns E(n) of the optimal roller with a coin, in flips, to within 2^-63, for a target n whose
/// odd part is below 2^32; `None` otherwise (or for n = 0). Cost: two divisions of words.
#[inline]
pub fn expected_flips_fixed(n: u64) -> Option<Fixed> {
    let (k, m) = odd_part(n)?;
    let whole = u128::from(k) << 64;
    if m == 1 {
        return Some(Fixed {
            low: whole,
            high: whole,
        });
    }
    let q0 = u64::MAX / m; // equals floor(2^64 / m), as m > 1 is odd
    let x1 = q0.wrapping_mul(m).wrapping_neg();
    // 2^64 x1 / m = q0 x1 + x1^2 / m, and x1 < m < 2^32
    let q1 = q0 * x1 + x1 * x1 / m;
    let first = (64u128 << 64) - u128::from(m) * weighted(q0);
    let second = (u128::from(64 * x1) << 64) - u128::from(m) * weighted(q1);
    let low = whole + first + (second >> 64);
    // The truncated part of `second`, and the rest, are below 2m / 2^64.
    Some(Fixed { low, high: low + 2 })
}

/// Encloses E(n) to within 2^-bits, from (bits + log2 n) / 64 words of the expansion. Cost: a
/// division, and a few products for each word.
pub(crate) fn expected_flips_within(n: u64, bits: u64) -> Option<Enclosure> {
    if bits <= 62 {
        return expected_flips_fixed(n).map(|value| Enclosure {
            low: value.low.into(),
            high: value.high.into(),
            bits: 64,
        });
    }
    let (k, m) = odd_part(n)?;
    let words = (bits + 66 - u64::from(m.leading_zeros())).div_ceil(64); // 2m < 2^(65 - zeros)
    let mut value = vec![0; words as usize + 1];
    fixed_words(m, &mut value);
    value[0] += u64::from(k);
    value.reverse();
    let low = from_words(&value);
    let rest = if m == 1 { 0 } else { 2 * m };
    Some(Enclosure {
        high: (&low + rest).into(),
        low: low.into(),
        bits: 64 * words,
    })
}

/// Encloses E(n) in a [`Narrow`], for further arithmetic.
pub(crate) fn expected_flips_narrow(n: u64) -> Option<Narrow> {
    let Fixed { low, high } = expected_flips_fixed(n)?;
    // E(m) and k are below 2^6, so E(n) is below 2^7, and the shifted bounds are below 2^87.
    Some(Narrow {
        low: (low as i128) << 16,
        high: (high as i128) << 16,
    })
}

/// Returns the double nearest to E(n), in flips, for any n >= 1. Cost: two divisions of words for
/// odd parts below 2^32, except for about one n in 2^14; for such n and for larger odd parts, a few
/// more divisions.
///
/// ```
/// use flipcost::roller::doubles::expected_flips_double;
/// assert_eq!(expected_flips_double(6), 11.0 / 3.0);
/// ```
///
/// # Panics
/// If n = 0.
pub fn expected_flips_double(n: u64) -> f64 {
    assert!(n > 0, "a target has at least 1 side");
    match expected_flips_fixed(n).and_then(Fixed::nearest) {
        Some(value) => value,
        None => double_by_more_words(n),
    }
}

/// Computes the double from as many words as the rounding needs.
fn double_by_more_words(n: u64) -> f64 {
    let k = n.trailing_zeros();
    let m = n >> k;
    if m == 1 {
        return f64::from(k);
    }
    // 2^(64 S) E(m) lies between `low` and low + 2m
    let (mut low, mut x) = (BigUint::zero(), 1u64);
    for words in 1u64.. {
        let product = u128::from(x) << 64;
        let q = (product / u128::from(m)) as u64;
        // m J(q) <= 64 x 2^64 may exceed 128 bits
        let step = (BigUint::from(64 * u128::from(x)) << 64u32) - BigUint::from(weighted(q)) * m;
        low = (low << 64u32) + step;
        x = (product % u128::from(m)) as u64;
        if words < 2 {
            continue;
        }
        let low = &low + (BigUint::from(k) << (64 * words));
        let high = &low + 2 * u128::from(m);
        let shift = low.bits() - 120;
        let (low, high) = (
            (low >> shift).to_u128(),
            (high >> shift).to_u128().map(|high| high + 1),
        );
        let (low, high) = (
            low.expect("120 bits") as f64,
            high.expect("121 bits") as f64,
        );
        if low == high {
            return low * 2f64.powi(shift as i32 - 64 * words as i32);
        }
    }
    unreachable!("the words never end")
}

/// Returns the double nearest to E(n) for every n of the range, in order, on all threads of the
/// pool.
///
/// ```
/// use flipcost::roller::doubles::expected_flips_doubles;
/// assert_eq!(expected_flips_doubles(5..=6), [3.6, 11.0 / 3.0]);
/// ```
///
/// # Panics
/// If the range holds 0.
pub fn expected_flips_doubles(range: RangeInclusive<u64>) -> Vec<f64> {
    let range = half_open(range);
    let length = range.end.saturating_sub(range.start) as usize;
    threads::concat(length, &|part| {
        let numbers = part.map(|i| range.start + i as u64);
        numbers.map(expected_flips_double).collect()
    })
}

/// Writes floor(2^(64 S) E(m)), or a number that is less by up to 2m, as S + 1 words, with the
/// integer part first, for odd m < 2^32.
pub(super) fn fixed_words(m: u64, value: &mut [u64]) {
    value.fill(0);
    if m == 1 {
        return;
    }
    let q0 = u64::MAX / m; // equals floor(2^64 / m), as m > 1 is odd
    let x1 = q0.wrapping_mul(m).wrapping_neg();
    let mut x = 1u64;
    for s in 1..value.len() {
        // 2^64 x / m = q0 x + x1 x / m; the product by q0 / 2^64 is the quotient by m, or one or
        // two less.
        let rest = x1 * x;
        let mut quotient = ((u128::from(rest) * u128::from(q0)) >> 64) as u64;
        let mut next = rest - quotient * m;
        while next >= m {
            (quotient, next) = (quotient + 1, next - m);
        }
        let q = q0 * x + quotient;
        let term = (u128::from(64 * x) << 64) - u128::from(m) * weighted(q);
        let (sum, carry) = value[s].overflowing_add(term as u64);
        value[s] = sum;
        let mut carry = (term >> 64) as u64 + u64::from(carry);
        for word in value[..s].iter_mut().rev() {
            let over;
            (*word, over) = word.overflowing_add(carry);
            if !over {
                break;
            }
            carry = 1;
        }
        x = next;
    }
}

/// Returns the double nearest to k 2^k / n, the expected flips of an algorithm that rejects blocks
/// of k flips, for n <= 2^k. Python's `_randbelow` uses k = the bit length of n; k = ceil(log2 n)
/// is the usual improvement. Cost: one division. For n < 2^53 and k <= 64 both operands are
/// doubles, and IEEE 754 rounds the quotient correctly.
///
/// # Panics
/// If n = 0, n >= 2^53, k > 64 or n > 2^k.
#[inline]
pub(crate) fn rejection_double(n: u64, k: u32) -> f64 {
    assert!(
        0 < n && n < 1 << 53 && k <= 64,
        "1 <= n < 2^53 and k <= 64, not {n} and {k}"
    );
    assert!(
        u128::from(n) <= 1 << k,
        "a block of {k} flips has no {n} outcomes"
    );
    (u128::from(k) << k) as f64 / n as f64
}

/// Returns the toll E(n) - log2 n of the optimal roller with a coin, to within 2^-59; `None` if the
/// odd part of n is 2^32 or more (or n = 0). It is at least 0 and below 2 (Knuth & Yao 1976).
pub fn toll_fixed(n: u64) -> Option<Fixed> {
    let (cost, log) = (expected_flips_fixed(n)?, log2_fixed(n));
    Some(Fixed {
        low: cost.low.saturating_sub(log.high),
        high: cost.high - log.low,
    })
}

/// Returns the n of the range with the largest toll, and this toll; `None` for an empty range. If
/// the enclosures do not separate the tolls of several n, returns the least of these n, and `ties`
/// counts the others.
///
/// Each n is first compared using a lower bound of log2 n from its top 12 bits; the logarithm is
/// computed only for the n whose toll may be the largest. Cost: about two divisions of words per n;
/// bounded memory. Runs on all threads; the result is the same for any number of threads.
///
/// # Panics
/// If the range holds 0 or numbers above 2^32.
pub fn largest_toll(range: RangeInclusive<u64>) -> Option<TollMaximum> {
    let range = half_open(range);
    assert!(
        range.is_empty() || (range.start > 0 && range.end <= 1 << 32),
        "targets 1 to 2^32 - 1"
    );
    let logs: Vec<u128> = (0..1 << 12)
        .map(|top| if top == 0 { 0 } else { log2_fixed(top).low })
        .collect();
    let below = |n: u64| {
        let shift = (64 - n.leading_zeros()).saturating_sub(12);
        logs[(n >> shift) as usize] + (u128::from(shift) << 64)
    };
    let starts: Vec<u64> = range.clone().step_by(1 << 18).collect();
    let blocks = threads::map_of(&starts, &|&start| {
        let mut best: Vec<(u64, Fixed)> = Vec::new();
        let mut bar = 0u128;
        for n in start..range.end.min(start + (1 << 18)) {
            let cost = expected_flips_fixed(n).expect("n < 2^32");
            if cost.high - below(n) < bar {
                continue;
            }
            add_candidate(&mut best, n, toll_fixed(n).expect("n < 2^32"));
            bar = best[0].1.low;
        }
        best
    });
    let mut best = Vec::new();
    for (n, toll) in blocks.into_iter().flatten() {
        add_candidate(&mut best, n, toll);
    }
    let &(n, toll) = best.first()?;
    Some(TollMaximum {
        n,
        toll,
        ties: best.len() - 1,
    })
}

/// The result of [`largest_toll`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TollMaximum {
    /// The n with the largest toll.
    pub n: u64,
    /// The toll of that n, in flips.
    pub toll: Fixed,
    /// The number of other n whose toll may be as large.
    pub ties: usize,
}

/// Adds a candidate, and drops all candidates that are certainly below the best lower bound; the
/// candidate with this bound comes first.
fn add_candidate(best: &mut Vec<(u64, Fixed)>, n: u64, toll: Fixed) {
    let bar = best.first().map_or(0, |b| b.1.low);
    if toll.high < bar {
        return;
    }
    if toll.low > bar || best.is_empty() {
        best.insert(0, (n, toll));
        best.retain(|b| b.1.high >= toll.low);
    } else {
        best.push((n, toll));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roller::numerator::expected_flips;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    /// Checks whether the double is at least as near as both its neighbours, by exact comparison.
    fn is_nearest(value: f64, exact: &BigRational) -> bool {
        let distance = |x: f64| {
            let d = BigRational::from_float(x).unwrap() - exact;
            if d < BigRational::zero() { -d } else { d }
        };
        distance(value) <= distance(value.next_up())
            && distance(value) <= distance(value.next_down())
    }

    #[test]
    fn the_nearest_doubles_of_small_targets() {
        for (n, value) in (1..3000).zip(expected_flips_doubles(1..=2999)) {
            let exact = expected_flips(n);
            assert!(is_nearest(value, &exact), "n = {n}");
            assert_eq!(double_by_more_words(n), value, "n = {n}");
            for bits in [0, 62, 63, 130, 700] {
                let near = expected_flips_within(n, bits).unwrap();
                assert!(
                    near.is_within(bits) && near.contains(&exact),
                    "n = {n}, {bits}"
                );
            }
            let fixed = expected_flips_fixed(n).unwrap();
            let scaled = exact * BigRational::from_integer(BigInt::from(1u128 << 64));
            assert!(
                BigRational::from_integer(fixed.low.into()) <= scaled,
                "n = {n}"
            );
            assert!(
                scaled <= BigRational::from_integer(fixed.high.into()),
                "n = {n}"
            );
        }
    }

    /// The decimals of data/reference determine the doubles by their first 18 significant digits.
    #[test]
    fn reference_decimals() {
        let text = include_str!("../../data/reference/expected_flips_50_decimals.txt");
        for line in text.lines() {
            let (n, decimals) = line.split_once(' ').unwrap();
            assert_eq!(
                expected_flips_double(n.parse().unwrap()),
                decimals.parse::<f64>().unwrap(),
                "n = {n}"
            );
        }
    }

    #[test]
    fn rejection_is_rounded_correctly() {
        for n in 1..3000u64 {
            let k = n.ilog2() + 1;
            let exact = BigRational::new(BigInt::from(k) << k, n.into());
            assert!(is_nearest(rejection_double(n, k), &exact), "n = {n}");
        }
        assert_eq!(rejection_double(1, 1), 2.0);
    }

    #[test]
    fn the_largest_toll_by_comparing_all() {
        for range in [1..=1, 1..=99, 1000..=4999, 1..=299_999] {
            let found = largest_toll(range.clone()).unwrap();
            let best = range
                .clone()
                .max_by_key(|&n| (toll_fixed(n).unwrap().low, std::cmp::Reverse(n)))
                .unwrap();
            assert_eq!((found.n, found.toll), (best, toll_fixed(best).unwrap()));
            let reach = range
                .filter(|&n| toll_fixed(n).unwrap().high >= found.toll.low)
                .count();
            assert_eq!(found.ties, reach - 1);
        }
        let (first, last) = (5, 4);
        assert_eq!(largest_toll(first..=last), None);
    }

    proptest! {
        #[test]
        fn two_words_or_more(n in 1u64 << 40..) {
            prop_assert_eq!(expected_flips_double(n >> 40), double_by_more_words(n >> 40));
            prop_assert_eq!(expected_flips_double(n >> 31), double_by_more_words(n >> 31));
            let value = expected_flips_double(n);
            let whole = f64::from(n.ilog2()); // log2 n <= E(n) < log2 n + 2
            prop_assert!(value >= whole && value <= whole + 3.0);
        }
    }
}
