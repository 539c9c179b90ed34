//! The law of an algorithm that works in blocks of rolls and starts again after a rejected block: a
//! regenerative (renewal) process.
//!
//! After a head of t0 rolls, every undecided node starts a block. Inside a block, `alive[i]` nodes
//! are undecided after i rolls, and `returns` lists pairs (i, r): r nodes start a new block after i
//! rolls. With z = 1/m and
//!
//! ```text
//! H(z) = sum_{t<t0} s(t) z^t,  C(z) = sum_i alive[i] z^i,  D(z) = sum r z^i,
//! S(z) = sum_t s(t) z^t = H + z^t0 C / (1 - D)
//! E[T] = S(1/m),  E[T^2] = 2 z S'(z) + S(z) at z = 1/m.
//! ```
//!
//! C stands for a block that is not yet finished, and 1 / (1 - D) = 1 + D + D^2 + ... stands for
//! any sequence of rejected blocks before it (SEQ in Flajolet & Sedgewick 2009, Analytic
//! Combinatorics, section I.2). The algorithms that reject only whole blocks have one entry in
//! `returns`; the tail of the interval algorithm is a block of one roll with one entry. Every law
//! with P(T > t+L) = r P(T > t) from some t0 on has this form.

use super::words::moments_of_chain;
use super::{FractionSize, Law, LawKind, generating, moments};
use crate::task::RollUnit;
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

/// A law with a head, followed by blocks that end or start again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocks {
    source: BigUint,
    head: Vec<BigUint>,
    alive: Vec<BigUint>,
    returns: Vec<(usize, BigUint)>,
}

/// The numbers in `E[T]` = mean / (power left) and `E[T^2]` = second / (power left^2).
struct MomentParts {
    mean: BigUint,
    second: BigUint,
    power: BigUint,
    left: BigUint,
}

impl Blocks {
    /// `head[t]` = s(t) for t < t0. `alive` counts the nodes of all blocks that start at depth t0
    /// together; `returns` describes a single block.
    pub fn new(
        source: impl Into<BigUint>,
        head: Vec<BigUint>,
        alive: Vec<BigUint>,
        returns: Vec<(usize, BigUint)>,
    ) -> Self {
        let law = Blocks {
            source: source.into(),
            head,
            alive,
            returns,
        };
        debug_assert!(
            law.return_jet().0 < Rational::one(),
            "a block must end with positive probability"
        );
        law
    }

    /// The number of sides of the source.
    pub fn source(&self) -> &BigUint {
        &self.source
    }

    /// The numbers of nodes of the head and of a block, and the returns of a block.
    pub(super) fn terms(&self) -> (&[BigUint], &[BigUint], &[(usize, BigUint)]) {
        (&self.head, &self.alive, &self.returns)
    }

    /// For terms (t, c_t) in increasing order of t, returns (sum c_t m^(k-t), sum t c_t m^(k-t),
    /// k), where k is the last t.
    fn sums<'a>(
        &self,
        terms: impl Iterator<Item = (usize, &'a BigUint)>,
    ) -> (BigUint, BigUint, usize) {
        let (mut plain, mut weighted, mut at) = (BigUint::zero(), BigUint::zero(), 0);
        for (t, count) in terms {
            spend(plain.bits() / 16 + 8);
            let step = self.power(t - at); // Horner in m
            plain = plain * &step + count;
            weighted = weighted * step + count * t;
            at = t;
        }
        (plain, weighted, at)
    }

    /// For terms (t, c_t) in increasing order of t, returns (sum c_t m^(k-t), k), where k is the
    /// last t.
    fn sum<'a>(&self, terms: impl Iterator<Item = (usize, &'a BigUint)>) -> (BigUint, usize) {
        let (mut sum, mut at) = (BigUint::zero(), 0);
        for (t, count) in terms {
            spend(sum.bits() / 16 + 8);
            if self.source.count_ones() == 1 {
                sum <<= (t - at) * (self.source.bits() - 1) as usize
            } else {
                sum *= self.power(t - at)
            }
            sum += count;
            at = t;
        }
        (sum, at)
    }

    fn power(&self, k: usize) -> BigUint {
        self.source.pow(k as u32)
    }

    /// For terms (t, c_t), computes (sum c_t z^t, sum t c_t z^t) at z = 1/m.
    fn evaluate<'a>(
        &self,
        terms: impl Iterator<Item = (usize, &'a BigUint)>,
    ) -> (Rational, Rational) {
        let (plain, weighted, last) = self.sums(terms);
        let scale = self.power(last);
        (reduce(&plain, &scale), reduce(&weighted, &scale))
    }

    /// Computes `E[T]` with one reduction: H / m^h + A m^r / (m^(c + t0) (m^r - R)). Cost: O(b^2)
    /// bit operations for a size of b bits.
    fn first_moment(&self) -> Rational {
        let (head, h) = self.sum(self.head.iter().enumerate());
        let (alive, c) = self.sum(self.alive.iter().enumerate());
        let (back, r) = self.sum(self.returns.iter().map(|(i, count)| (*i, count)));
        let whole = self.power(r);
        let left = &whole - back;
        let depth = c + self.head.len(); // h <= t0, so m^h divides m^depth
        let top = head * self.power(depth - h) * &left + alive * whole;
        reduce(&top, &(self.power(depth) * left))
    }

    fn return_jet(&self) -> (Rational, Rational) {
        self.evaluate(self.returns.iter().map(|(i, r)| (*i, r)))
    }

    /// (`E[T]`, `E[T^2]`). Cost: as the mean, for numbers three times as long.
    pub(super) fn first_moments(&self) -> (Rational, Rational) {
        let MomentParts {
            mean,
            second,
            power,
            left,
        } = self.moment_parts();
        let below = power * &left;
        (reduce(&mean, &below), reduce(&second, &(below * left)))
    }

    /// `Var[T]`. Cost: as the mean, for numbers six times as long.
    fn central_second(&self) -> Rational {
        let MomentParts {
            mean,
            second,
            power,
            left,
        } = self.moment_parts();
        let top = second * &power - &mean * &mean; // below (power left)^2
        let below = power * left;
        reduce(&top, &(&below * &below))
    }

    /// The parts of both moments as integers, so that each fraction is reduced only once. Let H =
    /// h0 / m^a and z H' = h1 / m^a, likewise C = a0 / m^c, z C' = a1 / m^c, D = b0 / m^r and z D'
    /// = b1 / m^r, and let left = m^r - b0 = m^r (1 - D):
    ///
    /// ```text
    /// C / (1 - D)      = m^r a0 / (m^c left)
    /// z (C / (1 - D))' = m^r (a1 left + a0 b1) / (m^c left^2)
    /// ```
    ///
    /// The factor z^t0 divides both expressions by m^t0, and adds t0 times the first to the second.
    fn moment_parts(&self) -> MomentParts {
        let (h0, h1, h) = self.sums(self.head.iter().enumerate());
        let (a0, a1, c) = self.sums(self.alive.iter().enumerate());
        let (b0, b1, r) = self.sums(self.returns.iter().map(|(i, count)| (*i, count)));
        let (whole, t0) = (self.power(r), self.head.len());
        let left = &whole - b0;
        let depth = c + t0; // h <= t0, so m^h divides m^depth
        let up = self.power(depth - h) * &left;
        let mean = &h0 * &up + &a0 * &whole;
        let slope = a1 * &left + &a0 * b1;
        let blocks = a0 * &left * (2 * t0 + 1) + (slope << 1u8);
        MomentParts {
            mean,
            second: (h0 + (h1 << 1u8)) * up * &left + blocks * whole,
            power: self.power(depth),
            left,
        }
    }

    /// An upper bound of the number of bits of the exact mean.
    pub(super) fn bits(&self) -> u128 {
        let rolls = self.head.len() + self.alive.len();
        (rolls as u128 + 1) * u128::from(self.source.bits() + 1) + 64
    }
}

impl LawKind for Blocks {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn order(&self) -> Option<u128> {
        Some((self.head.len() + self.alive.len()) as u128)
    }

    fn unit(&self) -> RollUnit {
        RollUnit::of_wide(&self.source)
    }

    fn base(&self) -> BigUint {
        self.source.clone()
    }

    /// Cost of term t: one product of O(t log m) bits for every return.
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        let reach = self.returns.iter().map(|(i, _)| *i).max().unwrap_or(0);
        let mut recent: VecDeque<BigUint> = VecDeque::new(); // the last `reach` terms, newest last
        let tail = (0usize..).map(move |i| {
            let mut s = self.alive.get(i).cloned().unwrap_or_default();
            for (back, count) in &self.returns {
                if *back <= i {
                    s += count * &recent[recent.len() - back];
                }
            }
            spend(self.returns.len() as u64 * (s.bits() / 64 + 4));
            recent.push_back(s.clone());
            if recent.len() > reach {
                recent.pop_front();
            }
            s
        });
        Box::new(self.head.iter().cloned().chain(tail))
    }

    fn worst_case(&self) -> Option<u64> {
        let endless = self.returns.iter().any(|(_, r)| !r.is_zero())
            && self.alive.iter().any(|c| !c.is_zero());
        let all = || self.head.iter().chain(&self.alive);
        (!endless).then(|| all().take_while(|s| !s.is_zero()).count() as u64)
    }

    fn size(&self) -> FractionSize {
        FractionSize::Bits(self.bits())
    }

    fn mean(self: Arc<Self>) -> Real {
        self.first_moment().into()
    }

    fn second_moment(self: Arc<Self>) -> Real {
        self.first_moments().1.into()
    }

    fn variance(self: Arc<Self>) -> Real {
        self.central_second().into()
    }

    fn moments(self: Arc<Self>) -> [Real; 4] {
        let [_, powers @ ..] = moments::of_blocks(&self.source, self.terms());
        powers.map(Real::Exact)
    }

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        Ok(self.first_moment())
    }

    fn exact_moments(&self) -> Result<(Rational, Rational), FractionSize> {
        Ok(self.first_moments())
    }

    fn exact_variance(&self) -> Result<Rational, FractionSize> {
        Ok(self.central_second())
    }

    fn exact_powers(&self) -> Result<[Rational; 5], FractionSize> {
        Ok(moments::of_blocks(&self.source, self.terms()))
    }

    fn generating_function(&self, z: &Rational) -> Result<Rational, FractionSize> {
        Ok(generating::of_blocks(
            &self.source,
            self.terms(),
            z,
            &BigInt::one(),
        ))
    }

    fn attempts(&self) -> Option<(Rational, u64)> {
        let [(length, returned)] = &self.returns[..] else {
            return None;
        };
        let whole = |(i, alive): (usize, &BigUint)| *alive == self.power(i);
        let at_the_end = self.head.is_empty()
            && *length == self.alive.len()
            && self.alive.iter().enumerate().all(whole);
        let all = self.power(*length);
        let possible = at_the_end && *length > 0;
        possible.then(|| (reduce(&(&all - returned), &all), *length as u64))
    }

    /// For blocks without a head, the depth within the block is the state of a chain.
    fn moments_of_words(&self, bits: u32) -> Option<(Rational, Rational)> {
        let depths = self
            .alive
            .iter()
            .take_while(|nodes| !nodes.is_zero())
            .count();
        let ends = self.alive[depths..].iter().all(Zero::is_zero);
        if !self.head.is_empty() || !ends {
            return None;
        }
        let step = |depth: usize| {
            let all = BigInt::from(&self.source * &self.alive[depth]);
            let part = |nodes: BigUint| Rational::new(nodes.into(), all.clone());
            let returns = self.returns.iter().filter(|(end, _)| *end == depth + 1);
            let again = part(returns.map(|(_, nodes)| nodes).sum());
            let on = self.alive[..depths].get(depth + 1).cloned();
            let on = on.map(|nodes| (depth + 1, part(nodes)));
            std::iter::once((0, again)).chain(on).collect()
        };
        let steps: Vec<Vec<(usize, Rational)>> = (0..depths).map(step).collect();
        moments_of_chain(&steps, bits)
    }

    fn in_bits(&self, w: u32) -> Option<Law> {
        let flips = |nodes: &[BigUint]| -> Vec<BigUint> {
            let of = |count: &BigUint| {
                let count = count.clone();
                (0..w).map(move |bit| &count << bit)
            };
            nodes.iter().flat_map(of).collect()
        };
        let returned = |(t, count): &(usize, BigUint)| (t * w as usize, count.clone());
        let blocks = Blocks {
            source: 2u8.into(),
            head: flips(&self.head),
            alive: flips(&self.alive),
            returns: self.returns.iter().map(returned).collect(),
        };
        Some(blocks.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn blocks(m: u64, head: &[u64], alive: &[u64], returns: &[(usize, u64)]) -> Blocks {
        let big = |list: &[u64]| list.iter().map(|&s| s.into()).collect();
        let returns = returns.iter().map(|&(i, r)| (i, r.into())).collect();
        Blocks::new(m, big(head), big(alive), returns)
    }

    /// Blocks of k rolls; r of the m^k cases start again.
    fn rejection(m: u64, k: u32, r: u64) -> Blocks {
        let alive: Vec<u64> = (0..k).map(|t| m.pow(t)).collect();
        blocks(m, &[], &alive, &[(k as usize, r)])
    }

    #[test]
    fn a_d6_from_blocks_of_three_flips() {
        let law = rejection(2, 3, 2);
        let undecided: Vec<BigUint> = law.undecided_nodes().take(9).collect();
        let by_hand = [1u8, 2, 4, 2, 4, 8, 4, 8, 16].map(BigUint::from);
        assert_eq!(undecided, by_hand);
        // T = 3 G, where G is geometric with success probability 3/4: E[G] = 4/3, E[G^2] = (2 -
        // 3/4) / (3/4)^2 = 20/9
        assert_eq!(law.first_moment(), ratio(4, 1));
        assert_eq!(law.first_moments(), (ratio(4, 1), ratio(20, 1)));
        assert_eq!(law.worst_case(), None);
    }

    /// T = k G, where G is geometric: E[T] = k / p and E[T^2] = k^2 (2 - p) / p^2, where p is the
    /// probability that a block is accepted.
    #[test]
    fn block_rejection_is_a_multiple_of_a_geometric_law() {
        for m in 2u64..=7 {
            for k in 1u32..=4 {
                let all = m.pow(k);
                for r in (0..all).step_by(1 + all as usize / 40) {
                    let law = rejection(m, k, r);
                    let p = ratio(all - r, all);
                    let k = ratio(k.into(), 1);
                    let second = &k * &k * (ratio(2, 1) - &p) / (&p * &p);
                    let what = format!("m = {m}, k = {k}, r = {r}");
                    assert_eq!(law.first_moments(), (&k / &p, second), "{what}");
                    assert_eq!(law.first_moment(), k / p, "{what}");
                }
            }
        }
    }

    /// The interval algorithm for a d5: after a head of two flips, 4 nodes stay undecided at every
    /// depth.
    #[test]
    fn a_head_and_a_geometric_tail() {
        let law = blocks(2, &[1, 2, 4], &[4], &[(1, 1)]);
        let undecided: Vec<BigUint> = law.undecided_nodes().take(6).collect();
        assert_eq!(undecided, [1u8, 2, 4, 4, 4, 4].map(BigUint::from));
        // 1 + 1 + 1 + 1/2 + 1/4 + ...; and 1 + 3 + 5 + 7/2 + 9/4 + 11/8 + ... = 9 + 9
        assert_eq!(law.first_moments(), (ratio(4, 1), ratio(18, 1)));
        assert_eq!(law.first_moment(), ratio(4, 1));
    }

    #[test]
    fn without_returns_the_law_is_finite() {
        let law = blocks(6, &[1], &[6, 12], &[]);
        let undecided: Vec<BigUint> = law.undecided_nodes().take(5).collect();
        assert_eq!(undecided, [1u8, 6, 12, 0, 0].map(BigUint::from));
        // 1 + 1 + 1/3; 1 + 3 + 5/3
        assert_eq!(law.first_moments(), (ratio(7, 3), ratio(17, 3)));
        assert_eq!(law.worst_case(), Some(3));
        let none = blocks(6, &[], &[], &[]);
        assert_eq!(none.first_moments(), (ratio(0, 1), ratio(0, 1)));
        assert_eq!(none.worst_case(), Some(0));
        assert_eq!(blocks(2, &[], &[1], &[(1, 0)]).worst_case(), Some(1));
    }

    /// A block with early discard can start again at several depths. So E = C / (1 - D), and the
    /// undecided nodes at each depth are a sum over all depths at which a block can have started.
    #[test]
    fn several_returns_are_a_renewal_process() {
        // A d3 made from pairs of three-sided dice; a pair is rejected if the first die shows 3, or
        // the second shows 1 or 2.
        let law = blocks(3, &[], &[1, 2, 2], &[(1, 1), (2, 4), (3, 3)]);
        let mut renewed = vec![BigUint::one()]; // the number of blocks that start at depth t
        for t in 1..12usize {
            let starts = [(1, 1u8), (2, 4), (3, 3)].into_iter();
            let from = starts.filter(|(i, _)| *i <= t);
            renewed.push(from.map(|(i, r)| &renewed[t - i] * r).sum());
        }
        for (t, s) in law.undecided_nodes().take(12).enumerate() {
            let open = [1u8, 2, 2].into_iter().enumerate().filter(|(i, _)| *i <= t);
            let sum: BigUint = open.map(|(i, a)| &renewed[t - i] * a).sum();
            assert_eq!(s, sum, "t = {t}");
        }
        // (1 + 2/3 + 2/9) / (1 - 1/3 - 4/9 - 1/9)
        assert_eq!(law.first_moment(), ratio(17, 1));
        assert_eq!(law.first_moments().0, ratio(17, 1));
    }

    /// If only whole blocks are rejected, P(T > t + L) = r P(T > t) from t0 on, so the survival
    /// series are finite sums. The fractions have at most the stated number of bits.
    #[test]
    fn moments_are_the_survival_series() {
        let laws = [
            rejection(2, 3, 2),
            rejection(10, 2, 4),
            blocks(2, &[1, 2, 4], &[4], &[(1, 1)]),
            blocks(3, &[1, 3], &[5, 7, 2], &[(3, 11)]),
            blocks(6, &[1, 5, 9, 3], &[2, 3], &[(2, 30)]),
            blocks(6, &[1], &[6, 12], &[]),
        ];
        for law in laws {
            let (length, back) = match law.returns.first() {
                Some((length, back)) => (*length, back.clone()),
                None => (law.alive.len(), BigUint::zero()),
            };
            let r = Rational::new(
                back.into(),
                BigInt::from(law.source.clone()).pow(length as u32),
            );
            let start = law.head.len();
            let (mut mean, mut second) = (Rational::zero(), Rational::zero());
            let (mut ahead, mut ahead_second) = (Rational::zero(), Rational::zero());
            let moments = law.first_moments();
            let law = Law::from(law);
            for (t, survival) in law.survival().take(start + length).enumerate() {
                let weighted = &survival * BigInt::from(2 * t + 1);
                if t < start {
                    (mean += survival, second += weighted)
                } else {
                    (ahead += survival, ahead_second += weighted)
                };
            }
            // sum_j r^j (W2 + 2 j L W1) = W2 / (1 - r) + 2 L W1 r / (1 - r)^2
            let left = Rational::one() - &r;
            second += ahead_second / &left;
            second += &ahead * BigInt::from(2 * length) * r / (&left * &left);
            mean += ahead / left;
            assert_eq!(moments, (mean.clone(), second));
            assert_eq!(law.mean().unwrap(), mean);
            let super::super::FractionSize::Bits(bits) = law.size() else {
                panic!("the size of blocks is known")
            };
            assert!(u128::from(mean.numer().bits().max(mean.denom().bits())) <= bits);
        }
    }
}
