//! The algebra of rationals: `+ - * / ^ !` and decimals, in lowest terms at every step.

use super::reduce::reduce;
use super::{BigInt, Rational};
use crate::grammar::{
    Algebra, AlgebraError, Expr, ExpressionError, Limits, Literal, Operator, Size, Sizes, Words,
    decimal, factorial,
};
use num_bigint::Sign;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// Rationals within limits of [`Sizes`].
#[derive(Clone, Debug)]
pub struct Rationals {
    sizes: Sizes,
}

impl Rationals {
    /// Rationals within limits.
    pub fn new(words: &'static Words, limits: Limits) -> Self {
        Rationals {
            sizes: Sizes::new(words, limits, true),
        }
    }

    /// The value of an expression, which goes through [`Sizes`] first.
    ///
    /// # Errors
    /// Names, functions and signs that rationals do not know; a denominator of 0; exponents other
    /// than whole numbers from 0; factorials of anything but 0 to
    /// [`LARGEST_FACTORIAL`](crate::grammar::LARGEST_FACTORIAL); what passes the limits.
    pub fn value(
        expr: &Expr,
        words: &'static Words,
        limits: Limits,
    ) -> Result<Rational, ExpressionError> {
        let mut rationals = Rationals::new(words, limits);
        expr.evaluate(&mut rationals.sizes.clone())?;
        expr.evaluate(&mut rationals)
    }

    fn checked(&self, value: Rational, at: usize) -> Result<Rational, AlgebraError> {
        let bits = value.numer().bits().max(value.denom().bits());
        self.sizes.check(bits, at)?;
        Ok(value)
    }
}

/// p/q in lowest terms; q is not 0.
fn lowest(p: BigInt, q: BigInt) -> Rational {
    if q.is_one() {
        return Rational::from(p);
    }
    let negative = p.is_negative() != q.is_negative();
    let value = reduce(p.magnitude(), q.magnitude());
    if negative { -value } else { value }
}

fn sum(x: &Rational, y: &Rational, negative: bool) -> Rational {
    let (mut p, q) = (x.numer() * y.denom(), x.denom() * y.denom());
    match negative {
        false => p += y.numer() * x.denom(),
        true => p -= y.numer() * x.denom(),
    }
    lowest(p, q)
}

/// x^y for y of 0 or more; an exponent of more than 64 bits comes for 0, 1 and -1 alone.
fn power(x: &Rational, y: &BigInt) -> Rational {
    match y.to_u64() {
        Some(y) => Rational::new_raw(Pow::pow(x.numer(), y), Pow::pow(x.denom(), y)),
        None if y.bit(0) => x.clone(),
        None => x * x,
    }
}

impl Algebra for Rationals {
    type Value = Rational;

    fn words(&self) -> &'static Words {
        self.sizes.words()
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<Rational, AlgebraError> {
        self.sizes.number(number, at)?;
        let digits = BigInt::from_biguint(Sign::Plus, decimal(&number.digits()));
        let value = match number.places() {
            0 => Rational::from(digits),
            places => lowest(digits, Pow::pow(BigInt::from(10u8), places)),
        };
        self.checked(value, at)
    }

    fn negate(&mut self, x: Rational, _at: usize) -> Result<Rational, AlgebraError> {
        Ok(-x)
    }

    fn factorial(&mut self, x: Rational, at: usize) -> Result<Rational, AlgebraError> {
        self.sizes.factorial(Size::of_rational(&x), at)?;
        let k = x.to_integer().to_u64();
        let k = k.ok_or_else(|| self.words().no_operator(at))?;
        self.checked(Rational::from(BigInt::from(factorial(k))), at)
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: Rational,
        y: Rational,
        at: usize,
    ) -> Result<Rational, AlgebraError> {
        let (a, b) = (Size::of_rational(&x), Size::of_rational(&y));
        self.sizes.binary(operator, a, b, at)?;
        let value = match operator {
            Operator::Plus => sum(&x, &y, false),
            Operator::Minus => sum(&x, &y, true),
            Operator::Times => lowest(x.numer() * y.numer(), x.denom() * y.denom()),
            Operator::Over if !y.is_zero() => lowest(x.numer() * y.denom(), x.denom() * y.numer()),
            Operator::Power => power(&x, y.numer()),
            _ => return Err(self.words().no_operator(at)),
        };
        self.checked(value, at)
    }
}
