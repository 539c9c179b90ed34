//! Numbers that may speak of n, for checks that hold for all n of a range.
//!
//! In a check with `for-all = "n in 1..1000"` a number may be written as an expression in n: `"n"`,
//! `"2^n"`, `"(3*n+1)/2"`. For each n its digits take the place of the letter, in brackets, and
//! what results is read like any other number; a whole number may be a quotient without a rest.

use super::error::{StudyError, WrongValue};
use super::limits::LETTERS;
use super::values::{Written, read};
use serde::de::{Deserialize, Deserializer};
use std::borrow::Cow;

/// A number, or an expression in n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfN<T: Clone> {
    /// A number.
    Is(T),
    /// An expression in n.
    Expression(String),
}

/// Pieces of a text between the letters n that stand alone.
fn split(text: &str) -> Vec<&str> {
    let part_of_a_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('n') {
        let before = text[..at].chars().next_back();
        let after = text[at + 1..].chars().next();
        if !part_of_a_word(before) && !part_of_a_word(after) {
            pieces.push(&text[start..at]);
            start = at + 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

impl<T: Written + Clone> Written for OfN<T> {
    const WHAT: &'static str = T::WHAT;

    fn read(text: &str) -> Result<Self, WrongValue> {
        match split(text).len() {
            1 => T::read(text).map(OfN::Is),
            // It is read anew for every n.
            _ if text.len() > LETTERS => Err(format!(
                "an expression in n has at most {LETTERS} letters, not {}",
                text.len()
            )
            .into()),
            _ => Ok(OfN::Expression(text.to_string())),
        }
    }
}

impl<'de, T: Written + Clone> Deserialize<'de> for OfN<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from)
    }
}

impl<T: Written + Clone> schemars::JsonSchema for OfN<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "OfN".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        super::schema::of_type(format!("{}, or an expression in n", T::WHAT))
    }
}

impl<T: Written + Clone> OfN<T> {
    /// Is it an expression in n?
    pub fn of_n(&self) -> bool {
        matches!(self, OfN::Expression(_))
    }

    /// Its value, for this n where it speaks of n.
    ///
    /// # Errors
    /// If it speaks of n and there is none, or the expression has no value at this n.
    pub fn at(&self, n: Option<u64>) -> Result<Cow<'_, T>, StudyError> {
        match (self, n) {
            (OfN::Is(value), _) => Ok(Cow::Borrowed(value)),
            (OfN::Expression(text), Some(n)) => {
                let digits = format!("({n})");
                let value = T::read_at_n(&split(text).join(&digits));
                let value = value.map_err(StudyError::input)?;
                Ok(Cow::Owned(value))
            }
            (OfN::Expression(text), None) => Err(StudyError::Input(format!(
                "\"{text}\" speaks of n: say for which, as in for-all = \"n in 1..1000\""
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::number::{BigInt, BigUint, Rational};

    #[test]
    fn the_letter_n_alone_is_replaced() {
        let value = |text: &str| {
            OfN::<BigUint>::read(text)
                .unwrap()
                .at(Some(5))
                .unwrap()
                .into_owned()
        };
        for (text, is) in [
            ("n", 5u32),
            ("2^n", 32),
            ("n!", 120),
            ("7", 7),
            ("n^2 + n*3", 40),
            ("(2^n + 1)/3", 11),
            ("(n*(n-1)/2) + 1", 11),
        ] {
            assert_eq!(value(text), BigUint::from(is), "{text}");
        }
        let third = OfN::<Rational>::read("(2*n+1)/3").unwrap();
        assert_eq!(third.at(Some(5)).unwrap().to_string(), "11/3");
        let negative = OfN::<BigInt>::read("-n").unwrap();
        assert_eq!(*negative.at(Some(5)).unwrap(), BigInt::from(-5));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["2n", "nn", "log n2", "", "six"] {
            assert!(OfN::<BigUint>::read(text).is_err(), "{text}");
        }
        let long = format!("n{}", "+1".repeat(1000));
        assert!(
            OfN::<BigUint>::read(&long)
                .unwrap_err()
                .to_string()
                .contains("at most 1000")
        );
        let open = OfN::<BigUint>::read("n - 7").unwrap();
        assert!(open.of_n());
        assert!(open.at(None).unwrap_err().to_string().contains("for-all"));
        assert!(open.at(Some(5)).is_err(), "below 0");
        let half = OfN::<BigUint>::read("n/2").unwrap();
        assert_eq!(*half.at(Some(6)).unwrap(), BigUint::from(3u8));
        let refused = half.at(Some(5)).unwrap_err().to_string();
        assert_eq!(refused, "\"(5)/2\" is no whole number");
        assert!(OfN::<BigUint>::read("n +").unwrap().at(Some(5)).is_err());
    }
}
