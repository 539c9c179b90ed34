//! The number of undecided nodes of the optimal algorithm for weights: s(t) = (1/M) sum_i (m^t a_i
//! mod M).
//!
//! Let a_1, ..., a_r be weights of sum M, with greatest common divisor 1, and let the source have m
//! sides. After t rolls an algorithm has given outcome i at most floor(m^t a_i / M) of the m^t
//! nodes of depth t (a leaf at a smaller depth counts for its descendants), since the probability
//! of the outcome is a_i / M in the end. The remaining nodes are undecided, and their number is an
//! integer:
//!
//! ```text
//! s(t) = m^t - sum_i floor(m^t a_i / M) = (1/M) sum_i (m^t a_i mod M)
//! ```
//!
//! There is a tree with exactly this many undecided nodes at every depth: at depth t it has d_t =
//! floor(m^t a_i / M) - m floor(m^(t-1) a_i / M) >= 0 leaves of outcome i, the t-th digit of a_i /
//! M in base m (Knuth & Yao 1976 for the coin; the count is the same for every m).
//!
//! The numbers s(t) are integers in [0, r): `law/residues.rs` has the moments.

use crate::task::Target;
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// The weights of a law.
#[derive(PartialEq)]
pub(super) struct WeightGroups {
    /// The distinct weights, each with the number of outcomes that have it.
    groups: Vec<(BigUint, u64)>,
    /// The number r of outcomes with a weight above 0.
    outcomes: u64,
}

impl WeightGroups {
    /// Groups the equal weights of a target. Cost: one sort.
    ///
    /// # Panics
    /// If the target has 2^64 outcomes or more.
    pub fn new(target: &Target) -> Self {
        let count = |count: BigUint| count.to_u64().expect("fewer than 2^64 outcomes");
        WeightGroups {
            groups: (target.groups().into_iter())
                .map(|(weight, multiplicity)| (weight, count(multiplicity)))
                .collect(),
            outcomes: count(target.possible()),
        }
    }

    /// The number of outcomes of positive probability, an upper bound of the number of undecided
    /// nodes at any depth.
    pub fn outcomes(&self) -> u64 {
        self.outcomes
    }

    /// The numbers s(0), s(1), s(2), ... for a source of m sides and weights of this sum. Cost of a
    /// term: for each distinct weight, one division of a number as long as the sum.
    pub fn counts(&self, source: u128, sum: &BigUint) -> impl Iterator<Item = u64> + use<> {
        let certain = self.outcomes == 1;
        let residues = match sum.to_u64() {
            Some(sum) => {
                let word = |(weight, count): &(BigUint, u64)| {
                    let weight = weight.to_u64().expect("at most the sum");
                    (weight % sum, *count)
                };
                HeldResidues::Words(self.groups.iter().map(word).collect(), sum)
            }
            None => HeldResidues::Big(self.groups.clone(), sum.clone()),
        };
        UndecidedCounts {
            source,
            now: u64::from(!certain),
            residues,
        }
    }
}

/// The residues m^t a_i mod M, each with the number of outcomes that have it, and M.
enum HeldResidues {
    Words(Vec<(u64, u64)>, u64),
    Big(Vec<(BigUint, u64)>, BigUint),
}

/// An iterator over s(t) for t = 0, 1, 2, ...: s(t+1) = m s(t) - sum_i floor(m x_i / M).
struct UndecidedCounts {
    source: u128,
    now: u64,
    residues: HeldResidues,
}

impl HeldResidues {
    /// The approximate number of steps for one roll.
    fn steps(&self) -> u64 {
        match self {
            HeldResidues::Words(residues, _) => residues.len() as u64,
            HeldResidues::Big(residues, sum) => residues.len() as u64 * (sum.bits() / 16 + 8),
        }
    }
}

impl Iterator for UndecidedCounts {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let now = self.now;
        if now == 0 {
            return Some(0);
        }
        let m = self.source;
        spend(self.residues.steps());
        let leaves: u128 = match &mut self.residues {
            HeldResidues::Words(residues, sum) if m == 2 => {
                let mut leaves = 0u64;
                for (x, count) in residues {
                    // 2 x mod M, computed without overflow of the word.
                    let over = *x >= *sum - *x;
                    *x = x.wrapping_add(*x).wrapping_sub(if over { *sum } else { 0 });
                    leaves += if over { *count } else { 0 };
                }
                leaves.into()
            }
            HeldResidues::Words(residues, sum) => {
                let mut leaves = 0u128;
                for (x, count) in residues {
                    let (digit, rest) = (*x as u128 * m).div_rem(&(*sum as u128));
                    *x = rest as u64;
                    leaves += digit * *count as u128;
                }
                leaves
            }
            HeldResidues::Big(residues, sum) => {
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
        // The result is below the number of outcomes, and the product is below 2^128.
        self.now = (now as u128 * m - leaves) as u64;
        Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FractionSize, LawKind, Residues};
    use super::*;
    use flipcost_number::{BigInt, Rational};
    use proptest::prelude::*;

    fn law(m: u128, weights: &[u64]) -> Residues {
        Residues::weighted(m, &Target::weighted(weights).unwrap())
    }

    /// Compares the counts with the definition, for weights that are words and, multiplied by a
    /// large factor, for long weights.
    #[test]
    fn the_undecided_nodes_are_what_no_outcome_can_have() {
        for m in [2u128, 3, 6, 10, 1 << 32, (1 << 64) - 59, 1 << 64] {
            for weights in [
                &[1u64, 2, 3][..],
                &[5, 7, 7, 0, 9],
                &[1, u64::MAX >> 1],
                &[1, u64::MAX - 1],
            ] {
                let target = Target::weighted(weights).unwrap();
                let longer = weights
                    .iter()
                    .map(|a| (BigUint::from(*a) << 70u8) + (a & 1))
                    .collect::<Vec<_>>();
                for target in [target, Target::weighted(longer).unwrap()] {
                    let law = Residues::weighted(m, &target);
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

    /// Equal weights of n outcomes have the law of the fast dice roller.
    #[test]
    fn equal_weights_are_residues() {
        for m in [2u64, 3, 6, 10] {
            for n in 1u64..=60 {
                let weighted = Residues::weighted(m.into(), &Target::uniform(n).unwrap());
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

    /// Draper & Saad 2025 (arXiv 2504.04267), figure 4: 4:7:8 costs at least 1538/513 flips. For
    /// 1:6:8:9, E = sum_i nu(a_i / M) was computed by hand.
    #[test]
    fn published_means() {
        assert_eq!(
            law(2, &[4, 7, 8]).exact_mean(),
            Ok(Rational::new(1538.into(), 513.into()))
        );
        assert_eq!(
            law(2, &[1, 1, 2]).exact_mean(),
            Ok(Rational::new(3.into(), 2.into()))
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
            let (mean, second) = law.exact_moments().unwrap();
            prop_assert!(law.mean_within(bits).contains(&mean));
            prop_assert!(law.second_moment_within(bits).contains(&second));
            let FractionSize::Bits(size) = law.size() else {
                return Err(TestCaseError::fail("a word has a period"));
            };
            prop_assert!(u128::from(mean.denom().bits()) <= size);
            // From a coin, the optimum is below the entropy plus 2 flips (Knuth & Yao 1976).
            if m == 2 {
                let sum: u64 = weights.iter().sum();
                prop_assert!(mean < Rational::from(BigInt::from(64 - sum.leading_zeros() + 2)));
            }
        }
    }
}
