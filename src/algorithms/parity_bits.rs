//! Parity bits: each roll of any die gives one bit, and blocks of bits that are too large are
//! rejected.
//!
//! If the source has an even number of sides, every roll is one bit: 0 for an odd face, 1 for an
//! even face. If the number of sides is odd, the largest face is rolled again, so that a bit takes
//! m/(m-1) rolls. The bits fill a block of k = ceil(log2 n); a block below n is the outcome, any
//! other block starts again:
//!
//! ```text
//! E = k 2^k / n             m even
//! E = m/(m-1) k 2^k / n     m odd
//! ```
//!
//! A d12 from a d6 takes 16/3 rolls in this way, although two rolls always suffice.
//!
//! **Law.** For an even source, the law is that of the block of bits with all counts multiplied by
//! (m/2)^t. For an odd source, it is that of a chain of 3 k states: a state is the number of bits
//! so far, and whether they are below, equal to or above the first bits of n. **Source.** Vitez,
//! "Die Simulation".

use super::block::{Block, Prefix, check_block_size};
use super::{About, CHAIN_LIMIT, Memory, Rule, RuleInfo, Step};
use crate::law::{Blocks, Chain, Law};
use crate::task::{Fair, Refusal, Source, Task};
use flipcost_number::BigUint;
use flipcost_number::order::ceil_log;
use num_traits::Zero;
use std::cmp::Ordering;

/// See the module documentation.
pub(crate) struct ParityBits {
    source: u128,
    target: BigUint,
    bits: u32,
    block: Block,
}

impl ParityBits {
    /// Checks whether an odd source rolls again after this face.
    fn is_rerolled(&self, face: u64) -> bool {
        self.source % 2 == 1 && u128::from(face) == self.source - 1
    }

    /// The law for an odd source. For the number of rolls it matters only that one face is rolled
    /// again, and that half of the other faces are even.
    fn law_for_odd_source(&self) -> Option<Law> {
        let n = &self.target;
        let first = (0u32, Ordering::Equal);
        let step = |&(bits, order): &(u32, Ordering), face: u64| {
            if face == 2 {
                return Step::Roll((bits, order));
            }
            let place = u64::from(self.bits - 1 - bits);
            let order = order.then((face == 1).cmp(&n.bit(place)));
            if bits + 1 < self.bits {
                Step::Roll((bits + 1, order))
            } else if order == Ordering::Less {
                Step::Output(BigUint::zero())
            } else {
                Step::Roll(first)
            }
        };
        // If n has more bits than a block, n = 2^k, and every block is below n.
        let whole = n.bits() > u64::from(self.bits);
        let start = match (self.bits, whole) {
            (0, _) => Step::Output(BigUint::zero()),
            (_, true) => Step::Roll((0, Ordering::Less)),
            _ => Step::Roll(first),
        };
        let half = self.source / 2;
        let source = Source::loaded([half, half, 1]).expect("three faces that show");
        let (chain, _) = Chain::explore(start, CHAIN_LIMIT, |_| 3, step).ok()?;
        Some(chain.loaded(&source).into())
    }
}

impl Rule for ParityBits {
    type State = Prefix;

    fn start(&self) -> Step<Prefix> {
        self.block.start()
    }

    fn step(&self, at: &Prefix, face: u64) -> Step<Prefix> {
        if self.is_rerolled(face) {
            return Step::Roll(at.clone());
        }
        self.block.step(at, face % 2)
    }
}

impl RuleInfo for ParityBits {
    const ABOUT: About = About {
        id: "parity-bits",
        name: "Parity bits",
        citation: "Vitez, \"Die Simulation\"",
        memory: Memory::State,
        bounded: "if m is even and n is a power of 2",
        rule: "each roll gives a bit, odd or even (an odd source re-rolls its largest face); take ceil(log2 n) bits, and start again unless they make a number below n",
        law: "blocks of k = ceil(log2 n) bits, accepted with probability n / 2^k: E = k 2^k / n, times m/(m-1) for an odd source",
    };

    fn new(task: &Task) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        let coin = Fair { m: 2, n: dice.n };
        check_block_size(coin)?;
        let bits = ceil_log(2u8, dice.n);
        Ok(ParityBits {
            source: dice.m,
            target: dice.n.clone(),
            bits,
            block: Block::new(coin, bits, dice.n.clone(), false),
        })
    }

    fn closed_law(&self) -> Option<Law> {
        if self.source % 2 == 1 {
            return self.law_for_odd_source();
        }
        let (m, k) = (BigUint::from(self.source), self.bits);
        let alive = (0..k).map(|t| m.pow(t)).collect();
        let rejected = m.pow(k) - &self.target * BigUint::from(self.source / 2).pow(k);
        let returns = if rejected.is_zero() {
            Vec::new()
        } else {
            vec![(k as usize, rejected)]
        };
        Some(Blocks::new(self.source, Vec::new(), alive, returns).into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::super::entry::RuleEntry;
    use super::ParityBits;
    use crate::task::{Source, Task};
    use flipcost_number::Rational;

    fn mean(m: u64, n: u64) -> Rational {
        let method = RuleEntry::<ParityBits>::NEW;
        let bound = method
            .prepare(&Task::die(n, Source::die(m).unwrap()).unwrap())
            .unwrap();
        bound.law().unwrap().mean().unwrap()
    }

    #[test]
    fn a_d12_from_a_d6_takes_16_thirds() {
        // Vitez, "Die Simulation"
        assert_eq!(mean(6, 12), Rational::new(16.into(), 3.into()));
    }

    #[test]
    fn an_odd_source_pays_for_every_bit() {
        for m in [3u64, 7, u64::MAX] {
            for n in 2u64..200 {
                let bit = Rational::new(m.into(), (m - 1).into());
                assert_eq!(mean(m, n), mean(2, n) * bit, "n = {n}");
            }
        }
    }
}
