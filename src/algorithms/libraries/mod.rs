//! What the libraries of programming languages do: one table, an algorithm for each line.
//!
//! A library draws words of w bits and looks at some of them; its id names the function and, where
//! rules changed, the version. The source of such an algorithm is its word: `--source word:32` costs
//! it in words, and a coin in the bits of the words that it draws. The lines are in no list of
//! algorithms; they are asked for by name, and biased ones win no comparison.
//!
//! A line says which version was read and how it was checked ([`Checked`]); the rule itself is a
//! call for each n.

mod call;
mod table;

pub use table::LIBRARIES;

use super::rolls::Instance;
use super::{About, Algorithm, Keeps, MadeFor, Prepared, Program, Quantity, Rule};
use super::{Step, Tables, Wanted};
use crate::law::{Law, OutcomeLaw};
use crate::number::{BigInt, BigUint, Rational};
use crate::task::{Refusal, Source, Task};
use call::{At, Call};
use num_traits::{ToPrimitive, Zero};
use std::fmt;
use std::sync::LazyLock;

/// How the rule of a library is known.
///
/// ```
/// use flipcost::algorithms::libraries::{Checked, library};
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

impl Checked {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Checked::Read => "source read",
            Checked::Copy => "copy read",
            Checked::Run => "run",
            Checked::Memory => "from memory",
        }
    }
}

/// A line of the table: one function of one library.
///
/// ```
/// use flipcost::algorithms::libraries::LIBRARIES;
/// assert!(LIBRARIES.iter().any(|line| line.id == "java-random-nextint"));
/// ```
pub struct Library {
    /// The id, as it is written on the command line and in queries.
    pub id: &'static str,
    /// The language, or the system.
    pub language: &'static str,
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
    draws: fn(&BigUint) -> Result<Draws, Refusal>,
}

/// Words, and what is done with them.
struct Draws {
    /// Values of a word.
    source: Source,
    /// Bits of a word; `None` if it has no whole number of them.
    bits: Option<u32>,
    call: Call,
}

/// What a call of a library costs.
///
/// ```
/// use flipcost::algorithms::libraries::library;
/// let cost = library("cpython-randbelow").unwrap().cost(&6u8.into())?;
/// assert_eq!(cost.words.exact_mean().to_string(), "4/3"); // words of 32 bits
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

/// The line with this id.
pub fn library(id: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|line| line.id == id)
}

/// The lines as algorithms, in the order of the table.
static ALGORITHMS: LazyLock<Vec<Registered>> = LazyLock::new(|| {
    let registered = |line: &'static Library| Registered {
        line,
        // one page for each line, kept as long as the program runs
        about: Box::leak(Box::new(About {
            id: line.id,
            name: line.function,
            citation: line.file,
            keeps: Keeps::State,
            bounded: "see the column worst_case",
            rule: line.rule,
            law: "attempts of c words, of which a of W values are accepted: E = c W / a words",
        })),
    };
    LIBRARIES.iter().map(registered).collect()
});

/// The algorithm of a line, by its id.
pub(super) fn find(id: &str) -> Option<&'static dyn Algorithm> {
    let found = ALGORITHMS.iter().find(|one| one.line.id == id)?;
    Some(found)
}

struct Registered {
    line: &'static Library,
    about: &'static About,
}

impl Algorithm for Registered {
    fn about(&self) -> &'static About {
        self.about
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let dice = task.fair()?;
        let draws = (self.line.draws)(dice.n)?;
        let bits = match draws.bits {
            _ if task.source() == draws.source => None,
            Some(bits) if task.source() == Source::COIN => Some(bits),
            bits => {
                let coin = bits.map_or("", |_| ", or a coin for its bits");
                return Err(Refusal::Rule(format!(
                    "it draws words of its own: its source is {}{coin}, and not {}",
                    draws.source.with_article(),
                    task.source().with_article()
                )));
            }
        };
        Ok(Box::new(Instance {
            algorithm: Words { draws, bits },
            source: dice.m,
            outcomes: dice.n.to_u64(),
        }))
    }

    fn made_for(&self) -> MadeFor {
        MadeFor::Nothing
    }

    fn program(&self) -> Option<Program> {
        None
    }

    fn quantities(&self) -> &'static [Quantity] {
        &[]
    }

    fn tables(&self, _: u64, _: u64, _: &[Wanted]) -> Option<Box<dyn Tables>> {
        None
    }
}

/// A call, word by word or bit by bit.
struct Words {
    draws: Draws,
    /// The bits of a word, if they are flipped one by one.
    bits: Option<u32>,
}

/// Where a call is, and the bits of a word that were flipped.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Flipped {
    at: At,
    bits: u32,
    value: u64,
}

impl fmt::Display for Flipped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.bits {
            0 => self.at.fmt(f),
            1 => write!(f, "{}, then 1 bit: {}", self.at, self.value),
            bits => write!(f, "{}, then {bits} bits: {}", self.at, self.value),
        }
    }
}

/// Before a word.
fn word(step: Step<At>) -> Step<Flipped> {
    match step {
        Step::Output(outcome) => Step::Output(outcome),
        Step::Roll(at) => Step::Roll(Flipped {
            at,
            bits: 0,
            value: 0,
        }),
    }
}

impl Rule for Words {
    const ABOUT: About = About {
        id: "library",
        name: "A call of a library",
        citation: "the line of the table",
        keeps: Keeps::State,
        bounded: "see the column worst_case",
        rule: "draw words, look at some of their bits, return or try again",
        law: "that of the words",
    };
    type State = Flipped;

    fn new(_: &Task) -> Result<Self, Refusal> {
        Err(Refusal::Rule(
            "a call is made from a line of the table".into(),
        ))
    }

    fn start(&self) -> Step<Flipped> {
        word(self.draws.call.start())
    }

    fn step(&self, state: &Flipped, face: u64) -> Step<Flipped> {
        let Some(bits) = self.bits else {
            return word(self.draws.call.step(&state.at, face));
        };
        let flipped = Flipped {
            at: state.at.clone(),
            bits: state.bits + 1,
            value: state.value << 1 | face,
        };
        match flipped.bits == bits {
            true => word(self.draws.call.step(&flipped.at, flipped.value)),
            false => Step::Roll(flipped),
        }
    }

    fn law(&self) -> Option<Law> {
        let law = self.draws.call.law();
        Some(match (law, self.bits) {
            (Law::Blocks(blocks), Some(bits)) => Law::Blocks(blocks.in_bits(bits).into()),
            (law, _) => law,
        })
    }

    fn outcomes(&self) -> Option<OutcomeLaw> {
        self.draws.call.outcomes()
    }

    fn bits_used(&self) -> Option<Rational> {
        self.draws.call.bits_used(self.draws.bits?)
    }
}

/// Bits that are drawn: those of the words, on average.
impl LibraryCost {
    /// `None` if a word has no whole number of bits.
    pub fn bits_drawn(&self) -> Option<Rational> {
        let bits = BigInt::from(self.word_bits?);
        Some(self.words.exact_mean() * bits)
    }

    /// Is every outcome equally likely?
    pub fn is_exact(&self) -> bool {
        self.outcomes.is_none()
    }
}

/// A refusal if n is above the most that a function takes.
fn at_most(n: &BigUint, most: u128) -> Result<(), Refusal> {
    match n.is_zero() || *n > BigUint::from(most) {
        false => Ok(()),
        true => Err(Refusal::Rule(format!(
            "n = {} is beyond its type: n may be 1 to {most}",
            crate::number::short::short(n)
        ))),
    }
}
