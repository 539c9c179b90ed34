//! Real numbers as people write them: `e`, `pi`, `sqrt(2)`, `ln(2)`, `e-2`, `(1+sqrt(5))/2`.
//!
//! [`crate::grammar`] parses these numbers; [`super::e_pi`] computes e and pi. The value is a
//! [`Real`]: exact if the expression contains only rational operations, otherwise enclosed in an
//! interval ([`super::reals`]).

use super::expression::{ExpressionError, NUMBER, parse_signed};
use super::real::Real;
use super::reals::{FUNCTIONS, real_value};
use crate::grammar::{Expr, Vocabulary};
use std::cmp::Ordering;

/// A positive number written by a person.
#[derive(Clone)]
pub struct Constant {
    value: Real,
}

/// Why a text is not a positive number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstantError {
    /// The text is invalid.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The value is 0 or below.
    #[error("\"{0}\" must be greater than 0")]
    NotPositive(String),
}

/// The words for error messages about real numbers.
pub static REAL: Vocabulary = Vocabulary {
    operand: "a number, a constant like e or pi, or a function like sqrt(2) was expected",
    names: true,
    dice: false,
    functions: FUNCTIONS,
    ..NUMBER
};

/// Whether the text contains a name. The e of 1e6 is not a name.
fn contains_name(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

impl Constant {
    /// Parses a positive number, as [`Constant::real`] does.
    ///
    /// ```
    /// use flipcost_number::constant::Constant;
    /// let x = Constant::positive("e - 2").unwrap();
    /// assert_eq!(x.value().decimals(10).unwrap(), "0.7182818285");
    /// ```
    ///
    /// # Errors
    /// As [`Constant::real`]; also if the value is not above 0, or cannot be distinguished from 0.
    pub fn positive(text: &str) -> Result<Constant, ConstantError> {
        let value = Constant::real(text)?;
        match value.compare(0) {
            Ok(Ordering::Greater) => Ok(Constant { value }),
            _ => Err(ConstantError::NotPositive(text.chars().take(60).collect())),
        }
    }

    /// Parses a real number: a rational as [`parse_signed`] accepts it, or, if the text contains a
    /// name, an expression with `e`, `pi` or a function of [`FUNCTIONS`].
    ///
    /// ```
    /// use flipcost_number::constant::Constant;
    /// assert_eq!(Constant::real("1 - 6/2").unwrap().to_string(), "-2");
    /// ```
    ///
    /// # Errors
    /// If the text is not such a number, with the position of the character; if the work exceeds
    /// [`super::expression::LIMITS`] or the bounds of `super::reals`.
    pub fn real(text: &str) -> Result<Real, ExpressionError> {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        if words.any(|word| ["e", "pi"].contains(&word) || FUNCTIONS.contains(&word)) {
            real_value(&Expr::parse(text, &REAL)?, &REAL, &[])
        } else {
            parse_signed(text).map(Real::Exact).map_err(|error| {
                // For an unknown name, list the known names.
                let named = Expr::parse(text, &REAL).map(|expr| real_value(&expr, &REAL, &[]));
                match named {
                    Ok(Err(unknown)) if contains_name(text) => unknown,
                    _ => error,
                }
            })
        }
    }

    /// The value.
    pub fn value(&self) -> &Real {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;
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
            ("e^-2*10^-1", "0.013533528323661269189399949497248440341"),
            ("exp(-1/2)", "0.606530659712633423603799534991180453442"),
            ("erf(1)", "0.842700792949714869341220635082609259296"),
            (
                "ln(exp(3/7)) - 3/7 + exp(0) + erf(0)",
                "1.000000000000000000000000000000000000000",
            ),
            ("-(-1/pi)^-3", "31.006276680299820175476315067101395202225"),
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
    fn errors_name_the_position() {
        for (text, what) in [
            ("e-3", "must be greater than 0"),
            ("e-e", "must be greater than 0"),
            ("1/(e-e)", "cannot be distinguished from 0"),
            ("sqrt(1-e)", "0 or more"),
            ("ln(0)", "cannot be 0"),
            ("sqrt 2", "'(' is needed"),
            ("ln+1", "'(' is needed"),
            ("sqrt(2", "')' is missing"),
            ("e^e", "a number"),
            ("exp(2^20)", "bits before its point"),
            ("exp(1, 2)", "exp takes one number"),
            ("ln(exp(-2^20))", "cannot be distinguished from 0"),
            ("tau+e", "have names here"),
            ("e+", "was expected"),
            ("e 2", "the end was expected"),
            ("six", "have names here"),
            ("0", "must be greater than 0"),
        ] {
            let error = Constant::positive(text).err().expect(text).to_string();
            assert!(error.contains(what), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-0-9+*^()/. e]{0,8}|(e|pi|ln\\(|sqrt\\(|[0-9)+*/-]){0,6}") {
            if let Err(ConstantError::Expression(error)) = Constant::positive(&text) {
                prop_assert!(error.position() <= text.chars().count());
            }
        }
    }
}
