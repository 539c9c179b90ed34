//! Probabilities in questions, for example the level of a quantile.

use crate::spell::power_of_two;
use crate::texts;
use flipcost::task::finite_double;
use flipcost_number::Rational;
use flipcost_number::expression::{ExpressionError, parse_rational};
use num_traits::One;
use std::fmt;
use std::str::FromStr;

/// Powers of two with more bits in the denominator are written in the form `2^-64`.
const MAX_PLAIN_BITS: u64 = 20;

/// A fraction between 0 and 1, both included: `9/10`, `0.9`, or the exact value of a double,
/// `double:0.9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probability(Rational);

/// The error for a text that is not a fraction between 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbabilityError {
    /// The text is not a fraction, or it is negative.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// The text is not a double, or the double is negative.
    #[error("a number from 0 to 1 was expected, as in double:0.1")]
    Double,
    /// The value is above 1.
    #[error("a probability lies between 0 and 1")]
    Above,
}

impl Probability {
    /// The probability's value.
    pub fn get(&self) -> &Rational {
        &self.0
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match power_of_two(&self.0) {
            Some(power) if self.0.denom().bits() > MAX_PLAIN_BITS => f.write_str(&power),
            _ => self.0.fmt(f),
        }
    }
}

impl FromStr for Probability {
    type Err = ProbabilityError;

    fn from_str(text: &str) -> Result<Probability, ProbabilityError> {
        let value = match text.trim().strip_prefix("double:") {
            Some(number) => finite_double(number).ok_or(ProbabilityError::Double)?.1,
            None => parse_rational(text)?,
        };
        match value {
            value if value <= Rational::one() => Ok(Probability(value)),
            _ => Err(ProbabilityError::Above),
        }
    }
}

texts! { Probability, "ExactLike" }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::FieldValue;

    #[test]
    fn fractions_and_their_mistakes() {
        let names = crate::Names::default();
        let half = Probability::of_json(&"0.50".into(), names).unwrap();
        assert_eq!(half.json(), Some("1/2".into()));
        let power = Probability::of_json(&"1/2^128".into(), names).unwrap();
        assert_eq!(power.json(), Some("2^-128".into()));
        assert_eq!(Probability::of_json(&"2^-128".into(), names), Ok(power));
        assert_eq!(
            Probability::of_json(&1.into(), names).unwrap().to_string(),
            "1"
        );
        assert_eq!("1.01".parse::<Probability>(), Err(ProbabilityError::Above));
        assert!("-1/2".parse::<Probability>().is_err() && "1/0".parse::<Probability>().is_err());
    }
}
