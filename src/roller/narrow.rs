//! Enclosures in machine words: a real number between two multiples of 2^-80, which is enough to
//! decide most doubles.
//!
//! An operation returns an interval that contains its results for all numbers in the given
//! intervals. It returns `None` if a bound exceeds 2^127 units, or if the sign of a factor or
//! divisor is unknown. A double is returned only if both bounds round to it, so it is the double
//! nearest to the number itself. A caller that gets `None` uses an [`Enclosure`] instead.
//!
//! **Logarithm.** Divide [1, 2) into 128 parts. With x = n / 2^floor(log2 n) and c = 1 + (2 i + 1)
//! / 256, the middle of the part that contains x,
//!
//! ```text
//! log2 x = log2 c + (2 / ln 2) (u + u^3/3 + u^5/5 + u^7/7 + rest),    u = (x - c) / (x + c)
//! ```
//!
//! where |u| < 2^-9, so that |rest| < u^9/9 (1 + 2^-17) < 2^-84.

use flipcost_number::{BigInt, Enclosure, Real, ln};
use num_integer::Integer;
use num_traits::ToPrimitive;
use std::sync::OnceLock;

/// The number of binary places.
const PLACES: u32 = 80;

/// 2^-80.
const UNIT: f64 = 1.0 / (1u128 << PLACES) as f64;

/// An enclosure of a value v: low <= 2^80 v <= high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Narrow {
    /// The lower bound, in units of 2^-80.
    pub low: i128,
    /// The upper bound, in units of 2^-80.
    pub high: i128,
}

/// log2 c for the middles c of the 128 parts, and 2 / ln 2.
fn log_table() -> &'static (Vec<Narrow>, Narrow) {
    static LOGS: OnceLock<(Vec<Narrow>, Narrow)> = OnceLock::new();
    LOGS.get_or_init(compute_logs)
}

fn compute_logs() -> (Vec<Narrow>, Narrow) {
    let eight = Narrow::integer(8);
    let log = |i: u32| {
        let odd = Narrow::from_real(&Real::log(2 * i + 257, 2)).expect("below 9");
        odd.minus(eight).expect("below 1")
    };
    let ln2 = ln(&BigInt::from(2).into(), u64::from(PLACES) + 8);
    let ln2 = Narrow::of_enclosure(&ln2).expect("below 1");
    let scale = Narrow::integer(2).over(ln2).expect("ln 2 is not 0");
    ((0..128).map(log).collect(), scale)
}

impl Narrow {
    /// Converts an integer.
    pub fn integer(value: u32) -> Narrow {
        let end = i128::from(value) << PLACES;
        Narrow {
            low: end,
            high: end,
        }
    }

    /// Converts a word; `None` if it is 2^47 or more.
    pub fn word(value: u64) -> Option<Narrow> {
        let end = (value >> (127 - PLACES) == 0).then_some(i128::from(value) << PLACES)?;
        Some(Narrow {
            low: end,
            high: end,
        })
    }

    /// Converts a real number; `None` if it is too large. Cost: one enclosure.
    pub fn from_real(value: &Real) -> Option<Narrow> {
        Narrow::of_enclosure(&value.enclose(u64::from(PLACES) + 8))
    }

    fn of_enclosure(value: &Enclosure) -> Option<Narrow> {
        let one: &BigInt = &(BigInt::from(1) << value.bits);
        let end = |end: &BigInt| end << PLACES;
        Some(Narrow {
            low: end(&value.low).div_floor(one).to_i128()?,
            high: end(&value.high).div_ceil(one).to_i128()?,
        })
    }

    /// The quotient p / q of words; `None` if it is 2^47 or more.
    pub fn ratio(p: u64, q: u64) -> Option<Narrow> {
        let (whole, rest) = (p / q, p % q);
        let (q, mut part) = (u128::from(q), u128::from(rest));
        let mut low = i128::from(whole);
        for _ in 0..2 {
            part <<= PLACES / 2; // the rest is below 2^64
            low = low << (PLACES / 2) | (part / q) as i128;
            part %= q;
        }
        (whole >> (127 - PLACES) == 0).then_some(Narrow {
            low,
            high: low + i128::from(part > 0),
        })
    }

    /// Encloses log2 n for a word n >= 1, to within 2^-66. Cost: one division, and nine products of
    /// words.
    ///
    /// # Panics
    /// If n = 0.
    pub fn log2(n: u64) -> Narrow {
        let whole = Narrow::integer(n.ilog2());
        if n.is_power_of_two() {
            return whole;
        }
        let (middles, scale) = log_table();
        // x and c in units of 2^-63
        let x = n << n.leading_zeros();
        let i = (x >> 56) & 127;
        let c = (1 << 63) | (2 * i + 1) << 55;
        // Since |x - c| <= 2^55 and x + c < 2^65, this is |u| in units of 2^-72, rounded down
        let u = ((u128::from(x.abs_diff(c)) << 72) / (u128::from(x) + u128::from(c))) as u64;
        // Each product is truncated by less than a unit of 2^-72.
        let times = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 72) as u64;
        let square = times(u, u);
        let cube = times(u, square);
        let fifth = times(cube, square);
        let sum = u + cube / 3 + fifth / 5 + times(fifth, square) / 7;
        // The truncation of the sum is less than 8 units in total, and the rest of the series is
        // less than 1 unit.
        let sum = Narrow {
            low: i128::from(sum) << 8,
            high: (i128::from(sum) + 9) << 8,
        };
        let sum = if x < c { sum.negated() } else { sum };
        // 2 / ln 2 < 3. For a positive sum, the lower bound of the product uses the lower bound of
        // 2 / ln 2; for a negative sum, its upper bound.
        let part = sum.scaled(*scale);
        Narrow {
            low: whole.low + middles[i as usize].low + part.low,
            high: whole.high + middles[i as usize].high + part.high,
        }
    }

    /// Encloses log2 of a number above 0, to within 2^-61.
    pub fn log(self) -> Option<Narrow> {
        let (low, high, negative) = self.magnitude()?;
        let log = |v: u128, up: bool| {
            let (digits, cut) = top_digits(v, up);
            let log = Narrow::log2(u64::try_from(digits).ok()?);
            let places = i128::from(cut - i64::from(PLACES)) << PLACES;
            Some(places + if up { log.high } else { log.low })
        };
        let (low, high) = (log(low, false)?, log(high, true)?);
        (!negative).then_some(Narrow { low, high })
    }

    /// The product of a number below 2^-8 in absolute value and a factor above 0 and below 4.
    fn scaled(self, scale: Narrow) -> Narrow {
        // The bounds are in units of 2^-72, below 2^64 units; the scale is in units of 2^-60, below
        // 2^62 units.
        let part = |end: i128, up: bool| {
            let scale = if up == (end > 0) {
                (scale.high >> 20) + 1
            } else {
                scale.low >> 20
            };
            // The shift rounds down.
            (((end >> 8) * scale) >> 52) + i128::from(up)
        };
        Narrow {
            low: part(self.low, false),
            high: part(self.high, true),
        }
    }

    /// -v.
    pub fn negated(self) -> Narrow {
        Narrow {
            low: -self.high,
            high: -self.low,
        }
    }

    /// The sum.
    pub fn plus(self, other: Narrow) -> Option<Narrow> {
        Some(Narrow {
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
        })
    }

    /// The difference.
    pub fn minus(self, other: Narrow) -> Option<Narrow> {
        self.plus(other.negated())
    }

    /// The bounds of the absolute value, and whether the number is negative; `None` if the sign is
    /// unknown.
    fn magnitude(self) -> Option<(u128, u128, bool)> {
        let (low, high) = (self.low.unsigned_abs(), self.high.unsigned_abs());
        match (self.low > 0, self.high < 0) {
            (true, _) => Some((low, high, false)),
            (_, true) => Some((high, low, true)),
            _ => None,
        }
    }

    fn signed(low: u128, high: u128, negative: bool) -> Option<Narrow> {
        let value = Narrow {
            low: i128::try_from(low).ok()?,
            high: i128::try_from(high).ok()?,
        };
        Some(if negative { value.negated() } else { value })
    }

    /// The product; `None` unless both signs are known.
    pub fn times(self, other: Narrow) -> Option<Narrow> {
        let ((a, b, s), (c, d, t)) = (self.magnitude()?, other.magnitude()?);
        Narrow::signed(
            rounded_product(a, c, false)?,
            rounded_product(b, d, true)?,
            s != t,
        )
    }

    /// The quotient, to within 2^-61 of its size; `None` unless both signs are known.
    pub fn over(self, other: Narrow) -> Option<Narrow> {
        let ((a, b, s), (c, d, t)) = (self.magnitude()?, other.magnitude()?);
        Narrow::signed(
            rounded_quotient(a, d, false)?,
            rounded_quotient(b, c, true)?,
            s != t,
        )
    }

    /// The square root of a number above 0, to within 2^-62 of its size.
    pub fn sqrt(self) -> Option<Narrow> {
        let (low, high, negative) = self.magnitude()?;
        // In units of 2^-80, the root of v 2^-80 is the root of v 2^s, shifted left by 40 - s/2
        // bits.
        let root = |v: u128| {
            let shift = v.leading_zeros() & !1;
            let root = (v << shift).isqrt();
            shift_bits(root, i64::from(PLACES / 2) - i64::from(shift / 2))
        };
        let (low, high) = (root(low)?, root(high)?);
        // The truncated root is too small by at most one unit in its last place.
        let high = high + (high >> 62) + 2;
        (!negative).then(|| Narrow::signed(low, high, false))?
    }

    /// The nearest double; `None` if the interval does not determine it, or if the value is 0.
    #[inline]
    pub fn nearest(self) -> Option<f64> {
        let (low, high) = (self.low as f64, self.high as f64);
        (low == high && self.low ^ self.high >= 0 && self.low != 0).then_some(low * UNIT)
    }
}

/// v 2^shift, rounded down; `None` if the result exceeds 2^127.
fn shift_bits(v: u128, shift: i64) -> Option<u128> {
    match shift {
        ..=-128 => Some(0),
        -127..=0 => Some(v >> -shift),
        _ if shift < i64::from(v.leading_zeros()) => Some(v << shift),
        _ => None,
    }
}

/// The first 64 binary digits of v, rounded down or up, and the number of digits that were cut off.
fn top_digits(v: u128, up: bool) -> (u128, i64) {
    let cut = 64u32.saturating_sub(v.leading_zeros());
    (
        (v >> cut) + u128::from(up && v.trailing_zeros() < cut),
        cut.into(),
    )
}

/// a b / 2^80, rounded down or up.
fn rounded_product(a: u128, b: u128, up: bool) -> Option<u128> {
    let parts = |v: u128| (v >> 64, v & u128::from(u64::MAX));
    let ((a, i), (b, j)) = (parts(a), parts(b));
    let (carry, low) = parts(i * j);
    let ((p, q), (r, s)) = (parts(a * j), parts(i * b));
    let (carry, middle) = parts(carry + q + s);
    let high = a * b + p + r + carry;
    let low = middle << 64 | low;
    let whole = (high >> (PLACES - 1) == 0).then_some(high << (128 - PLACES) | low >> PLACES)?;
    Some(whole + u128::from(up && low << (128 - PLACES) != 0))
}

/// 2^80 a / b, computed from the first digits of a and b.
fn rounded_quotient(a: u128, b: u128, up: bool) -> Option<u128> {
    let ((b, j), room) = (top_digits(b, !up), a.leading_zeros());
    let quotient = (a << room) / b + u128::from(up);
    // The number a is above 0, because its sign is known.
    let quotient = shift_bits(quotient, i64::from(PLACES) - j - i64::from(room))?;
    Some(quotient + u128::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::Rational;
    use num_traits::Zero;
    use proptest::prelude::*;

    fn exact(end: i128) -> Rational {
        Rational::new(end.into(), BigInt::from(1) << PLACES)
    }

    fn contains_value(narrow: Narrow, value: &Rational) -> bool {
        exact(narrow.low) <= *value && *value <= exact(narrow.high)
    }

    /// Checks whether the interval is as narrow as documented, apart from a unit or two for the
    /// rounding of the bounds.
    fn is_within(narrow: Narrow, value: &Rational, bits: u32) -> bool {
        let width = exact(narrow.high) - exact(narrow.low);
        let size = if *value < Rational::zero() {
            -value
        } else {
            value.clone()
        };
        width <= size / (BigInt::from(1) << bits) + exact(4)
    }

    /// Numbers of any size whose bounds fit in an i128.
    fn number() -> impl Strategy<Value = Narrow> {
        (any::<i128>(), 0u32..126).prop_map(|(value, shift)| Narrow {
            low: value >> shift >> 1,
            high: value >> shift >> 1,
        })
    }

    #[test]
    fn the_logarithm_of_3_from_that_of_12() {
        let toll = Narrow::log2(12).minus(Narrow::integer(2));
        assert_eq!(toll.and_then(Narrow::nearest), Some(1.584962500721156));
    }

    proptest! {
        #[test]
        fn operations_contain_the_exact_results(a in number(), b in number()) {
            let (x, y) = (exact(a.low), exact(b.low));
            if let Some(sum) = a.plus(b) {
                prop_assert!(contains_value(sum, &(&x + &y)) && sum.low == sum.high);
            }
            if let Some(difference) = a.minus(b) {
                prop_assert!(contains_value(difference, &(&x - &y)));
            }
            if let Some(product) = a.times(b) {
                let value = &x * &y;
                prop_assert!(contains_value(product, &value) && product.high - product.low <= 1);
            }
            if let Some(quotient) = a.over(b) {
                let value = &x / &y;
                prop_assert!(contains_value(quotient, &value) && is_within(quotient, &value, 60));
            }
            if let Some(root) = a.sqrt() {
                let (low, high) = (exact(root.low), exact(root.high));
                prop_assert!(&low * &low <= x && x <= &high * &high);
                prop_assert!(is_within(root, &low, 60));
            }
            if let Some(log) = a.log() {
                let inner = Real::Exact(x.clone());
                let inner = ln(inner.exact().unwrap(), 200)
                    .over(&ln(&BigInt::from(2).into(), 200)).unwrap();
                prop_assert!(exact(log.low) <= inner.high() && inner.low() <= exact(log.high));
                prop_assert!(log.high - log.low <= 1 << 20);
            }
            if let Some(nearest) = a.nearest() {
                prop_assert_eq!(Ok(nearest), Real::Exact(x).to_f64());
            } else {
                prop_assert!(x.is_zero());
            }
        }

        /// Tests intervals of all orders of magnitude. An enclosure that contains the results for
        /// both bounds also contains the results for the values between them.
        #[test]
        fn intervals_contain_the_results_of_their_ends(
            a in number(), b in number(), more in 0i128..1 << 90, other in 0i128..1 << 90,
        ) {
            let wide = |v: Narrow, more: i128| Some(Narrow { low: v.low, high: v.high.checked_add(more)? });
            if let (Some(a), Some(b)) = (wide(a, more), wide(b, other)) {
                for (x, y) in [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)] {
                    let (x, y) = (exact(x), exact(y));
                    prop_assert!(a.times(b).is_none_or(|product| contains_value(product, &(&x * &y))));
                    prop_assert!(a.over(b).is_none_or(|quotient| contains_value(quotient, &(&x / &y))));
                    prop_assert!(a.minus(b).is_none_or(|difference| contains_value(difference, &(&x - &y))));
                }
            }
        }

        #[test]
        fn ratios_contain_the_exact_results(p in any::<u64>(), q in 1u64.., shift in 0u32..64) {
            let p = p >> shift;
            let value = Rational::new(p.into(), q.into());
            match Narrow::ratio(p, q) {
                Some(ratio) => prop_assert!(contains_value(ratio, &value) && ratio.high - ratio.low <= 1),
                None => prop_assert!(p / q >= 1 << 47),
            }
            prop_assert_eq!(Narrow::word(p).is_some(), p < 1 << 47);
        }

        /// The result contains an enclosure that has many more bits.
        #[test]
        fn logarithms_contain_the_exact_results(n in 1u64.., shift in 0u32..64) {
            let n = (n >> shift).max(1);
            let (narrow, log) = (Narrow::log2(n), Real::log(n, 2).enclose(200));
            prop_assert!(exact(narrow.low) <= log.low() && log.high() <= exact(narrow.high));
            prop_assert!(narrow.high - narrow.low <= 1 << 14, "{}", narrow.high - narrow.low);
        }
    }

    /// Tests the logarithms at both ends of each of the 128 parts, where |u| is largest.
    #[test]
    fn logarithms_at_the_ends_of_the_table() {
        for i in 0..128u64 {
            for n in [
                (128 + i) << 56,
                ((128 + i) << 56) + 1,
                ((129 + i) << 56).wrapping_sub(1),
            ] {
                let (narrow, log) = (Narrow::log2(n), Real::log(n, 2).enclose(200));
                assert!(
                    exact(narrow.low) <= log.low() && log.high() <= exact(narrow.high),
                    "{n}"
                );
            }
        }
    }
}
