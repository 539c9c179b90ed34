//! Blocks of k source rolls, read as a number in base m: the shared code of the four block
//! algorithms.
//!
//! The k rolls of a block give a value in [0, m^k), most significant first. A value below `a`, a
//! multiple of n, is accepted and gives the outcome value mod n; otherwise a new block starts. With
//! early discard, a block stops as soon as its first rolls show that it will be rejected.
//!
//! ```text
//! P(T > jk + i) = (1 - a/m^k)^j                     without early discard, 0 <= i < k
//! E = k m^k / a
//! B = sum_{t<k} ceil(a / m^(k-t)) / m^t,  E = B m^k / a      with it
//! ```

use super::Step;
use super::quantity::{TableRequest, TableValue, TableValues, Tables};
use crate::law::{Blocks, Law};
use crate::roller::doubles::rejection_double;
use crate::roller::narrow::Narrow;
use crate::task::{Fair, Refusal};
use flipcost_number::BigUint;
use flipcost_number::short::short;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::fmt;
use std::ops::Range;

/// A block of k rolls that accepts the values below a.
pub(crate) struct Block {
    source: BigUint,
    target: BigUint,
    rolls: u32,
    /// `alive[t]` is the number of prefixes of t rolls that can still be accepted, for t <= k; the
    /// last is a.
    alive: Vec<BigUint>,
}

/// The number of rolls so far in the block, and their value in base m.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Prefix {
    rolls: u32,
    value: BigUint,
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "block: {} rolled, value {}", self.rolls, self.value)
    }
}

/// The maximum size, in bits, of all numbers of undecided nodes that an algorithm stores: 256 MB.
const MAX_BITS: u64 = 1 << 31;

/// Refuses a target for which blocks of log_m n rolls are too long; see [`check_block_bits`].
/// Computes with machine words only.
pub(super) fn check_block_size(dice: Fair) -> Result<(), Refusal> {
    check_block_bits(
        dice.n,
        bits_of_face(dice.m),
        dice.n.bits() / u64::from(dice.m.ilog2()) + 1,
    )
}

/// The number of bits of a face from 0 to m - 1.
pub(super) fn bits_of_face(m: u128) -> u64 {
    u64::from((m - 1).ilog2()) + 1
}

/// Refuses blocks of `rolls` rolls of `bits` bits each if the powers m^0, m^1, ... together would
/// exceed [`MAX_BITS`] bits. Their size is estimated as half the number of rolls times the bits of
/// the last power. Computes with machine words only.
pub(super) fn check_block_bits(n: &BigUint, bits: u64, rolls: u64) -> Result<(), Refusal> {
    let last = rolls.saturating_mul(bits);
    let all = rolls.saturating_mul(last) / 2;
    if all <= MAX_BITS {
        return Ok(());
    }
    Err(Refusal::Rule(format!(
        "a block of about {rolls} rolls for n = {} is too long: the counts of its undecided nodes would take {} MB, and {} MB are the most",
        short(n),
        all >> 23,
        MAX_BITS >> 23
    )))
}

impl Block {
    /// Creates blocks of `rolls` rolls that accept the values below `accepted`.
    ///
    /// The caller must have called [`check_block_size`] first.
    pub(crate) fn new(dice: Fair, rolls: u32, accepted: BigUint, early: bool) -> Self {
        let m = BigUint::from(dice.m);
        let alive = if early {
            let mut alive = vec![accepted];
            for t in 0..rolls as usize {
                alive.push(alive[t].div_ceil(&m)); // a prefix is alive if one of its m children is
            }
            alive.reverse();
            alive
        } else {
            let powers = std::iter::successors(Some(BigUint::one()), |power| Some(power * &m));
            powers.take(rolls as usize).chain([accepted]).collect()
        };
        Block {
            source: m,
            target: dice.n.clone(),
            rolls,
            alive,
        }
    }

    /// Creates the shortest blocks that have at least as many values as the target, for words of
    /// any width; without early discard.
    pub(crate) fn of_wide_words(m: BigUint, n: &BigUint) -> Self {
        let mut alive = vec![BigUint::one()];
        while alive[alive.len() - 1] < *n {
            alive.push(&alive[alive.len() - 1] * &m);
        }
        let rolls = alive.len() - 1;
        alive[rolls] = n.clone();
        Block {
            source: m,
            target: n.clone(),
            rolls: rolls as u32,
            alive,
        }
    }

    /// The largest multiple of n that fits in k rolls.
    pub(crate) fn largest_multiple(dice: Fair, rolls: u32) -> BigUint {
        let all = BigUint::from(dice.m).pow(rolls);
        &all - &all % dice.n
    }

    pub(crate) fn start(&self) -> Step<Prefix> {
        if self.rolls == 0 {
            return Step::Output(BigUint::zero());
        }
        Step::Roll(Prefix {
            rolls: 0,
            value: BigUint::zero(),
        })
    }

    pub(crate) fn step(&self, at: &Prefix, face: u64) -> Step<Prefix> {
        let value = &at.value * &self.source + face;
        let rolls = at.rolls + 1;
        if value >= self.alive[rolls as usize] {
            return self.start(); // rejected
        }
        if rolls == self.rolls {
            return Step::Output(value % &self.target);
        }
        Step::Roll(Prefix { rolls, value })
    }

    pub(crate) fn law(&self) -> Law {
        // m alive[t] - alive[t+1] prefixes are discarded after t+1 rolls.
        let returns = self.alive.windows(2).enumerate().filter_map(|(t, pair)| {
            let dead = &pair[0] * &self.source - &pair[1];
            (!dead.is_zero()).then_some((t + 1, dead))
        });
        let alive = self.alive[..self.rolls as usize].to_vec();
        Blocks::new(self.source.clone(), Vec::new(), alive, returns.collect()).into()
    }
}

/// Defines a block algorithm; each invocation gives only its name, its description, and the k and a
/// of its block.
macro_rules! block_algorithm {
    (
        $name:ident, $about:expr, $code:expr,
        |$dice:ident| $block:expr
        $(, wide_words: $wide:ident)?
        $(, rejection_with_a_coin: |$n:ident| $flips:expr)?
    ) => {
        /// See the module documentation.
        pub struct $name(super::block::Block);

        impl super::Rule for $name {
            type State = super::block::Prefix;

            fn start(&self) -> super::Step<Self::State> {
                self.0.start()
            }

            fn step(&self, state: &Self::State, face: u64) -> super::Step<Self::State> {
                self.0.step(state, face)
            }
        }

        impl super::RuleInfo for $name {
            const ABOUT: super::About = $about;
            const PSEUDOCODE: &'static [&'static str] = $code;

            fn new(task: &crate::task::Task) -> Result<Self, crate::task::Refusal> {
                let $dice = match task.fair() {
                    Ok(dice) => dice,
                    Err(refusal) => {
                        $(if let Ok((m, n)) = task.fair_of_any_width() {
                            return Ok($name(super::block::Block::$wide(m, n)));
                        })?
                        return Err(refusal);
                    }
                };
                super::block::check_block_size($dice)?;
                Ok($name($block))
            }

            fn closed_law(&self) -> Option<crate::law::Law> {
                Some(self.0.law())
            }

            $(fn tables(
                source: u64,
                _last: u64,
                _wanted: &[super::quantity::TableRequest],
            ) -> Option<Box<dyn super::quantity::Tables>> {
                let flips = |$n: u64| $flips;
                (source == 2).then(|| Box::new(super::block::BlockRejectionTables { flips }) as _)
            })?
        }
    };
}
pub(super) use block_algorithm;

/// Computes the expected flips of a block algorithm without early discard for many targets, with
/// one division of doubles for each target.
pub(super) struct BlockRejectionTables {
    /// The number of flips of a block for a target of n sides.
    pub(crate) flips: fn(u64) -> u32,
}

impl Tables for BlockRejectionTables {
    fn many(&self, wanted: &[TableRequest], _: Range<u64>) -> Vec<Option<TableValues>> {
        wanted.iter().map(|_| None).collect()
    }

    fn single_value(&self, wanted: TableRequest, n: u64) -> Option<TableValue> {
        if n == 0 || n >> 53 != 0 {
            return None;
        }
        let flips = (self.flips)(n);
        match wanted {
            TableRequest::MeanDouble => Some(TableValue::Double(rejection_double(n, flips))),
            TableRequest::MeanNarrow => {
                let all = u64::from(flips).checked_shl(flips)?; // n >= 2^(flips - 1), and below 2^53
                Narrow::ratio(all, n).map(TableValue::Narrow)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantity::TablesWanted;
    use super::*;
    use crate::algorithms::find;
    use crate::task::{Source, Task};

    /// A word of 256 bits is below the group order of Ed25519, which is slightly above 2^252, with
    /// a probability of about 1/16.
    #[test]
    fn wide_words_are_blocks() {
        let n = (BigUint::one() << 252u32) + 27_742_317_777_372_353_535_851_937_790_883_648_493u128;
        let task = Task::new(
            crate::task::Target::uniform(n.clone()).unwrap(),
            "word:256".parse().unwrap(),
        );
        let law = find("rejection-ceil").unwrap().law(&task).unwrap();
        let mean = flipcost_number::Rational::new((BigUint::one() << 256u32).into(), n.into());
        assert_eq!(law.mean(), Ok(mean));
    }

    /// The table of a range of targets gives the same doubles as the law of each target.
    #[test]
    fn means_of_many_targets_are_those_of_their_laws() {
        for id in ["rejection", "rejection-ceil"] {
            let algorithm = find(id).unwrap();
            let tables = algorithm
                .tables(2, u64::MAX, TablesWanted(&[TableRequest::MeanDouble]))
                .unwrap();
            let powers = (0..53u32).flat_map(|k| [(1 << k) - 1, 1 << k, (1 << k) + 1]);
            for n in (1..600u64).chain(powers).filter(|n| 0 < *n && *n < 1 << 53) {
                let law = algorithm.law(&Task::die(n, Source::COIN).unwrap()).unwrap();
                let double = law.mean_real().to_f64().unwrap();
                let found = tables.0.single_value(TableRequest::MeanDouble, n);
                assert_eq!(found, Some(TableValue::Double(double)), "{id}, n = {n}");
                let Some(TableValue::Narrow(narrow)) =
                    tables.0.single_value(TableRequest::MeanNarrow, n)
                else {
                    panic!("{id} has them for n = {n}");
                };
                assert_eq!(narrow.nearest().unwrap_or(0.0), double, "{id}, n = {n}");
            }
            assert_eq!(
                tables.0.single_value(TableRequest::MeanDouble, 1 << 53),
                None
            );
            assert_eq!(
                tables.0.single_value(TableRequest::MeanNarrow, 1 << 53),
                None
            );
            assert!(
                algorithm
                    .tables(6, 100, TablesWanted(&[TableRequest::MeanDouble]))
                    .is_none()
            );
        }
    }
}
