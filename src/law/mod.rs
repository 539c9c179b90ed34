//! Exact laws of T, the number of source rolls that an algorithm uses.
//!
//! Everything follows from the survival sequence P(T > t) = s(t) / m^t, where s(t) counts the
//! undecided nodes at depth t of the algorithm's decision tree:
//!
//! ```text
//! E[T]   = sum_{t>=0} P(T > t)
//! E[T^2] = sum_{t>=0} (2t+1) P(T > t)
//! P(T = t) = P(T > t-1) - P(T > t)
//! ```
//!
//! Three kinds of law are enough: [`Blocks`] (a head, then blocks that may start again),
//! [`Residues`] (s(t) = m^t mod n) and [`Chain`] (any finite chain, solved exactly).

pub mod blocks;
pub mod chain;
pub mod residues;

pub use blocks::Blocks;
pub use chain::{Chain, Next, Phases, Step, TooLarge};
pub use residues::Residues;

use crate::number::real::Real;
use crate::number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::sync::Arc;

/// The exact law of the number of source rolls.
#[derive(Clone)]
pub enum Law {
    /// A head, then blocks that end or start again.
    Blocks(Arc<Blocks>),
    /// s(t) = m^t mod n, the fast dice roller.
    Residues(Arc<Residues>),
    /// A finite chain.
    Chain(Arc<Chain>),
    /// Phases of rolls of one source of so many sides.
    Phases(u64, Arc<Phases>),
}

/// The size of an exact fraction, known before it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Size {
    /// Numerator and denominator have about this many bits each, at most.
    Bits(u128),
    /// The period of the law is not known: finding it means to factor a large number.
    Unknown,
}

impl Law {
    /// P(T > t) as (numerators, base): the t-th numerator is divided by base^t.
    pub fn survivors(&self) -> (Box<dyn Iterator<Item = BigUint> + '_>, u64) {
        match self {
            Law::Blocks(law) => (Box::new(law.survivors()), law.source()),
            Law::Residues(law) => (Box::new(law.survivors()), law.source()),
            Law::Chain(law) => (Box::new(law.survivors()), law.base()),
            Law::Phases(source, law) => {
                // undecided nodes of an m-ary tree: P(T > t) m^t is an integer
                let mut scale = BigInt::one();
                let count = move |p: Rational| {
                    let nodes = (p * &scale).to_integer().magnitude().clone();
                    scale *= *source;
                    nodes
                };
                (Box::new(law.survival().map(count)), *source)
            }
        }
    }

    /// P(T > t), t = 0, 1, 2, ... as reduced fractions. Cost of term t: one gcd of O(t log m) bits.
    pub fn survival(&self) -> impl Iterator<Item = Rational> + '_ {
        let (survivors, base) = self.survivors();
        let mut scale = BigInt::one();
        survivors.map(move |s| {
            let probability = Rational::new(s.into(), scale.clone());
            scale *= base;
            probability
        })
    }

    /// `E[T]` in source rolls: exact where the fraction is small, else enclosed.
    pub fn mean(&self) -> Real {
        match self {
            Law::Residues(law) if !law.is_small() => {
                let law = law.clone();
                Real::enclosed(move |bits| law.mean_within(bits))
            }
            _ => Real::Exact(self.exact_mean()),
        }
    }

    /// `E[T^2]` in source rolls squared: exact where the fraction is small, else enclosed.
    pub fn second_moment(&self) -> Real {
        match self {
            Law::Residues(law) if !law.is_small() => {
                let law = law.clone();
                Real::enclosed(move |bits| law.second_moment_within(bits))
            }
            _ => Real::Exact(self.exact_moments().1),
        }
    }

    /// `Var[T]` = `E[T^2]` - `E[T]^2` in source rolls squared.
    pub fn variance(&self) -> Real {
        match self {
            Law::Residues(law) if !law.is_small() => {
                let mean = self.mean();
                self.second_moment().minus(&mean.times(&mean))
            }
            _ => Real::Exact(self.exact_variance()),
        }
    }

    /// `E[T]` as a reduced fraction, however large: ask [`Law::size`] first.
    pub fn exact_mean(&self) -> Rational {
        match self {
            Law::Residues(law) => law.exact_mean(),
            Law::Blocks(law) => law.mean(),
            Law::Chain(law) => law.mean(),
            Law::Phases(_, law) => law.mean(),
        }
    }

    /// (`E[T]`, `E[T^2]`) as reduced fractions, however large.
    pub fn exact_moments(&self) -> (Rational, Rational) {
        match self {
            Law::Residues(law) => law.exact_moments(),
            Law::Blocks(law) => law.moments(),
            Law::Chain(law) => law.moments(),
            Law::Phases(_, law) => law.moments(),
        }
    }

    /// `Var[T]` as a reduced fraction, however large.
    pub fn exact_variance(&self) -> Rational {
        let (mean, second) = self.exact_moments();
        second - &mean * &mean
    }

    /// The bits that the exact mean takes, before it is computed (the variance takes twice as many).
    pub fn size(&self) -> Size {
        match self {
            Law::Residues(law) => law.size(),
            Law::Blocks(law) => Size::Bits(law.bits()),
            Law::Chain(law) => Size::Bits(law.mean().denom().bits() as u128),
            Law::Phases(_, law) => Size::Bits(law.mean().denom().bits() as u128),
        }
    }

    /// The largest T of positive probability; `None` if T is unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        match self {
            Law::Blocks(law) => law.worst_case(),
            Law::Residues(law) => law.worst_case(),
            Law::Chain(law) => law.worst_case(),
            Law::Phases(_, law) => law.worst_case(),
        }
    }

    /// The least t with P(T <= t) >= q; `None` if q = 1 and T is unbounded, or q > 1.
    pub fn quantile(&self, q: &Rational) -> Option<u64> {
        let left = Rational::one() - q;
        if left < Rational::zero() {
            return None;
        }
        if left.is_zero() {
            return self.worst_case();
        }
        // s(t) / base^t <= a / b, in integers.
        let (survivors, base) = self.survivors();
        let (a, b) = (left.numer().magnitude(), left.denom().magnitude());
        let mut scaled = a.clone();
        for (t, s) in survivors.enumerate() {
            if s * b <= scaled {
                return Some(t as u64);
            }
            scaled *= base;
        }
        unreachable!("the survivors never end")
    }
}
