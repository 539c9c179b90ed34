//! The source of a question: a die, a coin, or a word of random bits.

use crate::QueryError;
use flipcost::task::{Source, SourceError, Weights};
use flipcost_number::BigUint;
use flipcost_number::short::short;
use num_traits::ToPrimitive;
use std::fmt;
use std::str::FromStr;

/// A source of 2 to 2^64 sides, or a word that may be wider: `coin`, `6`, `d6`, `2^32`, `word:64`;
/// a die loaded by weights, `1:2`, by the probability of heads, `p=1/3`, or by any law that a
/// target can have, `doubles:0.3,0.7` or `(3d6)`; or a die of unknown probabilities, `unknown:6`.
/// The default is a coin.
///
/// ```
/// use flipcost_question::Sides;
/// let word: Sides = "2^32".parse()?;
/// assert_eq!((word.to_string(), word.get()), ("word:32".to_string(), 1 << 32));
/// let coin: Sides = "p=1/3".parse()?;
/// assert_eq!((coin.to_string(), coin.get()), ("1:2".to_string(), 2));
/// # Ok::<(), flipcost_question::SidesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sides(pub Source);

/// Words that mean a coin or a die that is not fair.
pub const UNFAIR_WORDS: [&str; 6] = ["bent", "biased", "crooked", "loaded", "unfair", "weighted"];

/// The error for a text that is not a source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SidesError {
    /// The text is not a source.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// One of several dice has too few or too many sides.
    #[error("each of several dice has 2 to {most} sides (2 is a coin), but one with {} was given", short(sides), most = .most.name())]
    Die {
        /// The number of its sides.
        sides: BigUint,
        /// The largest number of sides that is allowed.
        most: LargestDie,
    },
    /// One of several dice is not fair.
    #[error("{} is not fair: each of several dice must be fair, as in 2,6", .0.with_article())]
    Loaded(Source),
    /// The text says that a coin or a die is not fair, without its probabilities.
    #[error(
        "a source that is {0} needs its probabilities: p=60% is a coin that shows heads with probability 60%; 1:2 is a die with these weights; unknown:2 is a coin of unknown bias"
    )]
    Bent(String),
    /// The word has no bits, or too many.
    #[error(
        "a word of {0} bits is not a source: a word has 1 to 64 bits (up to 8192 for a rule that looks at words whole); a die has 2 to 2^64 sides (2 is a coin)"
    )]
    Bits(u32),
}

impl Sides {
    /// Reads a loaded die from the text of a file, in the same format as a target.
    ///
    /// # Errors
    /// [`SidesError`], if the weights do not form a source.
    pub fn of_file(text: &str, column: Option<&str>) -> Result<Sides, SidesError> {
        let law = match column {
            Some(column) => Weights::of_column(text, column),
            None => Weights::of_file(text),
        };
        Ok(Sides(law.map_err(SourceError::Law)?.try_into()?))
    }

    /// The number of faces, at most 2^64. A wider word counts as 2^64.
    pub fn get(&self) -> u128 {
        self.0
            .sides()
            .to_u128()
            .map_or(1 << 64, |sides| sides.min(1 << 64))
    }

    /// Returns the number of sides, for a question about a fair source.
    ///
    /// # Errors
    /// If the source is loaded or unknown; `what` names the question in the error.
    pub fn fair(&self, what: &str) -> Result<u128, QueryError> {
        self.0.in_a_word().ok_or_else(|| self.not_fair_error(what))
    }

    fn not_fair_error(&self, what: &str) -> QueryError {
        let source = self.0.with_article();
        let said = if self.0.is_fair() {
            format!("{what} takes words of 1 to 64 bits, and {source} is wider")
        } else {
            format!("{what} takes a fair die or a word, and {source} is neither")
        };
        QueryError::wrong("source", said)
    }

    /// Parses the number of sides of one of several dice: 2 to 2^64.
    pub fn parse_single_die(text: &str) -> Result<u128, SidesError> {
        Sides::parse_die(text, LargestDie::Word)
    }

    /// Parses the number of sides of one of several dice that are thrown together: 2 to 2^32.
    pub fn parse_thrown_die(text: &str) -> Result<u64, SidesError> {
        Sides::parse_die(text, LargestDie::Throw).map(|sides| sides as u64)
    }

    fn parse_die(text: &str, most: LargestDie) -> Result<u128, SidesError> {
        let source = match text.parse::<Sides>() {
            Ok(sides) => sides.0,
            Err(SidesError::Source(SourceError::Sides(sides))) => {
                return Err(SidesError::Die { sides, most });
            }
            Err(wrong) => return Err(wrong),
        };
        if !source.is_fair() {
            return Err(SidesError::Loaded(source));
        }
        let sides = source.in_a_word().filter(|m| *m <= most.sides());
        sides.ok_or_else(|| SidesError::Die {
            sides: source.sides(),
            most,
        })
    }
}

/// The largest number of sides of one of several dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargestDie {
    /// 2^64, a machine word.
    Word,
    /// 2^32, for dice that are thrown together.
    Throw,
}

impl LargestDie {
    fn sides(self) -> u128 {
        match self {
            LargestDie::Word => 1 << 64,
            LargestDie::Throw => 1 << 32,
        }
    }

    fn name(self) -> &'static str {
        match self {
            LargestDie::Word => "2^64",
            LargestDie::Throw => "2^32",
        }
    }
}

/// Checks that the probabilities of a source are known.
///
/// # Errors
/// If the source is unknown.
pub fn check_known_source(source: &Source) -> Result<(), QueryError> {
    if !source.is_unknown() {
        return Ok(());
    }
    let source = source.with_article();
    let what = format!("this question is about known probabilities, and the source is {source}");
    let right = "a source with known probabilities was expected, such as 1:2 or p=1/3";
    Err(QueryError::wrong("source", what).right(right))
}

impl TryFrom<Source> for Sides {
    type Error = SidesError;

    fn try_from(source: Source) -> Result<Sides, SidesError> {
        Ok(Sides(source))
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
        match text.parse() {
            Ok(source) => Ok(Sides(source)),
            Err(SourceError::Bits(bits)) => Err(SidesError::Bits(bits)),
            Err(_)
                if text
                    .split(' ')
                    .next()
                    .is_some_and(|word| UNFAIR_WORDS.contains(&word)) =>
            {
                Err(SidesError::Bent(
                    text.split(' ').next().unwrap_or_default().to_string(),
                ))
            }
            Err(wrong) => Err(wrong.into()),
        }
    }
}

/// Reads weights from the text of a file, and writes them as a user would type them.
pub fn weights_of_text(text: &str, column: Option<&str>) -> Result<String, String> {
    let sides = Sides::of_file(text, column).map_err(|error| error.to_string())?;
    Ok(sides.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::FieldValue;

    #[test]
    fn numbers_and_words_are_one_source() {
        let names = crate::Names::default();
        let read = |text: &str| text.parse::<Sides>();
        assert_eq!(read("coin"), read("2"));
        assert_eq!(read("2"), Ok(Sides::default()));
        assert_eq!(read(" 2^3 ").unwrap().to_string(), "8");
        assert_eq!(read("256"), read("word:8"));
        assert_eq!(read("d6").unwrap().to_string(), "6");
        assert_eq!(read("word:32").unwrap().get(), 1 << 32);
        assert_eq!(read("2^64"), read("word:64"));
        assert_eq!(read("word:64").unwrap().get(), 1 << 64);
        assert_eq!(read("p = 1/3"), read("1/6:1/3"));
        assert_eq!(read("p=0.5"), read("coin"));
        assert_eq!(read("60%"), read("3:2"));
        assert_eq!(read("p=12.5%"), read("1:7"));
        assert_eq!(read("0x10"), read("16"));
        assert_eq!(read("100 % 7"), read("2"));
        assert_eq!(read("1:1:1:1:1:2").unwrap().to_string(), "1:1:1:1:1:2");
        assert_eq!(read("doubles:0.25,0.75"), read("1:3"));
        assert_eq!(read("unknown:6").unwrap().get(), 6);
        assert_eq!(read("(2d3)"), read("1:2:3:2:1"));
        assert_eq!(read("1d6"), read("6"));
        assert_eq!(read("2^48+1").unwrap().to_string(), "281474976710657");
        assert_eq!(
            Sides::of_json(&6.into(), names).unwrap(),
            read("6").unwrap()
        );
        let json = read("2^32").unwrap().json().unwrap();
        assert_eq!(json, "word:32");
        assert_eq!(Sides::of_json(&json, names).unwrap().get(), 1 << 32);
    }
}
