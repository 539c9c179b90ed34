//! The law of an algorithm that works in blocks and starts again after a rejected one.
//!
//! After a head of t0 rolls, every undecided node starts a block. Inside a block, `alive[i]` nodes
//! are undecided after i rolls, and `returns` lists (i, r): r nodes start a new block after i rolls.
//! With z = 1/m and
//!
//! ```text
//! H(z) = sum_{t<t0} s(t) z^t,  C(z) = sum_i alive[i] z^i,  D(z) = sum r z^i,
//! S(z) = sum_t s(t) z^t = H + z^t0 C / (1 - D)
//! E[T] = S(1/m),  E[T^2] = 2 z S'(z) + S(z) at z = 1/m.
//! ```
//!
//! Block rejection has one return; the interval algorithm's tail is a block of one roll with one
//! return, so every law with P(T > t+L) = r P(T > t) from some t0 on is of this kind.

use crate::number::reduce::reduce;
use crate::number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::collections::VecDeque;

/// A head, then blocks that end or start again.
#[derive(Clone, Debug)]
pub struct Blocks {
    source: u64,
    head: Vec<BigUint>,
    alive: Vec<BigUint>,
    returns: Vec<(usize, BigUint)>,
}

impl Blocks {
    /// `head[t]` = s(t) for t < t0; `alive[i]` and `returns` describe one block from one node,
    /// or all the blocks that start at depth t0 together (alive and returns scale alike:
    /// `alive` is for all of them, `returns` per undecided start).
    pub fn new(
        source: u64,
        head: Vec<BigUint>,
        alive: Vec<BigUint>,
        returns: Vec<(usize, BigUint)>,
    ) -> Self {
        let law = Blocks {
            source,
            head,
            alive,
            returns,
        };
        debug_assert!(
            law.returned().0 < Rational::one(),
            "a block must end with positive probability"
        );
        law
    }

    /// Sides of the source.
    pub fn source(&self) -> u64 {
        self.source
    }

    /// s(0), s(1), s(2), ...
    pub fn survivors(&self) -> impl Iterator<Item = BigUint> + '_ {
        let reach = self.returns.iter().map(|(i, _)| *i).max().unwrap_or(0);
        let mut recent: VecDeque<BigUint> = VecDeque::new(); // the last `reach` terms, newest last
        let tail = (0usize..).map(move |i| {
            let mut s = self.alive.get(i).cloned().unwrap_or_default();
            for (back, count) in &self.returns {
                if *back <= i {
                    s += count * &recent[recent.len() - back];
                }
            }
            recent.push_back(s.clone());
            if recent.len() > reach {
                recent.pop_front();
            }
            s
        });
        self.head.iter().cloned().chain(tail)
    }

    /// (sum c_t m^(k-t), sum t c_t m^(k-t), k), k the last t; the terms come in increasing order of t.
    fn sums<'a>(
        &self,
        terms: impl Iterator<Item = (usize, &'a BigUint)>,
    ) -> (BigUint, BigUint, usize) {
        let (mut plain, mut weighted, mut at) = (BigUint::zero(), BigUint::zero(), 0);
        for (t, count) in terms {
            let step = self.power(t - at); // Horner in m
            plain = plain * &step + count;
            weighted = weighted * step + count * t;
            at = t;
        }
        (plain, weighted, at)
    }

    fn power(&self, k: usize) -> BigUint {
        BigUint::from(self.source).pow(k as u32)
    }

    /// (sum c_t z^t, sum t c_t z^t) at z = 1/m.
    fn evaluate<'a>(
        &self,
        terms: impl Iterator<Item = (usize, &'a BigUint)>,
    ) -> (Rational, Rational) {
        let (plain, weighted, last) = self.sums(terms);
        let scale = self.power(last);
        (reduce(&plain, &scale), reduce(&weighted, &scale))
    }

    /// `E[T]`, by one reduction: H / m^h + A m^r / (m^(c + t0) (m^r - R)).
    pub fn mean(&self) -> Rational {
        let (head, _, h) = self.sums(self.head.iter().enumerate());
        let (alive, _, c) = self.sums(self.alive.iter().enumerate());
        let (back, _, r) = self.sums(self.returns.iter().map(|(i, count)| (*i, count)));
        let whole = self.power(r);
        let left = &whole - back;
        let depth = c + self.head.len(); // h <= t0, so m^h divides m^depth
        let top = head * self.power(depth - h) * &left + alive * whole;
        reduce(&top, &(self.power(depth) * left))
    }

    fn returned(&self) -> (Rational, Rational) {
        self.evaluate(self.returns.iter().map(|(i, r)| (*i, r)))
    }

    /// (`E[T]`, `E[T^2]`).
    pub fn moments(&self) -> (Rational, Rational) {
        let (head, head_slope) = self.evaluate(self.head.iter().enumerate());
        let (alive, alive_slope) = self.evaluate(self.alive.iter().enumerate());
        let (back, back_slope) = self.returned();
        let left = Rational::one() - back;
        let blocks = &alive / &left;
        let blocks_slope = (alive_slope + &blocks * back_slope) / left;
        let depth = self.head.len();
        let scale = Rational::from(BigInt::from(self.source).pow(depth as u32));
        let shift = Rational::from(BigInt::from(depth));
        let mean = head + &blocks / &scale;
        let slope = head_slope + (blocks_slope + shift * blocks) / scale;
        let second = &mean + slope * BigInt::from(2);
        (mean, second)
    }

    /// The bits of the exact mean, at most.
    pub fn bits(&self) -> u128 {
        let rolls = self.head.len() + self.alive.len();
        (rolls as u128 + 1) * (64 - self.source.leading_zeros() as u128 + 1) + 64
    }

    /// The largest T of positive probability; `None` if T is unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        let endless = self.returns.iter().any(|(_, r)| !r.is_zero())
            && self.alive.iter().any(|c| !c.is_zero());
        let all = || self.head.iter().chain(&self.alive);
        (!endless).then(|| all().take_while(|s| !s.is_zero()).count() as u64)
    }
}
