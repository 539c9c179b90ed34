//! A row of the table of libraries: a function that rolls a die, and its cost.

use super::call::Call;
use flipcost::law::{Law, OutcomeLaw};
use flipcost::task::{Refusal, Source};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::Zero;

/// How we know the rule of a library function.
///
/// ```
/// use flipcost_libraries::{RuleEvidence, library};
/// let line = library("cpython-randbelow").unwrap();
/// assert_eq!((line.language, line.checked), ("Python", RuleEvidence::Run));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEvidence {
    /// We read the source.
    Read,
    /// We read a fork or a copy of the source.
    Copy,
    /// We read the source, and counted or replayed the words that it draws.
    Run,
    /// We wrote down the rule from memory.
    Memory,
}

/// The words of the column `checked`, with their meanings.
pub const CHECKED: [(&str, &str); 4] = [
    ("source", "its source was read"),
    ("copy", "a fork or a copy of its source was read"),
    ("run", "its words were counted or replayed, too"),
    ("memory", "written down from memory"),
];

impl RuleEvidence {
    /// Returns the word in the column `checked`.
    pub fn word(self) -> &'static str {
        match self {
            RuleEvidence::Read => "source",
            RuleEvidence::Copy => "copy",
            RuleEvidence::Run => "run",
            RuleEvidence::Memory => "memory",
        }
    }
}

/// A row of the table: one function of one library.
///
/// ```
/// use flipcost_libraries::LIBRARIES;
/// assert!(LIBRARIES.iter().any(|line| line.id == "java-random-nextint"));
/// ```
#[derive(Clone, Copy)]
pub struct Library {
    /// The id, as in commands and queries.
    pub id: &'static str,
    /// The language, or the system.
    pub language: &'static str,
    /// Other names of the language.
    pub also: &'static [&'static str],
    /// The function that a user calls.
    pub function: &'static str,
    /// The version that was read.
    pub version: &'static str,
    /// The file with the source.
    pub file: &'static str,
    /// How we know the rule.
    pub checked: RuleEvidence,
    /// The rule in one sentence.
    pub rule: &'static str,
    /// Returns the draws for n >= 1 sides.
    pub(super) draws: DieDraws,
}

/// The function that returns the draws for a die of n sides.
pub(super) type DieDraws = fn(&BigUint) -> Result<WordDraws, Refusal>;

/// The words that a function draws, and the call that uses them.
pub(super) struct WordDraws {
    /// The source of a word.
    pub source: Source,
    /// The bits of a word; `None` if the number is not an integer.
    pub bits: Option<u32>,
    pub call: Call,
}

/// The cost of a call of a library function.
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
    /// The law of the number of words.
    pub words: Law,
    /// The bits of a word; `None` if the number is not an integer.
    pub word_bits: Option<u32>,
    /// The expected number of bits that the call uses; `None` if the bits cannot be counted.
    pub bits_used: Option<Rational>,
    /// The law of the outcomes, if it is not uniform.
    pub outcomes: Option<OutcomeLaw>,
}

impl Library {
    /// Returns the cost of a call for n >= 1 sides. Cost: O(1) products of the length of n; O(n)
    /// for functions that compute with doubles.
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
    /// Returns the expected number of bits in all words that are drawn; `None` if the number of
    /// bits of a word is not an integer.
    pub fn bits_drawn(&self) -> Option<Rational> {
        let bits = BigInt::from(self.word_bits?);
        Some(self.words.mean().ok()? * bits)
    }

    /// Returns whether every outcome is equally likely.
    pub fn is_exact(&self) -> bool {
        self.outcomes.is_none()
    }
}

/// The limit of a function that takes any n.
pub(super) const ANY_SIDES: u128 = u128::MAX;

/// Refuses n if it is above `most`, the largest n that a function takes.
pub(super) fn check_at_most(n: &BigUint, most: u128) -> Result<(), Refusal> {
    if n.is_zero() || (most != ANY_SIDES && *n > BigUint::from(most)) {
        Err(Refusal::Rule(format!(
            "n = {} is too large for its type: n may be 1 to {most}",
            flipcost_number::short::short(n)
        )))
    } else {
        Ok(())
    }
}
