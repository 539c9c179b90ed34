//! Evaluates expressions with rational numbers: `+ - * / ^ !`, decimals, exponents of ten and named
//! numbers, in lowest terms at every step.
//!
//! Powers and factorials are short to write but can take long to compute. Therefore every operation
//! whose result would exceed the [`Limits`] is refused before it is computed: the size of the
//! result follows from the operands, which are already known. With |x| < 2^a and |y| < 2^b: |x y| <
//! 2^(a+b) and |x^e| < 2^(a e); for a short x, an enclosure of log2 x gives the size of a power.
//! For factorials, (k/3)^k <= k! for k >= 6.
//!
//! A *step* is about one operation on 64-bit words. A product of a and b words, a >= b, takes `a
//! sqrt(b)` steps (the exponent of Toom and Cook's 3-way splitting is 1.465); a sum takes one step
//! per word.

use super::named::NamedNumber;
use super::reduce::reduce;
use super::short::short;
use super::{BigInt, BigUint, Rational, Real};
use crate::budget::spend;
use crate::grammar::{
    Algebra, AlgebraError, Expr, ExpressionError, Literal, Operator, Vocabulary, decimal,
};
use num_integer::Integer;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};
use std::ops::RangeInclusive;

/// Limits on the evaluation of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of bits of the numerator and the denominator of any intermediate result.
    pub bits: u64,
    /// The maximum number of steps of all operations together, each about one operation on a
    /// machine word.
    pub steps: u64,
}

/// The largest argument of a factorial.
pub(crate) const MAX_FACTORIAL: u64 = 400_000;

/// The algebra of rational numbers within limits.
#[derive(Clone, Debug)]
pub(crate) struct Rationals {
    words: &'static Vocabulary,
    limits: Limits,
    steps: u64,
}

/// Computes the rational value of an expression.
///
/// # Errors
/// For names, functions and operators that are not defined for rationals; a denominator of 0;
/// exponents that are not whole numbers; factorials of numbers other than 0 to 400,000; and results
/// that exceed the limits.
pub fn rational_value(
    expr: &Expr,
    words: &'static Vocabulary,
    limits: Limits,
) -> Result<Rational, ExpressionError> {
    expr.evaluate(&mut Rationals::new(words, limits))
}

impl Rationals {
    /// Creates the algebra with these limits.
    pub fn new(words: &'static Vocabulary, limits: Limits) -> Self {
        Rationals {
            words,
            limits,
            steps: 0,
        }
    }

    fn count_steps(&mut self, steps: u64, at: usize) -> Result<(), AlgebraError> {
        spend(steps);
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= self.limits.steps {
            Ok(())
        } else {
            let most = self.limits.steps;
            let what = format!("the work would take more than {most} steps on machine words");
            Err(AlgebraError::new(at, what))
        }
    }

    /// Fails if a result of at least this many bits exceeds the limit.
    fn check_bits(&self, bits: u128, at: usize) -> Result<(), AlgebraError> {
        if bits <= self.limits.bits.into() {
            Ok(())
        } else {
            Err(self.too_long_error(bits, at))
        }
    }

    fn too_long_error(&self, bits: u128, at: usize) -> AlgebraError {
        let most = self.limits.bits;
        let size = match u64::try_from(bits) {
            Ok(bits) => format!("about {bits} bits"),
            Err(_) => "more than 2^64 bits".to_string(),
        };
        let what = format!("this part would have {size}, and {most} is the most");
        AlgebraError::new(at, what)
    }

    fn check_length(&self, value: Rational, at: usize) -> Result<Rational, AlgebraError> {
        let bits = value.numer().bits().max(value.denom().bits());
        self.check_bits(bits.into(), at)?;
        Ok(value)
    }

    /// Reduces p/q to lowest terms with a gcd and two divisions; q must not be 0.
    fn in_lowest_terms(
        &mut self,
        p: BigInt,
        q: BigInt,
        at: usize,
    ) -> Result<Rational, AlgebraError> {
        if q.is_one() {
            return Ok(Rational::from(p));
        }
        let (a, b) = (p.bits(), q.bits());
        let (long, short) = (a.max(b), a.min(b));
        let levels = u64::from(64 - short.leading_zeros());
        self.count_steps(product_steps(long, short), at)?;
        self.count_steps(product_steps(short, short).saturating_mul(levels), at)?;
        let negative = p.is_negative() != q.is_negative();
        let value = reduce(p.magnitude(), q.magnitude());
        Ok(if negative { -value } else { value })
    }

    fn product(&mut self, x: &BigInt, y: &BigInt, at: usize) -> Result<BigInt, AlgebraError> {
        if y.is_one() {
            return Ok(x.clone());
        }
        self.count_steps(product_steps(x.bits(), y.bits()), at)?;
        // A fraction that is not yet reduced may be twice as long as the limit.
        let bits = u128::from(x.bits()) + u128::from(y.bits());
        self.check_bits((bits / 2).saturating_sub(1), at)?;
        Ok(x * y)
    }

    fn sum(&mut self, x: &Rational, y: &Rational, at: usize) -> Result<Rational, AlgebraError> {
        self.count_steps(word_count(x.numer().bits().max(y.numer().bits())), at)?;
        if x.denom() == y.denom() {
            return self.in_lowest_terms(x.numer() + y.numer(), x.denom().clone(), at);
        }
        let above = self.product(x.numer(), y.denom(), at)?;
        let above = above + self.product(y.numer(), x.denom(), at)?;
        let below = self.product(x.denom(), y.denom(), at)?;
        self.in_lowest_terms(above, below, at)
    }

    fn times(&mut self, x: &Rational, y: &Rational, at: usize) -> Result<Rational, AlgebraError> {
        if x.is_integer() && y.is_integer() && !x.is_zero() && !y.is_zero() {
            self.check_bits(u128::from(x.numer().bits() + y.numer().bits()) - 1, at)?;
        }
        let above = self.product(x.numer(), y.numer(), at)?;
        let below = self.product(x.denom(), y.denom(), at)?;
        self.in_lowest_terms(above, below, at)
    }

    fn over(&mut self, x: &Rational, y: &Rational, at: usize) -> Result<Rational, AlgebraError> {
        if y.is_zero() {
            return Err(AlgebraError::new(at, "a denominator cannot be 0"));
        }
        let above = self.product(x.numer(), y.denom(), at)?;
        let below = self.product(x.denom(), y.numer(), at)?;
        self.in_lowest_terms(above, below, at)
    }

    fn power(&mut self, x: Rational, y: &Rational, at: usize) -> Result<Rational, AlgebraError> {
        if !y.is_integer() {
            let what = format!(
                "an exponent is a whole number, and this one is {}",
                format_short(y)
            );
            return Err(AlgebraError::new(at, what));
        }
        let (negative, exponent) = (y.is_negative(), y.numer().magnitude());
        if negative && x.is_zero() {
            let what = "0 has no power with a negative exponent";
            return Err(AlgebraError::new(at, what));
        }
        let x = if negative { x.recip() } else { x };
        if x.is_integer() && x.numer().bits() <= 1 {
            return Ok(match (exponent.is_zero(), exponent.is_even()) {
                (true, _) => Rational::one(),
                (false, true) => x.abs(),
                (false, false) => x,
            });
        }
        let Some(exponent) = exponent.to_u64() else {
            return Err(self.too_long_error(u128::MAX, at));
        };
        for part in [x.numer(), x.denom()] {
            let mut bits = u128::from(part.bits()) * u128::from(exponent);
            if self.check_bits(bits, at).is_err() {
                bits = power_bits(part.magnitude(), exponent);
                self.check_bits(bits, at)?;
            }
            // Count the steps of squaring numbers of half, a quarter, ... of the bits, and of the
            // products for the binary digits 1 of the exponent.
            let bits = bits as u64;
            self.count_steps(product_steps(bits, bits).saturating_mul(2), at)?;
        }
        let (p, q) = x.into_raw();
        Ok(Rational::new_raw(
            Pow::pow(p, exponent),
            Pow::pow(q, exponent),
        ))
    }
}

/// A number in short form, for messages.
pub(super) fn format_short(value: &Rational) -> String {
    let part = |part: &BigInt| {
        let sign = if part.is_negative() { "-" } else { "" };
        format!("{sign}{}", short(part.magnitude()))
    };
    if value.is_integer() {
        part(value.numer())
    } else {
        format!("{}/{}", part(value.numer()), part(value.denom()))
    }
}

fn word_count(bits: u64) -> u64 {
    bits / 64 + 1
}

/// The number of steps of a product of numbers with these numbers of bits.
fn product_steps(a: u64, b: u64) -> u64 {
    let (a, b) = (word_count(a.max(b)), word_count(a.min(b)));
    a.saturating_mul(b.isqrt() + 1)
}

/// A lower bound of the bits of x^exponent, for x >= 1; exact for a short x.
fn power_bits(x: &BigUint, exponent: u64) -> u128 {
    match x.bits() {
        0..=128 => {
            let log = Real::log(x.clone(), 2)
                .times(&Real::integer(exponent))
                .enclose(8);
            let whole: BigInt = log.low >> log.bits;
            1 + whole.to_u128().unwrap_or(u128::MAX - 1)
        }
        bits => 1 + u128::from(bits - 1) * u128::from(exponent),
    }
}

/// The product of all numbers of a range, by binary splitting: n! for 1..=n. Cost: O(M(b) log n),
/// where b is the number of bits of the result and n the number of factors.
pub fn product_of(range: RangeInclusive<u64>) -> BigUint {
    let (low, high) = range.into_inner();
    if high.saturating_sub(low) < 8 {
        return (low..=high).fold(BigUint::one(), |all, k| all * k);
    }
    let middle = low.midpoint(high);
    product_of(low..=middle) * product_of(middle + 1..=high)
}

/// The binomial coefficients C(n, 0) to C(n, n).
pub fn binomials(n: usize) -> Vec<BigUint> {
    let mut row = vec![BigUint::one()];
    (0..n).for_each(|k| row.push(&row[k] * (n - k) / (k + 1)));
    row
}

impl Algebra for Rationals {
    type Value = Rational;

    fn words(&self) -> &'static Vocabulary {
        self.words
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<Rational, AlgebraError> {
        let digits = number.digits();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(Rational::zero());
        }
        // log2 10 lies between 3.321 and 3.322
        let bits = |digits: u64| u128::from(digits) * 3321 / 1000 + 1;
        let ten = number.power_of_ten();
        let length = digits.len() as u64;
        self.check_bits(bits(length - 1), at)?;
        self.check_bits(bits(ten.unsigned_abs()), at)?;
        let all = bits(length + ten.unsigned_abs()) as u64;
        self.count_steps(4 * product_steps(all, all), at)?;
        let digits = BigInt::from(decimal(digits));
        let power = Pow::pow(BigInt::from(10u8), ten.unsigned_abs());
        let value = match ten {
            0.. => Rational::from(digits * power),
            _ => self.in_lowest_terms(digits, power, at)?,
        };
        self.check_length(value, at)
    }

    fn name(&mut self, name: &str, at: usize) -> Result<Rational, AlgebraError> {
        match NamedNumber::find(name) {
            Some(named) => {
                let value = Expr::parse(named.written, self.words);
                let value = value.and_then(|value| value.evaluate(self));
                value.map_err(|error| AlgebraError::new(at, error.what()))
            }
            None => Err(match NamedNumber::nearest(name) {
                Some(near) => AlgebraError::new(at, format!("did you mean {near}?")),
                None => self.words.no_operand(at),
            }),
        }
    }

    fn negate(&mut self, x: Rational, _at: usize) -> Result<Rational, AlgebraError> {
        Ok(-x)
    }

    fn factorial(&mut self, x: Rational, at: usize) -> Result<Rational, AlgebraError> {
        let k = x.is_integer().then(|| x.numer().to_u64()).flatten();
        let Some(k) = k.filter(|k| *k <= MAX_FACTORIAL) else {
            let what = format!(
                "a factorial can be taken only of 0 to {MAX_FACTORIAL}, and not of {}",
                format_short(&x)
            );
            return Err(AlgebraError::new(at, what));
        };
        if k >= 6 {
            let bits = k * u64::from((k / 3).ilog2());
            self.check_bits(bits.into(), at)?;
            // A balanced tree of products: lower levels are cheaper than the top product, so all
            // levels together count as two top products.
            self.count_steps(product_steps(bits, bits).saturating_mul(2), at)?;
        }
        self.check_length(Rational::from(BigInt::from(product_of(1..=k))), at)
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: Rational,
        y: Rational,
        at: usize,
    ) -> Result<Rational, AlgebraError> {
        let value = match operator {
            Operator::Plus => self.sum(&x, &y, at)?,
            Operator::Minus => self.sum(&x, &-y, at)?,
            Operator::Times => self.times(&x, &y, at)?,
            Operator::Over => self.over(&x, &y, at)?,
            Operator::Power => self.power(x, &y, at)?,
            Operator::Modulo => {
                let whole = self.over(&x, &y, at)?.floor();
                let whole = self.times(&whole, &y, at)?;
                self.sum(&x, &-whole, at)?
            }
            _ => return Err(self.words.no_operator(at)),
        };
        self.check_length(value, at)
    }
}
