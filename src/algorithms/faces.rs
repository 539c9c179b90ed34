//! Where a sampler's rolls come from: the operating system, a seeded generator, or a person.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The seeded generator's name, for the record of a repeatable run.
pub const GENERATOR: &str = "ChaCha20 (seed_from_u64)";

/// A stream of random words.
enum Words {
    System,
    Seeded(Box<ChaCha20Rng>),
}

/// Fair faces of any die, from random bits: the least k bits with 2^k >= m, again until below m.
pub struct Faces {
    words: Words,
    pool: u64,
    left: u32,
    /// What the operating system said when it had no randomness.
    pub failed: Option<getrandom::Error>,
}

impl Faces {
    /// Faces from the operating system's randomness.
    pub fn system() -> Self {
        Faces {
            words: Words::System,
            pool: 0,
            left: 0,
            failed: None,
        }
    }

    /// Faces that are the same for the same seed, on any machine.
    pub fn seeded(seed: u64) -> Self {
        let generator = Box::new(ChaCha20Rng::seed_from_u64(seed));
        Faces {
            words: Words::Seeded(generator),
            pool: 0,
            left: 0,
            failed: None,
        }
    }

    fn bits(&mut self, k: u32) -> Option<u64> {
        if self.left < k {
            // Bits left over in the pool are dropped, so that a face never straddles two words.
            self.pool = match &mut self.words {
                Words::System => match getrandom::u64() {
                    Ok(word) => word,
                    Err(error) => {
                        self.failed = Some(error);
                        return None;
                    }
                },
                Words::Seeded(generator) => generator.next_u64(),
            };
            self.left = 64;
        }
        let value = self.pool & ((1 << k) - 1); // k <= 32
        self.pool >>= k;
        self.left -= k;
        Some(value)
    }

    /// One face of a die of m sides, from 0; 2 <= m <= 2^32.
    pub fn roll(&mut self, m: u64) -> Option<u64> {
        let k = 64 - (m - 1).leading_zeros();
        loop {
            let face = self.bits(k)?;
            if face < m {
                return Some(face);
            }
        }
    }
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

/// A person's rolls: `HTHHT` for a coin (H is face 1, T is face 2), or faces from 1,
/// `6,3,4,3`, parted by commas or blanks. Returned from 0.
pub fn parse_rolls(text: &str, m: u64) -> Result<Vec<u64>, BadRoll> {
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
                .parse::<u64>()
                .ok()
                .filter(|face| (1..=m).contains(face))
                .map(|face| face - 1),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_heads_or_faces() {
        assert_eq!(parse_rolls("HTHHT", 2).unwrap(), [0, 1, 0, 0, 1]);
        assert_eq!(parse_rolls("6,3, 4 3", 6).unwrap(), [5, 2, 3, 2]);
        assert_eq!(parse_rolls("1,2", 2).unwrap(), [0, 1]);
        assert!(
            parse_rolls("7", 6).is_err()
                && parse_rolls("HX", 2).is_err()
                && parse_rolls("0", 6).is_err()
        );
    }

    #[test]
    fn a_seed_repeats_its_faces_and_they_are_in_range() {
        for m in [2u64, 3, 6, 1 << 32, 1000] {
            let faces = |seed| -> Vec<u64> {
                let mut faces = Faces::seeded(seed);
                (0..200).map(|_| faces.roll(m).unwrap()).collect()
            };
            assert_eq!(faces(7), faces(7));
            assert_ne!(faces(7), faces(8));
            assert!(faces(7).iter().all(|face| *face < m));
        }
    }
}
