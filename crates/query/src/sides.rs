//! The source of a question: a die, or a word of random bits that is used as one.

use crate::QueryError;
use crate::description::texts;
use crate::value::die;
use flipcost::number::BigUint;
use flipcost::task::{Source, SourceError, Task};
use flipcost::unstable::number::expression::{ExpressionError, parse_natural};
use flipcost::unstable::number::short;
use std::fmt;
use std::str::FromStr;

/// A source of 2 to 2^64 sides: `coin`, `6`, `d6`, `2^32`, `word:64`. The default is a coin.
///
/// ```
/// use flipcost_query::Sides;
/// let word: Sides = "2^32".parse()?;
/// assert_eq!((word.to_string(), word.get()), ("word:32".to_string(), 1 << 32));
/// # Ok::<(), flipcost_query::SidesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sides(pub Source);

/// Why a text is no source that a machine word can show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SidesError {
    /// No number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// `word:` without a number of bits that a word can have.
    #[error(transparent)]
    Word(#[from] SourceError),
    /// A die that is one of several, and has too many sides.
    #[error("a die of {} sides cannot be rolled: it needs 2 to 2^32 sides (2 is a coin)", short(.0))]
    Die(BigUint),
    /// A word of more bits than a machine word.
    #[error("a source has 2 to 2^64 sides (2 is a coin), and {} is too wide", .0.with_article())]
    Wide(Source),
    /// A word of no bits, or of more than a machine word.
    #[error(
        "a word of {0} bits is no source: it has 1 to 64 bits, and a die 2 to 2^64 sides (2 is a coin)"
    )]
    Bits(u32),
}

impl Sides {
    /// The number of sides, at most 2^64. A wider source, which no text makes, counts as 2^64.
    pub fn get(self) -> u128 {
        self.0.in_a_word().unwrap_or(1 << 64)
    }

    /// The sides of one die of several, as a text: 2 to 2^32.
    pub(crate) fn of_die(text: &str) -> Result<u64, SidesError> {
        let source = match text.parse::<Sides>() {
            Ok(sides) => sides.0,
            Err(SidesError::Word(SourceError::Sides(sides))) => return Err(SidesError::Die(sides)),
            Err(wrong) => return Err(wrong),
        };
        let sides = source.small().filter(|m| *m <= Task::WIDEST);
        sides.ok_or_else(|| SidesError::Die(source.sides()))
    }

    /// The number of sides for a question that counts faces.
    ///
    /// # Errors
    /// A sentence that says so, above 2^32 sides.
    pub(crate) fn narrow(self, what: &str) -> Result<u64, QueryError> {
        let sides = self.0.small().filter(|m| *m <= Task::WIDEST);
        sides.ok_or_else(|| {
            let source = self.0.with_article();
            let what =
                format!("{what} takes a source of 2 to 2^32 sides, and {source} is too wide");
            QueryError::wrong("source", what)
        })
    }
}

impl TryFrom<Source> for Sides {
    type Error = SidesError;

    fn try_from(source: Source) -> Result<Sides, SidesError> {
        match source.in_a_word() {
            Some(_) => Ok(Sides(source)),
            None => Err(SidesError::Wide(source)),
        }
    }
}

impl Default for Sides {
    fn default() -> Self {
        Sides(Source::COIN)
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Sides {
    type Err = SidesError;

    fn from_str(text: &str) -> Result<Sides, SidesError> {
        let word = text.trim();
        let sides = match word {
            _ if word.starts_with("word:") => {
                return match word.parse::<Source>() {
                    Ok(source) => match source.bits() {
                        Some(bits) if bits > 64 => Err(SidesError::Bits(bits)),
                        _ => source.try_into(),
                    },
                    Err(SourceError::Bits(bits)) => Err(SidesError::Bits(bits)),
                    Err(wrong) => Err(wrong.into()),
                };
            }
            _ => parse_natural(die(text))?,
        };
        Source::die(sides)?.try_into()
    }
}

texts! { Sides, "SourceLike" }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Value;

    #[test]
    fn numbers_and_words_are_one_source() {
        let read = |text: &str| text.parse::<Sides>();
        assert_eq!(read("coin"), read("2"));
        assert_eq!(read("2"), Ok(Sides::default()));
        assert_eq!(read(" 2^3 ").unwrap().to_string(), "8");
        assert_eq!(read("256"), read("word:8"));
        assert_eq!(read("d6").unwrap().to_string(), "6");
        assert_eq!(read("word:32").unwrap().get(), 1 << 32);
        assert_eq!(read("2^64"), read("word:64"));
        assert_eq!(read("word:64").unwrap().get(), 1 << 64);
        assert_eq!(read("2^48+1").unwrap().to_string(), "281474976710657");
        assert_eq!(Sides::of_json(&6.into()).unwrap(), read("6").unwrap());
        let json = read("2^32").unwrap().json().unwrap();
        assert_eq!(json, "word:32");
        assert_eq!(Sides::of_json(&json).unwrap().get(), 1 << 32);
    }

    #[test]
    fn what_is_no_source_says_why() {
        for (text, why) in [
            (
                "1",
                "a source of 1 sides cannot be rolled: it needs 2 to 2^64 sides",
            ),
            ("0", "a source of 0 sides"),
            ("2^64+1", "a source of 18446744073709551617 sides"),
            ("word:65", "a word of 65 bits is no source: it has 1 to 64"),
            (
                "word:129",
                "a word of 129 bits is no source: it has 1 to 64",
            ),
            ("word:0", "a word of 0 bits is no source: it has 1 to 64"),
            ("word:x", "word:32, was expected"),
            ("six", "character 1"),
        ] {
            let said = text.parse::<Sides>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
