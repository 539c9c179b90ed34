//! The source of a question: a die, or a word of random bits that is used as one.

use crate::value::{as_text, die};
use flipcost::task::{Refusal, Source, SourceError, Task};
use flipcost::unstable::number::expression::{ExpressionError, parse_natural};
use std::fmt;
use std::str::FromStr;

/// A source of 2 to 2^32 sides: `coin`, `6`, `d6`, `2^32`, `word:32`. The default is a coin.
///
/// ```
/// use flipcost_query::Sides;
/// let word: Sides = "2^32".parse()?;
/// assert_eq!((word.to_string(), word.get()), ("word:32".to_string(), 1 << 32));
/// # Ok::<(), flipcost_query::SidesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sides(pub Source);

/// Why a text is no source that the algorithms for fair dice take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SidesError {
    /// No number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// `word:` without a number of bits that a word can have.
    #[error(transparent)]
    Word(#[from] SourceError),
    /// Too few sides, or too many: [`Refusal::WideSource`].
    #[error(transparent)]
    Wide(#[from] Refusal),
}

impl Sides {
    /// The number of sides, at most 2^32. A wider source, which no text makes, counts as 2^32.
    pub fn get(self) -> u64 {
        let sides = self.0.small().unwrap_or(Task::WIDEST);
        sides.min(Task::WIDEST)
    }
}

impl TryFrom<Source> for Sides {
    type Error = Refusal;

    fn try_from(source: Source) -> Result<Sides, Refusal> {
        match source.small() {
            Some(sides) if sides <= Task::WIDEST => Ok(Sides(source)),
            _ => Err(Refusal::WideSource(source.sides())),
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
            "coin" => return Ok(Sides::default()),
            _ if word.starts_with("word:") => word.parse::<Source>()?.sides(),
            _ => parse_natural(die(text))?,
        };
        match Source::die(sides.clone()) {
            Ok(source) if source.small().is_some_and(|m| m <= Task::WIDEST) => Ok(Sides(source)),
            _ => Err(Refusal::WideSource(sides).into()),
        }
    }
}

as_text!(Sides);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_are_one_source() {
        let read = |text: &str| text.parse::<Sides>();
        assert_eq!(read("coin"), read("2"));
        assert_eq!(read("2"), Ok(Sides::default()));
        assert_eq!(read(" 2^3 ").unwrap().to_string(), "8");
        assert_eq!(read("256"), read("word:8"));
        assert_eq!(read("d6").unwrap().to_string(), "6");
        assert_eq!(read("word:32").unwrap().get(), 1 << 32);
        assert_eq!(
            serde_json::from_str::<Sides>("6").unwrap(),
            read("6").unwrap()
        );
        let json = serde_json::to_string(&read("2^32").unwrap()).unwrap();
        assert_eq!(json, "\"word:32\"");
        assert_eq!(serde_json::from_str::<Sides>(&json).unwrap().get(), 1 << 32);
    }

    #[test]
    fn what_is_no_source_says_why() {
        for (text, why) in [
            (
                "1",
                "a source of 1 sides cannot be rolled: it needs 2 to 2^32 sides",
            ),
            ("0", "a source of 0 sides"),
            ("2^32+1", "a source of 4294967297 sides"),
            ("word:64", "a source of 18446744073709551616 sides"),
            ("word:200", "1 to 128 bits"),
            ("word:x", "word:32, was expected"),
            ("six", "character 1"),
        ] {
            let said = text.parse::<Sides>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
