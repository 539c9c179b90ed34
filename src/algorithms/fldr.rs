//! The fast loaded dice roller: pad the weights to a power of m, and start again if the padding is
//! hit.
//!
//! Let k be the least number with m^k >= M. The weights a_1, ..., a_r and the rest m^k - M have the
//! sum m^k, so their optimal tree has depth k; at a leaf of the rest the roller starts again. Every
//! block ends after at most k rolls. Let d_t be the sum of the digits of all weights at place
//! m^(k-t), and e_t the digit of the rest. Then alive(0) = 1 and alive(t+1) = m alive(t) -
//! d_(t+1) - e_(t+1):
//!
//! ```text
//! E = (m^k / M) sum_t alive(t) / m^t
//! ```
//!
//! From a coin the toll is at most 6 flips (Saad et al. 2020), and the bound is sharp: with the
//! weights 2^(k-1) - 1, 1, 1 the toll approaches it.
//!
//! For m > 2 sides, m^k may be several times M. Programs then multiply the weights by floor(m^k /
//! M), `fldr:amplified=1`, which is the amplified loaded dice roller with K = k: the roller starts
//! again less often. For a coin both are the same.
//!
//! **Cost.** k digits of each distinct weight, so the law of 10^5 weights is computed exactly
//! without delay. **Source.** Saad, Freer, Rinard & Mansinghka 2020, The Fast Loaded Dice Roller,
//! arXiv 2003.03830.

use super::ddg::{DdgTree, RestartingTree, UndecidedNode, check_tree_size};
use super::{About, Arguments, Memory, Parameter, Purpose, Rule, RuleInfo, Step};
use crate::law::Law;
use crate::task::{Refusal, Task};
use flipcost_number::order::ceil_log;

/// See the module documentation.
pub(crate) struct Fldr(RestartingTree);

/// Returns the least k with m^k >= M.
pub(super) fn least_depth(task: &Task) -> Result<u64, Refusal> {
    let (m, sum) = (task.words()?, task.target().weight_sum());
    check_tree_size(m, task.target(), sum.bits() / u64::from(m.ilog2()) + 1)?;
    Ok(ceil_log(m, sum).into())
}

impl Rule for Fldr {
    type State = UndecidedNode;

    fn start(&self) -> Step<UndecidedNode> {
        self.0.start()
    }

    fn step(&self, at: &UndecidedNode, face: u64) -> Step<UndecidedNode> {
        self.0.step(at, face)
    }
}

impl RuleInfo for Fldr {
    const ABOUT: About = About {
        id: "fldr",
        name: "Fast loaded dice roller",
        citation: "Saad, Freer, Rinard & Mansinghka 2020",
        memory: Memory::State,
        bounded: "if the weight sum M is a power of m",
        rule: "walk down the optimal tree of the weights and the rest m^k - M, k the least with m^k >= M; start again at a leaf of the rest",
        law: "blocks of at most k rolls, each accepted with probability M / m^k; with alive(t) open nodes in the tree, E = (m^k / M) sum of alive(t) / m^t",
    };
    const PURPOSE: Purpose = Purpose::Weights;
    const BITS: bool = true;
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "amplified",
        about: "1 if the weights are multiplied by floor(m^k / M), as programs do, else 0, the default",
        least: 0,
        most: 1,
    }];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Fldr::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        let depth = least_depth(task)?;
        if arguments.get("amplified") == Some(1) {
            let tree = DdgTree::of_depth(task.words()?, task.target(), depth)?;
            return Ok(Fldr(RestartingTree::new(tree, depth)));
        }
        // Here m^k < m M. The weights are not amplified, so all of the rest m^k - M rejects.
        let tree = DdgTree::with_padding_weight(task.words()?, task.target(), depth)?;
        Ok(Fldr(RestartingTree::new(tree, depth)))
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.0.law())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::super::entry::RuleEntry;
    use super::*;
    use crate::task::{Source, Target};
    use flipcost_number::Rational;

    fn mean(weights: &[u64]) -> Rational {
        let task = Task::new(Target::weighted(weights).unwrap(), Source::COIN);
        let fldr: &dyn Algorithm = &RuleEntry::<Fldr>::NEW;
        fldr.law(&task).unwrap().mean().unwrap()
    }

    /// From a d6, 1:2:5 of sum 8 has k = 2: the rule as published accepts 8 of 36 values, the
    /// amplified rule 4 * 8.
    #[test]
    fn amplified_weights() {
        let task: Task = "1:2:5 from d6".parse().unwrap();
        let law = |id: &str| {
            super::super::find(id)
                .unwrap()
                .law(&task)
                .unwrap()
                .mean()
                .unwrap()
        };
        assert_eq!(law("fldr:amplified=1"), law("aldr:K=2"));
        assert!(law("fldr:amplified=1") < law("fldr"));
    }

    /// Means that Draper & Saad 2025 publish (arXiv 2504.04267; their K = k is this algorithm): of
    /// 4:7:8 (figure 4), of 19 equal weights, and of 7:3:3.
    #[test]
    fn published_means() {
        assert_eq!(mean(&[4, 7, 8]), Rational::new(86.into(), 19.into()));
        assert_eq!(mean(&[1; 19]), Rational::new(128.into(), 19.into()));
        assert_eq!(mean(&[7, 3, 3]), Rational::new(48.into(), 13.into()));
    }
}
