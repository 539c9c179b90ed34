//! An algebra gives an expression its meaning: the values of numbers and names, and the effect of
//! operators and functions.

use super::tree::Operator;
use num_bigint::BigUint;
use num_traits::Pow;
use std::fmt::Display;

/// The words for an algebra's error messages, and the kinds of names that the parser accepts for
/// the algebra.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The expected kind of text: `a number`.
    pub noun: &'static str,
    /// The message for a missing or unknown value: `a number like 6 was expected`.
    pub operand: &'static str,
    /// The message about what may follow a value: `one of + - or the end was expected`.
    pub operator: &'static str,
    /// Whether the algebra knows any names. If not, a name is an error.
    pub names: bool,
    /// Whether the algebra knows dice such as `3d6` and `4d6kh3`, `and`, `or` and `!=`.
    pub dice: bool,
    /// Names that must be followed by brackets.
    pub functions: &'static [&'static str],
}

impl Vocabulary {
    /// The error if a name, a function or another token stands where a value was expected.
    pub fn no_operand(&self, at: usize) -> AlgebraError {
        AlgebraError::new(at, self.operand)
    }

    /// The error for an unknown operator, or for a value where an operator was expected.
    pub fn no_operator(&self, at: usize) -> AlgebraError {
        AlgebraError::new(at, self.operator)
    }
}

/// The error if an algebra does not define an operation or cannot perform it, with the position of
/// the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlgebraError {
    /// The character position, counted from 0.
    pub(crate) at: usize,
    /// The problem, without the position.
    pub(crate) what: String,
}

impl AlgebraError {
    /// An error at this character.
    pub fn new(at: usize, what: impl Display) -> Self {
        AlgebraError {
            at,
            what: what.to_string(),
        }
    }
}

/// A number as written in the text: digits, with an optional decimal point and an optional exponent
/// of ten, perhaps grouped by `_`; or hexadecimal digits after `0x`.
#[derive(Clone, Copy, Debug)]
pub struct Literal<'a>(pub(super) &'a str);

impl Literal<'_> {
    /// The digits, if it is hexadecimal.
    fn hexadecimal(&self) -> Option<&str> {
        self.0.strip_prefix("0x").or(self.0.strip_prefix("0X"))
    }

    /// Splits the text into the part before the exponent, and the exponent.
    fn split_exponent(&self) -> (&str, Option<&str>) {
        if self.hexadecimal().is_some() {
            return (self.0, None);
        }
        match self.0.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, Some(exponent)),
            None => (self.0, None),
        }
    }

    /// The digits, without `_`, the point and the exponent.
    pub(crate) fn digits(&self) -> String {
        if let Some(digits) = self.hexadecimal() {
            let digits = digits.replace('_', "");
            let value = BigUint::parse_bytes(digits.as_bytes(), 16);
            return value.expect("hexadecimal digits").to_string();
        }
        let (digits, _) = self.split_exponent();
        digits.chars().filter(char::is_ascii_digit).collect()
    }

    /// The power of ten that multiplies the digits: -2 in `1.25`, 6 in `1e6`. Values beyond 64 bits
    /// become the largest or smallest `i64`.
    pub(crate) fn power_of_ten(&self) -> i64 {
        let (digits, exponent) = self.split_exponent();
        let places = digits.split_once('.').map_or("", |(_, part)| part);
        let places = places.bytes().filter(u8::is_ascii_digit).count() as i64;
        let exponent = exponent.map_or(0, |text| match text.parse::<i64>() {
            Ok(exponent) => exponent,
            Err(_) if text.starts_with('-') => i64::MIN,
            Err(_) => i64::MAX,
        });
        exponent.saturating_sub(places)
    }

    /// The value as a machine word.
    ///
    /// # Errors
    /// A message about what was expected instead.
    pub fn word(&self) -> Result<i64, &'static str> {
        let (digits, power) = (self.digits(), self.power_of_ten());
        let (kept, cut) = digits.split_at(match usize::try_from(power.unsigned_abs()) {
            Ok(cut) if power < 0 => digits.len().saturating_sub(cut),
            _ => digits.len(),
        });
        if cut.bytes().any(|digit| digit != b'0') {
            return Err("a whole number was expected");
        }
        let kept = kept.trim_start_matches('0');
        let zeros = power.clamp(0, 20) as usize;
        let kept = match kept {
            "" => "0".to_string(),
            kept => kept.to_string() + &"0".repeat(zeros),
        };
        kept.parse().map_err(|_| "a number below 2^63 was expected")
    }
}

/// Converts decimal digits, at least one, to a number.
///
/// Method: the two halves of a long number are parsed separately and joined by one product. Cost:
/// O(M(d) log d) for d digits, where M(d) is the cost of a product of that length.
///
/// # Panics
/// If the text contains any character other than a digit.
pub fn decimal(digits: &str) -> BigUint {
    if digits.len() <= 4000 {
        return digits.parse().expect("only digits");
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    decimal(high) * Pow::pow(BigUint::from(10u8), low.len()) + decimal(low)
}

/// An interpretation of expressions: it computes a value for each subexpression, operands before
/// operators.
///
/// Every method receives the position of its subexpression in the text, for error messages: that of
/// the operator, or of the first letter of a name.
///
/// # Errors
/// Methods return an [`AlgebraError`], in the words of the algebra's [`Vocabulary`], if the algebra
/// does not define the operation or cannot perform it for these operands.
pub trait Algebra {
    /// The value of an expression.
    type Value;

    /// The vocabulary of its error messages.
    fn words(&self) -> &'static Vocabulary;

    /// A number as it is written.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<Self::Value, AlgebraError>;

    /// A name without brackets: a constant, a variable.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn name(&mut self, _name: &str, at: usize) -> Result<Self::Value, AlgebraError> {
        Err(self.words().no_operand(at))
    }

    /// Dice in table notation, for example `4d6kh3`.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn dice(&mut self, _dice: &str, at: usize) -> Result<Self::Value, AlgebraError> {
        Err(self.words().no_operand(at))
    }

    /// A function of one or more arguments.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn call(
        &mut self,
        _name: &str,
        _arguments: Vec<Self::Value>,
        at: usize,
    ) -> Result<Self::Value, AlgebraError> {
        Err(self.words().no_operand(at))
    }

    /// -x.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn negate(&mut self, _x: Self::Value, at: usize) -> Result<Self::Value, AlgebraError> {
        Err(self.words().no_operand(at))
    }

    /// x!.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn factorial(&mut self, _x: Self::Value, at: usize) -> Result<Self::Value, AlgebraError> {
        Err(self.words().no_operator(at))
    }

    /// A percentage x%. If a value follows, `%` is the remainder instead.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn percent(&mut self, x: Self::Value, at: usize) -> Result<Self::Value, AlgebraError> {
        let hundred = self.number(Literal("100"), at)?;
        self.binary(Operator::Over, x, hundred, at)
    }

    /// x and y with a binary operator between them.
    ///
    /// # Errors
    /// See [`Algebra`].
    fn binary(
        &mut self,
        operator: Operator,
        x: Self::Value,
        y: Self::Value,
        at: usize,
    ) -> Result<Self::Value, AlgebraError>;
}
