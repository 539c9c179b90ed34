//! What is rolled: a fair die, or a word of random bits.

use crate::number::BigUint;
use crate::number::expression::parse_u64;
use crate::number::short::short;
use num_traits::{One, ToPrimitive};
use std::fmt;
use std::str::FromStr;

/// One roll of a fair die of m sides, 2 <= m <= 2^64, or one word of w random bits, w <= 128.
///
/// A word of w bits is a die of 2^w sides, and the two are one value: `Source::die(1 << 32)` equals
/// `Source::word(32)`. From w = 8 on such a source is called a word, below it is called a die, and
/// a die of two sides is a coin.
///
/// ```
/// use flipcost::task::{Source, Unit};
/// assert_eq!(Source::die(2u8)?, Source::COIN);
/// assert_eq!(Source::die(1u64 << 32)?, Source::word(32)?);
/// assert_eq!(Source::word(32)?.unit(), Unit::Words);
/// assert_eq!(Source::die(6u8)?.to_string(), "6");
/// assert_eq!("word:64".parse::<Source>()?.to_string(), "word:64");
/// # Ok::<(), flipcost::task::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source(Kind);

/// In normal form: a power of two from 2^8 on is a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Die(u64),
    Word(u32),
}

/// Words have at least this many bits; fewer are dice such as a d4 and a d8.
const FEWEST_BITS: u32 = 8;
/// And at most this many.
const MOST_BITS: u32 = 128;

/// Not a source.
///
/// ```
/// use flipcost::task::{Source, SourceError};
/// assert_eq!(Source::word(0), Err(SourceError::Bits(0)));
/// assert_eq!(Source::die(1u8), Err(SourceError::Sides(1u8.into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A die that cannot be rolled.
    #[error("a source of {} sides cannot be rolled: it needs 2 to 2^64 sides (2 is a coin)", short(.0))]
    Sides(BigUint),
    /// A word of no bits, or of too many.
    #[error("a word of {0} bits cannot be drawn: it has 1 to 128 bits")]
    Bits(u32),
    /// Neither a number of sides nor a word of bits.
    #[error(
        "\"{0}\" is no source: a number of sides such as 6, or a word such as word:32, was expected"
    )]
    Text(String),
}

/// What one roll of a source is called.
///
/// ```
/// use flipcost::task::{Source, Unit};
/// assert_eq!(Source::COIN.unit(), Unit::Flips);
/// assert_eq!((Unit::Rolls.singular(), Unit::Words.plural()), ("roll", "words"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Of a coin.
    Flips,
    /// Of a die.
    Rolls,
    /// Of a word of bits.
    Words,
}

impl Unit {
    /// What a roll of a die of m sides is called.
    pub fn of_sides(m: u128) -> Unit {
        match m {
            2 => Unit::Flips,
            m if m.is_power_of_two() && m >= 1 << FEWEST_BITS => Unit::Words,
            _ => Unit::Rolls,
        }
    }

    /// One of them: `flip`, `roll`, `word`.
    pub fn singular(self) -> &'static str {
        match self {
            Unit::Flips => "flip",
            Unit::Rolls => "roll",
            Unit::Words => "word",
        }
    }

    /// Several: `flips`, `rolls`, `words`.
    pub fn plural(self) -> &'static str {
        match self {
            Unit::Flips => "flips",
            Unit::Rolls => "rolls",
            Unit::Words => "words",
        }
    }
}

impl Source {
    /// A fair coin: m = 2.
    pub const COIN: Source = Source(Kind::Die(2));

    /// A fair die of m sides.
    ///
    /// # Errors
    /// [`SourceError::Sides`] unless 2 <= m <= 2^64.
    pub fn die(m: impl Into<BigUint>) -> Result<Source, SourceError> {
        let m = m.into();
        match m.to_u64() {
            Some(sides) if sides.is_power_of_two() && sides >= 1 << FEWEST_BITS => {
                Ok(Source(Kind::Word(sides.trailing_zeros())))
            }
            Some(sides @ 2..) => Ok(Source(Kind::Die(sides))),
            None if m == BigUint::one() << 64u8 => Ok(Source(Kind::Word(64))),
            _ => Err(SourceError::Sides(m)),
        }
    }

    /// A word of w independent fair bits.
    ///
    /// # Errors
    /// [`SourceError::Bits`] unless 1 <= w <= 128.
    pub fn word(bits: u32) -> Result<Source, SourceError> {
        match bits {
            1..FEWEST_BITS => Ok(Source(Kind::Die(1 << bits))),
            FEWEST_BITS..=MOST_BITS => Ok(Source(Kind::Word(bits))),
            _ => Err(SourceError::Bits(bits)),
        }
    }

    /// The number of faces, m.
    pub fn sides(self) -> BigUint {
        match self.0 {
            Kind::Die(m) => m.into(),
            Kind::Word(bits) => BigUint::one() << bits,
        }
    }

    /// The number of faces, if it is below 2^64.
    pub fn small(self) -> Option<u64> {
        match self.0 {
            Kind::Die(m) => Some(m),
            Kind::Word(bits) => 1u64.checked_shl(bits).filter(|_| bits < 64),
        }
    }

    /// The number of faces, if each of them fits in a machine word: at most 2^64.
    ///
    /// ```
    /// use flipcost::task::Source;
    /// assert_eq!(Source::word(64)?.in_a_word(), Some(1 << 64));
    /// assert_eq!(Source::word(65)?.in_a_word(), None);
    /// # Ok::<(), flipcost::task::SourceError>(())
    /// ```
    pub fn in_a_word(self) -> Option<u128> {
        match self.0 {
            Kind::Die(m) => Some(m.into()),
            Kind::Word(bits) => (bits <= 64).then(|| 1 << bits),
        }
    }

    /// The bits of a word; `None` for a die.
    pub fn bits(self) -> Option<u32> {
        match self.0 {
            Kind::Die(_) => None,
            Kind::Word(bits) => Some(bits),
        }
    }

    /// What one roll is called.
    pub fn unit(self) -> Unit {
        match self.0 {
            Kind::Die(2) => Unit::Flips,
            Kind::Die(_) => Unit::Rolls,
            Kind::Word(_) => Unit::Words,
        }
    }

    /// `a coin`, `a d6`, `a word of 32 bits`.
    pub fn with_article(self) -> String {
        match self.0 {
            Kind::Die(2) => "a coin".to_string(),
            Kind::Die(m) => format!("a d{m}"),
            Kind::Word(bits) => format!("a word of {bits} bits"),
        }
    }
}

/// `6`, `word:32`: what [`FromStr`] reads.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Kind::Die(m) => write!(f, "{m}"),
            Kind::Word(bits) => write!(f, "word:{bits}"),
        }
    }
}

impl FromStr for Source {
    type Err = SourceError;

    /// Reads a number of sides as digits, or `word:` and a number of bits, which may be an expression.
    fn from_str(text: &str) -> Result<Source, SourceError> {
        let wrong = || SourceError::Text(text.chars().take(40).collect());
        match text.strip_prefix("word:") {
            Some(bits) => {
                let bits = parse_u64(bits).map_err(|_| wrong())?;
                Source::word(bits.try_into().unwrap_or(u32::MAX))
            }
            None => Source::die(text.parse::<BigUint>().map_err(|_| wrong())?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_of_dice_and_words() {
        let two = BigUint::from(2u8);
        for m in [0u64, 1] {
            assert_eq!(Source::die(m), Err(SourceError::Sides(m.into())));
        }
        assert_eq!(Source::die(two.pow(64)).unwrap(), Source::word(64).unwrap());
        assert!(Source::die(two.pow(64) + 1u8).is_err() && Source::die(two.pow(65)).is_err());
        assert!(Source::word(0).is_err() && Source::word(129).is_err());
        assert_eq!(Source::word(128).unwrap().sides(), two.pow(128));
        assert_eq!(Source::word(64).unwrap().small(), None);
        assert_eq!(Source::word(63).unwrap().small(), Some(1 << 63));
        assert_eq!(Source::word(1).unwrap(), Source::COIN);
        assert_eq!(Source::word(3).unwrap(), Source::die(8u8).unwrap());
    }

    proptest! {
        #[test]
        fn a_source_is_read_back(m in 2u64.., bits in 1u32..=128) {
            for source in [Source::die(m).unwrap(), Source::word(bits).unwrap()] {
                prop_assert_eq!(source.to_string().parse::<Source>(), Ok(source));
                if let Some(sides) = source.small() {
                    prop_assert_eq!(Source::die(sides), Ok(source));
                }
            }
            prop_assert_eq!(Source::die(m).unwrap().sides(), BigUint::from(m));
            prop_assert_eq!(Source::word(bits).unwrap().sides(), BigUint::one() << bits);
        }
    }
}
