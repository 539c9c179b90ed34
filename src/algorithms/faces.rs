//! Where a sampler's rolls come from: the operating system, a seeded generator, or a person.
//!
//! [`Faces`] makes fair faces of any die from random words, without bias: a word that would make
//! some faces likelier than others is rejected, and another is taken.

use crate::task::Source;
use chacha20::rand_core::{Rng, SeedableRng};
use chacha20::{ChaCha8Rng, ChaCha20Rng};
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_traits::ToPrimitive;

/// The seeded generator's name, for the record of a repeatable run.
pub const GENERATOR: &str = "ChaCha20 (seed_from_u64)";

/// A stream of random words.
enum WordSource {
    System,
    Seeded(Box<ChaCha20Rng>),
    Chunk(Box<ChaCha8Rng>),
}

/// Fair faces of any die.
///
/// A seed always gives the same faces, so the map from words to faces is fixed: from the system
/// and from a seed the least k bits with 2^k >= m, again until they are below m; for a chunk of a
/// simulation the same if m is a power of two, and otherwise Lemire's multiplication of a word of
/// 32 bits with its exact rejection (Lemire 2019, arXiv 1805.10941), which rejects less.
///
/// ```
/// use flipcost::algorithms::Faces;
/// let (mut one, mut other) = (Faces::seeded(7), Faces::seeded(7));
/// let faces: Vec<u64> = (0..100).filter_map(|_| one.roll(6)).collect();
/// assert_eq!(faces.len(), 100);
/// assert!(faces.iter().all(|face| *face < 6 && other.roll(6) == Some(*face)));
/// ```
pub struct Faces {
    words: WordSource,
    pool: u64,
    left: u32,
    failed: Option<getrandom::Error>,
}

impl Faces {
    /// What the operating system said, if it had no randomness.
    pub fn failed(&self) -> Option<getrandom::Error> {
        self.failed
    }

    fn new(words: WordSource) -> Self {
        Faces {
            words,
            pool: 0,
            left: 0,
            failed: None,
        }
    }

    /// Faces from the operating system's randomness.
    pub fn system() -> Self {
        Faces::new(WordSource::System)
    }

    /// Faces that are the same for the same seed, on any machine.
    pub fn seeded(seed: u64) -> Self {
        Faces::new(WordSource::Seeded(Box::new(ChaCha20Rng::seed_from_u64(
            seed,
        ))))
    }

    /// The faces of one chunk of a simulation: a stream of its own of the faster ChaCha8, the same
    /// for the same seed and chunk, on any machine.
    pub(crate) fn chunk(seed: u64, chunk: u64) -> Self {
        let mut generator = Box::new(ChaCha8Rng::seed_from_u64(seed));
        generator.set_stream(chunk);
        Faces::new(WordSource::Chunk(generator))
    }

    /// A new word in the pool. Bits left over are dropped, so that a face never straddles two
    /// words.
    fn refill(&mut self) -> Option<()> {
        self.pool = match &mut self.words {
            WordSource::System => match getrandom::u64() {
                Ok(word) => word,
                Err(error) => {
                    self.failed = Some(error);
                    return None;
                }
            },
            WordSource::Seeded(generator) => generator.next_u64(),
            WordSource::Chunk(generator) => generator.next_u64(),
        };
        self.left = 64;
        Some(())
    }

    /// The next k <= 64 bits; the mask is 2^k - 1, which the caller has already.
    #[inline]
    fn bits(&mut self, k: u32, mask: u64) -> Option<u64> {
        if self.left < k {
            self.refill()?;
        }
        let value = self.pool & mask;
        self.pool = self.pool.checked_shr(k).unwrap_or(0);
        self.left -= k;
        Some(value)
    }

    /// One face of a die of m sides, from 0; 1 <= m <= 2^64. `None`: the operating system failed.
    /// Cost: fewer than two words on average.
    #[inline]
    pub fn roll(&mut self, m: u128) -> Option<u64> {
        debug_assert!((1..=1 << 64).contains(&m), "a die of {m} sides");
        if m.is_power_of_two() {
            return self.bits(m.trailing_zeros(), (m - 1) as u64);
        }
        let m = m as u64; // not 2^64
        if let (WordSource::Chunk(generator), true) = (&mut self.words, m <= 1 << 32) {
            loop {
                let word = u64::from(generator.next_u32());
                if let Some(face) = multiplied::<32>(word, m) {
                    return Some(face);
                }
            }
        }
        let k = 64 - m.leading_zeros();
        loop {
            let face = self.bits(k, u64::MAX >> (64 - k))?;
            if face < m {
                return Some(face);
            }
        }
    }
}

impl Faces {
    /// One face of a source, from 0: of its weights if it is loaded, else as [`Faces::roll`] of a die
    /// of these sides. `None`: the operating system failed, or the source is unknown. Cost: one step
    /// for each face before it.
    pub fn roll_of(&mut self, source: &Source, sides: u128) -> Option<u64> {
        if sides > 1 << 64 {
            return None; // no face of a wider word fits
        }
        if source.weights().is_none() {
            return (!source.is_unknown()).then(|| self.roll(sides))?;
        }
        spend(1000); // with what is done about it: rolls of a loaded source can be many
        let place = self.below(&source.weight_sum()?)?;
        source.face_at(place)
    }

    /// A number below this one, each as likely.
    fn below(&mut self, end: &BigUint) -> Option<BigUint> {
        if let Some(end) = end.to_u64() {
            return self.roll(end.into()).map(BigUint::from);
        }
        loop {
            let words: Option<Vec<u64>> = (0..end.bits().div_ceil(64))
                .map(|_| self.roll(1 << 64))
                .collect();
            let number = words?
                .into_iter()
                .fold(BigUint::ZERO, |number, word| (number << 64u8) + word);
            let number = number >> ((64 - end.bits() % 64) % 64);
            if number < *end {
                return Some(number);
            }
        }
    }
}

/// floor(word m / 2^BITS) of a word of BITS bits, unless the word is one of the 2^BITS mod m that
/// are too many.
#[inline]
fn multiplied<const BITS: u32>(word: u64, m: u64) -> Option<u64> {
    let product = word * m;
    let low = product & ((1 << BITS) - 1);
    (low >= m || low >= (1 << BITS) % m).then_some(product >> BITS)
}

/// A person's own rolls that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("roll {place} of the input is \"{text}\", but a {die} shows {right}")]
pub struct BadRoll {
    place: usize,
    text: String,
    die: String,
    right: String,
}

impl BadRoll {
    /// The same where nobody knows how many faces the die has.
    pub fn of_some_die(mut self) -> BadRoll {
        self.die = "die".to_string();
        self
    }
}

/// A person's rolls: `HTHHT` for a coin (H is face 1, T is face 2), or faces from 1,
/// `6,3,4,3`, separated by commas or blanks. The 0 of a die of 10 or 100 sides is its last face, as printed. Returned
/// from 0.
///
/// # Errors
/// [`BadRoll`], which names the first entry that is not a face of a die with m sides.
pub fn parse_rolls(text: &str, m: u128) -> Result<Vec<u64>, BadRoll> {
    let coin = m == 2 && !text.chars().any(|c| c.is_ascii_digit());
    let parts: Vec<String> = if coin {
        text.chars()
            .filter(|c| !c.is_whitespace() && *c != ',')
            .map(String::from)
            .collect()
    } else {
        text.split(|c: char| c == ',' || c.is_whitespace())
            .filter(|part| !part.is_empty())
            .map(String::from)
            .collect()
    };
    let face = |(i, part): (usize, String)| {
        let value = match part.as_str() {
            "H" | "h" if coin => Some(0),
            "T" | "t" if coin => Some(1),
            number if !coin => number
                .parse::<u128>()
                .ok()
                // as it is printed on the die
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
        let shown: String = part.chars().take(20).collect();
        value.ok_or_else(|| BadRoll {
            place: i + 1,
            text: shown,
            die: if m == 2 {
                "coin".to_string()
            } else {
                format!("d{m}")
            },
            right: if coin {
                "H (heads) or T (tails)".to_string()
            } else {
                format!("1 to {m}")
            },
        })
    };
    parts.into_iter().enumerate().map(face).collect()
}

/// A face (from 0) as a person calls it, and [`parse_rolls`] reads it: `H` and `T` of a coin,
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

    #[test]
    fn a_seed_repeats_its_faces_and_they_are_in_range() {
        for m in [1u64, 2, 3, 6, 1 << 32, 1000] {
            for make in [Faces::seeded as fn(u64) -> Faces, |seed| {
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

    /// Every face from equally many words, for words of 12 bits.
    #[test]
    fn the_multiplication_is_fair() {
        for m in 1..=1u64 << 12 {
            let mut words = vec![0u64; m as usize];
            for word in 0..1 << 12 {
                if let Some(face) = multiplied::<12>(word, m) {
                    words[face as usize] += 1;
                }
            }
            assert!(words.iter().all(|&count| count == (1 << 12) / m), "{m}");
        }
    }
}
