//! Dijkstra's roulette: n rolls of any source choose among n equally likely outcomes, if n is
//! prime.
//!
//! If all n rolls are equal, start again. Otherwise take the positions, from 0 to n - 1, of the
//! lowest face that occurs: their sum modulo n is the outcome. The n rotations of a sequence of
//! rolls are equally likely, since they have the same face counts. A rotation by one position adds
//! the number of these positions to the sum modulo n. That number is not a multiple of the prime n,
//! so each of the n rotations has a different outcome.
//!
//! ```text
//! E = n / (1 - p_1^n - ... - p_m^n)              n / (1 - p^n - q^n) for a coin, von Neumann for n = 2
//! ```
//!
//! **Source.** Dijkstra 1989, EWD1071, where the outcome is the rotation that comes first in
//! alphabetical order.

use super::hoeffding_simons::times_in_a_row;
use super::loaded::{LoadedDie, sides};
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::{CostFormula, Law};
use crate::task::{Refusal, Task};
use flipcost_number::factor::is_prime;
use flipcost_number::short::short;
use num_traits::ToPrimitive;
use std::fmt;

/// Targets with more sides are refused: the law contains powers that are n log2 n bits long.
const MAX_SIDES: u64 = 1 << 16;

/// See the module documentation.
pub(crate) struct Dijkstra {
    sides: u64,
    die: LoadedDie,
}

/// The state within a block of n rolls.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct DijkstraState {
    rolls: u64,
    lowest: u64,
    /// The sum of the positions of the lowest face so far, modulo n.
    sum: u64,
    /// Whether all rolls so far are equal.
    equal: bool,
}

impl fmt::Debug for DijkstraState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let DijkstraState {
            rolls,
            lowest,
            sum,
            equal,
        } = self;
        match (rolls, equal) {
            (0, _) => f.write_str("before a block"),
            (_, true) => f.write_str(&times_in_a_row(*rolls, *lowest)),
            _ => write!(
                f,
                "{rolls} rolls, the places of face {} sum to {sum}",
                lowest + 1
            ),
        }
    }
}

impl Rule for Dijkstra {
    type State = DijkstraState;

    fn start(&self) -> Step<DijkstraState> {
        Step::Roll(DijkstraState {
            rolls: 0,
            lowest: 0,
            sum: 0,
            equal: true,
        })
    }

    fn step(&self, at: &DijkstraState, face: u64) -> Step<DijkstraState> {
        let place = at.rolls;
        let (lowest, sum, equal) = match at.rolls {
            0 => (face, 0, true),
            _ if face < at.lowest => (face, place, false),
            _ if face == at.lowest => (face, (at.sum + place) % self.sides, at.equal),
            _ => (at.lowest, at.sum, false),
        };
        match (place + 1 == self.sides, equal) {
            (false, _) => Step::Roll(DijkstraState {
                rolls: place + 1,
                lowest,
                sum,
                equal,
            }),
            (true, false) => Step::Output(sum.into()),
            (true, true) => self.start(),
        }
    }
}

impl RuleInfo for Dijkstra {
    const ABOUT: About = About {
        id: "dijkstra",
        name: "Dijkstra's roulette",
        citation: "Dijkstra 1989",
        memory: Memory::OneAttempt { effort: 3 },
        bounded: "never",
        rule: "roll n times, n prime: unless all rolls are equal, the outcome is the sum of the places of the lowest face modulo n; else start again",
        law: "blocks of n rolls, all equal with probability sum p_i^n: E = n / (1 - sum p_i^n)",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;
    const PSEUDOCODE: &'static [&'static str] = &[
        "repeat:",
        "    a[0], ..., a[n-1] = n rolls",
        "    if not all are equal:",
        "        return (sum of all i with a[i] = min(a)) mod n",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        let n = sides(task)?;
        let prime = n.to_u64().filter(|n| *n <= MAX_SIDES && is_prime(*n));
        let sides = prime.ok_or_else(|| {
            Refusal::Rule(format!(
                "it makes a prime number of outcomes, at most {MAX_SIDES}, and the target has {}",
                short(n)
            ))
        })?;
        Ok(Dijkstra {
            sides,
            die: LoadedDie::from_task(task)?,
        })
    }

    fn closed_law(&self) -> Option<Law> {
        let n = self.sides as u32;
        Some(
            self.die
                .blocks(n, self.die.sum().pow(n) - self.die.equal_weight(n)),
        )
    }

    fn formula(&self) -> Option<CostFormula> {
        Some(self.die.cost_until_unequal(self.sides as u32))
    }
}
