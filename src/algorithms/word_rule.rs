//! Rules for functions of libraries: they draw words of a given size instead of rolling a task's
//! source.

use super::canon::{Canon, CanonDigits};
use super::interval::{Interval, IntervalState};
use super::prepared_rule::Rule;
use crate::law::{Law, OutcomeLaw, Step};
use crate::task::{Refusal, Task};
use flipcost_number::BigUint;
use std::fmt;

/// A rule for words: Canon's method, or the interval algorithm.
pub struct WordRule(WordRuleKind);

enum WordRuleKind {
    Canon(Canon),
    Interval(Interval),
}

/// The words drawn so far.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WordState(WordPlace);

#[derive(Clone, PartialEq, Eq, Hash)]
enum WordPlace {
    Canon(CanonDigits),
    Interval(IntervalState),
}

impl fmt::Debug for WordState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            WordPlace::Canon(at) => at.fmt(f),
            WordPlace::Interval(at) => at.fmt(f),
        }
    }
}

impl WordRule {
    /// Creates Canon's method for a fair die of n sides; it draws at most t words of m values.
    pub fn canon(source: u128, target: &BigUint, words: u32) -> WordRule {
        WordRule(WordRuleKind::Canon(Canon::of_words(source, target, words)))
    }

    /// Creates the interval algorithm.
    ///
    /// # Errors
    /// [`Refusal`] if the algorithm does not work for the task.
    pub fn interval(task: &Task) -> Result<WordRule, Refusal> {
        Ok(WordRule(WordRuleKind::Interval(Interval::new(task)?)))
    }

    /// The maximum number of words; `None` for the interval algorithm.
    pub fn most_words(&self) -> Option<u32> {
        match &self.0 {
            WordRuleKind::Canon(canon) => Some(canon.words),
            WordRuleKind::Interval(_) => None,
        }
    }

    /// The closed form of the law.
    pub fn law(&self) -> Law {
        match &self.0 {
            WordRuleKind::Canon(canon) => canon.law(),
            WordRuleKind::Interval(interval) => interval.law(),
        }
    }

    /// The law of the outcomes, if it is not uniform.
    pub fn outcomes(&self) -> Option<OutcomeLaw> {
        match &self.0 {
            WordRuleKind::Canon(canon) => canon.outcomes(),
            WordRuleKind::Interval(_) => None,
        }
    }

    /// The state before the first word.
    pub fn start(&self) -> Step<WordState> {
        match &self.0 {
            WordRuleKind::Canon(canon) => canon.start().map(|at| WordState(WordPlace::Canon(at))),
            WordRuleKind::Interval(interval) => interval
                .start()
                .map(|at| WordState(WordPlace::Interval(at))),
        }
    }

    /// The state after one more word.
    ///
    /// # Panics
    /// If the state belongs to another rule.
    pub fn step(&self, at: &WordState, word: u64) -> Step<WordState> {
        match (&self.0, &at.0) {
            (WordRuleKind::Canon(canon), WordPlace::Canon(at)) => canon
                .step(at, word)
                .map(|at| WordState(WordPlace::Canon(at))),
            (WordRuleKind::Interval(interval), WordPlace::Interval(at)) => {
                (interval.step(at, word)).map(|at| WordState(WordPlace::Interval(at)))
            }
            _ => unreachable!("a state of another rule"),
        }
    }
}
