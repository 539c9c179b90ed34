//! The optimal algorithm for any target, with or without weights: its tree has one leaf for each
//! unit of a digit of the probabilities.
//!
//! For every t, no algorithm has a smaller P(T > t), whatever the number m of sides of the source:
//!
//! ```text
//! s(t) = (1/M) sum_i (m^t a_i mod M),   P(T > t) = s(t) / m^t
//! ```
//!
//! is the least number of undecided nodes, an integer (`law/weighted.rs` has the proof). This
//! minimum is reached by the tree with d leaves of outcome i at depth t, where d is the t-th digit
//! of a_i / M in base m. From a coin it costs less than 2 flips above the entropy (Knuth & Yao
//! treat m = 2 only).
//!
//! For a fair die the law is that of the fast dice roller. For two outcomes a depth has at most one
//! undecided node: P(T > t) = 1 / m^t as long as M does not divide m^t, and E is at most m / (m -
//! 1).
//!
//! **Source.** Knuth & Yao 1976, The complexity of nonuniform random number generation.

use super::ddg::{DdgTree, UndecidedNode};
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::{Blocks, Law, Residues};
use crate::task::{Refusal, Task};
use flipcost_number::BigUint;
use flipcost_number::order::coprime_part_big;
use num_traits::One;
use std::sync::OnceLock;

/// See the module documentation.
pub(crate) struct KnuthYao {
    source: u128,
    task: Task,
    tree: DdgTree,
    law: OnceLock<Law>,
}

impl Rule for KnuthYao {
    type State = UndecidedNode;

    fn start(&self) -> Step<UndecidedNode> {
        self.tree.start()
    }

    fn step(&self, at: &UndecidedNode, face: u64) -> Step<UndecidedNode> {
        self.tree.step(at, face)
    }
}

impl RuleInfo for KnuthYao {
    const ABOUT: About = About {
        id: "knuth-yao",
        name: "Knuth-Yao (optimal for weights)",
        citation: "Knuth & Yao 1976",
        memory: Memory::TwoNumbers,
        bounded: "if every prime factor of the weight sum M divides m",
        rule: "walk down the tree that has one leaf of outcome i at depth t for each unit of the t-th digit of a_i / M in base m",
        law: "s(t) = (1/M) sum of (m^t a_i mod M) over the outcomes i, E = sum of s(t) / m^t over all t >= 0: no algorithm costs less",
    };
    const PURPOSE: Purpose = Purpose::Weights;
    const BITS: bool = true;
    const SAME_IN_WORDS: bool = true;
    const OPTIMAL: bool = true;
    const PSEUDOCODE: &'static [&'static str] = &[
        "d_i = the digits of a_i / M in base m, after the point",
        "x = 0",
        "for t = 1, 2, ...:",
        "    x = m x + roll()",
        "    for each outcome i with d_i(t) > 0:",
        "        if x < d_i(t): return i",
        "        x = x - d_i(t)",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        let source = task.words()?;
        Ok(KnuthYao {
            source,
            task: task.clone(),
            tree: DdgTree::from_target(source, task.target()),
            law: OnceLock::new(),
        })
    }

    fn closed_law(&self) -> Option<Law> {
        let law = || {
            let (m, target) = (self.source, self.task.target());
            match target.sides() {
                Some(n) => Residues::new(m, n.clone()).into(),
                None if target.possible() == BigUint::from(2u8) => {
                    blocks_of_coin(m, target.weight_sum()).into()
                }
                None => Residues::weighted(m, target).into(),
            }
        };
        Some(self.law.get_or_init(law).clone())
    }
}

/// Two outcomes of weight sum M: one undecided node at depth t unless M | m^t.
fn blocks_of_coin(m: u128, sum: &BigUint) -> Blocks {
    let (rest, rolls) = coprime_part_big(m, sum);
    if rest.is_one() {
        Blocks::new(
            m,
            vec![BigUint::one(); rolls as usize],
            Vec::new(),
            Vec::new(),
        )
    } else {
        Blocks::new(
            m,
            Vec::new(),
            vec![BigUint::one()],
            vec![(1, BigUint::one())],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::RuleEntry;
    use super::super::{Algorithm, FAST_DICE_ROLLER};
    use super::*;
    use crate::task::{Source, Target};
    use flipcost_number::Rational;

    fn mean(weights: &[u64]) -> Rational {
        let target = Target::weighted(weights).unwrap();
        let knuth_yao: &dyn Algorithm = &RuleEntry::<KnuthYao>::NEW;
        let law = knuth_yao.law(&Task::new(target, Source::COIN));
        law.unwrap().mean().unwrap()
    }

    /// For dyadic probabilities, whose binary digits end: E = sum_i nu(a_i / M) with nu(x) = sum_k
    /// k b_k(x) / 2^k over the binary digits b_k of x (Knuth & Yao 1976).
    #[test]
    fn the_mean_is_the_sum_over_digits() {
        for k in 1u32..=6 {
            let sum = 1u64 << k;
            for a in 1..sum {
                for b in 1..=(sum - a) / 2 {
                    let weights = [a, b, sum - a - b];
                    let nu = |a: u64| -> u64 {
                        let bits = (1..=k).filter(|j| a >> (k - j) & 1 == 1);
                        bits.map(|j| u64::from(j) << (k - j)).sum()
                    };
                    let nu: u64 = weights.into_iter().filter(|a| *a < sum).map(nu).sum();
                    assert_eq!(
                        mean(&weights),
                        Rational::new(nu.into(), sum.into()),
                        "{weights:?}"
                    );
                }
            }
        }
    }

    /// Draper & Saad 2025 (arXiv 2504.04267): 4:7:8 of sum 19 costs 1538/513 flips; a coin whose
    /// bias is not dyadic costs 2.
    #[test]
    fn published_values() {
        assert_eq!(mean(&[4, 7, 8]), Rational::new(1538.into(), 513.into()));
        assert_eq!(mean(&[1, 2]), Rational::from_integer(2.into()));
        assert_eq!(mean(&[1, u64::MAX / 3]), Rational::from_integer(2.into()));
        // If the bias is dyadic, the series ends: 1 + 1/2 + ... + 1/2^5.
        assert_eq!(mean(&[1, 63]), Rational::new(63.into(), 32.into()));
    }

    #[test]
    fn a_fair_die_is_the_fast_dice_roller() {
        for (m, n) in [(2u64, 6u64), (2, 100), (6, 35), (3, 9)] {
            let task = Task::die(n, Source::die(m).unwrap()).unwrap();
            let knuth_yao: &dyn Algorithm = &RuleEntry::<KnuthYao>::NEW;
            let (a, b) = (
                knuth_yao.law(&task).unwrap(),
                FAST_DICE_ROLLER.law(&task).unwrap(),
            );
            assert_eq!(
                (a.mean().unwrap(), a.second_moment().unwrap()),
                (b.mean().unwrap(), b.second_moment().unwrap())
            );
        }
    }
}
