//! The functions that roll a die in the libraries of programming languages. There is a file for
//! each language, and an algorithm for each function.
//!
//! A library draws words of w bits and uses some of their bits. The id of an algorithm names the
//! function and, if a later version changed the rule, the version. The cost depends on the source:
//! `--source word:32` gives the cost in words, and a coin gives the cost in bits. These algorithms
//! are not in the lists of algorithms. A user requests them by name, and biased ones never rank
//! first.
//!
//! Separate files contain the tables of functions that take a probability (`bernoulli`), an
//! interval (`doubles`, which uses sums of floors from `scaled`) or weights (`weights`). `reduced`
//! finds the outcomes that a reduction favours.
//!
//! Each row of a table states which version was read and how we know its rule ([`RuleEvidence`]).
//! The rule is a function that returns the call for each n.

mod bernoulli;
mod call;
mod doubles;
mod draws;
mod function;
mod library;
pub mod questions;
mod reduced;
pub mod reduction;
mod samples;
mod scaled;
mod shuffle_cost;
mod shuffles;
mod weights;

pub use function::with_word;
pub use library::{CHECKED, Library, LibraryCost, RuleEvidence};
pub use samples::{LibrarySample, SAMPLES, SampleCost, expected_draws_until_different};
pub use shuffle_cost::{MAX_SHUFFLED, ShuffleCost};
pub use shuffles::{LibraryShuffle, SHUFFLES};

use call::CallState;
use flipcost::algorithms::{
    About, Algorithm, AlgorithmError, Memory, Prepared, Purpose, Rolled, Rule, Traced,
};
use flipcost::law::{Bias, Chain, Law, Step};
use flipcost::task::{Refusal, Source, Task};
use flipcost_number::Rational;
use flipcost_number::near::nearest;
use library::WordDraws;
use std::fmt;
use std::sync::LazyLock;

macro_rules! languages {
    ($($language:ident)*) => {
        $(mod $language;)*

        /// All library functions that roll a die, language by language.
        pub static LIBRARIES: LazyLock<Vec<Library>> =
            LazyLock::new(|| [$($language::LIBRARIES),*].concat());
    };
}

languages! {
    python java kotlin go rust cpp julia r php ruby dotnet javascript swift c haskell lua erlang sql
    zig d ocaml racket lisp pari nim perl bash
}

/// The error for a text that is not the id of a function of a library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a function of a library: {hint}", hint = suggest_library(.0))]
pub struct UnknownLibrary(String);

/// Suggests the function that was probably meant.
fn suggest_library(id: &str) -> String {
    match nearest(id, LIBRARIES.iter().map(|line| line.id)) {
        Some(near) => format!("did you mean {near}?"),
        None => "an id such as cpython-randbelow was expected".to_string(),
    }
}

/// Returns the row with this id.
///
/// ```
/// use flipcost_libraries::library;
/// let error = library("cpython_randbelow").map(|found| found.id).unwrap_err();
/// assert!(error.to_string().ends_with("did you mean cpython-randbelow?"));
/// ```
///
/// # Errors
/// [`UnknownLibrary`], whose message names the nearest id.
pub fn library(id: &str) -> Result<&'static Library, UnknownLibrary> {
    let found = LIBRARIES.iter().find(|line| line.id == id);
    found.ok_or_else(|| UnknownLibrary(id.chars().take(40).collect()))
}

/// Makes the algorithms of all rows, in the order of the table. They are kept until the program
/// ends.
pub fn algorithms() -> Vec<&'static dyn Algorithm> {
    let algorithm = |line: &'static Library| -> &'static dyn Algorithm {
        Box::leak(Box::new(Registered {
            line,
            about: About {
                id: line.id,
                name: line.function,
                citation: line.file,
                memory: Memory::State,
                bounded: "see the column worst_case",
                rule: line.rule,
                law: "attempts of c words; of their W values, a are accepted: E = c W / a words",
            },
        }))
    };
    LIBRARIES.iter().map(algorithm).collect()
}

struct Registered {
    line: &'static Library,
    about: About,
}

impl Algorithm for Registered {
    fn about(&self) -> &About {
        &self.about
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let dice = task.fair()?;
        let draws = (self.line.draws)(dice.n)?;
        let bits = match draws.bits {
            _ if *task.source() == draws.source => None,
            Some(bits) if *task.source() == Source::COIN => Some(bits),
            bits => {
                let coin = bits.map_or("", |_| ", or a coin for its bits");
                return Err(Refusal::Rule(format!(
                    "it draws its own words: its source is {}{coin}, and not {}",
                    draws.source.with_article(),
                    task.source().with_article()
                )));
            }
        };
        Ok(Box::new(PreparedCall::new(draws, bits, task)))
    }

    fn word_bits(&self, task: &Task) -> Option<u32> {
        self.line.cost(task.target().sides()?).ok()?.word_bits
    }

    fn purpose(&self) -> Purpose {
        Purpose::Nothing
    }
}

/// A call whose states are followed word by word, or bit by bit.
struct CallRule {
    draws: WordDraws,
    /// The bits of a word if the call is followed bit by bit.
    bits: Option<u32>,
}

/// The state of a call, and those bits of the current word that have been drawn so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CallAndWordBits {
    at: CallState,
    bits: u32,
    value: u64,
}

impl fmt::Debug for CallAndWordBits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.bits {
            0 => self.at.fmt(f),
            1 => write!(f, "{:?}, then 1 bit: {}", self.at, self.value),
            bits => write!(f, "{:?}, then {bits} bits: {}", self.at, self.value),
        }
    }
}

/// Converts a state of the call in which no bit of the next word has been drawn.
fn word(step: Step<CallState>) -> Step<CallAndWordBits> {
    step.map(|at| CallAndWordBits {
        at,
        bits: 0,
        value: 0,
    })
}

impl Rule for CallRule {
    type State = CallAndWordBits;

    fn start(&self) -> Step<CallAndWordBits> {
        word(self.draws.call.start())
    }

    fn step(&self, state: &CallAndWordBits, face: u64) -> Step<CallAndWordBits> {
        let Some(bits) = self.bits else {
            return word(self.draws.call.step(&state.at, face));
        };
        let flipped = CallAndWordBits {
            at: state.at.clone(),
            bits: state.bits + 1,
            value: state.value << 1 | face,
        };
        if flipped.bits == bits {
            word(self.draws.call.step(&flipped.at, flipped.value))
        } else {
            Step::Roll(flipped)
        }
    }
}

/// A call for a given task. Tests compare the law and the outcomes of the call with its steps.
struct PreparedCall {
    rule: CallRule,
    task: Task,
}

impl PreparedCall {
    fn new(draws: WordDraws, bits: Option<u32>, task: &Task) -> PreparedCall {
        PreparedCall {
            rule: CallRule { draws, bits },
            task: task.clone(),
        }
    }
}

impl Prepared for PreparedCall {
    fn task(&self) -> &Task {
        &self.task
    }

    fn law(&self) -> Result<Law, AlgorithmError> {
        self.closed_law()
            .map_or_else(|| self.rule.law(&self.task), Ok)
    }

    fn closed_law(&self) -> Option<Law> {
        let CallRule { draws, bits } = &self.rule;
        let law = draws.call.law();
        match bits {
            Some(bits) => law.in_bits(*bits),
            None => Some(law),
        }
    }

    fn bias(&self) -> Result<Option<Bias>, AlgorithmError> {
        let outcomes = self.rule.draws.call.outcomes();
        let sides = self.task().fair()?.n;
        Ok(outcomes.map(|law| Bias::new(&law, sides.clone())))
    }

    fn bits_used(&self) -> Option<Rational> {
        let draws = &self.rule.draws;
        draws.call.bits_used(draws.bits?)
    }

    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), AlgorithmError> {
        self.rule.prepare(&self.task).chain(limit)
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError> {
        self.rule.prepare(&self.task).play(roll, trace)
    }
}
