//! Rejection for weights: roll a fair die, whose sides are the sum of the weights, by rejection,
//! and look up the outcome.
//!
//! Draw k rolls, where k is the least number with m^k >= M. A value below M is accepted, and its
//! outcome is the i for which it lies in the cell [A_(i-1), A_i), where A_i = a_1 + ... + a_i.
//! Otherwise start again: E = k m^k / M.
//!
//! **Source.** Devroye 1986, Non-Uniform Random Variate Generation, section III.2 (inversion in a
//! table of integers); the sampler that Saad et al. 2020 compare with ("rejection (uniform)").

use super::block::{Block, Prefix, check_block_size};
use super::cumulative::Cumulative;
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::Law;
use crate::task::{Fair, Refusal, Task};
use flipcost_number::order::ceil_log;

/// See the module documentation.
pub(crate) struct RejectionUniform {
    block: Block,
    cells: Cumulative,
}

impl RejectionUniform {
    fn look_up_outcome(&self, step: Step<Prefix>) -> Step<Prefix> {
        match step {
            Step::Output(value) => Step::Output(self.cells.find(&value).0),
            roll => roll,
        }
    }
}

impl Rule for RejectionUniform {
    type State = Prefix;

    fn start(&self) -> Step<Prefix> {
        self.look_up_outcome(self.block.start())
    }

    fn step(&self, state: &Prefix, face: u64) -> Step<Prefix> {
        self.look_up_outcome(self.block.step(state, face))
    }
}

impl RuleInfo for RejectionUniform {
    const ABOUT: About = About {
        id: "rejection-uniform",
        name: "Rejection and a look-up",
        citation: "Devroye 1986; Saad, Freer, Rinard & Mansinghka 2020",
        memory: Memory::OneAttempt { effort: 6 },
        bounded: "if the weight sum M is a power of m",
        rule: "roll k times, k the least with m^k >= M; keep a value below the weight sum M and look up its outcome in the cumulative weights, else start again",
        law: "blocks of k rolls, each accepted with probability M / m^k: E = k m^k / M",
    };
    const PURPOSE: Purpose = Purpose::Weights;
    const PSEUDOCODE: &'static [&'static str] = &[
        "k = the least integer with m^k >= M",
        "repeat:",
        "    x = 0; k times: x = m x + roll()",
        "    if x < M: return the first i with x < a_1 + ... + a_i",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        let (m, n) = (task.words()?, task.target().weight_sum());
        let die = Fair { m, n };
        check_block_size(die)?;
        Ok(RejectionUniform {
            block: Block::new(die, ceil_log(m, n), n.clone(), false),
            cells: Cumulative::from_target(task.target()),
        })
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.block.law())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::super::entry::RuleEntry;
    use super::*;
    use crate::task::{Source, Target};
    use flipcost_number::Rational;

    /// The mean E = k 2^k / M depends only on the sum M of the weights.
    #[test]
    fn the_mean_depends_on_the_sum_alone() {
        for sum in 2u64..200 {
            let k = 64 - (sum - 1).leading_zeros() as u64;
            // The weights of a list that contains 1 have no common factor.
            for weights in [vec![1, sum - 1], vec![0, sum / 2, 1, sum - 1 - sum / 2]] {
                let target = Target::weighted(weights).unwrap();
                let rule: &dyn Algorithm = &RuleEntry::<RejectionUniform>::NEW;
                let mean = rule
                    .law(&Task::new(target, Source::COIN))
                    .unwrap()
                    .mean()
                    .unwrap();
                assert_eq!(
                    mean,
                    Rational::new((k << k).into(), sum.into()),
                    "sum = {sum}"
                );
            }
        }
    }
}
