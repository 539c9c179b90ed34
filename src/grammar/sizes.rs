//! How large the results of an expression are and what they cost, before anything is computed.
//!
//! A [`Size`] says of a rational p/q in lowest terms between how many bits p and q have, and the
//! value itself where it is a short integer. [`Sizes`] is the algebra of such sizes: from those of
//! the operands it finds that of the result, refuses what certainly passes a limit, and adds up the
//! steps that the computation takes. So `333352!!` is refused although nothing is multiplied.
//!
//! With |x| < 2^a and |y| < 2^b: |x + y| < 2^(max(a,b)+1), |x y| < 2^(a+b), |x^e| < 2^(a e). Where
//! x is a short integer, x^64 is computed and gives 64 log2 x within 1, so that sizes of powers are
//! known within 1/64 bit per factor. For k >= 6: (k/3)^k <= k! <= (k/2)^k; up to 34! is computed.
//!
//! A *step* is about one operation on words of 64 bits. A product of a and b words, a >= b, takes
//! `a sqrt(b)` steps (Toom and Cook: the exponent of 3-way splitting is 1.465); a sum takes as many
//! as its words.

use super::{Algebra, AlgebraError, Literal, Operator, Words, decimal, factorial};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// What an expression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bits of any result on the way, above and below the bar of a fraction.
    pub bits: u64,
    /// Steps of all operations together, each about one operation on a machine word.
    pub steps: u64,
}

/// A factorial is taken of 0 to this number.
pub const LARGEST_FACTORIAL: u64 = 400_000;

/// Integers of up to this many bits are tracked by their value.
const SHORT: u64 = 128;

/// Between how many bits a number has; 0 has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The lower bound.
    pub low: u64,
    /// The upper bound.
    pub high: u64,
}

impl Bits {
    fn exactly(bits: u64) -> Bits {
        Bits {
            low: bits,
            high: bits,
        }
    }

    /// Of a product.
    fn times(self, other: Bits) -> Bits {
        let low = match self.low == 0 || other.low == 0 {
            true => 0,
            false => self.low.saturating_add(other.low) - 1,
        };
        Bits {
            low,
            high: self.high.saturating_add(other.high),
        }
    }

    /// Of a sum or a difference.
    fn plus(self, other: Bits) -> Bits {
        let (large, small) = match self.low >= other.low {
            true => (self, other),
            false => (other, self),
        };
        // 2^(a-1) - 2^b >= 2^(a-2) where a - 1 > b
        let low = match large.low > small.high.saturating_add(1) {
            true => large.low - 1,
            false => 0,
        };
        Bits {
            low,
            high: self.high.max(other.high).saturating_add(1),
        }
    }

    /// Of a power with an exponent of at least 1.
    fn power(self, exponent: u64) -> Bits {
        let low = match self.low {
            0 => 0,
            bits => (bits - 1).saturating_mul(exponent).saturating_add(1),
        };
        Bits {
            low,
            high: self.high.saturating_mul(exponent),
        }
    }
}

/// What is known of a rational number without computing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The value, where it is a short integer and known.
    pub exact: Option<BigInt>,
    /// Is it below 0? `None` where that is not known.
    pub negative: Option<bool>,
    /// Of the numerator.
    pub top: Bits,
    /// Of the denominator; `None` for an integer.
    pub bottom: Option<Bits>,
}

impl Size {
    /// Of an integer.
    pub fn of(value: &BigInt) -> Size {
        Size {
            exact: (value.bits() <= SHORT).then(|| value.clone()),
            negative: Some(value.is_negative()),
            top: Bits::exactly(value.bits()),
            bottom: None,
        }
    }

    /// Of a rational in lowest terms.
    pub fn of_rational(value: &BigRational) -> Size {
        match value.denom().is_one() {
            true => Size::of(value.numer()),
            false => Size {
                exact: None,
                bottom: Some(Bits::exactly(value.denom().bits())),
                ..Size::of(value.numer())
            },
        }
    }

    /// Of an integer with this range of bits.
    fn integer(top: Bits, negative: Option<bool>) -> Size {
        Size {
            exact: None,
            negative,
            top,
            bottom: None,
        }
    }

    fn denominator(&self) -> Bits {
        self.bottom.unwrap_or(Bits::exactly(1))
    }

    /// A fraction of which only the larger ends are known: it may not be in lowest terms.
    fn fraction(top: Bits, bottom: Bits, negative: Option<bool>) -> Size {
        let at_most = |bits: Bits| Bits { low: 0, ..bits };
        Size {
            exact: None,
            negative,
            top: at_most(top),
            bottom: Some(at_most(bottom)),
        }
    }

    fn is_certainly_no_integer(&self) -> bool {
        self.bottom.is_some_and(|bits| bits.low > 1)
    }

    fn is_zero(&self) -> bool {
        self.exact.as_ref().is_some_and(Zero::is_zero)
    }
}

/// The algebra of sizes: it computes nothing, and refuses what is certain to pass its limits.
///
/// An operation whose operands are not known well enough to be refused is counted as if it kept to
/// the limits. [`Integers`](super::Integers) asks again right before each operation, when its
/// operands are known.
#[derive(Clone, Debug)]
pub struct Sizes {
    words: &'static Words,
    limits: Limits,
    fractions: bool,
    steps: u64,
}

fn words_of(bits: u64) -> u64 {
    bits / 64 + 1
}

/// Is a product below 0? A factor that may be 0 leaves it open.
fn sign_of_product(x: &Size, y: &Size) -> Option<bool> {
    let negative = x.negative? != y.negative?;
    let zero = x.top.low == 0 || y.top.low == 0;
    (!negative || !zero).then_some(negative)
}

/// Steps of a product.
fn product_steps(a: u64, b: u64) -> u64 {
    let (a, b) = (words_of(a.max(b)), words_of(a.min(b)));
    a.saturating_mul(b.isqrt() + 1)
}

/// `64 log2 x` lies in `low..=high`, for a short x >= 2.
fn log2_in_64ths(x: &BigInt) -> (u64, u64) {
    let bits = Pow::pow(x.magnitude(), 64u8).bits();
    (bits - 1, bits)
}

/// Bits of a number between 2^(low/64) and 2^(high/64).
fn bits_of_64ths(low: u128, high: u128) -> Bits {
    let bits = |x: u128| u64::try_from(x / 64 + 1).unwrap_or(u64::MAX);
    Bits {
        low: bits(low),
        high: bits(high),
    }
}

impl Sizes {
    /// Sizes within limits, for the algebra of these words; `fractions`: does it know `/` and `.`?
    pub fn new(words: &'static Words, limits: Limits, fractions: bool) -> Self {
        Sizes {
            words,
            limits,
            fractions,
            steps: 0,
        }
    }

    /// The steps that were counted so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts more steps.
    fn count(&mut self, steps: u64, at: usize) -> Result<(), AlgebraError> {
        self.steps = self.steps.saturating_add(steps);
        match self.steps <= self.limits.steps {
            true => Ok(()),
            false => {
                let most = self.limits.steps;
                let what = format!("the work would pass {most} steps on machine words");
                Err(AlgebraError::new(at, what))
            }
        }
    }

    fn too_long(&self, at: usize) -> AlgebraError {
        let most = self.limits.bits;
        AlgebraError::new(at, format!("the result would pass {most} bits"))
    }

    /// Checks the size of a number.
    ///
    /// # Errors
    /// [`AlgebraError`] if it has more bits than the limits allow.
    pub fn check(&self, bits: u64, at: usize) -> Result<(), AlgebraError> {
        match bits <= self.limits.bits {
            true => Ok(()),
            false => Err(self.too_long(at)),
        }
    }

    /// A result that keeps to the limits, or the refusal of one that cannot.
    fn within(&self, mut size: Size, at: usize) -> Result<Size, AlgebraError> {
        for bits in [Some(&mut size.top), size.bottom.as_mut()]
            .into_iter()
            .flatten()
        {
            self.check(bits.low, at)?;
            bits.high = bits.high.min(self.limits.bits);
        }
        Ok(size)
    }

    /// Counts the steps to the lowest terms of a fraction: a gcd and two divisions.
    fn reduce(&mut self, size: &Size, at: usize) -> Result<(), AlgebraError> {
        let Some(bottom) = size.bottom else {
            return Ok(());
        };
        let (long, short) = match bottom.high >= size.top.high {
            true => (bottom.high, size.top.high),
            false => (size.top.high, bottom.high),
        };
        let levels = u64::from(64 - short.leading_zeros());
        self.count(product_steps(long, short), at)?;
        self.count(product_steps(short, short).saturating_mul(levels), at)
    }

    fn sum(&mut self, sign: Operator, x: &Size, y: &Size, at: usize) -> Result<Size, AlgebraError> {
        self.count(words_of(x.top.high.max(y.top.high)), at)?;
        if let (Some(x), Some(y)) = (&x.exact, &y.exact) {
            let value = match sign {
                Operator::Plus => x + y,
                _ => x - y,
            };
            return self.within(Size::of(&value), at);
        }
        let turned = y
            .negative
            .map(|negative| negative != (sign == Operator::Minus));
        if x.bottom.is_some() || y.bottom.is_some() {
            let (p, q) = (x.denominator(), y.denominator());
            self.product(x.top, q, at)?;
            self.product(y.top, p, at)?;
            let top = x.top.times(q).plus(y.top.times(p));
            let bottom = self.product(p, q, at)?;
            let negative = x.negative.filter(|negative| turned == Some(*negative));
            return self.lowest(Size::fraction(top, bottom, negative), at);
        }
        let mut bits = x.top.plus(y.top);
        let negative = if x.negative.is_some() && x.negative == turned {
            bits.low = x.top.low.max(y.top.low);
            x.negative
        } else if bits.low == 0 {
            None
        } else if x.top.low > y.top.low {
            x.negative
        } else {
            turned
        };
        self.within(Size::integer(bits, negative), at)
    }

    /// Counts a product.
    fn product(&mut self, x: Bits, y: Bits, at: usize) -> Result<Bits, AlgebraError> {
        self.count(product_steps(x.high, y.high), at)?;
        Ok(x.times(y))
    }

    /// A fraction that may not be in lowest terms yet, and is as long as its products until then.
    fn lowest(&mut self, size: Size, at: usize) -> Result<Size, AlgebraError> {
        self.reduce(&size, at)?;
        self.within(size, at)
    }

    fn times(&mut self, x: &Size, y: &Size, at: usize) -> Result<Size, AlgebraError> {
        self.count(1, at)?;
        if let (Some(x), Some(y)) = (&x.exact, &y.exact) {
            return self.within(Size::of(&(x * y)), at);
        }
        if x.is_zero() || y.is_zero() {
            return Ok(Size::of(&BigInt::zero()));
        }
        let negative = sign_of_product(x, y);
        self.check(x.top.times(y.top).low, at)?;
        let top = self.product(x.top, y.top, at)?;
        match (x.bottom, y.bottom) {
            (None, None) => self.within(Size::integer(top, negative), at),
            _ => {
                let bottom = self.product(x.denominator(), y.denominator(), at)?;
                self.lowest(Size::fraction(top, bottom, negative), at)
            }
        }
    }

    fn over(&mut self, x: &Size, y: &Size, at: usize) -> Result<Size, AlgebraError> {
        if y.is_zero() {
            return Err(AlgebraError::new(at, "a denominator cannot be 0"));
        }
        let negative = sign_of_product(x, y);
        let top = self.product(x.top, y.denominator(), at)?;
        let bottom = self.product(y.top, x.denominator(), at)?;
        self.lowest(Size::fraction(top, bottom, negative), at)
    }

    fn power(&mut self, base: &Size, exponent: &Size, at: usize) -> Result<Size, AlgebraError> {
        if exponent.negative == Some(true) {
            return Err(AlgebraError::new(at, "an exponent cannot be negative"));
        }
        if exponent.is_certainly_no_integer() {
            return Err(AlgebraError::new(at, "an exponent is a whole number"));
        }
        let unit = |base: &&BigInt| base.magnitude().bits() <= 1;
        if let Some(base) = base.exact.as_ref().filter(unit) {
            let unknown = || Size::integer(Bits { low: 0, high: 1 }, None);
            let known = |exponent| Size::of(&power(base, exponent));
            return Ok(exponent.exact.as_ref().map_or_else(unknown, known));
        }
        let exact = exponent.exact.as_ref().map(|e| e.to_u64());
        let exponent = match exact {
            Some(Some(0)) => return Ok(Size::of(&BigInt::one())),
            Some(Some(exponent)) => exponent,
            // |base| >= 2, or below 1/2, or a fraction
            _ if base.top.low.max(base.denominator().low) > 1 && exponent.top.low > 64 => {
                return Err(match exponent.negative {
                    Some(false) => self.too_long(at),
                    _ => AlgebraError::new(at, "an exponent is 0 or more and below 2^64"),
                });
            }
            // Whatever it is, the result must keep to the limits.
            _ => {
                let most = Bits {
                    low: 0,
                    high: self.limits.bits,
                };
                self.count(2 * product_steps(most.high, most.high), at)?;
                return Ok(Size {
                    bottom: base.bottom.map(|_| most),
                    ..Size::integer(most, None)
                });
            }
        };
        let negative = match exponent % 2 {
            0 => Some(false),
            _ => base.negative,
        };
        let top = match &base.exact {
            Some(base) => {
                let (low, high) = log2_in_64ths(base);
                let exponent = u128::from(exponent);
                bits_of_64ths(u128::from(low) * exponent, u128::from(high) * exponent)
            }
            None => base.top.power(exponent),
        };
        let size = Size {
            bottom: base.bottom.map(|bottom| bottom.power(exponent)),
            ..Size::integer(top, negative)
        };
        let size = self.within(size, at)?;
        for bits in [Some(size.top), size.bottom].into_iter().flatten() {
            // squares of half, a quarter, ... of the bits, and products with the odd ones
            let steps = product_steps(bits.high, bits.high).saturating_mul(2);
            self.count(steps, at)?;
        }
        match &base.exact {
            Some(base) if size.top.high <= SHORT => Ok(Size::of(&power(base, &exponent.into()))),
            _ => Ok(size),
        }
    }

    fn factorial_of(&mut self, x: &Size, at: usize) -> Result<Size, AlgebraError> {
        let refused = || {
            let what = format!("a factorial is taken of 0 to {LARGEST_FACTORIAL} only");
            Err(AlgebraError::new(at, what))
        };
        let (low, high) = match &x.exact {
            Some(k) => match k.to_u64() {
                Some(k) if k <= LARGEST_FACTORIAL => (k, k),
                _ => return refused(),
            },
            // 2^19 is above 400000
            None if x.is_certainly_no_integer() || x.top.low > 19 => return refused(),
            None if x.negative == Some(true) => return refused(),
            None => (0, LARGEST_FACTORIAL),
        };
        if high <= 34 {
            return Ok(Size::of(&factorial(high).into()));
        }
        let bits = |k: u64| {
            let (low, high) = log2_in_64ths(&k.into());
            // 64 log2 3 = 101.4...
            let (k, low, high) = (u128::from(k), u128::from(low), u128::from(high));
            bits_of_64ths(k * (low - 102), k * (high - 64))
        };
        let size = Bits {
            low: if low <= 34 { 1 } else { bits(low).low },
            high: bits(high).high,
        };
        self.check(size.low, at)?;
        // balanced products: the lower levels are cheaper, but many
        self.count(product_steps(size.high, size.high).saturating_mul(2), at)?;
        self.within(Size::integer(size, Some(false)), at)
    }
}

/// base^exponent, for an exponent of 0 or more; one above 64 bits for 0, 1 and -1 alone.
pub(super) fn power(base: &BigInt, exponent: &BigInt) -> BigInt {
    match (base.magnitude().bits(), exponent.to_u64()) {
        (0 | 1, _) if exponent.is_zero() => BigInt::one(),
        (0 | 1, _) if exponent.is_even() => base * base,
        (0 | 1, _) => base.clone(),
        (_, Some(exponent)) => Pow::pow(base, exponent),
        (_, None) => unreachable!("sizes refuse it"),
    }
}

impl Algebra for Sizes {
    type Value = Size;

    fn words(&self) -> &'static Words {
        self.words
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<Size, AlgebraError> {
        let digits = number.digits();
        let places = number.places();
        if let Some(point) = number.point().filter(|_| !self.fractions) {
            return Err(self.words.no_operator(at + point));
        }
        let digits = digits.trim_start_matches('0');
        // 10^(d-1) <= x < 10^d, and log2 10 lies between 3.321 and 3.322
        let bits = |d: usize| Bits {
            low: (d as u64 - 1) * 3321 / 1000 + 1,
            high: d as u64 * 3322 / 1000 + 1,
        };
        let size = match digits.len() {
            0 => Size::of(&BigInt::zero()),
            1..=38 => Size::of(&BigInt::from_biguint(Sign::Plus, decimal(digits))),
            d => self.within(Size::integer(bits(d), Some(false)), at)?,
        };
        self.count(4 * product_steps(size.top.high, size.top.high), at)?;
        match places {
            0 => Ok(size),
            _ => {
                let bottom = bits(places + 1);
                self.check(bottom.low, at)?;
                self.lowest(Size::fraction(size.top, bottom, Some(false)), at)
            }
        }
    }

    fn negate(&mut self, x: Size, _at: usize) -> Result<Size, AlgebraError> {
        let zero = x.is_zero();
        Ok(Size {
            exact: x.exact.map(|x| -x),
            negative: match zero {
                true => Some(false),
                // it may be 0 if nothing is known of its bits
                false => x
                    .negative
                    .filter(|negative| *negative || x.top.low > 0)
                    .map(|x| !x),
            },
            ..x
        })
    }

    fn factorial(&mut self, x: Size, at: usize) -> Result<Size, AlgebraError> {
        self.factorial_of(&x, at)
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: Size,
        y: Size,
        at: usize,
    ) -> Result<Size, AlgebraError> {
        match operator {
            Operator::Plus | Operator::Minus => self.sum(operator, &x, &y, at),
            Operator::Times => self.times(&x, &y, at),
            Operator::Over if self.fractions => self.over(&x, &y, at),
            Operator::Power => self.power(&x, &y, at),
            _ => Err(self.words.no_operator(at)),
        }
    }
}
