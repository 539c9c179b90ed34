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
//! Seven kinds of law are enough: [`Blocks`] (a head, then blocks that may start again),
//! [`Residues`] (s(t) = m^t mod n), [`WeightedResidues`] (the sum of such residues, for weights),
//! [`Stages`] (a die, then a coin of its face), [`Chain`] (any finite absorbing Markov chain,
//! solved exactly), [`Doubling`] (an infinite product, for a coin of unknown bias) and [`Cuts`] (the
//! interval algorithm from a loaded source). Which outcome
//! it is that an algorithm ends with is another law, an [`OutcomeLaw`], and how far it is from the
//! target a [`Bias`]; whether a die is fair, by its rolls, `FaceCounts` say.
//!
//! The first two lines are the sums of 1 and of (t+1)^2 - t^2 = 2t+1 over all t < T. The tree is
//! the DDG tree of Knuth & Yao 1976, who treat a coin, with m branches at a node. The first line is
//! machine-checked for every tree: `proofs/Trees.v, mean_is_sum_of_survival`.

pub mod bias;
pub(crate) mod blocks;
pub mod chain;
mod chi_square;
mod cuts;
mod doubling;
mod draws;
mod fundamental;
mod generating;
mod lifting;
mod moments;
pub(crate) mod outcomes;
pub(crate) mod residues;
mod stages;
mod unknown;
mod weighted_residues;

pub(crate) use bias::surprise;
pub use bias::{Bias, Detection, noncentrality};
pub use blocks::Blocks;
pub(crate) use chain::{Branch, ChainState};
pub use chain::{Chain, Next, Step, TooLarge};
pub use chi_square::chi_square_tail;
pub use cuts::Cuts;
pub(crate) use cuts::{Part, ends, most_rolls};
pub use doubling::Doubling;
pub use draws::{Draws, LevelError, TooSmall};
pub use outcomes::{OutcomeClass, OutcomeError, OutcomeLaw};
pub use outcomes::{product_of_doubles, widths};
pub use residues::Residues;
pub use stages::Stages;
pub use unknown::{Formula, UnknownLaw, unknown_faces};
pub use weighted_residues::WeightedResidues;

use crate::task::Unit;
use flipcost_number::real::Real;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::sync::Arc;

/// The exact law of the number of source rolls.
///
/// ```
/// use flipcost::prelude::*;
/// let law = FAST_DICE_ROLLER.law(&Task::new(Source::COIN, Target::uniform(6u8)?))?;
/// assert_eq!(law.exact_mean(), Rational::new(11.into(), 3.into()));
/// assert_eq!(law.exact_variance(), Rational::new(16.into(), 9.into()));
/// let survival: Vec<String> = law.survival().take(6).map(|p| p.to_string()).collect();
/// assert_eq!(survival, ["1", "1", "1", "1/4", "1/4", "1/16"]); // P(T > t), t = 0, 1, ...
/// assert_eq!(law.quantile(&Rational::new(9.into(), 10.into())), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum Law {
    /// A head, then blocks that end or start again.
    Blocks(Arc<Blocks>),
    /// s(t) = m^t mod n, the fast dice roller.
    Residues(Arc<Residues>),
    /// s(t) = (1/M) sum_i (m^t a_i mod M), the optimum for weights.
    Weighted(Arc<WeightedResidues>),
    /// A fair die, and then a coin of its face.
    Stages(Arc<Stages>),
    /// A finite absorbing Markov chain.
    Chain(Arc<Chain>),
    /// Equal words of a source are paired, block by block of twice the length.
    Doubling(Arc<Doubling>),
    /// Cuts of [0, 1) are told apart by a loaded source.
    Cuts(Arc<Cuts>),
}

/// About how large an exact fraction is; see [`Law::size`].
///
/// ```
/// use flipcost::law::FractionSize;
/// use flipcost::prelude::*;
/// let task = Task::new(Source::COIN, Target::uniform(1_000_003u32)?);
/// let law = FAST_DICE_ROLLER.law(&task)?;
/// assert!(matches!(law.size(), FractionSize::Bits(bits) if bits > 1_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum FractionSize {
    /// Numerator and denominator have about this many bits each, at most; `u128::MAX` for that many
    /// or more.
    Bits(u128),
    /// The period of the law is not known: finding it means to factor a large number.
    Unknown,
    /// It is an infinite product, and no fraction is known that it is.
    Product,
    /// It is an infinite sum, and no fraction is known that it is.
    Sum,
}

const NO_FRACTION: &str = "an infinite product or sum is enclosed, it has no fraction";

impl Law {
    /// What T counts: flips of a coin, words of random bits, or rolls (also of several dice).
    pub fn unit(&self) -> Unit {
        match self {
            Law::Blocks(law) => Unit::of_sides(law.source()),
            Law::Residues(law) => Unit::of_sides(law.source()),
            Law::Weighted(law) => Unit::of_sides(law.source()),
            Law::Stages(law) => Unit::of_sides(law.source()),
            Law::Chain(law) => law.unit(),
            Law::Doubling(law) => Unit::of_sides(law.faces()),
            Law::Cuts(law) => Unit::of_sides(law.faces().into()),
        }
    }

    /// P(T > t) as (numerators, base): the t-th numerator, the number of undecided nodes of depth
    /// t, is divided by base^t. Cost of term t: a few products of O(t log base) bits ([`Blocks`],
    /// [`Chain`]), or one division of n's length ([`Residues`]).
    pub fn undecided_nodes(&self) -> (Box<dyn Iterator<Item = BigUint> + '_>, BigUint) {
        match self {
            Law::Blocks(law) => (Box::new(law.undecided_nodes()), law.source().into()),
            Law::Residues(law) => (Box::new(law.undecided_nodes()), law.source().into()),
            Law::Weighted(law) => (Box::new(law.undecided_nodes()), law.source().into()),
            Law::Stages(law) => (Box::new(law.undecided_nodes()), law.source().into()),
            Law::Chain(law) => (Box::new(law.undecided_nodes()), law.base().clone()),
            Law::Doubling(law) => (Box::new(law.undecided_nodes()), law.base()),
            Law::Cuts(law) => (Box::new(law.undecided_nodes()), law.base().clone()),
        }
    }

    /// P(T > t), t = 0, 1, 2, ... as reduced fractions. Cost of term t: one gcd of O(t log m) bits.
    pub fn survival(&self) -> impl Iterator<Item = Rational> + '_ {
        let (undecided, base) = self.undecided_nodes();
        let (base, mut scale) = (BigInt::from(base), BigInt::one());
        undecided.map(move |s| {
            let probability = Rational::new(s.into(), scale.clone());
            scale *= &base;
            probability
        })
    }

    /// `E[T]` in source rolls: exact where the fraction is small, else enclosed. Cost: as
    /// [`Law::exact_mean`] where it is exact; an enclosure costs nothing until its bits are needed,
    /// and then as [`Residues::mean_within`].
    pub fn mean(&self) -> Real {
        match self {
            Law::Residues(law) => law.mean(),
            Law::Weighted(law) => law.mean(),
            Law::Stages(law) => law.mean(),
            Law::Doubling(law) => law.mean(),
            Law::Cuts(law) => law.moments()[0].clone(),
            _ => Real::Exact(self.exact_mean()),
        }
    }

    /// `E[T^2]` in source rolls squared: exact where the fraction is small, else enclosed. Cost: as
    /// [`Law::exact_moments`], or [`Residues::second_moment_within`].
    pub(crate) fn second_moment(&self) -> Real {
        match self {
            Law::Residues(law) => law.second_moment(),
            Law::Weighted(law) => law.second_moment(),
            Law::Stages(law) => law.second_moment(),
            Law::Doubling(law) => {
                let [_, second, ..] = law.moments();
                second
            }
            Law::Cuts(law) => law.moments()[1].clone(),
            _ => Real::Exact(self.exact_moments().1),
        }
    }

    /// `Var[T]` = `E[T^2]` - `E[T]^2` in source rolls squared. Cost: about twice [`Law::mean`].
    pub fn variance(&self) -> Real {
        match self {
            Law::Residues(law) => law.variance(),
            Law::Weighted(law) => law.variance(),
            Law::Stages(law) => law.variance(),
            Law::Doubling(law) => {
                let [mean, second, ..] = law.moments();
                second.minus(&mean.times(&mean))
            }
            Law::Cuts(law) => {
                let [mean, second, ..] = law.moments();
                second.minus(&mean.times(&mean))
            }
            _ => Real::Exact(self.exact_variance()),
        }
    }

    /// `E[T]` as a reduced fraction, if [`Law::size`] is at most `most_bits`; else that size.
    /// Cost: as [`Law::exact_mean`].
    ///
    /// # Errors
    /// The size, if it is larger or not known.
    pub fn mean_up_to(&self, most_bits: u128) -> Result<Rational, FractionSize> {
        if let Law::Cuts(law) = self
            && let Some(mean) = law.mean_fraction()
        {
            return match u128::from(mean.denom().bits()) {
                bits if bits <= most_bits => Ok(mean.clone()),
                bits => Err(FractionSize::Bits(bits)),
            };
        }
        self.fraction_up_to(most_bits, Law::exact_mean)
    }

    /// The same of another fraction, where [`Law::size`] is at most `most_bits`.
    pub(crate) fn fraction_up_to(
        &self,
        most_bits: u128,
        fraction: fn(&Law) -> Rational,
    ) -> Result<Rational, FractionSize> {
        match self.size() {
            FractionSize::Bits(bits) if bits <= most_bits => Ok(fraction(self)),
            size => Err(size),
        }
    }

    /// `E[T]` as a reduced fraction, however large: ask [`Law::size`] first. Cost, b the bits of
    /// that size: O(b^2) bit operations ([`Blocks`], and [`Residues`] for the gcd), or one
    /// elimination ([`Chain::moments_of`]).
    ///
    /// # Panics
    /// If the size is not [`FractionSize::Bits`], or the law has a period of 2^64 rolls or more.
    pub fn exact_mean(&self) -> Rational {
        match self {
            Law::Residues(law) => law.exact_mean(),
            Law::Weighted(law) => law.exact_mean(),
            Law::Stages(law) => law.exact_mean(),
            Law::Blocks(law) => law.mean(),
            Law::Chain(law) => law.mean(),
            Law::Doubling(_) | Law::Cuts(_) => panic!("{NO_FRACTION}"),
        }
    }

    /// (`E[T]`, `E[T^2]`) as reduced fractions, however large. Cost: as [`Law::exact_mean`], for
    /// numbers twice as long.
    ///
    /// # Panics
    /// As [`Law::exact_mean`].
    pub fn exact_moments(&self) -> (Rational, Rational) {
        match self {
            Law::Residues(law) => law.exact_moments(),
            Law::Weighted(law) => law.exact_moments(),
            Law::Stages(law) => law.exact_moments(),
            Law::Blocks(law) => law.moments(),
            Law::Chain(law) => law.moments(),
            Law::Doubling(_) | Law::Cuts(_) => panic!("{NO_FRACTION}"),
        }
    }

    /// `Var[T]` as a reduced fraction, however large. Cost: as [`Law::exact_moments`].
    ///
    /// # Panics
    /// As [`Law::exact_mean`].
    pub fn exact_variance(&self) -> Rational {
        if let Law::Blocks(law) = self {
            return law.variance();
        }
        let (mean, second) = self.exact_moments();
        second - &mean * &mean
    }

    /// The bits that the exact mean takes (the variance takes twice as many).
    ///
    /// For [`Blocks`] and [`Residues`] this is an upper bound that is known before the mean, from
    /// the lengths of head and block, and from the period. Cost: none, and that of factoring the
    /// target once ([`Residues::orbit`]). For a [`Chain`] no such bound is known: the mean is
    /// computed, at the cost of [`Chain::mean`], and kept; its denominator's bits are the size.
    pub fn size(&self) -> FractionSize {
        match self {
            Law::Residues(law) => law.size(),
            Law::Weighted(law) => law.size(),
            Law::Stages(law) => law.size(),
            Law::Blocks(law) => FractionSize::Bits(law.bits()),
            Law::Chain(law) => FractionSize::Bits(law.mean().denom().bits() as u128),
            Law::Doubling(_) => FractionSize::Product,
            Law::Cuts(_) => FractionSize::Sum,
        }
    }

    /// Why [`Law::worst_case`] has no number although T may be bounded: so many rolls of the interval algorithm on a loaded
    /// source did not show it.
    pub fn unsettled(&self) -> Option<u64> {
        match self {
            Law::Cuts(law) => law.unsettled(),
            _ => None,
        }
    }

    /// The largest T of positive probability; `None` if T is unbounded. Cost: one look at every
    /// branch of a [`Chain`] or every depth of [`Blocks`], or O(log n) divisions of n's length.
    pub fn worst_case(&self) -> Option<u64> {
        match self {
            Law::Blocks(law) => law.worst_case(),
            Law::Residues(law) => law.worst_case(),
            Law::Weighted(law) => law.worst_case(),
            Law::Stages(law) => law.worst_case(),
            Law::Chain(law) => law.worst_case(),
            Law::Doubling(_) => None,
            Law::Cuts(law) => law.worst_case(),
        }
    }

    /// The least t with P(T <= t) >= q; `None` if q = 1 and T is unbounded, or q > 1. Cost: the
    /// first t terms of [`Law::undecided_nodes`].
    pub fn quantile(&self, q: &Rational) -> Option<u64> {
        (self.quantile_while(q, &mut |_| true)).expect("it was not stopped")
    }

    /// As [`Law::quantile`], while `go_on` is true: it is asked at each t that is not yet the
    /// quantile. A q close to 1 takes many.
    ///
    /// # Errors
    /// The t at which it was stopped: the quantile is larger.
    pub fn quantile_while(
        &self,
        q: &Rational,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<u64>, u64> {
        let left = Rational::one() - q;
        if left < Rational::zero() {
            return Ok(None);
        }
        if left.is_zero() {
            return Ok(self.worst_case());
        }
        // s(t) / base^t <= a / b, in integers.
        let (undecided, base) = self.undecided_nodes();
        let (a, b) = (left.numer().magnitude(), left.denom().magnitude());
        let mut scaled = a.clone();
        for (t, s) in undecided.enumerate() {
            if s * b <= scaled {
                return Ok(Some(t as u64));
            }
            if !go_on(t as u64) {
                return Err(t as u64);
            }
            scaled *= &base;
        }
        unreachable!("the counts never end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// A die of m = 2 r + 1 sides is rolled until it shows none of the first r: a block of one
    /// roll, and a chain of one state.
    fn geometric(r: u64) -> [Law; 2] {
        let m = 2 * r + 1;
        let blocks = Blocks::new(m.into(), vec![], vec![1u8.into()], vec![(1, r.into())]);
        let step = |_: &(), face: u64| {
            if face < r {
                Step::Roll(())
            } else {
                Step::Output(face.into())
            }
        };
        let (chain, _) = Chain::explore(Step::Roll(()), 1000, |_| m, step).unwrap();
        [Law::Blocks(blocks.into()), Law::Chain(chain.into())]
    }

    fn residues(m: u64, n: u64) -> Law {
        Law::Residues(Residues::new(m.into(), n.into()).into())
    }

    /// The fast dice roller as a chain on v, the number of positions: c is uniform below v.
    fn roller(m: u64, n: u64) -> Law {
        let roll = move |v: u64| match v % n {
            0 => Step::Output(BigUint::zero()),
            v => Step::Roll(v),
        };
        // of m v positions, all but m v mod n are outcomes; v stays below n
        let step = move |&v: &u64, face: u64| {
            if face < m * v % n {
                roll(m * v)
            } else {
                Step::Output(BigUint::zero())
            }
        };
        let (chain, _) = Chain::explore(roll(1), 100_000, |v| m * v, step).unwrap();
        Law::Chain(chain.into())
    }

    fn laws() -> Vec<Law> {
        let mut laws: Vec<Law> = geometric(3).into_iter().collect();
        laws.extend(
            [(2, 1), (2, 6), (2, 8), (3, 7), (6, 12), (10, 30)].map(|(m, n)| residues(m, n)),
        );
        let alive = [1u8, 2, 2].map(BigUint::from).to_vec();
        let returns = vec![(1, 1u8.into()), (2, 4u8.into()), (3, 3u8.into())];
        laws.push(Law::Blocks(Blocks::new(3, vec![], alive, returns).into()));
        laws.push(roller(3, 11));
        laws
    }

    #[test]
    fn one_law_of_several_kinds() {
        let same = |a: &Law, b: &Law| {
            assert_eq!(a.exact_moments(), b.exact_moments());
            assert_eq!(a.exact_mean(), b.exact_mean());
            assert_eq!(a.worst_case(), b.worst_case());
            a.survival()
                .zip(b.survival())
                .take(40)
                .for_each(|(a, b)| assert_eq!(a, b));
            for q in [ratio(1, 2), ratio(9, 10), ratio(999, 1000), ratio(1, 1)] {
                assert_eq!(a.quantile(&q), b.quantile(&q));
            }
        };
        for r in 1..=6u64 {
            let [blocks, chain] = geometric(r);
            same(&blocks, &chain);
            // E = m / (m - r)
            assert_eq!(chain.exact_mean(), ratio(2 * r + 1, r + 1));
        }
        for m in [2u64, 3, 6, 10] {
            for n in 1..=40 {
                same(&residues(m, n), &roller(m, n));
            }
        }
    }

    /// The least t with P(T <= t) >= q, for q just at, below and above every step of the law.
    #[test]
    fn a_quantile_is_what_its_definition_says() {
        for law in laws() {
            let reached: Vec<Rational> = law
                .survival()
                .take(30)
                .map(|p| Rational::one() - p)
                .collect();
            let tiny = ratio(1, 1 << 40);
            let near = |p: &Rational| [p - &tiny, p.clone(), p + &tiny];
            for q in reached.iter().take(20).flat_map(near) {
                let found = law.quantile(&q);
                match reached.iter().position(|p| *p >= q) {
                    Some(t) => assert_eq!(found, Some(t as u64), "q = {q}"),
                    // beyond what is listed, or beyond 1
                    None => assert!(q > Rational::one() && found.is_none() || found >= Some(30)),
                }
            }
            // stopped at any t below it, and not at it
            if let Some(t) = law.quantile(&ratio(9, 10)) {
                for last in 0..=t {
                    let found = law.quantile_while(&ratio(9, 10), &mut |t| t < last);
                    let expected = if last < t { Err(last) } else { Ok(Some(t)) };
                    assert_eq!(found, expected);
                }
            }
            assert_eq!(law.quantile(&Rational::one()), law.worst_case());
            assert_eq!(law.quantile(&ratio(3, 2)), None);
            assert_eq!(law.quantile(&-ratio(3, 2)), Some(0));
        }
    }

    /// Partial sums of P(T > t) and (2t+1) P(T > t) grow to the moments: below them always, and for
    /// every law here within a millionth after 400 terms; all of it if T is bounded.
    #[test]
    fn survival_sums_to_the_moments() {
        for law in laws() {
            let (mean, second) = law.exact_moments();
            let (mut sum, mut squares) = (Rational::zero(), Rational::zero());
            let mut before = Rational::one();
            for (t, p) in law.survival().take(400).enumerate() {
                assert!(p <= before, "survival never grows");
                squares += &p * BigInt::from(2 * t + 1);
                sum += &p;
                before = p;
                assert!(sum <= mean && squares <= second);
            }
            match law.worst_case() {
                Some(_) => assert_eq!((sum, squares), (mean, second)),
                None => {
                    let near = ratio(1, 1_000_000);
                    assert!(&mean - sum < near && &second - squares < near);
                }
            }
        }
    }

    #[test]
    fn the_variance_is_that_of_the_moments() {
        for law in laws() {
            let (mean, second) = law.exact_moments();
            let variance = &second - &mean * &mean;
            assert_eq!(law.exact_variance(), variance);
            assert_eq!(law.exact_mean(), mean);
            let same = |real: Real, exact: &Rational| real.enclose(80).contains(exact);
            assert!(same(law.mean(), &mean) && same(law.second_moment(), &second));
            assert!(same(law.variance(), &variance));
        }
    }

    #[test]
    fn a_mean_above_its_limit_is_not_computed() {
        for law in laws() {
            let FractionSize::Bits(bits) = law.size() else {
                panic!("these are small")
            };
            assert_eq!(law.mean_up_to(bits), Ok(law.exact_mean()));
            assert_eq!(law.mean_up_to(bits - 1), Err(FractionSize::Bits(bits)));
            assert!(u128::from(law.exact_mean().denom().bits()) <= bits);
        }
        // a period of (10^18 + 8) / 4 flips
        let large = residues(2, 1_000_000_000_000_000_009).mean_up_to(1 << 37);
        assert_eq!(large, Err(FractionSize::Bits(250_000_000_000_000_002 + 16)));
    }
}
