//! Claims about rolls and rules: worked examples, fairness, bounded rolls, probabilities.

use super::check::Question;
use super::draw::dice;
use super::rule::{Rule, law_text};
use super::spec::{Fraction, MethodId, Natural, StudyError, coin};
use flipcost::algorithms::faces::parse_rolls;
use flipcost::algorithms::{CHAIN_LIMIT, Traced, bounded_rolls};
use flipcost::number::{BigInt, BigUint, Rational};
use flipcost::streams::Recycler;
use flipcost::table::RowError;
use num_traits::{Signed, Zero};
use serde::Deserialize;
use std::path::Path;

/// A person's rolls and what an algorithm makes of them: an outcome from 1, or nothing yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkedRoll {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    n: Natural,
    /// `HTHHT` or `6,3,4,3`.
    input: String,
    /// The outcome; left out if these rolls do not decide it.
    is: Option<Natural>,
}

fn given(input: &str, source: u64) -> Result<Vec<u64>, StudyError> {
    parse_rolls(input, source).map_err(|error| StudyError::Spec(error.to_string()))
}

impl Question for WorkedRoll {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let bound = self.algorithm.0.prepare(&dice(self.source, &self.n)?);
        let bound = bound.map_err(RowError::from)?;
        let rolls = given(&self.input, self.source)?;
        let mut left = rolls.iter().copied();
        let mut state = String::new();
        let mut tell = |step: Traced| state = step.after.unwrap_or_default();
        let rolled = bound.play(&mut |_| left.next(), Some(&mut tell));
        Ok(match (rolled, &self.is) {
            (Some(rolled), is) => {
                let face = rolled.outcome + 1u8;
                let used = rolled.rolls;
                let holds =
                    is.as_ref().is_some_and(|is| is.0 == face) && used == rolls.len() as u64;
                (format!("{face} after {used} rolls"), holds)
            }
            (None, is) => (
                format!("undecided after {} rolls: {state}", rolls.len()),
                is.is_none(),
            ),
        })
    }
}

/// A person's rolls and the outcomes, from 1, of a generator that keeps its state.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkedBatch {
    #[serde(default = "coin")]
    source: u64,
    targets: Vec<Natural>,
    input: String,
    is: Vec<u64>,
}

impl Question for WorkedBatch {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        dice(self.source, &Natural(1u8.into()))?; // a source that can be rolled
        let mut recycler = Recycler::new(self.source);
        let rolls = given(&self.input, self.source)?;
        let mut left = rolls.iter().copied();
        let mut outcomes: Vec<BigUint> = Vec::new();
        for n in &self.targets {
            dice(self.source, n)?;
            outcomes.extend(recycler.draw(&n.0, &mut || left.next(), None));
        }
        let shown: Vec<String> = outcomes.iter().map(BigUint::to_string).collect();
        let unused = left.count();
        let wanted = self.is.iter().map(|&face| BigUint::from(face));
        let holds = outcomes.iter().cloned().eq(wanted) && unused == 0;
        Ok((
            format!("{}; {unused} rolls left over", shown.join(", ")),
            holds,
        ))
    }
}

/// Is a rule a fair die? Its exact law, and its distance from the fair one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fairness {
    rule: Rule,
    /// The sides of the die that it should be.
    sides: i64,
    /// The least number of that die.
    #[serde(default = "one")]
    first: i64,
    fair: bool,
    /// The law, as `1: 1/12, 2..6: 1/6`.
    law: Option<String>,
}

fn one() -> i64 {
    1
}

impl Question for Fairness {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        if self.sides < 1 {
            return Err(StudyError::Spec("a die has at least 1 side".to_string()));
        }
        let law = self.rule.law()?;
        let text = law_text(&law);
        let share = Rational::new(1.into(), self.sides.into());
        let wanted = self.first..self.first + self.sides;
        let mut apart = Rational::zero();
        let mut never = Vec::new();
        for value in wanted.clone() {
            match law.get(&value) {
                Some(p) => apart += (p - &share).abs(),
                None => {
                    apart += &share;
                    never.push(value.to_string());
                }
            }
        }
        for (_, p) in law.iter().filter(|(value, _)| !wanted.contains(value)) {
            apart += p;
        }
        apart /= BigInt::from(2);
        let fair = apart.is_zero();
        let mut computed = text.clone();
        if !never.is_empty() {
            computed.push_str(&format!("; never {}", never.join(", ")));
        }
        if !fair {
            computed.push_str(&format!("; total variation {apart}"));
        }
        let same = self.law.as_ref().is_none_or(|law| *law == text);
        Ok((computed, same && fair == self.fair))
    }
}

/// Are all outcomes of an algorithm exactly equally likely?
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UniformOutcomes {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    n: Natural,
}

impl Question for UniformOutcomes {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let bound = self.algorithm.0.prepare(&dice(self.source, &self.n)?);
        let chain = bound.map_err(RowError::from)?.chain(CHAIN_LIMIT);
        let (chain, _) = chain.map_err(|error| StudyError::Spec(error.to_string()))?;
        let law = chain.probabilities();
        let share = Rational::new(1.into(), self.n.0.clone().into());
        let fair = law.values().filter(|p| **p == share).count();
        let holds = fair == law.len() && BigUint::from(fair) == self.n.0;
        Ok((
            format!("{fair} of {} outcomes: {share} each", self.n.0),
            holds,
        ))
    }
}

/// Can a die be made with a bounded number of rolls, and with how many?
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundedRolls {
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
    /// The least number of rolls; left out if there is none.
    rolls: Option<u64>,
    /// A prime factor of n that does not divide the source.
    missing: Option<u64>,
}

impl Question for BoundedRolls {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        dice(self.source, &self.n)?;
        Ok(match bounded_rolls(self.source, &self.n.0) {
            Ok(rolls) => (
                format!(
                    "{rolls} rolls: {} divides {}^{rolls}",
                    self.n.0, self.source
                ),
                self.rolls == Some(rolls),
            ),
            Err(prime) => (
                format!("never: {prime} divides no power of {}", self.source),
                self.rolls.is_none() && self.missing.is_some_and(|q| BigUint::from(q) == prime),
            ),
        })
    }
}

/// An event of this probability, so many times in a row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InARow {
    event: Fraction,
    times: u32,
    is: Fraction,
}

impl Question for InARow {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let (above, below) = (self.event.0.numer(), self.event.0.denom());
        let all = Rational::new(above.pow(self.times), below.pow(self.times));
        Ok((all.to_string(), all == self.is.0))
    }
}
