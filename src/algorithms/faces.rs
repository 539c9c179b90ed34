//! The source of a sampler's rolls: random words from any generator, from the operating system or
//! from a seed, or rolls that a person made.
//!
//! [`Faces`] makes fair faces of any die from random words, without bias: a word that would make
//! some faces likelier than others is rejected, and another is taken.

use super::bits::WordBits;
use crate::task::Source;
#[cfg(feature = "random")]
use chacha20::rand_core::{Rng, SeedableRng};
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_traits::ToPrimitive;
use std::io::Read;

/// The name of the seeded generator, as recorded with a run so that it can be repeated.
pub const GENERATOR: &str = "ChaCha20 (seed_from_u64)";

/// The origin of the faces.
pub(super) enum FaceOrigin<'a> {
    /// Words of 64 random bits.
    Words(Box<dyn FnMut() -> Result<u64, FacesError> + 'a>),
    #[cfg(feature = "random")]
    Seeded(Box<chacha20::ChaCha20Rng>),
    #[cfg(feature = "simulate")]
    Chunk(Box<chacha20::ChaCha8Rng>),
    /// A closure that returns faces of a die with the given sides.
    Faces(Box<dyn FnMut(u128) -> Result<u64, FacesError> + 'a>),
}

/// The reason why no face could be returned.
///
/// ```
/// use flipcost::algorithms::{Faces, FacesError};
/// let mut faces = Faces::from_rolls("HT");
/// assert_eq!(faces.roll(0), Err(FacesError::Sides(0)));
/// assert_eq!((faces.roll(2), faces.roll(2)), (Ok(0), Ok(1)));
/// assert_eq!(faces.roll(2), Err(FacesError::RanOut));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FacesError {
    /// There are no more faces.
    #[error("the rolls ran out before an outcome was decided")]
    RanOut,
    /// No die has this number of sides, or its faces do not fit in a word.
    #[error("a die of {0} sides cannot be rolled here: 1 to 2^64 sides were expected")]
    Sides(u128),
    /// The probabilities of the source are unknown.
    #[error("{} cannot be rolled here, since its probabilities are unknown", .0.with_article())]
    Unknown(Source),
    /// A closure returned a number that is not a face of the die.
    #[error("a die of {sides} sides does not show face {face}: faces count from 0")]
    Face {
        /// The number returned.
        face: u64,
        /// The sides of the die.
        sides: u128,
    },
    /// An entry in a text of rolls is not a face of the die.
    #[error(transparent)]
    Roll(#[from] BadRoll),
    /// The operating system gave no randomness, or a reader failed; holds the message.
    #[error("{0}")]
    Failed(String),
}

/// A source of rolls: it returns fair faces of any die.
///
/// A seed always gives the same faces, because the map from words to faces is fixed: take k bits,
/// where k is the least number with 2^k >= m, and repeat this until their value is below m. A chunk
/// of a simulation does the same if m is a power of two. For other m it multiplies a 32-bit word by
/// m, with exact rejection (Lemire 2019, arXiv 1805.10941), which rejects less often.
///
/// ```
/// use flipcost::algorithms::{Faces, FacesError};
/// let random = 0b_101_110_010_u64.to_le_bytes(); // a file or a device works too
/// let mut faces = Faces::from_reader(&random[..]);
/// assert_eq!((faces.roll(6)?, faces.roll(6)?), (2, 5)); // 010; then 110, rejected, and 101
/// let mut mine = Faces::from_rolls("6 3, 4");
/// assert_eq!((mine.roll(6)?, mine.roll(6)?), (5, 2)); // faces count from 0
/// # Ok::<(), FacesError>(())
/// ```
pub struct Faces<'a> {
    origin: FaceOrigin<'a>,
    bits: WordBits,
}

/// Shows the origin of the faces.
impl std::fmt::Debug for Faces<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match &self.origin {
            FaceOrigin::Words(_) => "Faces(of random words)",
            #[cfg(feature = "random")]
            FaceOrigin::Seeded(_) => "Faces(of a seed)",
            #[cfg(feature = "simulate")]
            FaceOrigin::Chunk(_) => "Faces(of a simulation)",
            FaceOrigin::Faces(_) => "Faces(of a closure or a text)",
        })
    }
}

impl<'a> Faces<'a> {
    pub(super) fn new(origin: FaceOrigin<'a>) -> Self {
        Faces {
            origin,
            bits: WordBits::default(),
        }
    }

    /// Takes faces from a closure. The closure receives the number of sides and returns a face,
    /// counted from 0, or `None` if there are no more faces. For a loaded source it must return
    /// faces of that source.
    ///
    /// ```
    /// use flipcost::algorithms::{FAST_DICE_ROLLER, Faces};
    /// use flipcost::task::{Source, Task};
    /// let mut flips = [1, 0, 1].into_iter();
    /// let mut faces = Faces::from_fn(|_sides| flips.next());
    /// let rolled = FAST_DICE_ROLLER.roll(&Task::die(8u8, Source::COIN)?, &mut faces)?;
    /// assert_eq!(rolled.outcome, 5u8.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fn(mut face: impl FnMut(u128) -> Option<u64> + 'a) -> Self {
        let face = move |sides| match face(sides) {
            None => Err(FacesError::RanOut),
            Some(face) if u128::from(face) >= sides => Err(FacesError::Face { face, sides }),
            Some(face) => Ok(face),
        };
        Faces::new(FaceOrigin::Faces(Box::new(face)))
    }

    /// Makes faces from the bits of a generator; needs the feature `rand`.
    #[cfg(feature = "rand")]
    pub fn from_rng(mut rng: impl rand::Rng + 'a) -> Self {
        Faces::new(FaceOrigin::Words(Box::new(move || Ok(rng.next_u64()))))
    }

    /// Makes faces from random bytes: eight bytes make a word, the lowest byte first; a remainder
    /// of fewer than eight bytes is not used.
    pub fn from_reader(mut reader: impl Read + 'a) -> Self {
        let word = move || {
            let mut bytes = [0; 8];
            match reader.read_exact(&mut bytes) {
                Ok(()) => Ok(u64::from_le_bytes(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    Err(FacesError::RanOut)
                }
                Err(error) => Err(FacesError::Failed(format!("no more can be read: {error}"))),
            }
        };
        Faces::new(FaceOrigin::Words(Box::new(word)))
    }

    /// Takes the rolls of a person, in the form that [`parse_rolls`] parses: `HTT` for a coin, or
    /// faces from 1.
    pub fn from_rolls(text: &'a str) -> Self {
        let coin = !has_digit(text);
        let mut parts = split_rolls(text, coin).enumerate();
        let face = move |sides| {
            let (i, part) = parts.next().ok_or(FacesError::RanOut)?;
            Ok(parse_roll(i, part, sides, coin && sides == 2)?)
        };
        Faces::new(FaceOrigin::Faces(Box::new(face)))
    }

    /// Makes faces from the operating system's randomness; needs the feature `random`.
    #[cfg(feature = "random")]
    pub fn system() -> Self {
        let word = || {
            getrandom::u64().map_err(|error| {
                FacesError::Failed(format!("the operating system gave no randomness: {error}"))
            })
        };
        Faces::new(FaceOrigin::Words(Box::new(word)))
    }

    /// Makes faces that are the same for the same seed, on any machine; needs the feature `random`.
    #[cfg(feature = "random")]
    pub fn seeded(seed: u64) -> Self {
        let generator = chacha20::ChaCha20Rng::seed_from_u64(seed);
        Faces::new(FaceOrigin::Seeded(Box::new(generator)))
    }

    /// The faces of one chunk of a simulation, from a separate stream of the generator ChaCha8,
    /// which is faster. They are the same for the same seed and chunk, on any machine.
    #[cfg(feature = "simulate")]
    pub(crate) fn chunk(seed: u64, chunk: u64) -> Self {
        let mut generator = Box::new(chacha20::ChaCha8Rng::seed_from_u64(seed));
        generator.set_stream(chunk);
        Faces::new(FaceOrigin::Chunk(generator))
    }

    /// Rolls a die of m sides and returns the face, counted from 0. Cost: fewer than two words on
    /// average.
    ///
    /// # Errors
    /// [`FacesError`] unless 1 <= m <= 2^64, or if there are no more faces.
    #[inline]
    pub fn roll(&mut self, sides: u128) -> Result<u64, FacesError> {
        if !(1..=1 << 64).contains(&sides) {
            return Err(FacesError::Sides(sides));
        }
        match &mut self.origin {
            FaceOrigin::Faces(face) => face(sides),
            FaceOrigin::Words(word) => self.bits.face(sides, word),
            #[cfg(feature = "random")]
            FaceOrigin::Seeded(generator) => self.bits.face(sides, || Ok(generator.next_u64())),
            #[cfg(feature = "simulate")]
            FaceOrigin::Chunk(generator) if !sides.is_power_of_two() && sides <= 1 << 32 => loop {
                let word = u64::from(generator.next_u32());
                if let Some(face) = multiply_shift::<32>(word, sides as u64) {
                    return Ok(face);
                }
            },
            #[cfg(feature = "simulate")]
            FaceOrigin::Chunk(generator) => self.bits.face(sides, || Ok(generator.next_u64())),
        }
    }

    /// Rolls a source and returns the face, counted from 0: by the weights of a loaded source,
    /// otherwise like [`Faces::roll`] of a die with these sides. Cost: one step for each face
    /// before the result.
    ///
    /// # Errors
    /// As [`Faces::roll`]; also if the source is unknown and the faces are not rolls of this
    /// source.
    pub fn roll_of(&mut self, source: &Source, sides: u128) -> Result<u64, FacesError> {
        if source.is_fair() || matches!(self.origin, FaceOrigin::Faces(_)) {
            return self.roll(sides);
        }
        let unknown = || FacesError::Unknown(source.clone());
        spend(1000); // includes the work per roll, since a loaded source can need many rolls
        let place = self.uniform_below(&source.weight_sum().ok_or_else(unknown)?)?;
        source.face_at(place).ok_or_else(unknown)
    }

    /// Returns a uniform number below `end`.
    fn uniform_below(&mut self, end: &BigUint) -> Result<BigUint, FacesError> {
        if let Some(end) = end.to_u64() {
            return self.roll(end.into()).map(BigUint::from);
        }
        loop {
            let words: Result<Vec<u64>, FacesError> = (0..end.bits().div_ceil(64))
                .map(|_| self.roll(1 << 64))
                .collect();
            let number = words?
                .into_iter()
                .fold(BigUint::ZERO, |number, word| (number << 64u8) + word);
            let number = number >> ((64 - end.bits() % 64) % 64);
            if number < *end {
                return Ok(number);
            }
        }
    }
}

/// Returns floor(word m / 2^BITS) for a word of BITS bits, or `None` for the 2^BITS mod m words
/// that are rejected.
#[cfg(any(test, feature = "simulate"))]
#[inline]
fn multiply_shift<const BITS: u32>(word: u64, m: u64) -> Option<u64> {
    let product = word * m;
    let low = product & ((1 << BITS) - 1);
    (low >= m || low >= (1 << BITS) % m).then_some(product >> BITS)
}

/// The error for an invalid entry in a text of rolls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("roll {place} of the input is \"{text}\", but a {die} shows {right}")]
pub struct BadRoll {
    place: usize,
    text: String,
    die: String,
    right: String,
}

impl BadRoll {
    /// Rewords the error so that it does not name the die.
    pub fn of_some_die(mut self) -> BadRoll {
        self.die = "die".to_string();
        self
    }
}

/// Parses the rolls of a person: `HTHHT` for a coin (H is face 1, T is face 2), or faces from 1,
/// `6,3,4,3`, separated by commas or blanks. On a die with 10 or 100 sides, 0 is the last face, as
/// printed. Returns faces from 0.
///
/// # Errors
/// [`BadRoll`], which names the first entry that is not a face of a die with m sides.
pub fn parse_rolls(text: &str, m: u128) -> Result<Vec<u64>, BadRoll> {
    let coin = m == 2 && !has_digit(text);
    let parts = split_rolls(text, coin).enumerate();
    parts
        .map(|(i, part)| parse_roll(i, part, m, coin))
        .collect()
}

fn has_digit(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
}

/// Splits a text at commas and blanks; for a coin also into single letters.
fn split_rolls(text: &str, coin: bool) -> impl Iterator<Item = &str> {
    let between = text.split(|c: char| c == ',' || c.is_whitespace());
    let between = between.filter(|part| !part.is_empty());
    between.flat_map(move |part| -> Box<dyn Iterator<Item = &str>> {
        if coin {
            Box::new(part.split_inclusive(|_| true))
        } else {
            Box::new(std::iter::once(part))
        }
    })
}

fn parse_roll(i: usize, part: &str, m: u128, coin: bool) -> Result<u64, BadRoll> {
    let value = match part {
        "H" | "h" if coin => Some(0),
        "T" | "t" if coin => Some(1),
        number if !coin => number
            .parse::<u128>()
            .ok()
            // Faces have the numbers that are printed on the die.
            .map(|face| {
                if face == 0 && [10, 100].contains(&m) {
                    m
                } else {
                    face
                }
            })
            .filter(|face| (1..=m).contains(face))
            .map(|face| (face - 1) as u64), // below 2^64
        _ => None,
    };
    value.ok_or_else(|| {
        // The part may be several rolls written without commas between them.
        let faces: Vec<String> = part.chars().take(21).map(String::from).collect();
        let is_face = |face: &String| {
            face.parse()
                .is_ok_and(|face: u128| m < 10 || (1..=m).contains(&face))
        };
        let is_list = (2..=20).contains(&faces.len()) && faces.iter().all(is_face);
        let is_bits = m == 2 && part.chars().all(|c| "01".contains(c));
        BadRoll {
            place: i + 1,
            text: part.chars().take(20).collect(),
            die: if m == 2 {
                "coin".to_string()
            } else {
                format!("d{m}")
            },
            right: if coin {
                "H (heads) or T (tails)".to_string()
            } else if is_bits {
                "1 to 2, or H (heads) and T (tails)".to_string()
            } else if is_list {
                format!("1 to {m}: several rolls are written {}", faces.join(","))
            } else {
                format!("1 to {m}")
            },
        }
    })
}

/// Writes a face (from 0) in the form that [`parse_rolls`] parses: `H` and `T` for a coin,
/// otherwise a number from 1.
pub fn face_name(sides: u128, face: u64) -> String {
    match (sides, face) {
        (2, 0) => "H".to_string(),
        (2, _) => "T".to_string(),
        _ => (u128::from(face) + 1).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_heads_or_faces() {
        assert_eq!(parse_rolls("HTHHT", 2).unwrap(), [0, 1, 0, 0, 1]);
        assert_eq!(parse_rolls("6,3, 4 3", 6).unwrap(), [5, 2, 3, 2]);
        assert_eq!(parse_rolls("1,2", 2).unwrap(), [0, 1]);
        assert_eq!(parse_rolls("0 7 10", 10).unwrap(), [9, 6, 9]);
        assert_eq!(parse_rolls("00 07", 100).unwrap(), [99, 6]);
        assert!(
            parse_rolls("7", 6).is_err()
                && parse_rolls("HX", 2).is_err()
                && parse_rolls("0", 6).is_err()
                && parse_rolls("0", 20).is_err()
        );
    }

    #[cfg(feature = "simulate")]
    #[test]
    fn a_seed_repeats_its_faces_and_they_are_in_range() {
        for m in [1u64, 2, 3, 6, 1 << 32, 1000] {
            for make in [Faces::seeded as fn(u64) -> Faces<'static>, |seed| {
                Faces::chunk(1, seed)
            }] {
                let faces = |seed| -> Vec<u64> {
                    let mut faces = make(seed);
                    (0..200).map(|_| faces.roll(m.into()).unwrap()).collect()
                };
                assert_eq!(faces(7), faces(7));
                assert!(m == 1 || faces(7) != faces(8));
                assert!(faces(7).iter().all(|face| *face < m));
            }
        }
    }

    /// A die with an impossible number of sides is refused, and so is a number that is not a face
    /// of the die.
    #[test]
    fn impossible_dice_are_refused() {
        for sides in [0, (1 << 64) + 1, (1 << 64) + 5, 1 << 65, u128::MAX] {
            for mut faces in [
                Faces::from_fn(|_| Some(0)),
                Faces::from_reader(std::io::repeat(7)),
                Faces::from_rolls("1 2 3"),
            ] {
                assert_eq!(faces.roll(sides), Err(FacesError::Sides(sides)));
                assert_eq!(
                    faces.roll_of(&Source::COIN, sides),
                    Err(FacesError::Sides(sides))
                );
            }
        }
        let mut faces = Faces::from_fn(|_| Some(5));
        assert_eq!(faces.roll(6), Ok(5));
        assert_eq!(faces.roll(5), Err(FacesError::Face { face: 5, sides: 5 }));
        assert_eq!(
            Faces::from_reader(std::io::repeat(0xff)).roll(1 << 64),
            Ok(u64::MAX)
        );
    }

    #[test]
    fn rolls_of_a_person() {
        let all = |text, sides: &[u128]| {
            let mut faces = Faces::from_rolls(text);
            sides
                .iter()
                .map(|sides| faces.roll(*sides))
                .collect::<Vec<_>>()
        };
        assert_eq!(all("HT, t", &[2, 2, 2, 2])[..3], [Ok(0), Ok(1), Ok(1)]);
        assert_eq!(all("HT", &[2, 2, 2])[2], Err(FacesError::RanOut));
        assert_eq!(all("6 1,20", &[6, 2, 20]), [Ok(5), Ok(0), Ok(19)]);
        for (text, sides, sentence) in [
            (
                "7",
                6,
                "roll 1 of the input is \"7\", but a d6 shows 1 to 6",
            ),
            (
                "HX",
                2,
                "roll 2 of the input is \"X\", but a coin shows H (heads) or T (tails)",
            ),
            (
                "6343",
                6,
                "roll 1 of the input is \"6343\", but a d6 shows 1 to 6: several rolls are written 6,3,4,3",
            ),
            (
                "0101",
                2,
                "roll 1 of the input is \"0101\", but a coin shows 1 to 2, or H (heads) and T (tails)",
            ),
            (
                "HT",
                6,
                "roll 1 of the input is \"H\", but a d6 shows 1 to 6",
            ),
        ] {
            let mut faces = Faces::from_rolls(text);
            let error = std::iter::repeat_with(|| faces.roll(sides)).find_map(Result::err);
            assert_eq!(error.unwrap().to_string(), sentence);
        }
        // For a loaded source the rolls must be rolls of that source; an unknown source can only be
        // rolled by a person.
        let loaded: Source = "1:2:3".parse().unwrap();
        assert_eq!(Faces::from_rolls("3").roll_of(&loaded, 3), Ok(2));
        let unknown = Source::unknown(3).unwrap();
        assert_eq!(Faces::from_rolls("3").roll_of(&unknown, 3), Ok(2));
        let mut words = Faces::from_reader(std::io::repeat(1));
        assert_eq!(
            words.roll_of(&unknown, 3),
            Err(FacesError::Unknown(unknown))
        );
    }

    /// A reader whose bytes run out, and a reader that fails.
    #[test]
    fn readers_that_end_or_fail() {
        struct FailingReader;
        impl Read for FailingReader {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("no device"))
            }
        }
        let mut nine = Faces::from_reader(&[1u8; 9][..]);
        assert_eq!(
            (nine.roll(1 << 64), nine.roll(2)),
            (Ok(0x0101_0101_0101_0101), Err(FacesError::RanOut))
        );
        let error = Faces::from_reader(FailingReader).roll(2).unwrap_err();
        assert_eq!(error.to_string(), "no more can be read: no device");
    }

    /// For words of 12 bits, the same number of accepted words leads to each face.
    #[test]
    fn the_multiplication_is_fair() {
        for m in 1..=1u64 << 12 {
            let mut words = vec![0u64; m as usize];
            for word in 0..1 << 12 {
                if let Some(face) = multiply_shift::<12>(word, m) {
                    words[face as usize] += 1;
                }
            }
            assert!(words.iter().all(|&count| count == (1 << 12) / m), "{m}");
        }
    }
}
