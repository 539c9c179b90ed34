//! Canon's method: multiply a word by n, and draw further words, at most t in all, only while a
//! carry from them could still change the outcome.
//!
//! The words are the digits of a number u in [0, 1), and the outcome is floor(u n). After j words u
//! lies in one of m^j intervals of width m^-j, and the outcome is decided unless one of the points
//! 1/n, ..., (n - 1)/n lies strictly inside that interval. Once m^j >= n, the undecided intervals
//! number n - gcd(n, m^j), as in the interval algorithm of Han & Hoshi 1997; before that, all m^j
//! intervals are undecided. After t words an undecided outcome is taken as floor(u n), as if all
//! further digits were 0. This causes a bias of r (n - r) / (n m^t) in total variation, with r =
//! m^t mod n.
//!
//! ```text
//! E = sum_{j<t} s(j) / m^j,   s(j) = m^j while m^j < n, then n - gcd(n, m^j)
//! ```
//!
//! Without a limit t this is the interval algorithm.
//!
//! **Source.** Canon's pull request for Swift (apple/swift 39143); rand 0.9, `random_range`.

use super::{About, Arguments, Memory, Parameter, Purpose, Rule, RuleInfo, Step};
use crate::law::{Blocks, Law, OutcomeLaw};
use crate::task::{Refusal, Task};
use flipcost_number::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::fmt;

/// The default for the parameter t, the maximum number of words.
const DEFAULT_WORDS: u32 = 2;

/// See the module documentation.
pub struct Canon {
    source: u128,
    target: BigUint,
    pub(super) words: u32,
}

/// The digits of u drawn so far.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CanonDigits {
    words: u32,
    value: BigUint,
}

impl fmt::Debug for CanonDigits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        super::attempt::words_drawn(f, self.words, &self.value)
    }
}

impl Canon {
    /// Creates the rule for a fair die of n sides; it draws at most t words of m values.
    pub fn of_words(source: u128, target: &BigUint, words: u32) -> Canon {
        Canon {
            source,
            target: target.clone(),
            words,
        }
    }

    /// The closed form of the law.
    pub fn law(&self) -> Law {
        let (n, mut nodes) = (&self.target, BigUint::one());
        let mut head = Vec::new();
        for _ in 0..self.words {
            let undecided = if nodes < *n {
                nodes.clone()
            } else {
                n - n.gcd(&nodes)
            };
            if undecided.is_zero() {
                break;
            }
            head.push(undecided);
            nodes *= self.source;
        }
        Blocks::new(self.source, head, vec![], vec![]).into()
    }

    /// The law of the outcomes, if it is not uniform.
    pub fn outcomes(&self) -> Option<OutcomeLaw> {
        let all = BigUint::from(self.source).pow(self.words);
        let fair = (&all % &self.target).is_zero();
        (!fair).then(|| OutcomeLaw::of_words(all, self.target.clone()))
    }

    fn next_step(&self, at: CanonDigits) -> Step<CanonDigits> {
        let scale = BigUint::from(self.source).pow(at.words);
        let (outcome, rest) = (&at.value * &self.target).div_rem(&scale);
        // The next word adds less than n / scale to u n.
        if at.words == self.words || rest + &self.target <= scale {
            Step::Output(outcome)
        } else {
            Step::Roll(at)
        }
    }
}

impl Rule for Canon {
    type State = CanonDigits;

    fn start(&self) -> Step<CanonDigits> {
        self.next_step(CanonDigits {
            words: 0,
            value: BigUint::zero(),
        })
    }

    fn step(&self, at: &CanonDigits, face: u64) -> Step<CanonDigits> {
        self.next_step(CanonDigits {
            words: at.words + 1,
            value: &at.value * self.source + face,
        })
    }
}

impl RuleInfo for Canon {
    const ABOUT: About = About {
        id: "canon",
        name: "Canon's method",
        citation: "Canon 2021; rand 0.9",
        memory: Memory::State,
        bounded: "always",
        rule: "multiply the words so far by n; draw another word while it could carry into the outcome, up to t words (2, or as in canon:t=3), and then take the outcome as it is",
        law: "T <= t, s(j) = m^j while m^j < n, then n - gcd(n, m^j), E = sum of s(j) / m^j over j < t; biased by r (n - r) / (n m^t), r = m^t mod n",
    };
    const PURPOSE: Purpose = Purpose::Nothing;
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "t",
        about: "the most words; by default 2",
        least: 1,
        most: 4096,
    }];
    const PSEUDOCODE: &'static [&'static str] = &[
        "x = 0, j = 0",
        "until j = t or x n mod m^j <= m^j - n:",
        "    x = m x + roll(), j = j + 1",
        "return floor(x n / m^j)",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Canon::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        let words = (arguments.get("t")).map_or(DEFAULT_WORDS, |words| words as u32);
        Ok(Canon::of_words(dice.m, dice.n, words))
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.law())
    }

    fn outcomes(&self) -> Option<OutcomeLaw> {
        self.outcomes()
    }
}
