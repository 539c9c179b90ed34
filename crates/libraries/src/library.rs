//! A line of the table of libraries.

use super::call::Call;
use flipcost::law::{Law, OutcomeLaw};
use flipcost::task::{Refusal, Source};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::Zero;

/// How the rule of a library is known.
///
/// ```
/// use flipcost_libraries::{Checked, library};
/// let line = library("cpython-randbelow").unwrap();
/// assert_eq!((line.language, line.checked), ("Python", Checked::Run));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Its source was read.
    Read,
    /// A fork or a copy of its source was read.
    Copy,
    /// Its words were counted or replayed, too.
    Run,
    /// From memory.
    Memory,
}

/// What the words of a column of them mean.
pub const CHECKED: [(&str, &str); 4] = [
    ("source", "its source was read"),
    ("copy", "a fork or a copy of its source was read"),
    ("run", "its words were counted or replayed, too"),
    ("memory", "written down from memory"),
];

impl Checked {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Checked::Read => "source",
            Checked::Copy => "copy",
            Checked::Run => "run",
            Checked::Memory => "memory",
        }
    }
}

/// A line of the table: one function of one library.
///
/// ```
/// use flipcost_libraries::LIBRARIES;
/// assert!(LIBRARIES.iter().any(|line| line.id == "java-random-nextint"));
/// ```
#[derive(Clone, Copy)]
pub struct Library {
    /// The id, as it is written on the command line and in queries.
    pub id: &'static str,
    /// The language, or the system.
    pub language: &'static str,
    /// What it is called, too.
    pub also: &'static [&'static str],
    /// The function that a user calls.
    pub function: &'static str,
    /// The version that was read.
    pub version: &'static str,
    /// Where it is written.
    pub file: &'static str,
    /// How it is known.
    pub checked: Checked,
    /// Its rule, in one sentence.
    pub rule: &'static str,
    /// What it draws for n >= 1 sides.
    pub(super) draws: DieDraws,
}

/// What a die of n sides draws.
pub(super) type DieDraws = fn(&BigUint) -> Result<WordDraws, Refusal>;

/// Words, and what is done with them.
pub(super) struct WordDraws {
    /// Values of a word.
    pub source: Source,
    /// Bits of a word; `None` if it has no whole number of them.
    pub bits: Option<u32>,
    pub call: Call,
}

/// What a call of a library costs.
///
/// ```
/// use flipcost_libraries::library;
/// let cost = library("cpython-randbelow").unwrap().cost(&6u8.into())?;
/// assert_eq!(cost.words.mean_real().to_string(), "4/3"); // words of 32 bits
/// assert_eq!(cost.bits_used.unwrap().to_string(), "4"); // 3 of each
/// assert!(cost.outcomes.is_none()); // exact
/// # Ok::<(), flipcost::task::Refusal>(())
/// ```
#[non_exhaustive]
pub struct LibraryCost {
    /// The law of the words.
    pub words: Law,
    /// Bits of a word; `None` if it has no whole number of them.
    pub word_bits: Option<u32>,
    /// The bits that are looked at, on average; `None` where they are no whole number.
    pub bits_used: Option<Rational>,
    /// The law of the outcomes, where it is not uniform.
    pub outcomes: Option<OutcomeLaw>,
}

impl Library {
    /// What a call for n >= 1 sides costs. Cost: O(1) products of n's length, but for those that
    /// compute with doubles: O(n).
    ///
    /// # Errors
    /// [`Refusal`] if n is beyond the type of the function.
    pub fn cost(&self, n: &BigUint) -> Result<LibraryCost, Refusal> {
        let draws = (self.draws)(n)?;
        Ok(LibraryCost {
            words: draws.call.law(),
            word_bits: draws.bits,
            bits_used: draws.bits.and_then(|bits| draws.call.bits_used(bits)),
            outcomes: draws.call.outcomes(),
        })
    }
}

impl LibraryCost {
    /// Bits that are drawn: those of the words, on average; `None` if a word has no whole number of
    /// bits.
    pub fn bits_drawn(&self) -> Option<Rational> {
        let bits = BigInt::from(self.word_bits?);
        Some(self.words.mean().ok()? * bits)
    }

    /// Is every outcome equally likely?
    pub fn is_exact(&self) -> bool {
        self.outcomes.is_none()
    }
}

/// Where n may be any number.
pub(super) const ANY: u128 = u128::MAX;

/// A refusal if n is above the most that a function takes.
pub(super) fn at_most(n: &BigUint, most: u128) -> Result<(), Refusal> {
    if n.is_zero() || (most != ANY && *n > BigUint::from(most)) {
        Err(Refusal::Rule(format!(
            "n = {} is beyond its type: n may be 1 to {most}",
            flipcost_number::short::short(n)
        )))
    } else {
        Ok(())
    }
}
