//! Real numbers that can be enclosed as narrowly as requested, and their decimal forms.
//!
//! A [`Real`] is an exact rational, or a rule that returns an [`Enclosure`] of any requested width.
//! Decimals and doubles are returned only if the enclosure leaves a single possible answer.

use super::budget::spend;
use super::decimal::{Decimal, Rounding, has_places, pad_number, place_point};
use super::enclosure::Enclosure;
use super::{BigInt, BigUint, Rational, long, reduce};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

type EnclosureRule = dyn Fn(u64) -> Enclosure + Send + Sync;

/// A real number: an exact fraction, or a rule that encloses the value within any 2^-bits.
///
/// ```
/// use flipcost_number::{Rational, Real};
/// let half = Rational::new(1.into(), 2.into());
/// let bits = Real::log(6, 2); // log2 6 = 2.58496...
/// assert_eq!(format!("{:.20}", &bits - half.clone()), "2.08496250072115618145");
/// assert!(bits > half && bits < 3 && 3 - bits.clone() < 1);
/// assert_eq!(bits.to_f64()?, 6f64.log2()); // the nearest double
/// assert_eq!(Real::from(half) * 2, 1);
/// assert_eq!(format!("{:>8.3}", -bits), "  -2.585");
/// # Ok::<(), flipcost_number::Undecided>(())
/// ```
#[derive(Clone)]
pub enum Real {
    /// The value is known as a reduced fraction.
    Exact(Rational),
    /// `rule(bits)` contains the value and has a width of at most `2^-bits`.
    Enclosed(Arc<EnclosureRule>),
    /// No value: a quotient by 0 or by a value that no enclosure separates from 0, and any result
    /// computed from such a quotient.
    Undefined(Undecided),
}

/// The error if several answers were still possible at the highest precision that was tried: the
/// value may lie exactly on a boundary, or a divisor may be 0.
///
/// ```
/// use flipcost_number::Real;
/// // log2 3 + log2 5 = log2 15, but no enclosure can prove it.
/// let [three, five, fifteen] = [3, 5, 15].map(|n| Real::log(n, 2));
/// let zero = three + five - &fifteen;
/// assert!(zero.compare(0).is_err());
/// let error = (1 / zero).decimals(3).unwrap_err();
/// assert!(error.to_string().ends_with("of 0, and no narrower enclosure was tried"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct Undecided(UndecidedPoint);

/// The kind of question that is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum UndecidedPoint {
    #[error(
        "the value lies within 2^-{0} of a point where the rounding or comparison changes, and no narrower enclosure was tried"
    )]
    Boundary(u64),
    #[error("the divisor lies within 2^-{0} of 0, and no narrower enclosure was tried")]
    Divisor(u64),
    #[error("the divisor is 0")]
    ZeroDivisor,
}

/// The search for an answer gives up when even this many bits more than expected did not decide it.
const MAX_EXTRA_BITS: u64 = 8192;

/// Fractions with at least this many bits are reduced with the fast gcd.
const LONG_FRACTION_BITS: u64 = 1 << 13;

/// Returns a / b for b other than 0.
fn divide_exact(a: &Rational, b: &Rational) -> Rational {
    if a.denom().bits().max(b.denom().bits()) < LONG_FRACTION_BITS {
        return a / b;
    }
    let quotient = reduce::over(a, &b.abs());
    if b.is_negative() { -quotient } else { quotient }
}

impl Real {
    /// Creates a real number from a rule that encloses it.
    pub fn enclosed(rule: impl Fn(u64) -> Enclosure + Send + Sync + 'static) -> Self {
        Real::Enclosed(Arc::new(rule))
    }

    /// As [`Real::enclosed`], but for a slow rule: rounds the requested number of bits up to a
    /// multiple of 64, and keeps the narrowest enclosure so far.
    pub fn cached(rule: impl Fn(u64) -> Enclosure + Send + Sync + 'static) -> Self {
        let kept: Mutex<Option<(u64, Enclosure)>> = Mutex::new(None);
        Real::enclosed(move |bits| {
            // Compute without holding the lock, so that no thread waits for another thread that
            // needs more bits.
            let kept = || kept.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((known, value)) = &*kept()
                && *known >= bits
            {
                return value.clone();
            }
            let bits = bits.next_multiple_of(64);
            let value = rule(bits);
            let mut kept = kept();
            if kept.as_ref().is_none_or(|(known, _)| *known < bits) {
                *kept = Some((bits, value.clone()));
            }
            value
        })
    }

    /// An integer.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Real::Exact(Rational::from(value.into()))
    }

    /// The exact fraction, if the value is known as a fraction.
    pub fn exact(&self) -> Option<&Rational> {
        match self {
            Real::Exact(value) => Some(value),
            Real::Enclosed(_) | Real::Undefined(_) => None,
        }
    }

    /// The square root of a nonnegative value.
    ///
    /// ```
    /// use flipcost_number::{Rational, Real};
    /// let variance = Real::from(Rational::new(16.into(), 9.into()));
    /// assert_eq!(variance.sqrt(), Rational::new(4.into(), 3.into()));
    /// assert_eq!(format!("{:.20}", Real::integer(2).sqrt()), "1.41421356237309504880");
    /// ```
    ///
    /// # Panics
    /// If the number is an exact value below 0.
    pub fn sqrt(&self) -> Real {
        if let Real::Undefined(why) = self {
            return Real::Undefined(*why);
        }
        if let Real::Exact(value) = self {
            assert!(!value.numer().is_negative(), "{value} has no square root");
            let root = |part: &BigInt| {
                let root = part.sqrt();
                (&root * &root == *part).then_some(root)
            };
            if let (Some(top), Some(bottom)) = (root(value.numer()), root(value.denom())) {
                return Real::Exact(Rational::new_raw(top, bottom));
            }
        }
        let square = self.clone();
        Real::enclosed(move |bits| {
            // For a square near 0: the root of an interval of width 2^-(2 bits + 8) next to 0 has a
            // width of 2^-(bits+4).
            let mut near = square.enclose(2 * bits + 8);
            near.low = near.low.max(BigInt::ZERO);
            near.sqrt().expect("it is not below 0")
        })
    }

    /// Returns an interval of width at most `2^-bits` that contains the value.
    ///
    /// # Panics
    /// If the number is [`Real::Undefined`].
    pub fn enclose(&self, bits: u64) -> Enclosure {
        match self {
            Real::Exact(value) => Enclosure::of_rational(value, bits),
            Real::Enclosed(rule) => rule(bits),
            Real::Undefined(why) => panic!("no interval contains it: {why}"),
        }
    }

    /// Computes `log_m n`: exact if n and m are powers of the same number, otherwise enclosed.
    ///
    /// # Panics
    /// If n < 1 or m < 2, which have no logarithm.
    pub fn log(n: impl TryInto<BigUint>, m: u64) -> Real {
        assert!(m >= 2, "there is no logarithm to the base {m}");
        let n: Option<BigUint> = n.try_into().ok();
        let n = n
            .filter(|n| !n.is_zero())
            .expect("a number above 0 has a logarithm");
        if let Some(exact) = exact_log(&n, m) {
            return Real::Exact(exact);
        }
        if m == 2 {
            return Real::enclosed(move |bits| super::enclosure::log2(&n, bits));
        }
        let numerator = Real::Enclosed(Arc::new(move |bits| super::enclosure::log2(&n, bits)));
        let denominator = Real::enclosed(move |bits| super::enclosure::log2(&m.into(), bits));
        numerator.quotient(&denominator)
    }

    fn combine(
        &self,
        other: &Real,
        exact: impl Fn(&Rational, &Rational) -> Rational,
        enclosed: impl Fn(&Enclosure, &Enclosure) -> Option<Enclosure> + Send + Sync + 'static,
    ) -> Real {
        if let (Real::Exact(a), Real::Exact(b)) = (self, other) {
            return Real::Exact(exact(a, b));
        }
        if let Some(undefined) = [self, other]
            .into_iter()
            .find(|x| x.why_undefined().is_some())
        {
            return undefined.clone();
        }
        let (a, b) = (self.clone(), other.clone());
        Real::enclosed(move |bits| {
            let mut work = bits + 4;
            loop {
                spend(work);
                let value = enclosed(&a.enclose(work), &b.enclose(work));
                match value.filter(|value| value.is_within(bits)) {
                    Some(value) => return value,
                    None => work += 16 + work / 4,
                }
            }
        })
    }

    /// The sum.
    pub fn plus(&self, other: &Real) -> Real {
        self.combine(other, |a, b| a + b, |a, b| Some(a.plus(b)))
    }

    /// The difference.
    pub fn minus(&self, other: &Real) -> Real {
        self.combine(other, |a, b| a - b, |a, b| Some(a.minus(b)))
    }

    /// The product.
    pub fn times(&self, other: &Real) -> Real {
        self.combine(other, |a, b| a * b, |a, b| Some(a.times(b)))
    }

    /// The quotient: [`Real::Undefined`] if the divisor is 0, or if no enclosure that was tried
    /// separates the divisor from 0.
    pub fn over(&self, other: &Real) -> Real {
        let sign = |e: &Enclosure| (e.low.is_positive() || e.high.is_negative()).then_some(());
        match other {
            Real::Exact(zero) if zero.is_zero() => {
                Real::Undefined(Undecided(UndecidedPoint::ZeroDivisor))
            }
            Real::Enclosed(_) => match other.narrow_until(64, UndecidedPoint::Divisor, sign) {
                Ok(()) => self.quotient(other),
                Err(why) => Real::Undefined(why),
            },
            _ => self.quotient(other),
        }
    }

    /// The quotient by a divisor that is not 0.
    fn quotient(&self, other: &Real) -> Real {
        self.combine(other, divide_exact, Enclosure::over)
    }

    fn why_undefined(&self) -> Option<Undecided> {
        match self {
            Real::Undefined(why) => Some(*why),
            Real::Exact(_) | Real::Enclosed(_) => None,
        }
    }

    /// Narrows the enclosure until the question is settled.
    fn narrow_until<T>(
        &self,
        first: u64,
        point: fn(u64) -> UndecidedPoint,
        answer: impl Fn(&Enclosure) -> Option<T>,
    ) -> Result<T, Undecided> {
        if let Some(why) = self.why_undefined() {
            return Err(why);
        }
        let mut bits = first;
        loop {
            spend(bits);
            if let Some(answer) = answer(&self.enclose(bits)) {
                return Ok(answer);
            }
            if bits > first + MAX_EXTRA_BITS {
                return Err(Undecided(point(bits)));
            }
            bits += 64 + (bits - first);
        }
    }

    /// Returns the value with `digits` decimals, correctly rounded; an exact tie goes to the even
    /// last digit.
    ///
    /// ```
    /// use flipcost_number::{Rational, Real};
    /// let third = Real::Exact(Rational::new(11.into(), 3.into()));
    /// assert_eq!(third.decimals(5).unwrap(), "3.66667");
    /// ```
    ///
    /// # Errors
    /// [`Undecided`] if no enclosure that was tried leaves a single answer.
    pub fn decimals(&self, digits: u32) -> Result<String, Undecided> {
        let scale = long::power(&10.into(), digits);
        let rounded = match self {
            Real::Exact(value) => round_half_even(&(value.numer() * scale), value.denom()),
            _ => self.narrow_until(digits as u64 * 10 / 3 + 24, UndecidedPoint::Boundary, |e| {
                // Both ends must round to the same integer, and neither may be a tie. `low` and
                // `high` are the ends times the scale, plus 1/2, in units of 2^-(bits + 1). The
                // interval is narrow, so its width times the scale is a short product.
                let low = (long::product(&e.low, &scale) << 1u8) + (BigInt::one() << e.bits);
                let high = &low + (((&e.high - &e.low) * &scale) << 1u8);
                let unit = e.bits + 1;
                // Shifts round down.
                let is_tie = |end: &BigInt| end.trailing_zeros().is_none_or(|zeros| zeros >= unit);
                let tie = is_tie(&low) || is_tie(&high);
                let (low, high) = (low >> unit, high >> unit);
                (low == high && !tie).then_some(low)
            })?,
        };
        Ok(place_point(&rounded, digits as usize))
    }

    /// Returns the value with this many decimals, correctly rounded as in [`Real::decimals`], and
    /// whether the decimals are exact.
    ///
    /// # Errors
    /// [`Undecided`] if no enclosure that was tried leaves a single answer.
    pub fn decimal(&self, places: u32) -> Result<Decimal, Undecided> {
        let text = self.decimals(places)?;
        let rounding = match self.exact() {
            Some(value) if has_places(value, places) => Rounding::Exact,
            _ => Rounding::Nearest,
        };
        Ok(Decimal::new(text, rounding))
    }

    /// Returns the nearest double, ties to even: 0 for a value that is nearer to 0 than to any
    /// other double, even if it is not 0 ([`Real::is_zero`]), and infinity beyond the largest
    /// double. Cost: an enclosure of about 60 bits after the leading zeros.
    ///
    /// # Errors
    /// [`Undecided`] if no enclosure that was tried leaves a single answer.
    pub fn to_f64(&self) -> Result<f64, Undecided> {
        match self {
            Real::Exact(value) => Ok(nearest_f64(value.numer(), value.denom())),
            _ => self.narrow_until(56, UndecidedPoint::Boundary, |e| {
                let unit = BigInt::one() << e.bits;
                let (low, high) = (nearest_f64(&e.low, &unit), nearest_f64(&e.high, &unit));
                (low == high).then_some(low)
            }),
        }
    }

    /// Whether the value is known to be 0. An enclosed value may be 0 without this being known.
    pub fn is_zero(&self) -> bool {
        match self {
            Real::Exact(value) => value.is_zero(),
            Real::Undefined(_) => false,
            Real::Enclosed(_) => {
                let near = self.enclose(56);
                near.low.is_zero() && near.high.is_zero()
            }
        }
    }

    /// Compares two numbers: reals, fractions or integers.
    ///
    /// ```
    /// use flipcost_number::Real;
    /// let root = Real::from(2).sqrt();
    /// assert!(root.compare(1)?.is_gt() && root < 2);
    /// assert!((&root * &root).compare(2).is_err()); // equal, but no enclosure can prove it
    /// # Ok::<(), flipcost_number::Undecided>(())
    /// ```
    ///
    /// # Errors
    /// [`Undecided`] if one of the numbers is not known exactly, and no enclosure that was tried
    /// separates them: they may be equal.
    pub fn compare(&self, other: impl Into<Real>) -> Result<Ordering, Undecided> {
        match (self, &other.into()) {
            (Real::Exact(a), Real::Exact(b)) => Ok(a.cmp(b)),
            (Real::Enclosed(a), Real::Enclosed(b)) if Arc::ptr_eq(a, b) => Ok(Ordering::Equal),
            (_, other) => self
                .minus(other)
                .narrow_until(40, UndecidedPoint::Boundary, |e| {
                    if e.low.is_positive() {
                        Some(Ordering::Greater)
                    } else if e.high.is_negative() {
                        Some(Ordering::Less)
                    } else {
                        None
                    }
                }),
        }
    }

    /// The approximate number of zero decimals before the first nonzero one; 0 if none is found.
    fn leading_zeros(&self) -> u32 {
        let zeros = |bits: u64| {
            let e = self.enclose(bits);
            let nearer = if e.low.is_positive() { e.low } else { -e.high };
            let known = nearer.is_positive();
            known.then(|| bits.saturating_sub(nearer.bits()) * 3 / 10)
        };
        let zeros = [64, 512, 4096].into_iter().find_map(zeros);
        zeros.unwrap_or(0) as u32
    }

    /// Returns the largest integer that is at most the value.
    ///
    /// # Errors
    /// [`Undecided`] if no enclosure that was tried leaves a single answer.
    pub fn floor(&self) -> Result<BigInt, Undecided> {
        match self {
            Real::Exact(value) => Ok(value.floor().to_integer()),
            _ => self.narrow_until(16, UndecidedPoint::Boundary, |e| {
                let (low, high) = (&e.low >> e.bits, &e.high >> e.bits);
                (low == high).then_some(low)
            }),
        }
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Real {
            fn from(value: $integer) -> Real {
                Real::integer(value)
            }
        }
    )*};
}

integers!(u8 i32 u32 i64 u64 u128 usize BigInt BigUint);

/// Clones the number.
impl From<&Real> for Real {
    fn from(value: &Real) -> Real {
        value.clone()
    }
}

/// Whether the numbers are known to be equal: both are exact and equal, or both are the same
/// object. An enclosed value may equal another number without this being known; [`Real::compare`]
/// reports that case.
impl<T: Clone + Into<Real>> PartialEq<T> for Real {
    fn eq(&self, other: &T) -> bool {
        match (self, other.clone().into()) {
            (Real::Exact(a), Real::Exact(b)) => *a == b,
            (Real::Enclosed(a), Real::Enclosed(b)) => Arc::ptr_eq(a, &b),
            _ => false,
        }
    }
}

/// Compares two numbers. If [`Real::compare`] does not decide, the result is `None`, and both `<`
/// and `>` are false.
impl<T: Clone + Into<Real>> PartialOrd<T> for Real {
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        self.compare(other.clone()).ok()
    }
}

/// Writes an exact value as a fraction, `11/3`, or as an integer, `4`; otherwise `≈` and 20
/// correctly rounded decimals after the leading zeros. With a precision, as in `{:.50}`, it writes
/// that many correctly rounded decimals of any value. It writes `?` if no enclosure that was tried
/// decides a decimal, and `undefined` for [`Real::Undefined`]. Within a width, as in `{:>10}`, the
/// text is aligned to the right by default.
impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (mark, text) = match (self, f.precision()) {
            (Real::Undefined(_), _) => ("", Ok("undefined".to_string())),
            (_, Some(digits)) => ("", self.decimals(digits as u32)),
            (Real::Exact(value), None) => ("", Ok(value.to_string())),
            (Real::Enclosed(_), None) => ("≈", self.decimals(20 + self.leading_zeros())),
        };
        pad_number(f, &format!("{mark}{}", text.as_deref().unwrap_or("?")))
    }
}

// A rule does not change after it is made.
impl std::panic::UnwindSafe for Real {}
impl std::panic::RefUnwindSafe for Real {}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Real({self})")
    }
}

impl From<Rational> for Real {
    fn from(value: Rational) -> Self {
        Real::Exact(value)
    }
}

/// Computes `log_m n` if it is rational, that is, if both are powers of one integer: n = b^i, m =
/// b^j.
fn exact_log(n: &BigUint, m: u64) -> Option<Rational> {
    if n.is_one() {
        return Some(Rational::zero());
    }
    let base = least_root(m);
    let j = (1..64).find(|&j| base.checked_pow(j) == Some(m))?;
    if base.is_power_of_two() {
        let bit = n.trailing_zeros()?;
        // Here base = 2, since 2 is the least root of every power of two.
        return (n.bits() == bit + 1).then(|| Rational::new(bit.into(), j.into()));
    }
    let (mut rest, mut i) = (n.clone(), 0u64);
    while !rest.is_one() {
        let (quotient, remainder) = rest.div_rem(&base.into());
        if !remainder.is_zero() {
            return None;
        }
        (rest, i) = (quotient, i + 1);
    }
    Some(Rational::new(i.into(), j.into()))
}

/// The least b with m = b^j for some j.
fn least_root(m: u64) -> u64 {
    if m.is_power_of_two() {
        return 2;
    }
    let mut least = m;
    for j in 2..=63u32 {
        let root = num_integer::Roots::nth_root(&m, j);
        if root >= 2 && root.checked_pow(j) == Some(m) {
            least = least.min(root);
        }
    }
    least
}

/// Rounds `numerator / denominator` to the nearest integer, a tie to the even one; both must be
/// positive.
fn round_half_even(numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let (quotient, rest) = numerator.div_mod_floor(denominator);
    match (rest << 1u8).cmp(denominator) {
        Ordering::Less => quotient,
        Ordering::Equal if quotient.is_even() => quotient,
        _ => quotient + 1,
    }
}

/// Rounds both ends of an interval to the same number of decimals, at most `digits`: the largest
/// number for which the results are equal. Returns this decimal; `None` if even the first decimals
/// differ.
///
/// # Errors
/// [`Undecided`] if a rounding cannot be decided.
pub fn common_decimals(low: &Real, high: &Real, digits: u32) -> Result<Option<Decimal>, Undecided> {
    for digits in (1..=digits).rev() {
        let known = Decimal::common(&low.decimal(digits)?, &high.decimal(digits)?);
        if known.is_some() {
            return Ok(known);
        }
    }
    Ok(None)
}

/// Returns the double nearest to `numerator / denominator`, ties to even, using integers only. Both
/// must be positive.
pub fn nearest_f64(numerator: &BigInt, denominator: &BigInt) -> f64 {
    if numerator.is_zero() {
        return 0.0;
    }
    let double = nearest_quotient(numerator.magnitude(), denominator.magnitude());
    if numerator.is_negative() {
        -double
    } else {
        double
    }
}

/// As [`nearest_f64`]. For long numbers, the first 192 bits determine almost every double.
fn nearest_quotient(p: &BigUint, q: &BigUint) -> f64 {
    let rest = p.bits().min(q.bits()).saturating_sub(192);
    if rest > 0 {
        let (p, q) = (p >> rest, q >> rest);
        let (low, high) = (
            nearest_quotient(&p, &(&q + 1u8)),
            nearest_quotient(&(&p + 1u8), &q),
        );
        if low == high {
            return low;
        }
    }
    // Scale so that the quotient has 54 or 55 bits; a sticky bit says whether the remainder is
    // nonzero.
    let mut exponent = p.bits() as i64 - q.bits() as i64 - 54;
    exponent = exponent.max(-1074 - 2); // below the least double no bits remain
    let (top, bottom) = if exponent >= 0 {
        (p.clone(), q << exponent as u64)
    } else {
        (p << (-exponent) as u64, q.clone())
    };
    let (quotient, rest) = top.div_rem(&bottom);
    let mut mantissa = quotient.to_u128().expect("at most 56 bits");
    let sticky = !rest.is_zero();
    // Round to 53 bits, or fewer if the result is subnormal.
    let bits = 128 - mantissa.leading_zeros() as i64;
    let drop = (bits - 53).max(-1074 - exponent).max(0) as u32;
    let (kept, lost) = (mantissa >> drop, mantissa & ((1u128 << drop) - 1));
    let half = if drop == 0 { 0 } else { 1u128 << (drop - 1) };
    let up = drop > 0 && (lost > half || lost == half && (sticky || kept & 1 == 1));
    mantissa = kept + up as u128;
    exponent += drop as i64;
    scale_by_power_of_two(mantissa as f64, exponent)
}

/// Returns `value * 2^exponent`. The result is exact, because the caller has already rounded
/// `value`, or infinite.
fn scale_by_power_of_two(mut value: f64, mut exponent: i64) -> f64 {
    while exponent > 1000 && value.is_finite() {
        value *= 2f64.powi(1000);
        exponent -= 1000;
    }
    if exponent > 1000 {
        return value;
    }
    if exponent < -1000 {
        value *= 2f64.powi(-1000 + 60); // stays normal: the value has at most 53 bits
        exponent += 1000 - 60;
        return value
            * 2f64.powi((exponent / 2) as i32)
            * 2f64.powi((exponent - exponent / 2) as i32);
    }
    value * 2f64.powi(exponent as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    #[test]
    fn ties_go_to_even() {
        for (p, q, digits, text) in [
            (5, 2, 0, "2"),
            (7, 2, 0, "4"),
            (-5, 2, 0, "-2"),
            (1, 8, 2, "0.12"),
            (3, 8, 2, "0.38"),
            (11, 3, 3, "3.667"),
            (-1, 3, 2, "-0.33"),
            (0, 1, 3, "0.000"),
            (1, 1000, 2, "0.00"),
        ] {
            assert_eq!(Real::Exact(ratio(p, q)).decimals(digits).unwrap(), text);
        }
    }

    #[test]
    fn logarithms_are_exact_where_they_are_rational() {
        for (n, m, p, q) in [
            (8u32, 4u64, 3, 2),
            (1, 7, 0, 1),
            (1024, 2, 10, 1),
            (27, 9, 3, 2),
            (36, 6, 2, 1),
            (216, 36, 3, 2),
        ] {
            assert_eq!(Real::log(n, m).exact(), Some(&ratio(p, q)), "log_{m} {n}");
        }
        assert!(Real::log(6, 2).exact().is_none());
        assert_eq!(
            Real::log(10, 2).decimals(20).unwrap(),
            "3.32192809488736234787"
        );
        // log 10 / log 6, from PARI/GP
        assert_eq!(
            Real::log(10, 6).decimals(20).unwrap(),
            "1.28509720893846875994"
        );
    }

    #[test]
    fn a_value_on_a_boundary_is_reported_not_guessed() {
        let half = Real::enclosed(|bits| {
            let middle = BigInt::one() << bits;
            Enclosure {
                low: &middle - 1,
                high: middle + 1,
                bits: bits + 1,
            }
        });
        assert!(half.decimals(0).is_err());
        assert_eq!(half.decimals(1).unwrap(), "0.5");
        assert!(half.compare(Real::Exact(ratio(1, 2))).is_err());
    }

    proptest! {
        #[test]
        fn doubles_read_back(x in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
            let exact = Rational::from_float(x).unwrap();
            prop_assert_eq!(nearest_f64(exact.numer(), exact.denom()), x);
        }
        #[test]
        fn a_double_is_nearest(p in 1i64.., q in 1i64..) {
            let exact = ratio(p, q);
            let nearest = nearest_f64(exact.numer(), exact.denom());
            let distance = |x: f64| (Rational::from_float(x).unwrap() - &exact).abs();
            prop_assert!(distance(nearest) <= distance(nearest.next_up()));
            prop_assert!(distance(nearest) <= distance(nearest.next_down()));
        }
        /// Long fractions that are exactly at a tie, and fractions that are closer to a tie than
        /// 192 bits can show.
        #[test]
        fn ties_of_long_fractions(k in 1u64 << 52..1 << 53, bits in 400u64..500) {
            let (tie, unit) = (BigInt::from(2 * k + 1) << bits, BigInt::one() << (bits + 1));
            let (down, up) = (k as f64, (k + 1) as f64);
            let even = if k % 2 == 0 { down } else { up };
            prop_assert_eq!(nearest_f64(&(&tie - 1u8), &unit), down);
            prop_assert_eq!(nearest_f64(&tie, &unit), even);
            prop_assert_eq!(nearest_f64(&(tie + 1u8), &unit), up);
        }
        #[test]
        fn decimals_of_an_enclosure_are_those_of_the_value(p in any::<i64>(), q in 1i64.., digits in 0u32..40) {
            let exact = ratio(p, q);
            let hidden = exact.clone();
            let enclosed = Real::enclosed(move |bits| Enclosure::of_rational(&hidden, bits));
            // Only a tie is undecided: a value that is an odd multiple of half a unit of the last
            // decimal.
            let halves = &exact * BigInt::from(2) * BigInt::from(10u8).pow(digits);
            let tie = halves.is_integer() && halves.to_integer().is_odd();
            let decided = Real::Exact(exact).decimals(digits).ok().filter(|_| !tie);
            prop_assert_eq!(enclosed.decimals(digits).ok(), decided);
        }
    }
}
