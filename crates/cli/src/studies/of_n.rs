//! Numbers that may speak of n, for checks that hold for all n of a range and for plots.
//!
//! In a check with `for-all = "n in 1..1000"` a number may be written as an expression in n: `"n"`,
//! `"2^n"`, `"(3*n+1)/2"`. In it k is the least exponent with 2^k >= n. For each n the digits of
//! both take the places of the letters, in brackets, and what results is read like any other number.

use super::error::{Mistake, StudyError};
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

/// The text with digits in the place of the letters n and k that stand alone; `None` if there are
/// none. A letter before a sign of equality is the name of a parameter.
fn filled(text: &str, n: u64) -> Option<String> {
    let part_of_a_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let k = n.saturating_sub(1).checked_ilog2().map_or(0, |k| k + 1);
    let mut filled = String::new();
    let mut before = None;
    let mut found = false;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let alone = !part_of_a_word(before) && !part_of_a_word(rest.chars().next());
        match c {
            'n' | 'k' if alone && !rest.trim_start().starts_with('=') => {
                found = true;
                let number = if c == 'n' { n } else { u64::from(k) };
                filled.push_str(&format!("({number})"));
            }
            c => filled.push(c),
        }
        before = Some(c);
    }
    found.then_some(filled)
}

impl<T: Written + Clone> Written for OfN<T> {
    const WHAT: &'static str = T::WHAT;

    fn read(text: &str) -> Result<Self, Mistake> {
        match filled(text, 1) {
            None => T::read(text).map(OfN::Is),
            // It is read anew for every n.
            Some(_) if text.len() > LETTERS => Err(Mistake::new(format!(
                "an expression in n has at most {LETTERS} letters, not {}",
                text.len()
            ))),
            Some(_) => Ok(OfN::Expression(text.to_string())),
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
                let filled = filled(text, n).unwrap_or_else(|| text.clone());
                let value = T::read(&filled).map_err(|mistake| mistake.given(text))?;
                Ok(Cow::Owned(value))
            }
            (OfN::Expression(text), None) => {
                let mistake = Mistake::new(format!("\"{text}\" speaks of n")).given(text);
                let right = "say for which, as in for-all = \"n in 1..1000\"";
                Err(mistake.right(right).into())
            }
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
            ("2^k-n", 3),
            ("(2^n + 1)/3", 11),
            ("(n*(n-1)/2) + 1", 11),
        ] {
            assert_eq!(value(text), BigUint::from(is), "{text}");
        }
        let third = OfN::<Rational>::read("(2*n+1)/3").unwrap();
        assert_eq!(third.at(Some(5)).unwrap().to_string(), "11/3");
        // 2^0 = 1; a parameter of a law keeps its name
        assert_eq!(filled("k", 1).as_deref(), Some("(0)"));
        let law = "binomial:n=20,p=1/n";
        assert_eq!(filled(law, 4).as_deref(), Some("binomial:n=20,p=1/(4)"));
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
        assert!(refused.contains("its value is 5/2"), "{refused}");
        assert!(OfN::<BigUint>::read("n +").unwrap().at(Some(5)).is_err());
    }
}
