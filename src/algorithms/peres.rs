//! Peres' iterated procedure: it extracts fair bits from N rolls. Here the first bit is the
//! outcome; if there is no bit, the rule starts again.
//!
//! Peres' procedure outputs the bits of von Neumann's pairs. Then it applies itself to the equal
//! pairs, each of which is a roll of the next level, and to the sequence that says which pairs are
//! equal, and so on. Its first bit comes from the first level at which the rolls of a pair differ.
//! Until then all pairs at all lower levels are equal, and the sequences that say which pairs are
//! equal are constant. So the first bit of an endless sequence is that of
//! [`super::hoeffding_simons`], and with one level (`levels=1`) that of [`super::von_neumann`].
//! After N rolls without a bit the rule starts again, and unpaired rolls are lost. The bits after
//! the first are lost too, as in every rule that makes a single outcome at a time.
//!
//! With r_j = sum_i p_i^(2^j) and L levels, t = a 2^L + b, b < 2^L,
//!
//! ```text
//! P(T > t) = r_L^a times the product of r_j over the binary ones j of b,   t < N
//! E = sum_{t<N} P(T > t) / (1 - P(T > N))
//! ```
//!
//! **Source.** Peres 1992; for dice Pae 2015.

use super::hoeffding_simons::{PairingResult, WaitingBlocks};
use super::loaded::{LoadedDie, require_fair_coin};
use super::{About, Arguments, Memory, Parameter, Purpose, Rule, RuleInfo, Step};
use crate::law::{CostFormula, Law, Next, unknown_faces};
use crate::task::{Refusal, Task};
use flipcost_number::{BigUint, Polynomial, RationalFunction};
use num_traits::One;
use std::fmt;

/// See the module documentation.
pub(crate) struct Peres {
    die: LoadedDie,
    length: u32,
    levels: u32,
}

/// The number of rolls so far in the sequence, and the blocks that wait for a second block.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PeresState {
    rolls: u32,
    blocks: WaitingBlocks,
}

impl fmt::Debug for PeresState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rolls = if self.rolls == 1 { "roll" } else { "rolls" };
        write!(f, "after {} {rolls}: {:?}", self.rolls, self.blocks)
    }
}

impl Peres {
    /// P(T > t) for one sequence; `same(k)` is the probability that 2^k rolls are equal.
    fn undecided_probability<T>(
        &self,
        t: u32,
        one: T,
        same: impl Fn(u32) -> T,
        times: impl Fn(&T, &T) -> T,
    ) -> T {
        let (dropped, rest) = match self.levels {
            levels if levels >= 32 => (0, t),
            levels => (t >> levels, t & ((1 << levels) - 1)),
        };
        let ones = (0..32).filter(|j| rest >> j & 1 == 1);
        let levels = std::iter::repeat_n(self.levels, dropped as usize).chain(ones);
        levels.fold(one, |product, level| times(&product, &same(level)))
    }
}

impl Rule for Peres {
    type State = PeresState;

    fn start(&self) -> Step<PeresState> {
        Step::Roll(PeresState {
            rolls: 0,
            blocks: WaitingBlocks::NONE,
        })
    }

    fn step(&self, at: &PeresState, face: u64) -> Step<PeresState> {
        match at.blocks.after_roll(face, self.levels) {
            PairingResult::Differ { first, second, .. } => {
                Step::Output(u8::from(first > second).into())
            }
            PairingResult::Blocks(_) if at.rolls + 1 == self.length => self.start(),
            PairingResult::Blocks(blocks) => Step::Roll(PeresState {
                rolls: at.rolls + 1,
                blocks,
            }),
        }
    }
}

impl RuleInfo for Peres {
    const ABOUT: About = About {
        id: "peres",
        name: "Peres' procedure, the first bit",
        citation: "Peres 1992",
        memory: Memory::State,
        bounded: "never",
        rule: "the first bit of Peres' procedure on N rolls: hoeffding-simons, which starts again after N rolls and drops blocks of 2^L equal rolls, L the number of levels",
        law: "r_j = sum p_i^(2^j): E = sum of P(T > t) over t < N / (1 - P(T > N)), with all levels P(T > t) = product of r_j over the binary ones j of t",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "N",
            about: "the number of rolls in a sequence, 8 by default",
            least: 2,
            most: 4096,
        },
        Parameter {
            name: "levels",
            about: "how often equal pairs are paired again, 1 for von Neumann; by default without limit",
            least: 1,
            most: 12,
        },
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Peres::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        require_fair_coin(task)?;
        Ok(Peres {
            die: LoadedDie::from_task(task)?,
            length: arguments.get("N").unwrap_or(8) as u32,
            levels: arguments
                .get("levels")
                .map_or(u32::MAX, |levels| levels as u32),
        })
    }

    fn closed_law(&self) -> Option<Law> {
        let sum = self.die.sum();
        let same = |level: u32| self.die.equal_weight(1 << level);
        let undecided = |t| self.undecided_probability(t, BigUint::one(), same, |a, b| a * b);
        let state = |t: u32| {
            let (now, later) = (undecided(t) * &sum, undecided(t + 1));
            let next = (t + 1) % self.length;
            let both = [
                (&now - &later, Next::Outcome(0)),
                (later, Next::State(next)),
            ];
            (1, both)
        };
        Some(self.die.law((0..self.length).map(state)))
    }

    fn formula(&self) -> Option<CostFormula> {
        if self.die.faces() > 2 || self.length > 64 {
            let (n, levels) = (self.length, self.levels.min(12));
            return Some(CostFormula::Text(format!(
                "sum over t < {n} of u(t) / (1 - u({n})), where u(t) is the product of s(j) over the binary ones j of t, s(j) is the sum of the 2^j-th powers of the probabilities of all faces, and a one j from {levels} on counts as 2^(j - {levels}) factors s({levels})"
            )));
        }
        let faces = unknown_faces(self.die.faces() as u64);
        let same = |level: u32| {
            let powers = faces.iter().map(|p| p.power(1 << level));
            powers.fold(Polynomial::zero(), |sum, power| &sum + &power)
        };
        let undecided = |t| self.undecided_probability(t, Polynomial::one(), same, |a, b| a * b);
        let sum = (0..self.length).fold(Polynomial::zero(), |sum, t| &sum + &undecided(t));
        let ends = &Polynomial::one() - &undecided(self.length);
        Some(CostFormula::Rational(RationalFunction::new(sum, ends)))
    }
}
