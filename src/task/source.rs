//! The source that an algorithm rolls: a fair die, a loaded die, a die of unknown probabilities, or
//! a word of random bits.

use super::{Target, TargetError, WeightsError};
use flipcost_number::expression::ExpressionError;
use flipcost_number::near::nearest;
use flipcost_number::short::short;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::sync::Arc;

/// A source: a die, or a word of w random bits, w <= 8192. Its rolls are independent.
///
/// A fair die has 2 to 2^64 sides. A loaded die shows face i with the probability of the i-th
/// weight divided by the sum of the weights. Of a die with unknown probabilities it is known only
/// that every face has a probability above 0. A word of w bits is a die of 2^w sides, and the two
/// compare as equal: `Source::die(1 << 32)` equals `Source::word(32)`. A source of 2^w sides is
/// called a word if w is at least 8, otherwise a die; a die of two sides is a coin.
///
/// ```
/// use flipcost::task::{Source, RollUnit};
/// assert_eq!(Source::die(2)?, Source::COIN);
/// assert_eq!(Source::die(1u64 << 32)?, Source::word(32)?);
/// assert_eq!(Source::word(32)?.unit(), RollUnit::Words);
/// assert_eq!(Source::die(6)?.to_string(), "6");
/// assert_eq!("word:64".parse(), Source::word(64));
/// assert_eq!(("coin".parse(), "d6".parse(), "p=1/3".parse()), (Ok(Source::COIN), Source::die(6), Source::loaded([1, 2])));
/// assert_eq!(Source::loaded([2, 4])?.to_string(), "1:2");
/// assert_eq!(Source::loaded([5, 5])?, Source::COIN);
/// assert_eq!("unknown:6".parse::<Source>()?.with_article(), "an unknown d6");
/// # Ok::<(), flipcost::task::SourceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source(SourceKind);

/// The normal form of a source: a number of sides that is a power of two from 2^8 on is stored as a
/// word, and weights are coprime and not all equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SourceKind {
    Die(u64),
    Word(u32),
    Loaded(Arc<Target>),
    Unknown(u32),
}

/// The least number of bits of a word; smaller powers of two are dice, for example a d4 and a d8.
const MIN_WORD_BITS: u32 = 8;
/// The maximum number of bits of a word.
const MAX_BITS: u32 = 8192;
/// The maximum number of faces of an unknown die.
const MAX_UNKNOWN: u32 = 64;

/// The error for an invalid source.
///
/// ```
/// use flipcost::task::{Source, SourceError};
/// assert_eq!(Source::word(0), Err(SourceError::Bits(0)));
/// assert_eq!(Source::die(1), Err(SourceError::Sides(1u8.into())));
/// assert_eq!(Source::loaded([0, 3]), Err(SourceError::Never { face: 1, faces: 2 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A die cannot have this number of sides.
    #[error("a source of {} cannot be rolled: it needs 2 to 2^64 sides (2 is a coin)", count_with_noun(&short(.0), "side"))]
    Sides(BigUint),
    /// The word has no bits, or too many.
    #[error("a word of {0} bits cannot be drawn: it has 1 to 8192 bits")]
    Bits(u32),
    /// The text describes no source.
    #[error("\"{0}\" is not a source: {hint}", hint = suggest_source(.0))]
    Text(String),
    /// The loaded die has fewer than two faces.
    #[error("a source needs 2 weights or more, one for each face, and {0} was given")]
    Weights(usize),
    /// A face of the loaded die has the weight 0.
    #[error(
        "face {face} of {faces} has the weight 0 and never shows: each face of a source needs a weight above 0"
    )]
    Never {
        /// The face, counted from 1.
        face: usize,
        /// The number of faces.
        faces: usize,
    },
    /// The unknown die has too few faces, or too many.
    #[error("an unknown source of {} cannot be rolled: it has 2 to 64 faces", count_with_noun(.0, "face"))]
    Unknown(u64),
    /// A number of sides, or a weight, is below 0.
    #[error(
        "a number of sides or a weight is below 0: a source has 2 sides or more, and weights above 0"
    )]
    Negative,
    /// The text is not a number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// The weights cannot be parsed.
    #[error(transparent)]
    Law(#[from] WeightsError),
    /// The text describes several dice, or weights with commas between them.
    #[error(
        "\"{text}\" names several dice, and one source was expected, such as {one}: `plan` prints recipes for several dice, and a loaded die is written by its weights, as in {weights}"
    )]
    Several {
        /// The text as the user wrote it.
        text: String,
        /// One of the dice in the text.
        one: String,
        /// An example of weights.
        weights: String,
    },
    /// The text is a sum of small numbers: several dice, or one die.
    #[error(
        "\"{text}\" has two readings: several dice are written {dice}, and a die of {sides} sides d{sides}"
    )]
    Added {
        /// The text as the user wrote it.
        text: String,
        /// The numbers as a list of dice.
        dice: String,
        /// The sum of the numbers.
        sides: u64,
    },
    /// The text describes a word of bits in the notation of other programs.
    #[error("\"{text}\" is not a source: did you mean word:{bits}?")]
    Bytes {
        /// The text as the user wrote it.
        text: String,
        /// The number of bits that is probably meant.
        bits: u32,
    },
    /// The coin would always show the same side, or the number is not a probability.
    #[error("p={0} is not a coin: the probability of heads must be above 0 and below 1")]
    Heads(String),
    /// The text is a probability, which may be meant as that of heads.
    #[error(
        "\"{text}\" is a probability, not a source: write a coin that shows heads with this probability as p={text}, or by its weights as {heads}:{tails}"
    )]
    Probability {
        /// The text as the user wrote it.
        text: String,
        /// The weight of heads.
        heads: BigUint,
        /// The weight of tails.
        tails: BigUint,
    },
}

/// Suggests the source that was probably meant, or names some examples.
fn suggest_source(text: &str) -> String {
    match nearest(text, ["coin", "byte"]) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            "a number of sides such as 6, a word such as word:32, or unknown:2 was expected".into()
        }
    }
}

/// Formats `1 side`, `3 sides`.
fn count_with_noun(number: &impl ToString, what: &str) -> String {
    let number = number.to_string();
    let s = if number == "1" { "" } else { "s" };
    format!("{number} {what}{s}")
}

/// The name of one roll of a source.
///
/// ```
/// use flipcost::task::{Source, RollUnit};
/// assert_eq!(Source::COIN.unit(), RollUnit::Flips);
/// assert_eq!((RollUnit::Rolls.singular(), RollUnit::Words.plural()), ("roll", "words"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RollUnit {
    /// Flips of a coin.
    Flips,
    /// Rolls of a die.
    Rolls,
    /// Words of bits.
    Words,
    /// Steps of a chain that does not roll a source.
    Steps,
}

impl RollUnit {
    /// The unit for a die of m sides.
    pub(crate) fn of_sides(m: u128) -> RollUnit {
        match m {
            2 => RollUnit::Flips,
            m if m.is_power_of_two() && m >= 1 << MIN_WORD_BITS => RollUnit::Words,
            _ => RollUnit::Rolls,
        }
    }

    /// As `of_sides`, for any number of sides.
    pub(crate) fn of_wide(m: &BigUint) -> RollUnit {
        m.to_u128().map_or(RollUnit::Words, RollUnit::of_sides)
    }

    /// The singular: `flip`, `roll`, `word`.
    pub fn singular(self) -> &'static str {
        match self {
            RollUnit::Flips => "flip",
            RollUnit::Rolls => "roll",
            RollUnit::Words => "word",
            RollUnit::Steps => "step",
        }
    }

    /// The plural: `flips`, `rolls`, `words`.
    pub fn plural(self) -> &'static str {
        match self {
            RollUnit::Flips => "flips",
            RollUnit::Rolls => "rolls",
            RollUnit::Words => "words",
            RollUnit::Steps => "steps",
        }
    }
}

impl Source {
    /// A fair coin: m = 2.
    pub const COIN: Source = Source(SourceKind::Die(2));

    /// A fair die of m sides; m may have any integer type.
    ///
    /// # Errors
    /// [`SourceError::Sides`] unless 2 <= m <= 2^64, [`SourceError::Negative`] if m < 0.
    pub fn die(m: impl TryInto<BigUint>) -> Result<Source, SourceError> {
        let m = m.try_into().map_err(|_| SourceError::Negative)?;
        match m.to_u64() {
            Some(sides) if sides.is_power_of_two() && sides >= 1 << MIN_WORD_BITS => {
                Ok(Source(SourceKind::Word(sides.trailing_zeros())))
            }
            Some(sides @ 2..) => Ok(Source(SourceKind::Die(sides))),
            None if m == BigUint::one() << 64u8 => Ok(Source(SourceKind::Word(64))),
            _ => Err(SourceError::Sides(m)),
        }
    }

    /// A word of w independent fair bits.
    ///
    /// # Errors
    /// [`SourceError::Bits`] unless 1 <= w <= 8192.
    pub fn word(bits: u32) -> Result<Source, SourceError> {
        match bits {
            1..MIN_WORD_BITS => Ok(Source(SourceKind::Die(1 << bits))),
            MIN_WORD_BITS..=MAX_BITS => Ok(Source(SourceKind::Word(bits))),
            _ => Err(SourceError::Bits(bits)),
        }
    }

    /// A die that shows face i with the probability of the i-th weight divided by their sum; the
    /// weights are as in [`Target::weighted`]. Cost: a gcd of all weights.
    ///
    /// # Errors
    /// [`SourceError::Weights`] if there are fewer than two weights, [`SourceError::Never`] if a
    /// weight is 0, [`SourceError::Negative`] if a weight is below 0.
    pub fn loaded<T: Clone + TryInto<BigUint>>(
        weights: impl AsRef<[T]>,
    ) -> Result<Source, SourceError> {
        let law = Target::weighted(weights).map_err(|error| match error {
            TargetError::Negative => SourceError::Negative,
            _ => SourceError::Weights(0),
        });
        law?.try_into()
    }

    /// A die of m faces whose probabilities are unknown, but above 0.
    ///
    /// # Errors
    /// [`SourceError::Unknown`] unless 2 <= m <= 64.
    pub fn unknown(faces: u64) -> Result<Source, SourceError> {
        match u32::try_from(faces) {
            Ok(faces @ 2..=MAX_UNKNOWN) => Ok(Source(SourceKind::Unknown(faces))),
            _ => Err(SourceError::Unknown(faces)),
        }
    }

    /// The number m of faces.
    pub fn sides(&self) -> BigUint {
        match &self.0 {
            SourceKind::Die(m) => (*m).into(),
            SourceKind::Word(bits) => BigUint::one() << *bits,
            SourceKind::Loaded(law) => law.outcomes(),
            SourceKind::Unknown(faces) => (*faces).into(),
        }
    }

    /// Whether all faces are equally likely.
    pub fn is_fair(&self) -> bool {
        matches!(self.0, SourceKind::Die(_) | SourceKind::Word(_))
    }

    /// Whether the probabilities are unknown.
    pub fn is_unknown(&self) -> bool {
        matches!(self.0, SourceKind::Unknown(_))
    }

    /// The law of one roll of a loaded source; `None` if the source is fair or unknown.
    pub fn law(&self) -> Option<&Target> {
        match &self.0 {
            SourceKind::Loaded(law) => Some(law),
            _ => None,
        }
    }

    /// The weights of the faces, coprime and not all equal; `None` if the source is fair or
    /// unknown.
    pub fn weights(&self) -> Option<&[BigUint]> {
        self.law().and_then(Target::weights)
    }

    /// Lays the weights of the faces end to end, and returns the face, counted from 0, that
    /// contains `place`, a number from 0 to below [`Source::weight_sum`]. `None` as for
    /// [`Source::weights`]. Cost: one step for each face before the result.
    ///
    /// ```
    /// let source = flipcost::task::Source::loaded([1, 2])?;
    /// let faces = [0u8, 1, 2].map(|place| source.face_at(place.into()));
    /// assert_eq!(faces, [Some(0), Some(1), Some(1)]);
    /// # Ok::<(), flipcost::task::SourceError>(())
    /// ```
    pub fn face_at(&self, mut place: BigUint) -> Option<u64> {
        let mut face = 0;
        for weight in self.weights()? {
            if place < *weight {
                break;
            }
            place -= weight;
            face += 1;
        }
        Some(face)
    }

    /// The common denominator of the probabilities of the faces: the sum of the weights, or m for a
    /// fair die. `None` if the probabilities are unknown.
    pub fn weight_sum(&self) -> Option<BigUint> {
        match &self.0 {
            SourceKind::Loaded(law) => Some(law.weight_sum().clone()),
            SourceKind::Unknown(_) => None,
            _ => Some(self.sides()),
        }
    }

    /// The probability of a face, counted from 0; 0 beyond the last face. `None` if it is unknown.
    ///
    /// ```
    /// use flipcost::task::Source;
    /// assert_eq!(Source::loaded([1, 2])?.probability(0).unwrap().to_string(), "1/3");
    /// # Ok::<(), flipcost::task::SourceError>(())
    /// ```
    pub fn probability(&self, face: u64) -> Option<Rational> {
        match &self.0 {
            SourceKind::Loaded(law) => Some(law.probability(&face.into())),
            SourceKind::Unknown(_) => None,
            _ if BigUint::from(face) < self.sides() => {
                Some(Rational::new(BigInt::one(), self.sides().into()))
            }
            _ => Some(Rational::zero()),
        }
    }

    /// The number of faces of a fair source, if it is below 2^64.
    pub fn small(&self) -> Option<u64> {
        match self.0 {
            SourceKind::Die(m) => Some(m),
            SourceKind::Word(bits) => 1u64.checked_shl(bits).filter(|_| bits < 64),
            _ => None,
        }
    }

    /// The number of faces of a fair source, if it is at most 2^64, so that each face fits in a
    /// machine word.
    ///
    /// ```
    /// use flipcost::task::Source;
    /// assert_eq!(Source::word(64)?.in_a_word(), Some(1 << 64));
    /// assert_eq!(Source::word(65)?.in_a_word(), None);
    /// # Ok::<(), flipcost::task::SourceError>(())
    /// ```
    pub fn in_a_word(&self) -> Option<u128> {
        match self.0 {
            SourceKind::Die(m) => Some(m.into()),
            SourceKind::Word(bits) => (bits <= 64).then(|| 1 << bits),
            _ => None,
        }
    }

    /// The number of bits of a word; `None` for a die.
    pub fn bits(&self) -> Option<u32> {
        match self.0 {
            SourceKind::Word(bits) => Some(bits),
            _ => None,
        }
    }

    /// The name of one roll of this source.
    pub fn unit(&self) -> RollUnit {
        match self.0 {
            SourceKind::Word(_) => RollUnit::Words,
            _ if self.sides() == BigUint::from(2u8) => RollUnit::Flips,
            _ => RollUnit::Rolls,
        }
    }

    /// Describes the source: `a coin`, `a d6`, `a word of 32 bits`, `a coin loaded 1:2`, `an
    /// unknown d6`; long lists of weights are shortened.
    pub fn with_article(&self) -> String {
        self.describe(format!("{self:#}"))
    }

    /// Describes the source, using this text for the weights of a loaded die.
    pub(super) fn describe(&self, weights: String) -> String {
        let die = |sides: &BigUint| match sides.to_u64() {
            Some(2) => "coin".to_string(),
            _ => format!("d{sides}"),
        };
        match &self.0 {
            SourceKind::Word(bits) => format!("a word of {bits} bits"),
            SourceKind::Die(_) => format!("a {}", die(&self.sides())),
            SourceKind::Loaded(_) => format!("a {} loaded {weights}", die(&self.sides())),
            SourceKind::Unknown(_) => format!("an unknown {}", die(&self.sides())),
        }
    }
}

/// Creates a source whose rolls have this law.
impl TryFrom<Target> for Source {
    type Error = SourceError;

    /// # Errors
    /// [`SourceError::Weights`] if there are fewer than two outcomes, [`SourceError::Never`] if an
    /// outcome has probability 0.
    fn try_from(law: Target) -> Result<Source, SourceError> {
        match law.weights() {
            None if law.outcomes().is_one() => Err(SourceError::Weights(1)),
            None => Source::die(law.outcomes()),
            Some(weights) => match weights.iter().position(BigUint::is_zero) {
                Some(face) => Err(SourceError::Never {
                    face: face + 1,
                    faces: weights.len(),
                }),
                None => Ok(Source(SourceKind::Loaded(Arc::new(law)))),
            },
        }
    }
}

/// Writes the source as `6`, `word:32`, `1:2`, `unknown:2`; [`FromStr`](std::str::FromStr) parses
/// this text. `{:#}` shortens long lists of weights.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            SourceKind::Die(m) => f.pad(&m.to_string()),
            SourceKind::Word(bits) => f.pad(&format!("word:{bits}")),
            SourceKind::Unknown(faces) => f.pad(&format!("unknown:{faces}")),
            SourceKind::Loaded(law) => law.fmt(f),
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
        assert!(Source::word(0).is_err() && Source::word(8193).is_err());
        assert_eq!(Source::word(128).unwrap().sides(), two.pow(128));
        assert_eq!(Source::word(64).unwrap().small(), None);
        assert_eq!(Source::word(63).unwrap().small(), Some(1 << 63));
        assert_eq!(Source::word(1).unwrap(), Source::COIN);
        assert_eq!(Source::word(3).unwrap(), Source::die(8u8).unwrap());
    }

    #[test]
    fn invalid_loaded_and_unknown_sources_have_a_reason() {
        for (text, why) in [
            ("1:0", "face 2 of 2 has the weight 0"),
            ("unknown:1", "an unknown source of 1 face cannot"),
            ("1", "a source of 1 side cannot"),
            ("0", "a source of 0 sides cannot"),
            ("unknown:65", "2 to 64 faces"),
            ("1:x", "\"1:x\" is not a source that can be used"),
        ] {
            let said = text.parse::<Source>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
        assert_eq!(Source::loaded([7u8]), Err(SourceError::Weights(1)));
    }

    proptest! {
        #[test]
        fn a_source_is_read_back(m in 2u64.., bits in 1u32..=128) {
            for source in [Source::die(m).unwrap(), Source::word(bits).unwrap()] {
                prop_assert_eq!(source.to_string().parse::<Source>(), Ok(source.clone()));
                if let Some(sides) = source.small() {
                    prop_assert_eq!(Source::die(sides), Ok(source));
                }
            }
            prop_assert_eq!(Source::die(m).unwrap().sides(), BigUint::from(m));
            prop_assert_eq!(Source::word(bits).unwrap().sides(), BigUint::one() << bits);
        }

        /// The text of a source is parsed to the same source, and the probabilities of all faces
        /// sum to 1.
        #[test]
        fn weights_are_probabilities(weights in proptest::collection::vec(1u64.., 2..9), times in 1u64..9) {
            let source = Source::loaded(weights.clone()).unwrap();
            let multiples = weights.iter().map(|weight| BigUint::from(*weight) * times);
            let multiples: Vec<BigUint> = multiples.collect();
            prop_assert_eq!(Source::loaded(multiples), Ok(source.clone()));
            prop_assert_eq!(source.to_string().parse::<Source>(), Ok(source.clone()));
            let all: Rational = (0..weights.len() as u64 + 1).filter_map(|face| source.probability(face)).sum();
            prop_assert!(all.is_one());
            prop_assert_eq!(source.sides(), BigUint::from(weights.len()));
        }
    }
}
