//! The least and the greatest toll of the fast dice roller with a coin over a range of n of any
//! length. For a short range, the toll of every n is computed; for a long range, bounds of the
//! tolls are computed.
//!
//! **Identity.** With the binary digits b_1 b_2 ... of x = 1/n and nu(x) the sum of k b_k / 2^k,
//! E(n) = n nu(1/n) (Knuth & Yao 1976: each outcome has a leaf at depth k for each digit b_k = 1 of
//! its probability). So the toll is
//!
//! ```text
//! E(n) - log2 n = G(1/n),    G(x) = nu(x) / x + log2 x,    G(2x) = G(x)
//! ```
//!
//! as nu(x) = 2 nu(x/2) - x. So the toll depends only on u = 2^k / n, 1/2 < u <= 1.
//!
//! **Branch and bound.** The u that begin with the j digits p lie in [p, p+1] / 2^j. Their later
//! digits add to nu at most the sum of k / 2^k over k > j, which is (j + 2) / 2^j. This bounds G on
//! the u that have this prefix and lie in the range. The search splits the prefix with the widest
//! bound by its next digit, until that bound is within 2^-12 of a value that is certain to occur
//! for some prefix. The bounds hold for all real u of the range, so they hold for its n.
//!
//! **One by one.** The value of each n is enclosed to within about 2^-59. The n whose values are
//! not certainly exceeded by that of another n are compared exactly. Two numbers n and m have the
//! same toll only if n/m is a power of 2, since n/m = 2^(E(n) - E(m)) then; the smaller one is
//! named. A toll is irrational or 0, and E(n) has an odd denominator: neither lies halfway between
//! two doubles.
//!
//! **Whole octaves** need no search: 2^k has the toll 0, which is the least, and of 2^k <= n <
//! 2^(k+1) the largest toll is that of 2^k + 1 (see [`super::toll`]).

use flipcost::prelude::*;
use flipcost::roller::numerator::weighted;
use flipcost_number::Real;
use flipcost_number::fixed::log2_fixed;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// In ranges of up to this many n, the value of every n is computed.
pub const MAX_SCANNED: u64 = 10_000;

/// The largest supported n.
pub const MAX_N: u64 = 1 << 62;

/// The number 1: values are in units of 2^-64.
const FIXED_ONE: i128 = 1 << 64;

/// The search stops when the upper bound exceeds a certain value by at most this.
const BOUND_TOLERANCE: i128 = FIXED_ONE >> 12;

/// The search stops after splitting off this many prefixes.
const MAX_PREFIXES: usize = 4000;

/// The least or the greatest value over a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The nearest double if every n was computed; otherwise a multiple of 2^-48 that bounds the
    /// values of all n of the range: from below in `least`, from above in `greatest`.
    pub value: f64,
    /// The n with this value; for a bound, an n whose value is within 2^-47 of the bound, if one is
    /// known.
    pub n: Option<u64>,
}

/// The least and the greatest value over a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TollRange {
    /// The least.
    pub least: Extreme,
    /// The greatest.
    pub greatest: Extreme,
    /// Whether every n was computed.
    pub scanned: bool,
}

/// The quantity that is bounded: the expected flips minus this baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TollBase {
    /// The entropy log2 n: the difference is the toll.
    Entropy,
    /// Zero: the difference is the expected flips themselves.
    Zero,
}

/// A lower and an upper bound, in units of 2^-64.
#[derive(Clone, Copy, Debug)]
pub(super) struct FixedBounds {
    pub low: i128,
    pub high: i128,
}

/// Encloses G over the u in [lo, hi] / 2^64 that begin with the first `digits` digits of `begin` /
/// 2^64; at least one such u must exist. Requires 2^63 <= lo <= hi <= 2^64.
pub(super) fn enclose_prefix(begin: u64, digits: u32, lo: u128, hi: u128) -> FixedBounds {
    let end = u128::from(begin) + (1 << (64 - digits));
    let (lo, hi) = (lo.max(begin.into()), hi.min(end));
    // sum of k b_k / 2^k = 64 u - sum of (64 - k) b_k / 2^k, in units of 2^-64
    let nu = 64 * u128::from(begin) - weighted(begin);
    let more = u128::from(digits + 2) << (64 - digits);
    let log2 = |u: u128| match u64::try_from(u) {
        Ok(u) => log2_fixed(u),
        Err(_) => flipcost_number::fixed::Fixed {
            low: 64 << 64,
            high: 64 << 64,
        },
    };
    // nu is at most 2, so a shift by 62 bits has room.
    let low = (nu << 62) / hi.div_ceil(4);
    let high = ((nu + more) << 62).div_ceil(lo / 4);
    FixedBounds {
        low: low as i128 + log2(lo).low as i128 - 64 * FIXED_ONE,
        high: high as i128 + log2(hi).high as i128 - 64 * FIXED_ONE,
    }
}

/// Bounds of the toll of n.
fn toll_bounds(n: u64) -> FixedBounds {
    if n.is_power_of_two() {
        return FixedBounds { low: 0, high: 0 };
    }
    let u = (1u128 << (64 + n.ilog2())) / u128::from(n);
    let found = enclose_prefix(u as u64, 64, u, u + 1);
    FixedBounds {
        low: found.low.max(0),
        high: found.high.min(2 * FIXED_ONE),
    }
}

/// A prefix of binary digits, which stands for all u that begin with it, and a bound of their
/// values: the search splits the prefix with the largest bound next.
struct DigitPrefix {
    begin: u64,
    digits: u32,
    /// An upper bound of the values `sign` G of these u (see [`search_bound`]).
    upper_bound: i128,
}

impl PartialEq for DigitPrefix {
    fn eq(&self, other: &DigitPrefix) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for DigitPrefix {}

impl PartialOrd for DigitPrefix {
    fn partial_cmp(&self, other: &DigitPrefix) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DigitPrefix {
    fn cmp(&self, other: &DigitPrefix) -> Ordering {
        (self.upper_bound, self.begin, self.digits).cmp(&(
            other.upper_bound,
            other.begin,
            other.digits,
        ))
    }
}

/// Returns an upper bound of `sign` G over the u in [lo, hi] / 2^64; `sign` is 1 or -1.
fn search_bound(lo: u128, hi: u128, sign: i128) -> i128 {
    let look = |begin, digits| {
        let found = enclose_prefix(begin, digits, lo, hi);
        if sign > 0 {
            (found.high, found.low)
        } else {
            (-found.low, -found.high)
        }
    };
    let (upper_bound, mut certain) = look(1 << 63, 1);
    let mut parts = BinaryHeap::from([DigitPrefix {
        begin: 1 << 63,
        digits: 1,
        upper_bound,
    }]);
    let mut looked = 1;
    while let Some(part) = parts.pop() {
        let done = part.upper_bound - certain <= BOUND_TOLERANCE || looked >= MAX_PREFIXES;
        if done || part.digits == 64 {
            return part.upper_bound;
        }
        let digits = part.digits + 1;
        let half = 1u64 << (64 - digits);
        for begin in [part.begin, part.begin + half] {
            let (first, last) = (u128::from(begin), u128::from(begin) + u128::from(half));
            // Both ends count: the end of a part is the beginning of the next part.
            if last < lo || first > hi {
                continue;
            }
            let (upper_bound, sure) = look(begin, digits);
            // Take the smaller bound: what bounds all u of a prefix also bounds those of a longer
            // prefix.
            let upper_bound = upper_bound.min(part.upper_bound);
            certain = certain.max(sure);
            looked += 1;
            parts.push(DigitPrefix {
                begin,
                digits,
                upper_bound,
            });
        }
    }
    unreachable!("one of the halves meets the range")
}

/// Returns the larger of two values; of equal values, the first that has an n.
fn larger_value(a: (i128, Option<u64>), b: (i128, Option<u64>)) -> (i128, Option<u64>) {
    let named = b.0 == a.0 && a.1.is_none();
    if b.0 > a.0 || named { b } else { a }
}

/// Returns the least and the greatest toll, or cost, of the n in `range`.
///
/// Cost: for up to [`MAX_SCANNED`] n, one or two logarithms each; for a longer range, up to some
/// thousand steps for each of the two octaves (from one power of 2 to the next) that it covers only
/// in part.
///
/// ```
/// use flipcost_toll::extremes::{TollBase, toll_extremes};
/// let octave = toll_extremes(1024..=2047, TollBase::Entropy);
/// assert_eq!((octave.least.value, octave.least.n, octave.greatest.n), (0.0, Some(1024), Some(1025)));
/// ```
///
/// # Panics
/// If the range is empty, contains 0, or goes beyond [`MAX_N`].
pub fn toll_extremes(range: RangeInclusive<u64>, above: TollBase) -> TollRange {
    let (from, to) = (*range.start(), *range.end());
    assert!(0 < from && from <= to && to <= MAX_N, "a range of targets");
    if to - from < MAX_SCANNED {
        let [least, greatest] = scan_range(range, above);
        return TollRange {
            least,
            greatest,
            scanned: true,
        };
    }
    let none = (i128::MIN, None);
    let (least, greatest) =
        (from.ilog2()..=to.ilog2()).fold((none, none), |(least, greatest), k| {
            let (first, last) = (from.max(1 << k), to.min((1 << (k + 1)) - 1));
            let (mut low, mut high) = octave_bounds(k, first, last);
            if above == TollBase::Zero {
                low.0 -= log2_fixed(first).low as i128;
                high.0 += log2_fixed(last).high as i128;
                low.1 = low.1.filter(|n| *n == first);
                high.1 = None;
            }
            (larger_value(least, low), larger_value(greatest, high))
        });
    let extreme = |(value, n): (i128, Option<u64>), sign: f64| Extreme {
        value: sign * round_up(value) + 0.0, // and not -0
        n,
    };
    TollRange {
        least: extreme(least, -1.0),
        greatest: extreme(greatest, 1.0),
        scanned: false,
    }
}

/// Returns the least and the greatest of the values of all n.
fn scan_range(range: RangeInclusive<u64>, above: TollBase) -> [Extreme; 2] {
    // Two entries, one for the negated values and one for the values: the largest lower bound so
    // far, and the n whose upper bound reaches it.
    let mut open = [(); 2].map(|()| (i128::MIN, Vec::new()));
    for n in range {
        let mut found = toll_bounds(n);
        if above == TollBase::Zero {
            let log = log2_fixed(n);
            found.low += log.low as i128;
            found.high += log.high as i128;
        }
        let ends = [(-found.high, -found.low), (found.low, found.high)];
        for ((certain, open), (low, high)) in open.iter_mut().zip(ends) {
            if high >= *certain {
                *certain = low.max(*certain);
                open.push((n, high));
            }
        }
    }
    let mut order = Ordering::Less;
    open.map(|(certain, mut open)| {
        open.retain(|(_, high)| *high >= certain);
        let mut values = open.into_iter().map(|(n, _)| (n, exact_value(n, above)));
        let first = values.next().expect("the range is not empty");
        let odd = |n: u64| n >> n.trailing_zeros();
        let (n, value) = values.fold(first, |best, other| {
            let same = above == TollBase::Entropy && odd(best.0) == odd(other.0);
            let better = !same && other.1.compare(&best.1) == Ok(order);
            if better { other } else { best }
        });
        order = Ordering::Greater;
        Extreme {
            value: value.to_f64().expect("not halfway between doubles"),
            n: Some(n),
        }
    })
}

/// The toll of n, or E(n).
fn exact_value(n: u64, above: TollBase) -> Real {
    let log = Real::log(n, 2);
    let mean = if n.is_power_of_two() {
        log.clone()
    } else {
        let task = Task::die(n, Source::COIN).expect("n is above 0");
        FAST_DICE_ROLLER
            .law(&task)
            .expect("it is for all dice")
            .mean_real()
    };
    match above {
        TollBase::Entropy => mean.minus(&log),
        TollBase::Zero => mean,
    }
}

/// Returns upper bounds of minus the toll and of the toll, for the n from `first` to `last`, which
/// lie in 2^k <= n < 2^(k+1).
fn octave_bounds(k: u32, first: u64, last: u64) -> ((i128, Option<u64>), (i128, Option<u64>)) {
    let power = 1u64 << k;
    let (lo, hi) = {
        let u = |n: u64| (1u128 << (64 + k), u128::from(n));
        let ((top, last), (_, first)) = (u(last), u(first.max(power + 1)));
        (top / last, top.div_ceil(first))
    };
    let least = if first == power {
        (0, Some(power))
    } else {
        (search_bound(lo, hi, -1).min(0), None)
    };
    let greatest = if last == power {
        (0, Some(power))
    } else if first <= power + 1 {
        (toll_bounds(power + 1).high, Some(power + 1))
    } else {
        (search_bound(lo, hi, 1).min(2 * FIXED_ONE), None)
    };
    (least, greatest)
}

/// Rounds up to a multiple of 2^-48.
fn round_up(value: i128) -> f64 {
    let places = value.div_euclid(1 << 16) + i128::from(value.rem_euclid(1 << 16) != 0);
    // Exact for values below 32; larger values are rounded upwards.
    let mut rounded = places as f64;
    if (rounded as i128) < places {
        rounded = rounded.next_up();
    }
    rounded / 2f64.powi(48)
}

/// Divides a range of targets into at most `parts` parts, in order, that are about equally wide in
/// log2 n; each part contains at least one n.
///
/// Cost: 64 logarithms for each part.
///
/// # Panics
/// As [`toll_extremes`].
pub fn equal_parts(range: RangeInclusive<u64>, parts: u32) -> Vec<RangeInclusive<u64>> {
    let (from, to) = (*range.start(), *range.end());
    assert!(0 < from && from <= to && to <= MAX_N, "a range of targets");
    let (low, high) = (log2_fixed(from).low, log2_fixed(to + 1).low);
    let mut found = Vec::new();
    let mut first = from;
    for part in 1..=u128::from(parts) {
        let end = low + (high - low) / u128::from(parts) * part;
        // The first n whose logarithm is at least the end.
        let (mut below, mut next) = (first, to + 1);
        while below < next {
            let middle = below + (next - below) / 2;
            if log2_fixed(middle).low < end {
                below = middle + 1
            } else {
                next = middle
            }
        }
        let next = if part == u128::from(parts) {
            to + 1
        } else {
            next
        };
        if next > first {
            found.push(first..=next - 1);
            first = next;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::roller::numerator::expected_flips;
    use proptest::prelude::*;

    /// Checks whether the exact toll of n is within the bounds.
    fn is_within(n: u64, found: &TollRange) -> bool {
        let toll = |bound: f64| {
            let enclosed = toll_bounds(n);
            let bound = (bound * 2f64.powi(64)) as i128;
            (enclosed.low, enclosed.high, bound)
        };
        let (_, high, least) = toll(found.least.value);
        let (low, _, greatest) = toll(found.greatest.value);
        least <= high && low <= greatest
    }

    /// For a single n, the values are the nearest doubles to E(n), from an exact fraction, and to
    /// E(n) - log2 n.
    #[test]
    fn one_n_has_the_nearest_double() {
        let cases = (1..600).chain([1 << 20, (1 << 20) + 1, 999_999]);
        for n in cases {
            let mean = Real::Exact(expected_flips(n));
            let toll = mean.minus(&Real::log(n, 2));
            for (above, exact) in [(TollBase::Zero, mean), (TollBase::Entropy, toll)] {
                let value = exact.to_f64().unwrap();
                let extreme = Extreme { value, n: Some(n) };
                let found = toll_extremes(n..=n, above);
                assert_eq!((found.least, found.greatest), (extreme, extreme));
            }
        }
    }

    /// The extremes of several n are the nearest doubles, and of equal tolls the smallest n is
    /// named.
    #[test]
    fn extremes_are_those_of_each_n() {
        for range in [1..=4, 1..=700, 640..=1300, 1_000_001..=1_000_300] {
            for above in [TollBase::Zero, TollBase::Entropy] {
                let all = range.clone().map(|n| toll_extremes(n..=n, above).least);
                let (mut least, mut greatest) = (
                    toll_extremes(1..=1, above).least,
                    toll_extremes(1..=1, above).least,
                );
                (least.value, greatest.value) = (f64::MAX, f64::MIN);
                for one in all {
                    if one.value < least.value {
                        least = one;
                    }
                    if one.value > greatest.value {
                        greatest = one;
                    }
                }
                let found = toll_extremes(range.clone(), above);
                assert_eq!(
                    (found.least, found.greatest),
                    (least, greatest),
                    "{range:?}"
                );
            }
        }
        let found = toll_extremes(1..=4, TollBase::Entropy).greatest;
        assert_eq!((found.value, found.n), (1.081_704_165_945_510_4, Some(3)));
        assert_eq!(toll_extremes(3..=3, TollBase::Zero).least.value, 8.0 / 3.0);
    }

    /// Ranges near the largest n, where fractions are too long.
    #[test]
    fn ranges_near_the_largest_n() {
        for n in [
            MAX_N,
            MAX_N - 1,
            MAX_N - 3,
            (1 << 61) + 1,
            10u64.pow(18) + 7,
        ] {
            let found = toll_extremes(n..=n, TollBase::Entropy);
            assert_eq!(found.least, found.greatest);
            assert!(is_within(n, &toll_extremes(n - 20..=n, TollBase::Entropy)));
        }
    }

    #[test]
    fn parts_hold_every_n_once() {
        for (from, to, parts) in [
            (1u64, 1u64, 7),
            (1, 1000, 33),
            (5, 6, 100),
            (999, MAX_N, 800),
        ] {
            let found = equal_parts(from..=to, parts);
            assert!(found.len() <= parts as usize);
            assert_eq!(
                (*found[0].start(), *found[found.len() - 1].end()),
                (from, to)
            );
            let joined = |pair: &[RangeInclusive<u64>]| pair[0].end() + 1 == *pair[1].start();
            assert!(found.windows(2).all(joined));
        }
    }

    /// If a range contains only 2^k of the last octave, the tolls above 2^k do not count.
    #[test]
    fn a_range_that_ends_on_a_power_of_two_has_no_n_above_it() {
        for (from, to) in [
            (50_000, 1 << 16),
            ((1 << 41) - 20_000, 1 << 41),
            (1 << 20, MAX_N),
        ] {
            let [found, shorter] =
                [to, to - 1].map(|to| toll_extremes(from..=to, TollBase::Entropy));
            assert_eq!(found.greatest, shorter.greatest, "{from} to {to}");
            assert_eq!(
                (found.least.value, found.least.n.map(u64::is_power_of_two)),
                (0.0, Some(true))
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// For a range that is too long to compute every n, the bounds hold for a sample of its n
        /// and are close to the extremes of the sample.
        #[test]
        fn bounds_of_ranges_hold(from in 1u64..1 << 60, length in MAX_SCANNED..1 << 40, at: [u64; 40]) {
            let to = from + length;
            let found = toll_extremes(from..=to, TollBase::Entropy);
            prop_assert!(!found.scanned);
            for n in at.map(|at| from + at % (length + 1)).into_iter().chain([from, to]) {
                prop_assert!(is_within(n, &found), "{n} {found:?}");
            }
        }

        /// The bounds from the search and the extremes from computing every n differ by at most the
        /// tolerance.
        #[test]
        fn the_search_is_close(from in 1u64 << 20..1 << 30) {
            let k = from.ilog2();
            let to = (from + MAX_SCANNED - 1).min((1 << (k + 1)) - 1);
            prop_assume!(to - from > 5000 && from > (1 << k) + 1);
            let scanned = toll_extremes(from..=to, TollBase::Entropy);
            prop_assert!(scanned.scanned);
            let ((least, _), (greatest, _)) = octave_bounds(k, from, to);
            let (least, greatest) = (-round_up(least), round_up(greatest));
            prop_assert!(least <= scanned.least.value && scanned.greatest.value <= greatest);
            prop_assert!(scanned.greatest.value - greatest.min(2.0) > -0.05 && least - scanned.least.value > -0.05);
        }
    }
}
