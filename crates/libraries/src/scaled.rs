//! The rounded doubles of an interval, a + (b - a) u with u = y / 2^k, y = 0, 1, ...: how many
//! different ones there are, their sum, and their gaps, all exactly.
//!
//! With w = fl(b - a), the functions p(y) = fl(w u) and f(y) = fl(a + p(y)) do not decrease. While
//! the exponents of both are constant, p is a multiple m s of s = ulp(p), and f a multiple of r =
//! ulp(f). So the least y with f(y) >= j r is
//!
//! ```text
//! m(j) = least m with a + m s >= (j - 1/2) r       (> for odd j: ties go to the even one)
//! y(j) = least y with w y / 2^k >= (m(j) - 1/2) s  (> for odd m)
//! ```
//!
//! If r > s, then m(j) = j r/s + c, where c depends only on j mod 2. If r <= s, each m gives a
//! different value, except if r = s and a is an odd multiple of s/2: then every sum lies half way
//! between two values and is rounded to the even j. In each case the y at which successive values
//! begin are floor((A i + B) / C), where B depends on i mod 2. Sums of such floors are computed by
//! a method like Euclid's algorithm. They count the i with y(i) = y(i + d - 1). For d = 2, each
//! such i is a value that does not occur; for larger d, each is a gap of d.

use flipcost_number::{BigInt, Rational};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::ops::Range;

/// The doubles a + w u with u = y / 2^k.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaledInterval {
    pub a: f64,
    pub width: f64,
    /// The number k of bits, at most 64. For y from 2^53 on, u is rounded.
    pub bits: u32,
}

/// Returns y / 2^bits as a double.
pub(crate) fn unit(y: u128, bits: u32) -> f64 {
    y as f64 / 2f64.powi(bits as i32)
}

/// Statistics of the values for y = 0, ..., n - 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScaledValues {
    /// The number of different values.
    pub values: BigInt,
    /// The sum over all y.
    pub sum: Rational,
    /// The largest distance between neighbouring values.
    pub gap: Rational,
}

/// Returns the sum of floor((a i + b) / m) over i = 0, ..., n - 1.
fn floor_sum(n: &BigInt, a: &BigInt, b: &BigInt, m: &BigInt) -> BigInt {
    let (mut n, mut a, mut b, mut m) = (n.clone(), a.clone(), b.clone(), m.clone());
    let mut sum = BigInt::zero();
    while n.is_positive() {
        let (whole, rest) = a.div_mod_floor(&m);
        sum += &n * (&n - 1) / 2 * whole;
        a = rest;
        let (whole, rest) = b.div_mod_floor(&m);
        sum += &n * whole;
        let last = &a * &n + rest;
        (n, b) = last.div_mod_floor(&m);
        (a, m) = (m, a);
    }
    sum
}

/// Returns the exponent of the last binary place of a double.
fn last_place_exponent(x: f64) -> i32 {
    const LEAST: i32 = -1074;
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32;
    LEAST + (exponent - 1).max(0)
}

/// Returns 2^e.
fn power(e: i32) -> Rational {
    let power = BigInt::one() << e.unsigned_abs();
    if e < 0 {
        Rational::new(BigInt::one(), power)
    } else {
        power.into()
    }
}

pub(crate) fn rational(x: f64) -> Rational {
    Rational::from_float(x).expect("a finite double")
}

/// Returns a double that is a multiple of 2^e, in units of 2^e.
fn units(x: f64, e: i32) -> BigInt {
    (rational(x) * power(-e)).to_integer()
}

impl ScaledValues {
    /// Returns the statistics of a single value, without its contribution to the sum.
    pub fn single() -> ScaledValues {
        ScaledValues {
            values: BigInt::one(),
            ..ScaledValues::default()
        }
    }

    /// Appends the statistics of later values. `first` is the first of these values; `last` is the
    /// last value so far, or `None` if there is none. The sums are not added.
    pub fn join(&mut self, next: &ScaledValues, last: Option<f64>, first: f64) {
        self.values += &next.values;
        let apart = last.map_or(Rational::zero(), |last| rational(first) - rational(last));
        if last == Some(first) {
            self.values -= 1;
        }
        self.gap = std::mem::take(&mut self.gap)
            .max(next.gap.clone())
            .max(apart);
    }
}

impl ScaledInterval {
    /// Returns w u. As in C++, a u that is rounded to 1 becomes the double before 1.
    fn product(&self, y: u128) -> f64 {
        self.width * unit(y, self.bits).min(1f64.next_down())
    }

    pub fn value(&self, y: u128) -> f64 {
        self.a + self.product(y)
    }

    /// Returns the least y below n with a value of at least v; n if there is no such y.
    pub fn first(&self, v: f64, n: u128) -> u128 {
        first_false(0, n, |y| self.value(y) < v)
    }

    /// Returns the statistics for y = 0, ..., 2^64 - 1 with k = 64. Up to 2^53, u is y. Above 2^53,
    /// y is rounded to z 2^(e + 1) for e = 0, ..., 10, where z has 53 bits and is at least 2^52.
    /// Each z comes from 2^(e + 1) values of y, except that a y half way between two z is rounded
    /// to the even z.
    pub fn rounded_values(&self) -> ScaledValues {
        let mut all = self.values(0..1 << 53);
        for e in 0..11 {
            let of = |bits| ScaledInterval { bits, ..*self };
            let (top, even) = (
                of(63 - e).values(1 << 52..1 << 53),
                of(62 - e).values(1 << 51..1 << 52),
            );
            let (begin, half) = (1 << (53 + e), BigInt::one() << e);
            all.join(&top, Some(self.value(begin - (1 << e))), self.value(begin));
            all.sum += top.sum * (&half * 2 - 1) + even.sum * BigInt::from(2);
            // The first z of an octave comes from the y that are at most half a step above it, and
            // from those that are at most half a step of the octave below under it.
            all.sum -= rational(self.value(begin)) * &half;
            if e > 0 {
                all.sum += rational(self.value(begin)) * (half >> 1);
            }
        }
        all.sum += rational(self.value((1 << 64) - 1)) * (BigInt::one() << 10);
        all
    }

    /// Returns the statistics for these y, which are at most 2^53.
    pub fn values(&self, places: Range<u128>) -> ScaledValues {
        let key = |y: u128| {
            let (product, value) = (self.product(y), self.value(y));
            let place = |x: f64| (x.partial_cmp(&0.0), last_place_exponent(x));
            (place(product), place(value))
        };
        let mut all = ScaledValues::default();
        let mut begin = places.start;
        while begin < places.end {
            let here = key(begin);
            let end = first_false(begin, places.end, |y| key(y) == here);
            let piece = self.piece_statistics(begin, end - 1);
            all.sum += &piece.sum;
            let first = self.value(begin);
            let before = (begin > places.start).then(|| self.value(begin - 1));
            all.join(&piece, before, first);
            begin = end;
        }
        all
    }

    /// Returns the statistics for y = first, ..., last, where both exponents are constant.
    fn piece_statistics(&self, first: u128, last: u128) -> ScaledValues {
        let (low, high) = (self.value(first), self.value(last));
        let count = BigInt::from(last - first + 1);
        if low == high {
            return ScaledValues {
                values: BigInt::one(),
                sum: rational(low) * count,
                gap: Rational::zero(),
            };
        }
        let steps = self.steps(first, last);
        let (from, to) = (&steps.from, &steps.to);
        let all: BigInt = to - from;
        let above = &all * BigInt::from(last + 1) - steps.sum(&(from + 1), to);
        let values = &all + 1 - steps.count_equal(&(from + 1), &(to - 1), &BigInt::one());
        // Each step of y advances i by p / (q each), and rounding changes this by less than 3/2.
        let most: BigInt = steps.slope.numer() / (steps.slope.denom() * &steps.each) + 2;
        let mut gap = most.min(all);
        while !gap.is_one()
            && (steps.count_equal(&(from + 1), &(to - &gap + 1), &(&gap - 1))).is_zero()
        {
            gap -= 1;
        }
        ScaledValues {
            values,
            sum: rational(low) * count + &steps.distance * above,
            gap: &steps.distance * gap,
        }
    }

    /// Returns the successive values for y = first, ..., last, where both exponents are constant
    /// and the values are not all the same.
    fn steps(&self, first: u128, last: u128) -> ValueSteps {
        let (low, high) = (self.value(first), self.value(last));
        let (s, r) = (
            last_place_exponent(self.product(last)),
            last_place_exponent(high),
        );
        let half = Rational::new(1.into(), 2.into());
        let shift = rational(self.a) * power(-s);
        let slope = rational(self.width) * power(-(self.bits as i32) - s);
        if r > s {
            let middle = -(power(r - s - 1) + &shift);
            let even = middle.ceil().to_integer();
            let odd = middle.floor().to_integer() + 1;
            return ValueSteps {
                from: units(low, r),
                to: units(high, r),
                each: power(r - s).to_integer(),
                rest: [even, odd],
                distance: power(r),
                slope,
            };
        }
        let two = BigInt::from(2);
        if r == s && (&shift * &two).to_integer().is_odd() && shift.denom() == &two {
            let rest = (-&half - &shift).to_integer();
            return ValueSteps {
                from: units(low, r) / &two,
                to: units(high, r) / &two,
                each: two,
                rest: [rest.clone(), rest],
                distance: power(r + 1),
                slope,
            };
        }
        let place = |y| units(self.product(y), s);
        ValueSteps {
            from: place(first),
            to: place(last),
            each: BigInt::one(),
            rest: [BigInt::zero(), BigInt::zero()],
            distance: power(s),
            slope,
        }
    }
}

/// The successive values, by their index i. Value i begins at y(i), which is the least y with
/// m(i) - 1/2 <= slope y. Here m(i) = each i + rest[i mod 2].
struct ValueSteps {
    from: BigInt,
    to: BigInt,
    each: BigInt,
    rest: [BigInt; 2],
    /// The distance of neighbouring values.
    distance: Rational,
    /// w / 2^k in units of s.
    slope: Rational,
}

impl ValueSteps {
    /// The offset in y(i + more) = floor((4 q each l + offset) / (2 p)), for i = 2 l + parity and
    /// slope p / q.
    fn offset(&self, parity: usize, more: &BigInt) -> BigInt {
        let i = BigInt::from(parity) + more;
        let m = &self.each * &i + &self.rest[usize::from(i.is_odd())];
        let even = BigInt::from(u8::from(m.is_even()));
        (m * 2 - 1) * self.slope.denom() + self.slope.numer() * 2 - even
    }

    /// The least l with 2 l + parity in begin..=end, and the number of them.
    fn indices_of_parity(parity: usize, begin: &BigInt, end: &BigInt) -> (BigInt, BigInt) {
        let least = (begin - parity).div_ceil(&BigInt::from(2));
        let most = (end - parity).div_floor(&BigInt::from(2));
        let many: BigInt = &most - &least + 1;
        (least, many.max(BigInt::zero()))
    }

    /// The sum of y(i + more) over the i of this parity in begin..=end.
    fn sum_of_parity(&self, parity: usize, begin: &BigInt, end: &BigInt, more: &BigInt) -> BigInt {
        let (least, many) = ValueSteps::indices_of_parity(parity, begin, end);
        let slope: BigInt = &self.each * self.slope.denom() * 4;
        let offset = self.offset(parity, more) + &slope * least;
        floor_sum(&many, &slope, &offset, &(self.slope.numer() * 2))
    }

    /// The sum of y(i) over the i in begin..=end.
    fn sum(&self, begin: &BigInt, end: &BigInt) -> BigInt {
        let of_parity = |parity| self.sum_of_parity(parity, begin, end, &BigInt::zero());
        of_parity(0) + of_parity(1)
    }

    /// The number of i in begin..=end with y(i) = y(i + more).
    fn count_equal(&self, begin: &BigInt, end: &BigInt, more: &BigInt) -> BigInt {
        let zero = BigInt::zero();
        let of_parity = |parity: usize| {
            let apart = self.offset(parity, more) - self.offset(parity, &zero);
            if apart >= self.slope.numer() * 2 {
                return zero.clone();
            }
            let (_, many) = ValueSteps::indices_of_parity(parity, begin, end);
            many - (self.sum_of_parity(parity, begin, end, more)
                - self.sum_of_parity(parity, begin, end, &zero))
        };
        of_parity(0) + of_parity(1)
    }
}

/// Returns the first number of `low..high` for which `holds` is false. `holds` must be true for all
/// numbers before it.
pub(crate) fn first_false(mut low: u128, mut high: u128, holds: impl Fn(u128) -> bool) -> u128 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the statistics for few bits by counting all values.
    fn counted(scaled: &ScaledInterval, places: Range<u128>) -> ScaledValues {
        let mut all: Vec<f64> = places.map(|y| scaled.value(y)).collect();
        let sum = all.iter().map(|x| rational(*x)).sum();
        all.dedup();
        let apart = all
            .windows(2)
            .map(|pair| rational(pair[1]) - rational(pair[0]));
        ScaledValues {
            gap: apart.max().unwrap_or_default(),
            values: all.len().into(),
            sum,
        }
    }

    /// With few bits, rounding has the same effects as with 53 bits if a is so large that the last
    /// places of the results are those of u.
    #[test]
    fn statistics_agree_with_counting_all_values() {
        for bits in [1u32, 4, 9] {
            for (a, width) in [
                (0.0, 1.0),
                (1.0, 1.0),
                (-1.0, 2.0),
                (0.1, 0.3),
                (-0.3, 0.7),
                (5.0, 5.0),
                (-5.0, 3.0),
                (1e-300, 1e-5),
                (0.0, 5e-324),
                (-1e-322, 3e-322),
                (3.0, -0.0),
            ] {
                for scale in (0..60).step_by(3) {
                    // A step of u is about 2^-scale of the last place of a, with a shift by halves.
                    let small = width / 2f64.powi(scale);
                    for a in [a, a + a * f64::EPSILON, a + small, a - small / 3.0] {
                        let scaled = ScaledInterval {
                            a,
                            width: small,
                            bits,
                        };
                        let n = 1 << bits;
                        assert_eq!(scaled.values(0..n), counted(&scaled, 0..n), "{scaled:?}");
                        let some = || n / 3..n / 2 + 1;
                        assert_eq!(
                            scaled.values(some()),
                            counted(&scaled, some()),
                            "{scaled:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn all_values_of_53_bits_are_counted() {
        let unit = ScaledInterval {
            a: 0.0,
            width: 1.0,
            bits: 53,
        };
        let all = unit.values(0..1 << 53);
        assert_eq!(all.values, BigInt::one() << 53);
        assert_eq!(all.gap, power(-53));
        // (2^53 - 1) / 2
        assert_eq!(all.sum, Rational::new((BigInt::one() << 53) - 1, 2.into()));
        // On [1, 2] every second result lies half way between two doubles.
        let all = ScaledInterval {
            a: 1.0,
            width: 1.0,
            bits: 53,
        }
        .values(0..1 << 53);
        assert_eq!(
            (all.values, all.gap),
            ((BigInt::one() << 52) + 1, power(-52))
        );
    }

    /// Computed by hand: below 2^53 all y occur, and each octave above has 2^52 values. A y half
    /// way between two doubles is rounded up as often as down. So the sum of the rounded y is the
    /// sum of all y, except that the 2^10 words that would be rounded up to 2^64 become 2^64 -
    /// 2^11.
    #[test]
    fn words_of_64_bits_are_rounded() {
        let rounded = |a: f64, width: f64| {
            let bits = 64;
            ScaledInterval { a, width, bits }.rounded_values()
        };
        let two = |bits: u32| BigInt::one() << bits;
        let unit = rounded(0.0, 1.0);
        assert_eq!(
            (unit.values, unit.gap),
            (two(53) + (two(52) * 11), power(-53))
        );
        let all: BigInt = (two(64) - 1) * two(63) - two(21);
        assert_eq!(unit.sum, Rational::new(all, two(64)));
        // Each word contributes one value to the sum.
        assert_eq!(rounded(3.0, 0.0).sum, Rational::from(two(64) * 3));
        // Sums in [1, 2] have the same values as with u of 53 bits.
        let shifted = rounded(1.0, 1.0);
        assert_eq!((shifted.values, shifted.gap), (two(52) + 1, power(-52)));
    }

    #[test]
    fn floor_sums_agree_with_adding_up() {
        for (n, a, b, m) in [
            (0, 3, 1, 2),
            (7, 3, -5, 4),
            (10, -7, 3, 5),
            (100, 17, 9, 31),
            (5, 0, 3, 2),
            (13, 10, 0, 10),
        ] {
            let all: i64 = (0..n).map(|i: i64| (a * i + b).div_euclid(m)).sum();
            let big = BigInt::from;
            assert_eq!(
                floor_sum(&big(n), &big(a), &big(b), &big(m)),
                big(all),
                "{n} {a} {b} {m}"
            );
        }
    }

    /// If the steps are wide and their widths odd, a step has several values, and there are gaps of
    /// two sizes.
    #[test]
    fn odd_widths_give_gaps_of_two_sizes() {
        for k in 1..120u64 {
            let width = (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as f64
                / 2f64.powi(40 + (k % 30) as i32);
            let a = (k.wrapping_mul(k).wrapping_mul(0xD1B5_4A32_D192_ED03) >> 12) as f64
                / 2f64.powi(30 + (k % 41) as i32);
            for a in [a, -a, -a / 3.0, -width / 3.0] {
                let scaled = ScaledInterval { a, width, bits: 8 };
                assert_eq!(
                    scaled.values(0..256),
                    counted(&scaled, 0..256),
                    "{scaled:?}"
                );
                // Ranges of y with many bits, in which a step is about as large as the last place
                // of the products and sums.
                for bits in [48u32, 52, 53] {
                    let scaled = ScaledInterval { a, width, bits };
                    for part in [1, 2, 3, 5, 7] {
                        let begin = ((1u128 << bits) - 400) / part;
                        let window = || begin..begin + 300;
                        assert_eq!(
                            scaled.values(window()),
                            counted(&scaled, window()),
                            "{scaled:?} {part}"
                        );
                    }
                }
            }
        }
    }
}
