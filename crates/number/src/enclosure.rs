//! Interval arithmetic: intervals that are certain to contain the value.
//!
//! An [`Enclosure`] is the interval `[low, high] / 2^bits`. Every operation rounds outwards: for
//! any operands in the given intervals, the exact result lies in the returned interval.
//!
//! **Other intervals.** This type is for general use, and [`crate::Real`] is built on it. A
//! [`crate::scaled::Scaled`] has a separate exponent, for products whose size is not known in
//! advance; a [`crate::disc::Disc`] encloses a complex number. A loop that runs for each n of a
//! range, each outcome or each state of a search uses machine words, which are ten to a hundred
//! times faster. Their types are [`crate::fixed::Fixed`] (units of 2^-64: doubles for ranges of n,
//! tolls), `Narrow` of the root package (units of 2^-80: columns of a table), and special types in
//! other files: for the extremes of the toll, the bounds of a search for the best rule, and the
//! certificate of a large store.

use super::long::{MIN_LONG_BITS, div_ceil, div_floor, magnitude, product, to_biguint};
use super::{BigInt, BigUint, Rational};
use crate::budget::{spend, spend_on};
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The interval `[low, high] / 2^bits`. It is certain to contain the value that it represents.
///
/// ```
/// use flipcost_number::{Rational, Real};
/// let log = Real::log(6, 2).enclose(20); // log2 6 = 2.58496...
/// assert!(log.low() < log.high());
/// assert!(log.high() - log.low() <= Rational::new(1.into(), (1 << 20).into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    pub low: BigInt,
    pub high: BigInt,
    pub bits: u64,
}

/// Returns value / 2^bits in lowest terms, with a shift instead of a gcd.
fn dyadic_rational(value: &BigInt, bits: u64) -> Rational {
    let common = value.trailing_zeros().map_or(bits, |zeros| zeros.min(bits));
    Rational::new_raw(value >> common, BigInt::one() << (bits - common))
}

fn floor_shift(value: BigInt, shift: i64) -> BigInt {
    match shift {
        0 => value,
        1.. => value << shift as u64,
        _ => value >> shift.unsigned_abs(), // rounds down
    }
}

fn ceil_shift(value: BigInt, shift: i64) -> BigInt {
    match shift {
        0 => value,
        _ => -floor_shift(-value, shift),
    }
}

impl Enclosure {
    /// The lower end.
    pub fn low(&self) -> Rational {
        dyadic_rational(&self.low, self.bits)
    }

    /// The upper end.
    pub fn high(&self) -> Rational {
        dyadic_rational(&self.high, self.bits)
    }

    /// Encloses `[numerator, numerator + slack] / denominator`, rounded outwards to multiples of
    /// `2^-bits`. The denominator must be positive, the slack nonnegative.
    pub fn of_ratio(numerator: &BigInt, slack: &BigInt, denominator: &BigInt, bits: u64) -> Self {
        let low = div_floor(&(numerator << bits), denominator);
        let high = div_ceil(&((numerator + slack) << bits), denominator);
        Enclosure { low, high, bits }
    }

    /// Returns the narrowest enclosure of a rational whose ends are multiples of `2^-bits`.
    pub fn of_rational(value: &Rational, bits: u64) -> Self {
        Self::of_ratio(value.numer(), &BigInt::zero(), value.denom(), bits)
    }

    /// Checks whether the interval is at most `2^-bits` wide.
    pub fn is_within(&self, bits: u64) -> bool {
        let width = &self.high - &self.low;
        if self.bits >= bits {
            width <= BigInt::one() << (self.bits - bits)
        } else {
            width.is_zero()
        }
    }

    /// Widens the interval outwards to ends that are multiples of `2^-bits`.
    pub fn coarsen(self, bits: u64) -> Self {
        let shift = bits as i64 - self.bits as i64;
        Enclosure {
            low: floor_shift(self.low, shift),
            high: ceil_shift(self.high, shift),
            bits,
        }
    }

    /// Converts two enclosures to the same number of bits; copies an enclosure only if it changes.
    fn align_bits<'a>(a: &'a Self, b: &'a Self) -> (Cow<'a, Self>, Cow<'a, Self>) {
        let bits = a.bits.max(b.bits);
        let to = |one: &'a Self| {
            if one.bits == bits {
                Cow::Borrowed(one)
            } else {
                Cow::Owned(one.clone().coarsen(bits))
            }
        };
        (to(a), to(b))
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        let (a, b) = Self::align_bits(self, other);
        Enclosure {
            low: &a.low + &b.low,
            high: &a.high + &b.high,
            bits: a.bits,
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        let (a, b) = Self::align_bits(self, other);
        Enclosure {
            low: &a.low - &b.high,
            high: &a.high - &b.low,
            bits: a.bits,
        }
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        let (a, b) = Self::align_bits(self, other);
        if !a.low.is_negative() && !b.low.is_negative() {
            let product = Enclosure {
                low: product(&a.low, &b.low),
                high: product(&a.high, &b.high),
                bits: 2 * a.bits,
            };
            return product.coarsen(a.bits);
        }
        let ends = [
            &a.low * &b.low,
            &a.low * &b.high,
            &a.high * &b.low,
            &a.high * &b.high,
        ];
        let low = ends.iter().min().expect("four ends").clone();
        let high = ends.into_iter().max().expect("four ends");
        Enclosure {
            low,
            high,
            bits: 2 * a.bits,
        }
        .coarsen(a.bits)
    }

    /// The quotient; `None` if the divisor's interval contains 0.
    pub fn over(&self, other: &Self) -> Option<Self> {
        let (a, b) = Self::align_bits(self, other);
        if !b.low.is_positive() && !b.high.is_negative() {
            return None;
        }
        // With a positive divisor, the sign of a decides which end of the divisor gives the
        // smallest quotient.
        let (a, b) = if b.high.is_negative() {
            (a.into_owned().negated(), b.into_owned().negated())
        } else {
            (a.into_owned(), b.into_owned())
        };
        let below = if a.low.is_negative() { &b.low } else { &b.high };
        let above = if a.high.is_negative() {
            &b.high
        } else {
            &b.low
        };
        Some(Enclosure {
            low: div_floor(&(&a.low << a.bits), below),
            high: div_ceil(&(&a.high << a.bits), above),
            bits: a.bits,
        })
    }

    pub fn negated(self) -> Self {
        Enclosure {
            low: -self.high,
            high: -self.low,
            bits: self.bits,
        }
    }

    /// The square root; `None` if the interval contains negative numbers.
    pub fn sqrt(&self) -> Option<Self> {
        let down = (self.low.to_biguint()? << self.bits).sqrt();
        let square = self.high.to_biguint()? << self.bits;
        let up = square.sqrt();
        let up = if &up * &up == square { up } else { up + 1u8 };
        Some(Enclosure {
            low: down.into(),
            high: up.into(),
            bits: self.bits,
        })
    }

    /// Whether the interval contains this rational.
    pub fn contains(&self, value: &Rational) -> bool {
        let scaled = value * Rational::from(BigInt::one() << self.bits);
        Rational::from(self.low.clone()) <= scaled && scaled <= Rational::from(self.high.clone())
    }
}

/// Encloses `2 atanh(p/q) = ln((q+p)/(q-p))`, where `0 <= p/q <= 1/3`, by the power series. With z
/// = p/q, the terms after z^k/k add up to at most 9/8 of the next term. The width is below
/// `2^(8-bits)`.
fn twice_atanh(p: &BigInt, q: &BigInt, bits: u64) -> Enclosure {
    if bits > 1024 && p.is_positive() && p.bits() + q.bits() <= bits / 32 {
        return twice_atanh_by_splitting(p, q, bits);
    }
    // Every division rounds down; with at most `bits` terms, each term loses less than 2 units.
    let mut power = ((p << bits).div_floor(q), 0u64);
    let square = ((p * p) << bits).div_floor(&(q * q));
    let (mut sum, mut k) = (BigInt::zero(), 1u64);
    while !power.0.is_zero() {
        spend_on(bits, bits);
        sum += &power.0 / BigInt::from(k);
        power = ((&power.0 * &square) >> bits, power.1 + 1);
        k += 2;
    }
    // Each power is at most 2 units too small (error e' <= e z^2 + z^2.. < 2), each quotient at
    // most 1 more; the omitted terms add up to less than 2 units.
    let slack = BigInt::from(4 * (power.1 + 1) + 4);
    Enclosure {
        high: (&sum + slack) << 1u8,
        low: sum << 1u8,
        bits,
    }
}

/// A part of the series of atanh(z) / z, with z^2 = p^2 / q^2: consecutive terms z^(2i) / (2i+1),
/// divided by the power of z in the first of them. Their sum is top / (odd * down).
struct AtanhTerms {
    top: UBig,
    /// The product of the odd numbers 2i+1.
    odd: UBig,
    /// p^2 to the power of the number of terms.
    up: UBig,
    /// q^2 to the power of the number of terms.
    down: UBig,
}

impl AtanhTerms {
    /// Computes the terms from `first` up to, but not including, `end` by binary splitting, which
    /// multiplies numbers of about equal length.
    fn from_range(first: u64, end: u64, up: &UBig, down: &UBig) -> AtanhTerms {
        if end - first == 1 {
            return AtanhTerms {
                top: down.clone(),
                odd: (2 * first + 1).into(),
                up: up.clone(),
                down: down.clone(),
            };
        }
        spend((end - first) * (up.bit_len() + down.bit_len()) as u64 / 16);
        let middle = first.midpoint(end);
        let (a, b) = (
            AtanhTerms::from_range(first, middle, up, down),
            AtanhTerms::from_range(middle, end, up, down),
        );
        AtanhTerms {
            top: a.top * &b.odd * &b.down + &a.up * b.top * &a.odd,
            odd: a.odd * b.odd,
            up: a.up * b.up,
            down: a.down * b.down,
        }
    }
}

/// Encloses twice atanh(p/q) for short p and q, 0 < p/q <= 1/3. Binary splitting (Brent 1976)
/// computes the sum of N terms exactly, except for a last division; the omitted terms are at most
/// 9/8 z^(2N+1) / (2N+1). Cost: O(log bits) products of O(bits log bits) bits.
fn twice_atanh_by_splitting(p: &BigInt, q: &BigInt, bits: u64) -> Enclosure {
    // If b is the number of bits of the integer part of (q/p)^64, then 2^(b-1) <= (q/p)^64, so
    // z^(2N) <= 2^-bits for N >= 32 bits / (b-1).
    let b = (q.pow(64u32) / p.pow(64u32)).bits();
    let terms = (32 * bits).div_ceil(b - 1);
    let (p, q) = (magnitude(p), magnitude(q));
    let AtanhTerms { top, odd, down, .. } =
        AtanhTerms::from_range(0, terms, &(&p * &p), &(&q * &q));
    let low = BigInt::from(to_biguint(
        &(((p * top) << (bits as usize + 1)) / (q * odd * down)),
    ));
    Enclosure {
        high: &low + 4, // 1 for the division, and the rest is below 2 * 9/8 units
        low,
        bits,
    }
}

/// The number of steps from 1 to 2 in the table of logarithms.
const LOG_TABLE_STEPS: u64 = 64;

/// Encloses ln(t / 64) = 2 atanh((t-64)/(t+64)) for 64 <= t <= 128. For each t, keeps the most
/// precise result that was requested so far.
fn ln_of_table_step(t: u64, bits: u64) -> Enclosure {
    static CACHE: [Mutex<Option<Enclosure>>; LOG_TABLE_STEPS as usize + 1] =
        [const { Mutex::new(None) }; LOG_TABLE_STEPS as usize + 1];
    let kept = &CACHE[(t - LOG_TABLE_STEPS) as usize];
    let kept = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept().as_ref().filter(|value| value.bits >= bits).cloned();
    let value = known.unwrap_or_else(|| {
        // Compute without holding the lock: a thread that needs fewer bits should not have to wait
        // for this one, because a waiting thread cannot be stopped.
        let value = twice_atanh(
            &(t - LOG_TABLE_STEPS).into(),
            &(t + LOG_TABLE_STEPS).into(),
            bits.max(256),
        );
        let mut kept = kept();
        if kept.as_ref().is_none_or(|known| known.bits < value.bits) {
            *kept = Some(value.clone());
        }
        value
    });
    value.coarsen(bits)
}

/// ln 2.
fn ln2(bits: u64) -> Enclosure {
    ln_of_table_step(2 * LOG_TABLE_STEPS, bits)
}

/// Encloses ln x for a rational x > 0; the width is at most `2^-bits`.
///
/// With x = 2^k y, 1 <= y < 2, and t the integer part of 64 y: ln x = k ln 2 + ln(t/64) + 2
/// atanh((64 y - t)/(64 y + t)), where each term of the last series gives 14 more bits. If x is
/// short and many bits are wanted, t is 64, y lies in 2/3..4/3, and the series is summed by binary
/// splitting. Cost: O(bits) products of `bits` + O(log x) bits.
pub fn ln(x: &Rational, bits: u64) -> Enclosure {
    assert!(
        x.is_positive(),
        "the logarithm of a number that is not positive"
    );
    let width = |x: u64| u64::from(u64::BITS - x.leading_zeros());
    let (p, q) = (x.numer(), x.denom());
    let scaled = |k: i64| {
        if k >= 0 {
            (p.clone(), q << k.unsigned_abs())
        } else {
            (p << k.unsigned_abs(), q.clone())
        }
    };
    let mut k = p.bits() as i64 - q.bits() as i64;
    let (a, b) = scaled(k); // a/b lies in 1/2..2
    let by_steps = bits <= 1024 || a.bits() + b.bits() > bits / 32;
    let above = if by_steps {
        a >= b
    } else {
        BigInt::from(3) * &a >= BigInt::from(2) * &b
    };
    let far = !by_steps && BigInt::from(3) * &a >= BigInt::from(4) * &b;
    k += i64::from(far) - i64::from(!above);
    let (a, b) = scaled(k);
    let t = if by_steps {
        ((&a * LOG_TABLE_STEPS) / &b).to_u64().expect("64 to 127")
    } else {
        LOG_TABLE_STEPS
    };
    let (a, b) = match t {
        LOG_TABLE_STEPS => (a, b),
        t => (a * LOG_TABLE_STEPS, b * t),
    };
    let (top, bottom) = (&a - &b, a + b);
    let mut guard = 24 + 2 * width(bits) + width(k.unsigned_abs());
    loop {
        let work = bits + guard;
        let part = if top.is_negative() {
            twice_atanh(&-&top, &bottom, work).negated()
        } else {
            twice_atanh(&top, &bottom, work)
        };
        let two = ln2(work);
        let (low, high) = if k >= 0 {
            (two.low, two.high)
        } else {
            (two.high, two.low)
        };
        let whole = Enclosure {
            low: low * k,
            high: high * k,
            bits: work,
        };
        let value = part.plus(&whole);
        let value = match t {
            LOG_TABLE_STEPS => value,
            t => value.plus(&ln_of_table_step(t, work)),
        };
        if value.is_within(bits) {
            return value;
        }
        guard += 32;
    }
}

/// Encloses log2 n for an integer n >= 1; the width is at most `2^-bits`. With n = 2^k y, log2 n =
/// k + (ln y)/(ln 2). Long logarithms are kept, since several columns of an answer need them.
pub fn log2(n: &BigUint, bits: u64) -> Enclosure {
    if let (0..=60, Ok(n)) = (bits, u64::try_from(n)) {
        let value = super::fixed::log2_fixed(n);
        return Enclosure {
            low: value.low.into(),
            high: value.high.into(),
            bits: 64,
        };
    }
    if let (0..=118, Ok(n)) = (bits, u64::try_from(n)) {
        let (low, high) = super::fixed::log2_places(n, bits as u32 + 1);
        return Enclosure {
            low: low.into(),
            high: high.into(),
            bits: bits + 1,
        };
    }
    if bits < MIN_LONG_BITS {
        return compute_log2(n, bits);
    }
    // Several columns and algorithms request the same long logarithm with slightly different
    // precisions. The number of bits is therefore rounded up, by a rule that depends only on
    // `bits`, and the logarithm is kept.
    const MAX_CACHED: usize = 4;
    static CACHE: Mutex<VecDeque<(BigUint, u64, Arc<Enclosure>)>> = Mutex::new(VecDeque::new());
    let step = 1 << (bits.ilog2() - 6);
    let round = (bits / step + 1) * step;
    let kept = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = |(of, to, _): &&(BigUint, u64, Arc<Enclosure>)| *to == round && of == n;
    if let Some((_, _, value)) = kept().iter().find(found) {
        return (**value).clone();
    }
    let value = compute_log2(n, round);
    let mut kept = kept();
    kept.truncate(MAX_CACHED - 1);
    kept.push_front((n.clone(), round, Arc::new(value.clone())));
    value
}

fn compute_log2(n: &BigUint, bits: u64) -> Enclosure {
    // If the number is longer than the logarithm, only its leading bits matter: n = (t + x) 2^s, 0
    // <= x < 1, and the logarithms of t >= 2^(bits + 7) and t + 1 are less than 2^-(bits + 6)
    // apart.
    let top = bits + 8;
    if n.bits() > 2 * top {
        let shift = n.bits() - top;
        let low = n >> shift;
        let high = compute_log2(&(&low + 1u8), bits + 4);
        let low = compute_log2(&low, bits + 4);
        let (low, high) = Enclosure::align_bits(&low, &high);
        let whole = BigInt::from(shift) << low.bits;
        return Enclosure {
            low: &low.low + &whole,
            high: &high.high + whole,
            bits: low.bits,
        };
    }
    let x = Rational::from(BigInt::from(n.clone()));
    let mut work = bits + 8 + (64 - n.bits().leading_zeros() as u64);
    loop {
        if let Some(value) = ln(&x, work)
            .over(&ln2(work))
            .filter(|value| value.is_within(bits))
        {
            return value;
        }
        work += 16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both ways of summing the series give intervals that overlap.
    #[test]
    fn both_ways_to_sum_a_series_agree() {
        for (p, q) in [
            (1u32, 3u32),
            (1, 5),
            (19, 60),
            (1, 1_000_003),
            (333_333, 1_000_000),
        ] {
            let (p, q) = (BigInt::from(p), BigInt::from(q));
            for bits in [1500u64, 2048, 5000] {
                let halves = twice_atanh_by_splitting(&p, &q, bits);
                assert!(halves.is_within(bits - 3));
                // Scaled so that p and q are too long for binary splitting.
                let long = BigInt::one() << bits;
                let terms = twice_atanh(&(&p * &long), &(&q * &long), bits);
                assert!(
                    halves.low <= terms.high && terms.low <= halves.high,
                    "{p}/{q}"
                );
            }
        }
    }

    /// For numbers of one word, squaring and the series enclose the same logarithm.
    #[test]
    fn logarithms_of_words_agree_with_squaring() {
        for n in (1..300u64).chain([65_537, u64::MAX, 1 << 63]) {
            let series = compute_log2(&n.into(), 150);
            for bits in [0, 60, 61, 90, 117, 118, 119] {
                let log = log2(&n.into(), bits);
                assert!(log.is_within(bits), "{n}, {bits}");
                assert!(
                    log.low() <= series.high() && series.low() <= log.high(),
                    "{n}, {bits}"
                );
            }
        }
    }

    /// log2 of a long number agrees with the value computed from its leading bits, and log2 of
    /// 3^20000 is 20000 log2 3.
    #[test]
    fn logarithms_of_long_numbers() {
        let power = BigUint::from(3u8).pow(20_000);
        for bits in [1, 40, 100, 700] {
            let long = log2(&power, bits);
            assert!(long.is_within(bits), "{bits}");
            let three = compute_log2(&3u8.into(), bits + 20);
            assert!(long.low() <= three.high() * BigInt::from(20_000), "{bits}");
            assert!(three.low() * BigInt::from(20_000) <= long.high(), "{bits}");
        }
        // On both sides of a power of two.
        for n in [
            (BigUint::one() << 5000u32) - 1u8,
            (BigUint::one() << 5000u32) + 1u8,
        ] {
            let long = log2(&n, 60);
            let end = Rational::from_integer(5000.into());
            assert!(long.is_within(60) && (long.contains(&end) || n.bits() == 5001));
        }
    }

    #[test]
    fn logarithms_have_the_published_digits() {
        // ln 2 and log2 10, from Abramowitz & Stegun.
        let digits = |e: Enclosure, d: u32| {
            let ten = BigInt::from(10).pow(d);
            let (low, high) = ((&e.low * &ten) >> e.bits, (&e.high * &ten) >> e.bits);
            assert_eq!(low, high);
            low.to_string()
        };
        assert_eq!(digits(ln2(200), 30), "693147180559945309417232121458");
        assert_eq!(
            digits(log2(&10u8.into(), 200), 30),
            "3321928094887362347870319429489"
        );
        assert_eq!(
            digits(ln(&Rational::new(1.into(), 10.into()), 200), 20),
            "-230258509299404568402"
        );
    }

    fn rational() -> impl Strategy<Value = Rational> {
        (any::<i64>(), 1..i64::MAX).prop_map(|(p, q)| Rational::new(p.into(), q.into()))
    }

    proptest! {
        #[test]
        fn operations_contain_the_exact_result(a in rational(), b in rational(), bits in 1u64..200) {
            let (x, y) = (Enclosure::of_rational(&a, bits), Enclosure::of_rational(&b, bits + 3));
            prop_assert!(x.plus(&y).contains(&(&a + &b)));
            prop_assert!(x.minus(&y).contains(&(&a - &b)));
            prop_assert!(x.times(&y).contains(&(&a * &b)));
            if let Some(ratio) = x.over(&y) { prop_assert!(ratio.contains(&(&a / &b))); }
        }

        #[test]
        fn the_logarithm_of_a_product_is_the_sum(a in 1u64.., b in 1u64.., bits in 1u64..300) {
            let (x, y) = (log2(&a.into(), bits), log2(&b.into(), bits));
            let both = log2(&(BigUint::from(a) * b), bits);
            prop_assert!(both.is_within(bits));
            let sum = x.plus(&y);
            let both = both.coarsen(sum.bits.max(bits));
            let sum = sum.coarsen(both.bits);
            prop_assert!(both.low <= sum.high && sum.low <= both.high);
        }
    }

    /// A kept logarithm equals a newly computed one, and is narrow enough.
    #[test]
    fn cached_logarithms_equal_new_ones() {
        for bits in [5000, 5001, 9000, 5000] {
            for n in [6u8, 7, 10, 11, 12, 6] {
                let (kept, anew) = (log2(&n.into(), bits), compute_log2(&n.into(), bits));
                assert!(kept.is_within(bits), "{n} {bits}");
                assert!(kept.low() <= anew.high() && anew.low() <= kept.high());
            }
        }
    }

    #[test]
    fn powers_of_two_have_whole_logarithms() {
        for k in [0u32, 1, 5, 64, 1000] {
            assert!(log2(&(BigUint::one() << k), 100).contains(&Rational::from(BigInt::from(k))));
        }
    }
}
