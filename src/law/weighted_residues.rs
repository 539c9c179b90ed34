//! The law of the optimal algorithm for weights: s(t) = (1/M) sum_i (m^t a_i mod M).
//!
//! Weights a_1, ..., a_r of sum M, with greatest common divisor 1, from a source of m sides. After t
//! rolls an algorithm has given outcome i to at most floor(m^t a_i / M) of the m^t nodes of depth t
//! (a decided node above counts for its descendants), since its probability is a_i / M in the end.
//! What is left is undecided, and it is an integer:
//!
//! ```text
//! s(t) = m^t - sum_i floor(m^t a_i / M) = (1/M) sum_i (m^t a_i mod M)
//! ```
//!
//! The tree with exactly so many undecided nodes at every depth exists: it has
//! d_t = floor(m^t a_i / M) - m floor(m^(t-1) a_i / M) >= 0 leaves of outcome i at depth t, the t-th
//! digit of a_i / M in base m (Knuth & Yao 1976 for the coin; the count is the same for every m).
//!
//! The residues have the pre-period s and the period p of m^t mod M, so the moments are the finite
//! sums of [`Residues`]; and since 0 <= s(t) < r, an enclosure needs O(log r + bits) terms whatever
//! the length of M.

use super::FractionSize;
use super::residues::{Residues, Sums, Which, enclose, moments, second_numerator, second_tail};
use crate::task::Target;
use flipcost_number::budget::spend;
use flipcost_number::enclosure::Enclosure;
use flipcost_number::real::Real;
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::sync::Arc;

/// s(t) = (1/M) sum_i (m^t a_i mod M).
///
/// ```
/// use flipcost::law::WeightedResidues;
/// use flipcost::task::Target;
/// let law = WeightedResidues::new(2, &Target::weighted([1u8, 2, 4])?);
/// let undecided: Vec<String> = law.undecided_nodes().take(4).map(|s| s.to_string()).collect();
/// assert_eq!(undecided, ["1", "1", "1", "1"]); // the residues modulo 7 are 1, 2, 4 in turn
/// assert_eq!(law.exact_mean().to_string(), "2"); // 1 + 1/2 + 1/4 + ...
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
pub struct WeightedResidues {
    /// m^t mod M.
    powers: Residues,
    /// The different weights, each with its number of outcomes.
    groups: Vec<(BigUint, u64)>,
    /// The outcomes of a weight above 0, r.
    outcomes: u64,
}

impl WeightedResidues {
    /// The law for a source of m >= 2 sides. Cost: one sort of the weights.
    ///
    /// # Panics
    /// If m < 2, m > 2^64, or the target has 2^64 outcomes or more.
    pub fn new(source: u128, target: &Target) -> Self {
        let count = |count: BigUint| count.to_u64().expect("fewer than 2^64 outcomes");
        assert!(
            source <= 1 << 64,
            "a source of at most 2^64 sides, not {source}"
        );
        WeightedResidues {
            powers: Residues::new(source, target.weight_sum().clone()),
            groups: (target.groups().into_iter())
                .map(|(weight, multiplicity)| (weight, count(multiplicity)))
                .collect(),
            outcomes: count(target.possible()),
        }
    }

    /// Sides of the source.
    pub fn source(&self) -> u128 {
        self.powers.source()
    }

    /// m^t mod M: its pre-period and period are those of the residues of all weights together.
    pub fn powers(&self) -> &Residues {
        &self.powers
    }

    /// Outcomes of positive probability: as many nodes of a depth are undecided at most.
    pub(super) fn outcomes(&self) -> u64 {
        self.outcomes
    }

    fn counts(&self) -> Counts {
        let certain = self.outcomes == 1;
        let residues = match self.powers.target().to_u64() {
            Some(sum) => {
                let word = |(weight, count): &(BigUint, u64)| {
                    let weight = weight.to_u64().expect("at most the sum");
                    (weight % sum, *count)
                };
                Held::Words(self.groups.iter().map(word).collect(), sum)
            }
            None => Held::Big(self.groups.clone(), self.powers.target().clone()),
        };
        Counts {
            source: self.source(),
            now: u64::from(!certain),
            residues,
        }
    }

    /// s(0), s(1), s(2), ... One division of M's length for each different weight per term.
    pub fn undecided_nodes(&self) -> impl Iterator<Item = BigUint> + '_ {
        self.counts().map(BigUint::from)
    }

    fn enclose(
        &self,
        bits: u64,
        which: Which,
        of: impl Fn(Sums) -> BigUint,
        tail: impl Fn(u64) -> u64,
    ) -> Enclosure {
        let sum = |rolls| of(Sums::of_words(self.source(), self.counts(), rolls, which));
        enclose(self.source(), &self.outcomes.into(), bits, sum, tail)
    }

    /// `E[T]` within 2^-bits. O(log r + bits) terms, each as in
    /// [`WeightedResidues::undecided_nodes`]; the period is not needed.
    pub fn mean_within(&self, bits: u64) -> Enclosure {
        self.enclose(bits, Which::Plain, |sums| sums.plain, |_| 2u64)
    }

    /// `E[T^2]` within 2^-bits. Cost: as [`WeightedResidues::mean_within`].
    pub(crate) fn second_moment_within(&self, bits: u64) -> Enclosure {
        self.enclose(bits, Which::Both, second_numerator, second_tail)
    }

    /// `E[T]` in source rolls: exact where the fraction is small, else enclosed.
    pub(super) fn mean(self: &Arc<Self>) -> Real {
        if self.is_small() {
            return Real::Exact(self.exact_mean());
        }
        let law = self.clone();
        Real::enclosed(move |bits| law.mean_within(bits))
    }

    /// `E[T^2]`, in the same way.
    pub(super) fn second_moment(self: &Arc<Self>) -> Real {
        if self.is_small() {
            return Real::Exact(self.exact_moments().1);
        }
        let law = self.clone();
        Real::enclosed(move |bits| law.second_moment_within(bits))
    }

    /// `Var[T]`, in the same way.
    pub(super) fn variance(self: &Arc<Self>) -> Real {
        if self.is_small() {
            let (mean, second) = self.exact_moments();
            return Real::Exact(second - &mean * &mean);
        }
        let mean = self.mean();
        self.second_moment().minus(&mean.times(&mean))
    }

    /// Is the exact mean a fraction of a few words at most, or T bounded? Cost: as
    /// [`WeightedResidues::size`].
    pub fn is_small(&self) -> bool {
        self.powers.is_small()
    }

    /// The bits of the exact mean, at most: its denominator divides m^s (m^p - 1). Cost: that of
    /// [`Residues::orbit`] for M, once.
    pub fn size(&self) -> FractionSize {
        self.powers.size()
    }

    /// `E[T]` as a reduced fraction of about b = p log2 m bits: ask [`WeightedResidues::size`]
    /// first. Cost: s + p terms, and O(b^2) bit operations.
    ///
    /// # Panics
    /// As [`WeightedResidues::exact_moments`].
    pub fn exact_mean(&self) -> Rational {
        self.exact_moments().0
    }

    /// (`E[T]`, `E[T^2]`) as reduced fractions, from one pass over pre-period and period, as
    /// [`Residues::exact_moments`]. Cost: s + p terms, and O(b^2) bit operations for b = p log2 m.
    ///
    /// # Panics
    /// If the period is not known, or 2^64 rolls or more, and T is not bounded.
    pub fn exact_moments(&self) -> (Rational, Rational) {
        let (s, p) = self.powers.summed_lengths();
        let mut counts = self.counts();
        let head = Sums::of_words(self.source(), &mut counts, s, Which::Both);
        let cycle = Sums::of_words(self.source(), &mut counts, p, Which::Both);
        moments(self.source(), s, p, head, cycle)
    }

    /// The largest T of positive probability: the least k with M | m^k, since the weights have no
    /// common factor; else unbounded. Cost: O(log M) greatest common divisors with a word.
    pub fn worst_case(&self) -> Option<u64> {
        self.powers.worst_case()
    }
}

/// The residues m^t a_i mod M and the numbers of outcomes that have them, and M.
enum Held {
    Words(Vec<(u64, u64)>, u64),
    Big(Vec<(BigUint, u64)>, BigUint),
}

/// s(t), t = 0, 1, 2, ...: s(t+1) = m s(t) - sum_i floor(m x_i / M).
struct Counts {
    source: u128,
    now: u64,
    residues: Held,
}

impl Held {
    /// About how many steps a roll takes.
    fn steps(&self) -> u64 {
        match self {
            Held::Words(residues, _) => residues.len() as u64,
            Held::Big(residues, sum) => residues.len() as u64 * (sum.bits() / 16 + 8),
        }
    }
}

impl Iterator for Counts {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let now = self.now;
        if now == 0 {
            return Some(0);
        }
        let m = self.source;
        spend(self.residues.steps());
        let leaves: u128 = match &mut self.residues {
            Held::Words(residues, sum) if m == 2 => {
                let mut leaves = 0u64;
                for (x, count) in residues {
                    // 2 x, without a carry out of the word
                    let over = *x >= *sum - *x;
                    *x = x.wrapping_add(*x).wrapping_sub(if over { *sum } else { 0 });
                    leaves += if over { *count } else { 0 };
                }
                leaves.into()
            }
            Held::Words(residues, sum) => {
                let mut leaves = 0u128;
                for (x, count) in residues {
                    let (digit, rest) = (*x as u128 * m).div_rem(&(*sum as u128));
                    *x = rest as u64;
                    leaves += digit * *count as u128;
                }
                leaves
            }
            Held::Big(residues, sum) => {
                let mut leaves = 0u128;
                for (x, count) in residues {
                    if x.is_zero() {
                        continue;
                    }
                    let (digit, rest) = (&*x * m).div_rem(sum);
                    *x = rest;
                    leaves += digit.to_u128().expect("below m") * *count as u128;
                }
                leaves
            }
        };
        // below the number of outcomes, and the product below 2^128
        self.now = (now as u128 * m - leaves) as u64;
        Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::BigInt;
    use proptest::prelude::*;

    fn law(m: u128, weights: &[u64]) -> WeightedResidues {
        WeightedResidues::new(m, &Target::weighted(weights.to_vec()).unwrap())
    }

    /// The definition, for words and, by a factor that makes the sum long, for long weights.
    #[test]
    fn the_undecided_nodes_are_what_no_outcome_can_have() {
        for m in [2u128, 3, 6, 10, 1 << 32, (1 << 64) - 59, 1 << 64] {
            for weights in [
                &[1u64, 2, 3][..],
                &[5, 7, 7, 0, 9],
                &[1, u64::MAX >> 1],
                &[1, u64::MAX - 1],
            ] {
                let target = Target::weighted(weights.to_vec()).unwrap();
                let longer = weights
                    .iter()
                    .map(|a| (BigUint::from(*a) << 70u8) + (a & 1));
                for target in [target, Target::weighted(longer).unwrap()] {
                    let law = WeightedResidues::new(m, &target);
                    for (t, s) in law.undecided_nodes().take(50).enumerate() {
                        let all = BigUint::from(m).pow(t as u32);
                        let kept = (target.iter()).map(|(_, a)| &all * a / target.weight_sum());
                        assert_eq!(
                            s,
                            &all - kept.sum::<BigUint>(),
                            "m = {m}, {target}, t = {t}"
                        );
                    }
                }
            }
        }
    }

    /// One weight for each of n outcomes is the fast dice roller's law.
    #[test]
    fn equal_weights_are_residues() {
        for m in [2u64, 3, 6, 10] {
            for n in 1u64..=60 {
                let weighted = WeightedResidues::new(m.into(), &Target::uniform(n).unwrap());
                let fair = Residues::new(m.into(), n.into());
                assert_eq!(
                    weighted.exact_moments(),
                    fair.exact_moments(),
                    "m = {m}, n = {n}"
                );
                assert!(
                    weighted
                        .undecided_nodes()
                        .take(40)
                        .eq(fair.undecided_nodes().take(40))
                );
            }
        }
    }

    /// Draper & Saad 2025 (arXiv 2504.04267), figure 4: 4:7:8 costs 1538/513 flips at least; and
    /// 1:6:8:9, E = sum_i nu(a_i / M) by hand: dyadic parts of thirds.
    #[test]
    fn published_means() {
        assert_eq!(
            law(2, &[4, 7, 8]).exact_mean(),
            Rational::new(1538.into(), 513.into())
        );
        assert_eq!(
            law(2, &[1, 1, 2]).exact_mean(),
            Rational::new(3.into(), 2.into())
        );
        assert_eq!(law(2, &[1, 1, 2]).worst_case(), Some(2));
        assert_eq!(law(2, &[0, 5]).worst_case(), Some(0));
    }

    proptest! {
        #[test]
        fn enclosures_hold_the_exact_moments(
            m in 2u128..20, weights in prop::collection::vec(0u64..40, 1..9), bits in 1u64..300,
        ) {
            prop_assume!(weights.iter().any(|weight| *weight > 0));
            let law = law(m, &weights);
            let (mean, second) = law.exact_moments();
            prop_assert!(law.mean_within(bits).contains(&mean));
            prop_assert!(law.second_moment_within(bits).contains(&second));
            let FractionSize::Bits(size) = law.size() else {
                return Err(TestCaseError::fail("a word has a period"));
            };
            prop_assert!(u128::from(mean.denom().bits()) <= size);
            // the optimum: below the entropy plus 2 flips, from a coin (Knuth & Yao 1976)
            if m == 2 {
                let sum: u64 = weights.iter().sum();
                prop_assert!(mean < Rational::from(BigInt::from(64 - sum.leading_zeros() + 2)));
            }
        }
    }
}
