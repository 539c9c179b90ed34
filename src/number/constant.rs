//! Real numbers as people write them: `e`, `pi`, `sqrt(2)`, `ln(2)`, `e-2`, `(1+sqrt(5))/2`.
//!
//! They are read by [`crate::grammar`]; the series of e and pi are here. The value is a [`Real`]:
//! exact as long as it is rational on the face of it, else enclosed ([`super::reals`]).

use super::enclosure::Enclosure;
use super::expression::{ExpressionError, NATURAL, parse_rational};
use super::real::Real;
use super::reals::Reals;
use super::{BigInt, BigUint};
use crate::grammar::{Expr, Words};
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// A positive number that was written by a person.
#[derive(Clone)]
pub struct Constant {
    value: Real,
}

/// Why a text is not a positive number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstantError {
    /// Something in the text is wrong.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The value is 0 or below.
    #[error("\"{0}\" is not above 0")]
    NotPositive(String),
}

/// The words of errors about real numbers.
pub static REAL: Words = Words {
    operand: "a number, a constant like e or pi, or a function like sqrt(2) was expected",
    operator: "one of + - * / ^ ! or the end was expected",
    names: true,
    functions: &["sqrt", "ln", "log2"],
    ..NATURAL
};

/// The names that make a number more than a rational.
const NAMES: [&str; 5] = ["e", "pi", "sqrt", "ln", "log2"];

impl Constant {
    /// A positive number from its text: a rational as [`parse_rational`] takes it, or an expression
    /// with `e`, `pi`, `sqrt()`, `ln()` or `log2()`, in which `/` binds as `*` does.
    ///
    /// ```
    /// use flipcost::number::constant::Constant;
    /// let x = Constant::positive("e - 2").unwrap();
    /// assert_eq!(x.value().decimals(10).unwrap(), "0.7182818285");
    /// ```
    ///
    /// # Errors
    /// A text that is no such number, with the character; a value that is not above 0 or cannot be
    /// told from it; work beyond the bounds of [`super::expression::LIMITS`] or [`super::reals`].
    pub fn positive(text: &str) -> Result<Constant, ConstantError> {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let value = match words.any(|word| NAMES.contains(&word)) {
            true => Reals::value(&Expr::parse(text, &REAL)?, &REAL, &[])?,
            false => Real::Exact(parse_rational(text)?),
        };
        match value.compare(&Real::integer(0)) {
            Ok(Ordering::Greater) => Ok(Constant { value }),
            _ => Err(ConstantError::NotPositive(text.chars().take(60).collect())),
        }
    }

    /// The value.
    pub fn value(&self) -> &Real {
        &self.value
    }
}

/// e = sum 1/k!: every quotient rounds down by less than a unit, and the rest of the series is below
/// twice the first term left out, which is 0 in units.
pub(super) fn e(bits: u64) -> Enclosure {
    let work = bits + 16 + u64::from(64 - bits.leading_zeros());
    let mut term = BigUint::one() << work;
    let (mut sum, mut k) = (BigUint::zero(), 0u64);
    while !term.is_zero() {
        sum += &term;
        k += 1;
        term /= k;
    }
    // term k is below its true value by less than 1 + 1/k + ... < 2 units
    let low = BigInt::from(sum);
    Enclosure {
        high: &low + BigInt::from(2 * k + 4),
        low,
        bits: work,
    }
}

/// atan(1/q) in units of 2^-bits, as (value, error): the series alternates, each of its quotients is
/// off by at most 2 units, and what is left out is below one.
fn atan_of_reciprocal(q: u64, bits: u64) -> (BigInt, u64) {
    let mut power = (BigInt::one() << bits) / q;
    let (mut sum, mut k, mut terms) = (BigInt::zero(), 1u64, 0u64);
    while !power.is_zero() {
        let term = &power / k;
        match terms % 2 {
            0 => sum += term,
            _ => sum -= term,
        }
        power /= q * q;
        k += 2;
        terms += 1;
    }
    (sum, 2 * terms + 2)
}

/// pi = 16 atan(1/5) - 4 atan(1/239) (Machin 1706).
pub(crate) fn pi(bits: u64) -> Enclosure {
    let work = bits + 16 + u64::from(64 - bits.leading_zeros());
    let ((a, slack_a), (b, slack_b)) = (atan_of_reciprocal(5, work), atan_of_reciprocal(239, work));
    let (value, slack) = (a * 16 - b * 4, BigInt::from(16 * slack_a + 4 * slack_b));
    Enclosure {
        low: &value - &slack,
        high: value + slack,
        bits: work,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Rational;
    use proptest::prelude::*;

    #[test]
    fn constants_have_the_published_digits() {
        // A001113, A000796, A002193, A002162, A001622, and log2(e) = 1/ln 2, A007525
        for (text, digits) in [
            ("e", "2.718281828459045235360287471352662497757"),
            ("pi", "3.141592653589793238462643383279502884197"),
            ("sqrt(2)", "1.414213562373095048801688724209698078570"),
            ("ln(2)", "0.693147180559945309417232121458176568076"),
            ("(1+sqrt(5))/2", "1.618033988749894848204586834365638117720"),
            ("log2(e)", "1.442695040888963407359924681001892137427"),
            ("e - 2", "0.718281828459045235360287471352662497757"),
            ("ln(e^2) + 0.5", "2.500000000000000000000000000000000000000"),
            ("sqrt(4)*1_0/4", "5.000000000000000000000000000000000000000"),
        ] {
            let value = Constant::positive(text).unwrap();
            assert_eq!(value.value().decimals(39).unwrap(), digits, "{text}");
        }
        let exact = Constant::positive("sqrt(9/4)").unwrap();
        assert_eq!(
            exact.value().exact(),
            Some(&Rational::new(3.into(), 2.into()))
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, what) in [
            ("e-3", "not above 0"),
            ("e-e", "not above 0"),
            ("1/(e-e)", "cannot be told from 0"),
            ("sqrt(1-e)", "0 or more"),
            ("ln(0)", "cannot be 0"),
            ("sqrt 2", "'(' is needed"),
            ("ln+1", "'(' is needed"),
            ("sqrt(2", "')' is missing"),
            ("e^e", "a number"),
            ("tau+e", "have names here"),
            ("e+", "was expected"),
            ("e 2", "the end was expected"),
            ("six", "a number like 6"),
            ("0", "not above 0"),
        ] {
            let error = Constant::positive(text).err().expect(text).to_string();
            assert!(error.contains(what), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-0-9+*^()/. e]{0,8}|(e|pi|ln\\(|sqrt\\(|[0-9)+*/-]){0,6}") {
            if let Err(ConstantError::Expression(error)) = Constant::positive(&text) {
                prop_assert!(error.at() <= text.chars().count());
            }
        }
    }
}
