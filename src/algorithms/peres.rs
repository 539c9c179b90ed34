//! The first bit of Peres' iterated procedure on N rolls, and again if there is none.
//!
//! Peres gives the bits of von Neumann's pairs, then those of the pairs that are equal, each of which is
//! a roll of the next level, and so on; and those of the sequence that says which pairs are equal. Its
//! first bit comes from the pairs at the first level where two differ: up to then all pairs of all lower
//! levels are equal, and the sequence that says so is constant. So the first bit of an endless sequence
//! is that of [`super::hoeffding_simons`], the first of one level (`levels=1`) that of
//! [`super::von_neumann`]. After N rolls without a bit it starts again, and what was not paired is lost;
//! the bits that follow the first are lost too, as for every rule that makes one outcome.
//!
//! With r_j = sum_i p_i^(2^j) and L levels, t = a 2^L + b, b < 2^L,
//!
//! ```text
//! P(T > t) = r_L^a times the product of r_j over the binary ones j of b,   t < N
//! E = sum_{t<N} P(T > t) / (1 - P(T > N))
//! ```
//!
//! **Source.** Peres 1992; for dice Pae 2015.

use super::hoeffding_simons::{Levels, Paired};
use super::loaded::{fair_bit, weights};
use super::{About, Arguments, Keeps, MadeFor, Parameter, Rule, Step};
use crate::law::{Branch, Chain, ChainState, Law, Next};
use crate::number::BigUint;
use crate::task::{Refusal, Task};
use num_traits::{One, Zero};
use std::fmt;

/// See the module's page.
pub struct Peres {
    weights: Vec<BigUint>,
    length: u32,
    levels: u32,
}

/// How many rolls of a sequence were made, and the blocks that wait.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Sequence {
    rolls: u32,
    blocks: Levels,
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "after {} rolls: {}", self.rolls, self.blocks)
    }
}

impl Peres {
    /// P(T > t) times the t-th power of the sum of the weights, for one sequence.
    fn undecided(&self, t: u32) -> BigUint {
        let same = |level: u32| -> BigUint { self.weights.iter().map(|w| w.pow(1 << level)).sum() };
        let (dropped, rest) = match self.levels {
            levels if levels >= 32 => (0, t),
            levels => (t >> levels, t & ((1 << levels) - 1)),
        };
        let ones = (0..32).filter(|j| rest >> j & 1 == 1);
        let first = match dropped {
            0 => BigUint::one(),
            times => same(self.levels).pow(times),
        };
        ones.fold(first, |product, j| product * same(j))
    }
}

impl Rule for Peres {
    const ABOUT: About = About {
        id: "peres",
        name: "Peres' procedure, the first bit",
        citation: "Peres 1992",
        keeps: Keeps::State,
        bounded: "never",
        rule: "the first bit of Peres' procedure on N rolls: hoeffding-simons, which starts again after N rolls and drops blocks of 2^L equal rolls, L the number of levels",
        law: "r_j = sum p_i^(2^j): E = sum of P(T > t) over t < N / (1 - P(T > N)), with all levels P(T > t) = product of r_j over the binary ones j of t",
    };
    const MADE_FOR: MadeFor = MadeFor::UnknownSources;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "N",
            about: "the rolls of a sequence, 16 by default",
            least: 2,
            most: 4096,
        },
        Parameter {
            name: "levels",
            about: "how often equal pairs are paired again, 1 for von Neumann; by default without end",
            least: 1,
            most: 12,
        },
    ];
    type State = Sequence;

    fn new(task: &Task) -> Result<Self, Refusal> {
        Peres::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        fair_bit(task)?;
        Ok(Peres {
            weights: weights(task)?,
            length: arguments.get("N").unwrap_or(16) as u32,
            levels: arguments
                .get("levels")
                .map_or(u32::MAX, |levels| levels as u32),
        })
    }

    fn start(&self) -> Step<Sequence> {
        Step::Roll(Sequence {
            rolls: 0,
            blocks: Levels::NONE,
        })
    }

    fn step(&self, at: &Sequence, face: u64) -> Step<Sequence> {
        match at.blocks.and(face, self.levels) {
            Paired::Differ { first, second, .. } => Step::Output(u8::from(first > second).into()),
            Paired::Blocks(_) if at.rolls + 1 == self.length => self.start(),
            Paired::Blocks(blocks) => Step::Roll(Sequence {
                rolls: at.rolls + 1,
                blocks,
            }),
        }
    }

    fn law(&self) -> Option<Law> {
        let sum: BigUint = self.weights.iter().sum();
        let state = |t: u32| {
            let now = self.undecided(t) * &sum;
            let later = self.undecided(t + 1);
            let next = match t + 1 == self.length {
                true => 0,
                false => t + 1,
            };
            let both = [
                (&now - &later, Next::Outcome(0)),
                (later, Next::State(next)),
            ];
            let branches = both.into_iter().filter(|(weight, _)| !weight.is_zero());
            let branches = branches.map(|(weight, next)| Branch { weight, next });
            ChainState {
                rolls: 1,
                branches: branches.collect(),
            }
        };
        let states = (0..self.length).map(state).collect();
        let chain = Chain::new(Next::State(0), states, vec![BigUint::zero()]);
        Some(Law::Chain(chain.expect("a pair may differ").into()))
    }
}
