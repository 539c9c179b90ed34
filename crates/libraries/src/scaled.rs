//! Doubles of an interval, a + (b - a) u with u = y / 2^k, y = 0, ..., as they are rounded: how many
//! there are, their sum, their gaps, each exactly.
//!
//! With w = fl(b - a), p(y) = fl(w u) and f(y) = fl(a + p(y)) do not fall. Where the exponents of both are
//! constant, p is a multiple m s of s = ulp(p), and f one of r = ulp(f), so that the least y with f(y) >= j r is
//!
//! ```text
//! m(j) = least m with a + m s >= (j - 1/2) r       (> for odd j: ties go to the even one)
//! y(j) = least y with w y / 2^k >= (m(j) - 1/2) s  (> for odd m)
//! ```
//!
//! If r > s, m(j) = j r/s + c with c that depends on j mod 2 only. If r <= s each m gives a value of its own, r = s
//! with a half of it in a apart, where a tie of two goes to the even j. In each case y of the values
//! in turn is floor((A i + B) / C) with B that depends on i mod 2, of which sums are found as greatest common divisors
//! are. From them the number of i with y(i) = y(i + d - 1) follows: it is no value for d = 2, and a gap of d for others.

use flipcost_number::{BigInt, Rational};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::ops::Range;

/// a + w u, u = y / 2^k, in doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaledInterval {
    pub a: f64,
    pub width: f64,
    /// k, 53 at most.
    pub bits: u32,
}

/// The values of y = 0, ..., n - 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScaledValues {
    /// How many different ones.
    pub values: BigInt,
    /// The sum over all y.
    pub sum: Rational,
    /// The largest distance of neighbours.
    pub gap: Rational,
}

/// Sum of floor((a i + b) / m) over i = 0, ..., n - 1.
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

/// The exponent of the last place.
fn ulp(x: f64) -> i32 {
    const LEAST: i32 = -1074;
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32;
    LEAST + (exponent - 1).max(0)
}

/// 2^e.
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

/// A double of a lattice, in units of 2^e.
fn units(x: f64, e: i32) -> BigInt {
    (rational(x) * power(-e)).to_integer()
}

impl ScaledInterval {
    fn product(&self, y: u64) -> f64 {
        self.width * (y as f64 / (1u64 << self.bits) as f64)
    }

    pub fn value(&self, y: u64) -> f64 {
        self.a + self.product(y)
    }

    /// The least y with a value from v on, of those below n.
    pub fn first(&self, v: f64, n: u64) -> u64 {
        partition(0, n, |y| self.value(y) < v)
    }

    /// Of these y.
    pub fn values(&self, places: Range<u64>) -> ScaledValues {
        let key = |y: u64| {
            let (product, value) = (self.product(y), self.value(y));
            let place = |x: f64| (x.partial_cmp(&0.0), ulp(x));
            (place(product), place(value))
        };
        let mut all = ScaledValues::default();
        let (mut begin, mut before): (u64, Option<f64>) = (places.start, None);
        while begin < places.end {
            let here = key(begin);
            let end = partition(begin, places.end, |y| key(y) == here);
            let piece = self.piece(begin, end - 1);
            all.values += piece.values;
            all.sum += piece.sum;
            all.gap = all.gap.max(piece.gap);
            if let Some(before) = before {
                let apart = rational(self.value(begin)) - rational(before);
                if apart.is_zero() {
                    all.values -= 1;
                }
                all.gap = all.gap.max(apart);
            }
            before = Some(self.value(end - 1));
            begin = end;
        }
        all
    }

    /// Of y = first, ..., last, where both exponents are constant.
    fn piece(&self, first: u64, last: u64) -> ScaledValues {
        let (low, high) = (self.value(first), self.value(last));
        let count = BigInt::from(last - first + 1);
        if low == high {
            return ScaledValues {
                values: BigInt::one(),
                sum: rational(low) * count,
                gap: Rational::zero(),
            };
        }
        let (s, r) = (ulp(self.product(last)), ulp(high));
        let half = Rational::new(1.into(), 2.into());
        let shift = rational(self.a) * power(-s);
        // the values in turn: their places i, m = each * i + by parity of i, and their distance
        let (from, to, each, rest, apart) = if r > s {
            let middle = -(power(r - s - 1) + &shift);
            let even = middle.ceil().to_integer();
            let odd = middle.floor().to_integer() + 1;
            (
                units(low, r),
                units(high, r),
                power(r - s).to_integer(),
                [even, odd],
                power(r),
            )
        } else if r == s
            && (&shift * BigInt::from(2)).to_integer().is_odd()
            && shift.denom() == &BigInt::from(2)
        {
            let rest = (-&half - &shift).to_integer();
            let two = BigInt::from(2);
            (
                units(low, r) / &two,
                units(high, r) / &two,
                two,
                [rest.clone(), rest],
                power(r + 1),
            )
        } else {
            let place = |y| units(self.product(y), s);
            (
                place(first),
                place(last),
                BigInt::one(),
                [BigInt::zero(), BigInt::zero()],
                power(s),
            )
        };
        let step = rational(self.width) * power(-(self.bits as i32) - s);
        let (p, q) = (step.numer(), step.denom());
        let divisor: BigInt = p * 2;
        // y(i) = floor((slope l + offset) / divisor), i = 2 l + parity
        let slope: BigInt = &each * q * 4;
        let offset = |parity: usize, more: &BigInt| {
            let i = BigInt::from(parity) + more;
            let m = &each * &i + &rest[usize::from(i.is_odd())];
            let even = BigInt::from(u8::from(m.is_even()));
            (m * 2 - 1) * q + &divisor - even
        };
        // the sum of y(i + more) over i of this parity in begin..=end
        let lines = |parity: usize, begin: &BigInt, end: &BigInt| {
            let least = (begin - parity).div_ceil(&BigInt::from(2));
            let most = (end - parity).div_floor(&BigInt::from(2));
            let many: BigInt = &most - &least + 1;
            (least, many.max(BigInt::zero()))
        };
        let sums = |parity: usize, begin: &BigInt, end: &BigInt, more: &BigInt| {
            let (least, many) = lines(parity, begin, end);
            floor_sum(
                &many,
                &slope,
                &(offset(parity, more) + &slope * least),
                &divisor,
            )
        };
        // how many i in begin..=end have y(i) = y(i + more)
        let equal = |begin: &BigInt, end: &BigInt, more: &BigInt| -> BigInt {
            let of_parity = |parity: usize| {
                let zero = BigInt::zero();
                if offset(parity, more) - offset(parity, &zero) >= divisor {
                    return zero;
                }
                let (_, many) = lines(parity, begin, end);
                many - (sums(parity, begin, end, more) - sums(parity, begin, end, &zero))
            };
            of_parity(0) + of_parity(1)
        };
        let begin: BigInt = &from + 1;
        let all: BigInt = &to - &from;
        let zero = BigInt::zero();
        let total = sums(0, &begin, &to, &zero) + sums(1, &begin, &to, &zero);
        let above = &all * BigInt::from(last + 1) - total;
        let values = &all + 1 - equal(&begin, &(&to - 1), &BigInt::one());
        // a place takes p / (q each) y, and roundings move it by less than 3/2
        let most: BigInt = p / (q * &each) + 2;
        let mut gap = most.min(all);
        while !gap.is_one() && equal(&begin, &(&to - &gap + 1), &(&gap - 1)).is_zero() {
            gap -= 1;
        }
        ScaledValues {
            values,
            sum: rational(low) * count + &apart * above,
            gap: apart * gap,
        }
    }
}

/// The first of low..high for which it does not hold; it holds for those before.
pub(crate) fn partition(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
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

    /// Of few bits, by all of them.
    fn counted(scaled: &ScaledInterval, places: Range<u64>) -> ScaledValues {
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

    /// Rounding as of 53 bits is seen with few bits where a is large: the last places of results are then those of u.
    #[test]
    fn values_by_counting_all() {
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
                    // a step of u is about 2^-scale of the last place of a, and shifted by halves
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
    fn the_whole_of_53_bits() {
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
        // of [1, 2] every second result is a tie
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

    #[test]
    fn sums_of_floors() {
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

    /// Wide steps of odd widths: several values of a step, and gaps of two sizes.
    #[test]
    fn odd_widths() {
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
                // windows of many bits, where a step is near the last place of products and sums
                for bits in [48u32, 52, 53] {
                    let scaled = ScaledInterval { a, width, bits };
                    for part in [1, 2, 3, 5, 7] {
                        let begin = ((1u64 << bits) - 400) / part;
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
