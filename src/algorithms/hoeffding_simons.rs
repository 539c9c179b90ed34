//! Hoeffding & Simons' rule for a coin of unknown bias: two sequences of tosses with the same
//! probability are paired as soon as both exist.
//!
//! Toss until C(t, h) is even, where h is the number of heads in t tosses. Since the odd binomial
//! coefficients form Pascal's triangle modulo 2, a point (t, h) with C(t, h) odd is reached by
//! exactly one sequence, and a point with C(t, h) even is reached either by two or by none. The two
//! sequences differ in their last tosses, which decide the outcome.
//!
//! The same rule in levels: two equal tosses make a toss of the next level, and the first two
//! tosses of one level that differ decide: HT, HHTT, HHHHTTTT and so on against TH, TTHH, TTTTHHHH.
//! The code works in this form, which also covers dice. The outcome is the first bit of the
//! infinite recursion of Peres (for dice, of Pae).
//!
//! ```text
//! E = (1 + r_0)(1 + r_1)(1 + r_2)...,  r_j = p^(2^j) + q^(2^j)     3.4015 for a fair coin
//! ```
//!
//! **Source.** Hoeffding & Simons 1970; [`crate::law::Doubling`] explains the law.

use super::loaded::{LoadedDie, require_fair_coin};
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::{CostFormula, Law};
use crate::task::{Refusal, Task};
use std::fmt;

/// See the module documentation.
pub(crate) struct HoeffdingSimons {
    die: LoadedDie,
}

/// Blocks of 2^k equal rolls that wait for a second block of the same length, the largest first:
/// (k, the face).
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct WaitingBlocks(Vec<(u32, u64)>);

/// Describes in words how often a face, counted from 0, was rolled in a row.
pub(super) fn times_in_a_row(count: u64, face: u64) -> String {
    match count {
        1 => format!("face {} once", face + 1),
        _ => format!("face {} {count} times", face + 1),
    }
}

impl fmt::Debug for WaitingBlocks {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let blocks: Vec<String> = (self.0.iter())
            .map(|&(k, face)| times_in_a_row(1 << k, face))
            .collect();
        if blocks.is_empty() {
            f.write_str("at the start")
        } else {
            f.write_str(&blocks.join(", "))
        }
    }
}

/// The effect of one more roll on the waiting blocks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PairingResult {
    /// The outcome is still undecided.
    Blocks(WaitingBlocks),
    /// Two blocks of the same level differ: the first consists of rolls of `first`, the second of
    /// rolls of `second`.
    Differ { level: u32, first: u64, second: u64 },
}

impl WaitingBlocks {
    pub(super) const NONE: WaitingBlocks = WaitingBlocks(Vec::new());

    /// The waiting blocks, the largest first.
    pub(super) fn blocks(&self) -> &[(u32, u64)] {
        &self.0
    }

    /// Returns the blocks after one more roll. A block of 2^`most` equal rolls is dropped.
    pub(super) fn after_roll(&self, face: u64, most: u32) -> PairingResult {
        let mut blocks = self.0.clone();
        let mut level = 0;
        while let Some(&(waiting, first)) = blocks.last() {
            if waiting != level {
                break;
            }
            if first != face {
                return PairingResult::Differ {
                    level,
                    first,
                    second: face,
                };
            }
            blocks.pop();
            level += 1;
        }
        if level < most {
            blocks.push((level, face));
        }
        PairingResult::Blocks(WaitingBlocks(blocks))
    }
}

impl Rule for HoeffdingSimons {
    type State = WaitingBlocks;

    fn start(&self) -> Step<WaitingBlocks> {
        Step::Roll(WaitingBlocks::NONE)
    }

    fn step(&self, at: &WaitingBlocks, face: u64) -> Step<WaitingBlocks> {
        match at.after_roll(face, u32::MAX) {
            PairingResult::Blocks(blocks) => Step::Roll(blocks),
            PairingResult::Differ { first, second, .. } => {
                Step::Output(u8::from(first > second).into())
            }
        }
    }
}

impl RuleInfo for HoeffdingSimons {
    const ABOUT: About = About {
        id: "hoeffding-simons",
        name: "Hoeffding & Simons' pairs of equal words",
        citation: "Hoeffding & Simons 1970",
        memory: Memory::State,
        bounded: "never",
        rule: "two equal rolls are a roll of the next level; the first two rolls of a level that differ decide: HT, HHTT, HHHHTTTT are 1, TH, TTHH, TTTTHHHH are 2",
        law: "P(T > t) = product of r_j over the binary ones j of t, r_j = sum p_i^(2^j): E = (1 + r_0)(1 + r_1)(1 + r_2)...",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;

    fn new(task: &Task) -> Result<Self, Refusal> {
        require_fair_coin(task)?;
        Ok(HoeffdingSimons {
            die: LoadedDie::from_task(task)?,
        })
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.die.doubling(false).into())
    }

    fn formula(&self) -> Option<CostFormula> {
        let sum = match self.die.faces() {
            2 => "p^(2^j) + (1 - p)^(2^j)".to_string(),
            3 => "p1^(2^j) + p2^(2^j) + p3^(2^j)".to_string(),
            m => format!("p1^(2^j) + ... + p{m}^(2^j)"),
        };
        Some(CostFormula::Text(format!(
            "product over j >= 0 of 1 + {sum}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Source;
    use flipcost_number::BigUint;

    /// The undecided sequences are those for which C(t, h) is odd after every toss, exactly one for
    /// each such (t, h). A sequence ends where it meets another at a point with C(t, h) even.
    #[test]
    fn the_rule_stops_where_a_binomial_coefficient_is_even() {
        let rule = HoeffdingSimons::new(&Task::die(2u8, Source::COIN).unwrap()).unwrap();
        let mut alive = vec![(WaitingBlocks::NONE, 0usize, 0u64)]; // heads, last toss
        for t in 1..=64usize {
            let mut later = Vec::new();
            let mut ends = std::collections::BTreeMap::<usize, Vec<(BigUint, u64)>>::new();
            for (blocks, heads, _) in alive {
                for face in [0u64, 1] {
                    let heads = heads + usize::from(face == 0);
                    match rule.step(&blocks, face) {
                        Step::Roll(blocks) => later.push((blocks, heads, face)),
                        Step::Output(outcome) => {
                            ends.entry(heads).or_default().push((outcome, face))
                        }
                    }
                }
            }
            let odd = |h: usize| t & h == h; // Lucas
            for h in 0..=t {
                let words = later.iter().filter(|(_, heads, _)| *heads == h).count();
                assert_eq!(words, usize::from(odd(h)), "C({t}, {h})");
                let ended = ends.get(&h).cloned().unwrap_or_default();
                assert!(ended.is_empty() || !odd(h) && ended.len() == 2);
                // The last toss is the outcome; tails is 1.
                assert!(
                    ended
                        .iter()
                        .all(|(outcome, face)| *outcome == BigUint::from(1 - face))
                );
            }
            alive = later;
        }
    }
}
