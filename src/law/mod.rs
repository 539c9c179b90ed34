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
//! [`Residues`] (s(t) = m^t mod n) and [`Chain`] (any finite absorbing Markov chain, solved exactly).
//! Which outcome it is that an algorithm ends with is another law, an [`OutcomeLaw`].
//!
//! The first two lines are the sums of P(T > t) and of (t+1)^2 - t^2 = 2t+1 over all t < T. The tree is
//! the DDG tree of Knuth & Yao 1976 with m branches at a node.

pub mod blocks;
pub mod chain;
mod fundamental;
pub mod outcomes;
pub mod residues;

pub use blocks::Blocks;
pub use chain::{Branch, Chain, ChainError, ChainState, Next, Step, TooLarge};
pub use outcomes::{OutcomeClass, OutcomeError, OutcomeLaw};
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
    /// A finite absorbing Markov chain.
    Chain(Arc<Chain>),
}

/// About how large an exact fraction is; see [`Law::size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Size {
    /// Numerator and denominator have about this many bits each, at most; `u128::MAX` for that many or
    /// more.
    Bits(u128),
    /// The period of the law is not known: finding it means to factor a large number.
    Unknown,
}

impl Law {
    /// P(T > t) as (numerators, base): the t-th numerator, the number of undecided nodes of depth t, is
    /// divided by base^t. Cost of term t: a few products of O(t log base) bits ([`Blocks`],
    /// [`Chain`]), or one division of n's length ([`Residues`]).
    pub fn survivors(&self) -> (Box<dyn Iterator<Item = BigUint> + '_>, BigUint) {
        match self {
            Law::Blocks(law) => (Box::new(law.survivors()), law.source().into()),
            Law::Residues(law) => (Box::new(law.survivors()), law.source().into()),
            Law::Chain(law) => (Box::new(law.survivors()), law.base().clone()),
        }
    }

    /// P(T > t), t = 0, 1, 2, ... as reduced fractions. Cost of term t: one gcd of O(t log m) bits.
    pub fn survival(&self) -> impl Iterator<Item = Rational> + '_ {
        let (survivors, base) = self.survivors();
        let (base, mut scale) = (BigInt::from(base), BigInt::one());
        survivors.map(move |s| {
            let probability = Rational::new(s.into(), scale.clone());
            scale *= &base;
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

    /// `E[T]` as a reduced fraction, if [`Law::size`] says at most so many bits; the size if not.
    /// Cost: as [`Law::exact_mean`].
    ///
    /// # Errors
    /// The size, if it is larger or not known.
    pub fn mean_up_to(&self, most_bits: u128) -> Result<Rational, Size> {
        match self.size() {
            Size::Bits(bits) if bits <= most_bits => Ok(self.exact_mean()),
            size => Err(size),
        }
    }

    /// `E[T]` as a reduced fraction, however large: ask [`Law::size`] first. Cost, b the bits of
    /// that size: O(b^2) bit operations ([`Blocks`], and [`Residues`] for the gcd), or one
    /// elimination ([`Chain::moments_of`]).
    ///
    /// # Panics
    /// If the size is [`Size::Unknown`], or the law has a period of 2^64 rolls or more.
    pub fn exact_mean(&self) -> Rational {
        match self {
            Law::Residues(law) => law.exact_mean(),
            Law::Blocks(law) => law.mean(),
            Law::Chain(law) => law.mean(),
        }
    }

    /// (`E[T]`, `E[T^2]`) as reduced fractions, however large. Cost: as [`Law::exact_mean`], for numbers
    /// twice as long.
    ///
    /// # Panics
    /// As [`Law::exact_mean`].
    pub fn exact_moments(&self) -> (Rational, Rational) {
        match self {
            Law::Residues(law) => law.exact_moments(),
            Law::Blocks(law) => law.moments(),
            Law::Chain(law) => law.moments(),
        }
    }

    /// `Var[T]` as a reduced fraction, however large. Cost: as [`Law::exact_moments`].
    ///
    /// # Panics
    /// As [`Law::exact_mean`].
    pub fn exact_variance(&self) -> Rational {
        let (mean, second) = self.exact_moments();
        second - &mean * &mean
    }

    /// The bits that the exact mean takes (the variance takes twice as many).
    ///
    /// For [`Blocks`] and [`Residues`] this is an upper bound that is known before the mean, from the
    /// lengths of head and block, and from the period. Cost: none, and that of factoring the target once
    /// ([`Residues::orbit`]). For a [`Chain`] no such bound is at hand: the mean is computed, at the
    /// cost of [`Chain::mean`], and kept; its denominator's bits are the size.
    pub fn size(&self) -> Size {
        match self {
            Law::Residues(law) => law.size(),
            Law::Blocks(law) => Size::Bits(law.bits()),
            Law::Chain(law) => Size::Bits(law.mean().denom().bits() as u128),
        }
    }

    /// The largest T of positive probability; `None` if T is unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        match self {
            Law::Blocks(law) => law.worst_case(),
            Law::Residues(law) => law.worst_case(),
            Law::Chain(law) => law.worst_case(),
        }
    }

    /// The least t with P(T <= t) >= q; `None` if q = 1 and T is unbounded, or q > 1. Cost: the first t
    /// terms of [`Law::survivors`].
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
            scaled *= &base;
        }
        unreachable!("the survivors never end")
    }
}
