//! Von Neumann's pairs: two different faces are equally likely in either order, so the order is a
//! fair bit.
//!
//! Roll twice. If the lower face comes first, the outcome is 1; if the higher face comes first, it
//! is 2; two equal rolls start again. A coin shows heads tails and tails heads with probability pq
//! each:
//!
//! ```text
//! E = 2 / (1 - p_1^2 - ... - p_m^2)              1/(pq) for a coin
//! ```
//!
//! The rule is not optimal: see [`super::von_neumann_early`], and the book's chapter on loaded
//! coins.
//!
//! **Source.** Von Neumann 1951; for dice Pae 2015, as the base of his recursion.

use super::loaded::{LoadedDie, require_fair_coin};
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::{CostFormula, Law};
use crate::task::{Refusal, Task};
use std::fmt;

/// See the module documentation.
pub(crate) struct VonNeumann {
    die: LoadedDie,
}

/// The first roll of a pair, if there was one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PairState(Option<u64>);

impl fmt::Debug for PairState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => f.write_str("before a pair"),
            Some(face) => write!(f, "face {} and one more", face + 1),
        }
    }
}

impl Rule for VonNeumann {
    type State = PairState;

    fn start(&self) -> Step<PairState> {
        Step::Roll(PairState(None))
    }

    fn step(&self, at: &PairState, face: u64) -> Step<PairState> {
        match at.0 {
            None => Step::Roll(PairState(Some(face))),
            Some(first) if first == face => self.start(),
            Some(first) => Step::Output(u8::from(first > face).into()),
        }
    }
}

impl RuleInfo for VonNeumann {
    const ABOUT: About = About {
        id: "von-neumann",
        name: "Von Neumann's pairs",
        citation: "von Neumann 1951",
        memory: Memory::OneAttempt { effort: 1 },
        bounded: "never",
        rule: "roll twice: lower then higher is 1, higher then lower is 2, two equal rolls start again",
        law: "pairs differ with probability 1 - sum p_i^2: E = 2 / (1 - sum p_i^2), 1/(pq) for a coin",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;
    const PSEUDOCODE: &'static [&'static str] = &[
        "repeat:",
        "    a = roll(); b = roll()",
        "    if a < b: return 0",
        "    if a > b: return 1",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        require_fair_coin(task)?;
        Ok(VonNeumann {
            die: LoadedDie::from_task(task)?,
        })
    }

    fn closed_law(&self) -> Option<Law> {
        Some(
            self.die
                .blocks(2, self.die.sum().pow(2) - self.die.equal_weight(2)),
        )
    }

    fn formula(&self) -> Option<CostFormula> {
        Some(self.die.cost_until_unequal(2))
    }
}
