//! Stout & Warren's tree: Hoeffding & Simons' rule, stopped as soon as the next toss cannot change
//! the outcome.
//!
//! The sequences HHTT and TTHH are paired, and so are HHTH and HHHT. If HHTT and HHTH have the same
//! outcome, the rule may stop at HHT. A tree can do that, while Hoeffding & Simons use only the
//! numbers of heads and tails. So after a block of 2^k equal tosses, k >= 1, a run of 2^k - 1
//! tosses of the other face decides at once: HHT, HHHHTTT and so on give 1; TTH, TTTTHHH and so on
//! give 2. If the next two tosses after HH or TT differ, HT and TH have exchanged outcomes.
//!
//! ```text
//! E = limit of b_k,  b_1 = 2,  b_(k+1) = b_k (1 + p^(2^k) + q^(2^k)) - (pq)^(2^k - 1)
//! ```
//!
//! The cost is 3.1022 for a fair coin; no rule for an unknown coin costs less than 3.
//!
//! **Exchange.** Let o be the outcome of T^(2^k - 1) H within a block of 2^k. If the outcomes
//! within a block are exchanged, the rule stays fair, so o can be made equal to the outcome of
//! H^(2^k) T^(2^k), which is 1. For k = 1, TH has the outcome 2 and must be exchanged. For k > 1,
//! T^(2^k - 1) H ends as T^(2^(k-1) - 1) H does after the block T^(2^(k-1)), and so already has the
//! outcome 1.
//!
//! **Source.** Stout & Warren 1984 show that trees allow this, and that no tree is best for every p
//! (the book's chapter on loaded coins has a proof).

use super::hoeffding_simons::{PairingResult, WaitingBlocks};
use super::loaded::{LoadedDie, require_fair_coin};
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::{CostFormula, Law};
use crate::task::{Refusal, Task};

/// See the module documentation.
pub(crate) struct StoutWarren {
    die: LoadedDie,
}

impl Rule for StoutWarren {
    type State = WaitingBlocks;

    fn start(&self) -> Step<WaitingBlocks> {
        Step::Roll(WaitingBlocks::NONE)
    }

    fn step(&self, at: &WaitingBlocks, face: u64) -> Step<WaitingBlocks> {
        let blocks = match at.after_roll(face, u32::MAX) {
            PairingResult::Differ { first, .. } => {
                let exchanged = at.blocks().iter().any(|(level, _)| *level == 1);
                return Step::Output((first ^ u64::from(exchanged)).into());
            }
            PairingResult::Blocks(blocks) => blocks,
        };
        // 2^k - 1 equal tosses make one block of every level below k.
        let run = (0..).zip(blocks.blocks().iter().rev());
        let ends = run
            .take_while(|(level, block)| *level == block.0 && block.1 == face)
            .count();
        match blocks.blocks().iter().rev().nth(ends) {
            Some(&(level, first)) if ends > 0 && level as usize == ends => {
                Step::Output(first.into())
            }
            _ => Step::Roll(blocks),
        }
    }
}

impl RuleInfo for StoutWarren {
    const ABOUT: About = About {
        id: "stout-warren",
        name: "Stout & Warren's tree",
        citation: "Stout & Warren 1984",
        memory: Memory::State,
        bounded: "never",
        rule: "as hoeffding-simons, with two changes: after 2^k equal tosses (k > 0), the other face 2^k - 1 times decides at once; right after HH or TT, the outcomes of HT and TH are exchanged",
        law: "E = limit of b_k, b_1 = 2, b_(k+1) = b_k (1 + p^(2^k) + q^(2^k)) - (pq)^(2^k - 1)",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;

    fn new(task: &Task) -> Result<Self, Refusal> {
        require_fair_coin(task)?;
        Ok(StoutWarren {
            die: LoadedDie::coin(task)?,
        })
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.die.doubling(true).into())
    }

    fn formula(&self) -> Option<CostFormula> {
        let text = "limit of b_k: b_1 = 2, b_(k+1) = b_k*(1 + p^(2^k) + (1 - p)^(2^k)) - (p - p^2)^(2^k - 1)";
        Some(CostFormula::Text(text.to_string()))
    }
}
