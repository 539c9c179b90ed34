//! Real numbers as users type them, and in JSON.

use crate::texts;
use flipcost_number::Real;
use flipcost_number::constant::{Constant, ConstantError};
use flipcost_number::expression::ExpressionError;
use std::fmt;
use std::str::FromStr;

/// A real number with its text: `1/29`, `-7`, `e`, `sqrt(2)`, `ln(2)`, `e-2`. Two numbers are equal
/// if their texts are equal.
#[derive(Clone)]
pub struct Number {
    text: String,
    value: Real,
}

impl Number {
    /// The value of the number: a fraction or an enclosure.
    pub fn value(&self) -> &Real {
        &self.value
    }
}

impl FromStr for Number {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Number, ExpressionError> {
        let value = Constant::real(text)?;
        let text = text.trim().to_string();
        Ok(Number { text, value })
    }
}

/// A real number above 0 with its text; see [`Number`].
///
/// ```
/// let x: flipcost_question::Positive = "e - 2".parse()?;
/// assert_eq!(x.value().decimals(10).unwrap(), "0.7182818285");
/// assert_eq!(x.to_string(), "e - 2");
/// # Ok::<(), flipcost_number::constant::ConstantError>(())
/// ```
#[derive(Clone)]
pub struct Positive {
    text: String,
    value: Constant,
}

impl Positive {
    /// The value of the number: a fraction or an enclosure.
    pub fn value(&self) -> &Real {
        self.value.value()
    }
}

impl FromStr for Positive {
    type Err = ConstantError;

    fn from_str(text: &str) -> Result<Positive, ConstantError> {
        let value = Constant::positive(text)?;
        let text = text.trim().to_string();
        Ok(Positive { text, value })
    }
}

/// Writes the number as the user typed it.
macro_rules! as_written {
    ($($type:ty),*) => {$(
        impl PartialEq for $type {
            fn eq(&self, other: &$type) -> bool {
                self.text == other.text
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(&self.text)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(&self.text)
            }
        }
    )*};
}

as_written!(Number, Positive);

texts! { Number, "ExactLike"; Positive, "ExactLike" }
