//! Von Neumann's rule on four tosses, stopped as soon as the outcome is known.
//!
//! Sequences with the same number of heads are equally likely. The sequences of four tosses, except
//! HHHH and TTTT, can be divided between two outcomes so that most of them stop early:
//!
//! ```text
//! 1: HT, HHT, TTTH        2: TH, TTH, HHHT        HHHH, TTTT: start again
//! ```
//!
//! HT and TH both have probability pq. HHT and TTTH together have pq (p + q^2), TTH and HHHT
//! together have pq (q + p^2), and p + q^2 = q + p^2 = 1 - pq. With x = pq,
//!
//! ```text
//! E = (4 - 5x) / (2x (2 - x))                     22/7 for a fair coin, 4 by pairs
//! ```
//!
//! Every rule for a fair bit from an unknown coin is undecided as long as all tosses are heads, or
//! all are tails. It therefore takes more than 1/x - 1 tosses on average: P(T > 0) = 1 plus the sum
//! of p^t + q^t over all t >= 1. This rule takes at most a quarter of a toss more: E - (1/x - 1) =
//! (1 - 2x) / (4 - 2x) < 1/4.
//!
//! **Source.** Stout & Warren 1984 had the idea that a tree may stop at HHT, whereas a rule that
//! uses only the numbers of heads and tails waits for the fourth toss.

use super::loaded::{LoadedDie, require_fair_coin};
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::task::{Refusal, Task};
use std::fmt;

/// See the module documentation.
pub(crate) struct VonNeumannEarly;

/// The number of equal tosses so far, at most 3, and their face.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct EqualTosses {
    tosses: u8,
    face: u64,
}

impl fmt::Debug for EqualTosses {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.tosses {
            0 => f.write_str("before a block"),
            tosses => write!(
                f,
                "{}",
                ["H", "T"][self.face as usize].repeat(tosses.into())
            ),
        }
    }
}

impl Rule for VonNeumannEarly {
    type State = EqualTosses;

    fn start(&self) -> Step<EqualTosses> {
        Step::Roll(EqualTosses { tosses: 0, face: 0 })
    }

    fn step(&self, at: &EqualTosses, face: u64) -> Step<EqualTosses> {
        match at.tosses {
            0 => Step::Roll(EqualTosses { tosses: 1, face }),
            3 if face == at.face => self.start(),
            tosses if face == at.face => Step::Roll(EqualTosses {
                tosses: tosses + 1,
                face,
            }),
            3 => Step::Output(face.into()),
            _ => Step::Output(at.face.into()),
        }
    }
}

impl RuleInfo for VonNeumannEarly {
    const ABOUT: About = About {
        id: "von-neumann-early",
        name: "Von Neumann's rule, stopped early",
        citation: "von Neumann 1951; Stout & Warren 1984",
        memory: Memory::State,
        bounded: "never",
        rule: "toss until two tosses differ, four times at most: HT, HHT, TTTH are 1, TH, TTH, HHHT are 2, four equal tosses start again",
        law: "with x = pq: E = (4 - 5x) / (2x (2 - x)), less than 1/4 above the bound 1/x - 1",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;

    fn new(task: &Task) -> Result<Self, Refusal> {
        require_fair_coin(task)?;
        LoadedDie::coin(task)?;
        Ok(VonNeumannEarly)
    }
}
