//! Blocks of k source rolls, read as a number in base m: the core of the four block algorithms.
//!
//! The k rolls of a block give a value in [0, m^k), most significant first. A value below `a`, a
//! multiple of n, is accepted and gives the outcome value mod n; the others start a fresh block.
//! With early discard a block stops as soon as its prefix can only be rejected.
//!
//! ```text
//! P(T > jk + i) = (1 - a/m^k)^j                     without early discard, 0 <= i < k
//! E = k m^k / a
//! B = sum_{t<k} ceil(a / m^(k-t)) / m^t,  E = B m^k / a      with it
//! ```

use super::Step;
use crate::law::{Blocks, Law};
use crate::number::BigUint;
use crate::task::Fair;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::fmt;

/// A block of k rolls that accepts the values below a.
pub struct Block {
    source: u64,
    target: BigUint,
    rolls: u32,
    /// `alive[t]` = the prefixes of t rolls that can still be accepted, t <= k; the last is a.
    alive: Vec<BigUint>,
}

/// Rolls so far in the block, and their value in base m.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Prefix {
    rolls: u32,
    value: BigUint,
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "block: {} rolled, value {}", self.rolls, self.value)
    }
}

/// The least k with m^k >= n.
pub fn ceil_log(m: u64, n: &BigUint) -> u32 {
    let (mut k, mut power) = (0, BigUint::one());
    while power < *n {
        power *= m;
        k += 1;
    }
    k
}

impl Block {
    /// Blocks of `rolls` rolls that accept the values below `accepted`.
    pub fn new(dice: Fair, rolls: u32, accepted: BigUint, early: bool) -> Self {
        let m = BigUint::from(dice.m);
        let mut alive = vec![accepted];
        for t in (0..rolls).rev() {
            let here = if early {
                alive[alive.len() - 1].div_ceil(&m) // a prefix lives while one of its m children does
            } else {
                m.pow(t)
            };
            alive.push(here);
        }
        alive.reverse();
        Block {
            source: dice.m,
            target: dice.n.clone(),
            rolls,
            alive,
        }
    }

    /// The largest multiple of n that fits in k rolls.
    pub fn largest_multiple(dice: Fair, rolls: u32) -> BigUint {
        let all = BigUint::from(dice.m).pow(rolls);
        &all - &all % dice.n
    }

    pub fn start(&self) -> Step<Prefix> {
        if self.rolls == 0 {
            return Step::Output(BigUint::zero());
        }
        Step::Roll(Prefix {
            rolls: 0,
            value: BigUint::zero(),
        })
    }

    pub fn step(&self, at: &Prefix, face: u64) -> Step<Prefix> {
        let value = &at.value * self.source + face;
        let rolls = at.rolls + 1;
        if value >= self.alive[rolls as usize] {
            return self.start(); // rejected
        }
        if rolls == self.rolls {
            return Step::Output(value % &self.target);
        }
        Step::Roll(Prefix { rolls, value })
    }

    pub fn law(&self) -> Law {
        // The prefixes that die after t+1 rolls: m alive[t] - alive[t+1].
        let returns = self.alive.windows(2).enumerate().filter_map(|(t, pair)| {
            let dead = &pair[0] * self.source - &pair[1];
            (!dead.is_zero()).then_some((t + 1, dead))
        });
        let alive = self.alive[..self.rolls as usize].to_vec();
        Law::Blocks(Blocks::new(self.source, Vec::new(), alive, returns.collect()).into())
    }
}

/// The rule of a block algorithm is its block: everything but its name and its k and a.
macro_rules! block_algorithm {
    ($name:ident, $about:expr, |$dice:ident| $block:expr) => {
        /// See the module's page.
        pub struct $name(super::block::Block);

        impl super::Rule for $name {
            const ABOUT: super::About = $about;
            type State = super::block::Prefix;

            fn new(task: &super::Task) -> Result<Self, super::Refusal> {
                let $dice = task.fair()?;
                Ok($name($block))
            }

            fn start(&self) -> super::Step<Self::State> {
                self.0.start()
            }

            fn step(&self, state: &Self::State, face: u64) -> super::Step<Self::State> {
                self.0.step(state, face)
            }

            fn law(&self) -> Option<crate::law::Law> {
                Some(self.0.law())
            }
        }
    };
}
pub(super) use block_algorithm;
