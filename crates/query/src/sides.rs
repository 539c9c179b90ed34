//! A source of up to 2^32 sides, as people write it and as JSON holds it.

use crate::value::text_of;
use flipcost::number::BigUint;
use flipcost::number::expression::{ExpressionError, parse_natural};
use flipcost::task::{Refusal, Source, SourceError, Task};
use num_traits::ToPrimitive;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A source that the algorithms for fair dice take: a die of 2 to 2^32 sides or a word of up to 32
/// bits, written `6`, `2^32` or `word:32`. The default is a coin.
///
/// ```
/// use flipcost_query::Sides;
/// assert_eq!("6".parse::<Sides>()?.get(), 6);
/// assert_eq!("2^32".parse::<Sides>()?.to_string(), "word:32");
/// assert_eq!(Sides::default().get(), 2);
/// # Ok::<(), flipcost_query::SidesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sides(pub Source);

/// Why a text is no such source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SidesError {
    /// It is no number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// It is no word of bits.
    #[error(transparent)]
    Word(#[from] SourceError),
    /// It has too few or too many sides.
    #[error(transparent)]
    Sides(#[from] Refusal),
}

impl Sides {
    /// The number of sides, from 2 to 2^32. (A source that was never read from a text may have more:
    /// from 2^64 on this is 2^64 - 1, and every question refuses it.)
    pub fn get(self) -> u64 {
        self.0.small().unwrap_or(u64::MAX)
    }

    fn checked(sides: BigUint) -> Result<Sides, Refusal> {
        let few = sides.to_u64().filter(|m| *m <= Task::WIDEST);
        match few.map(Source::die) {
            Some(Ok(source)) => Ok(Sides(source)),
            _ => Err(Refusal::WideSource(sides)),
        }
    }
}

impl Default for Sides {
    fn default() -> Self {
        Sides(Source::COIN)
    }
}

/// As [`Source`] is written.
impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Sides {
    type Err = SidesError;

    fn from_str(text: &str) -> Result<Sides, SidesError> {
        let text = text.trim();
        let sides = match text.starts_with("word:") {
            true => text.parse::<Source>()?.sides(),
            false => parse_natural(text)?,
        };
        Ok(Sides::checked(sides)?)
    }
}

impl Serialize for Sides {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        text_of(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_and_words_are_read_and_written() {
        for (text, sides, shown) in [
            ("2", 2, "2"),
            (" 6 ", 6, "6"),
            ("2^7", 128, "128"),
            ("2^8", 256, "word:8"),
            ("word:3", 8, "8"),
            ("word:32", 1 << 32, "word:32"),
            ("2^32-1", (1 << 32) - 1, "4294967295"),
        ] {
            let source: Sides = text.parse().unwrap();
            assert_eq!(
                (source.get(), source.to_string()),
                (sides, shown.into()),
                "{text}"
            );
            let json = serde_json::to_string(&source).unwrap();
            assert_eq!(json, format!("\"{shown}\""));
            assert_eq!(serde_json::from_str::<Sides>(&json).unwrap(), source);
        }
        assert_eq!(serde_json::from_str::<Sides>("6").unwrap().get(), 6);
    }

    #[test]
    fn what_is_no_source() {
        for (text, says) in [
            ("0", "needs 2 to 2^32 sides"),
            ("1", "needs 2 to 2^32 sides"),
            ("2^32+1", "needs 2 to 2^32 sides"),
            ("word:33", "needs 2 to 2^32 sides"),
            ("word:128", "needs 2 to 2^32 sides"),
            ("word:0", "1 to 128 bits"),
            ("word:x", "no source"),
            ("-6", "negative"),
            ("six", "character 1"),
        ] {
            let error = text.parse::<Sides>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        assert!(serde_json::from_str::<Sides>("1").is_err());
        assert!(serde_json::from_str::<Sides>("-6").is_err());
    }
}
