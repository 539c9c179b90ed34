//! The check `fairness`: see [`FairnessCheck`].

use crate::batch;
use crate::case::Case;
use crate::costs::chain;
use crate::decide::{CheckResult, Decide};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_CHAIN_FACES, MAX_OUTCOMES, check_at_most};
use crate::rule::{DiceRule, law_text};
use crate::values::{AlgorithmName, Natural, coin, task};
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_streams::joint::joint;
use num_traits::{Signed, ToPrimitive, Zero};
use schemars::JsonSchema;
use serde::Deserialize;

/// Whether all outcomes are exactly equally likely. The outcomes are those of a rule, whose exact
/// law and distance from the fair law are computed, or those of an algorithm, or the sequences of
/// outcomes of a generator that keeps its state from one target to the next.
///
/// ```toml
/// fairness = { rule = { dice = [6], value = "a + 6", keep = "a <= 5" }, targets = [5], first = 7, fair = true, law = "7..11: 1/5" }
/// # or: fairness = { source = 4, algorithm = "interval", targets = [20] }
/// # or: fairness = { source = 6, targets = [4, 13] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FairnessCheck {
    /// The dice to roll and the formula of the result, for one target.
    rule: Option<DiceRule>,
    #[serde(default = "coin")]
    source: u64,
    /// The algorithm for one target. Without an algorithm and without a rule, the generator keeps
    /// its state from one target to the next.
    algorithm: Option<AlgorithmName>,
    /// The targets, in their order.
    targets: Vec<Natural>,
    /// The smallest number on the die that the rule should make.
    #[serde(default = "default_first")]
    first: i64,
    /// Whether the rule is claimed to be fair.
    #[serde(default = "default_true")]
    fair: bool,
    /// The law of the rule, written as in `1: 1/12, 2..6: 1/6`.
    law: Option<String>,
}

fn default_first() -> i64 {
    1
}

fn default_true() -> bool {
    true
}

impl Decide for FairnessCheck {
    fn standing(&self) -> &'static str {
        "the exact law"
    }

    fn decide(&self, _: &Case) -> Result<CheckResult, StudyError> {
        let targets = batch::targets(self.source, &self.targets)?;
        if self.rule.is_none() && (self.first != 1 || self.law.is_some()) {
            let mistake = Mistake::new("first and law describe a rule, but no rule is given");
            return Err(mistake.field("rule").right("leave them out").into());
        }
        let (found, law) = match (&self.rule, self.algorithm, &targets[..]) {
            (Some(rule), None, [n]) => self.of_rule(rule, n)?,
            (None, Some(algorithm), [n]) => (check_algorithm_law(self.source, algorithm, n)?, None),
            (None, None, targets) => (check_batch_law(self.source, targets)?, None),
            (Some(_), Some(_), _) => {
                let mistake = Mistake::new("a rule and an algorithm are given").field("rule");
                return Err(mistake.right("give one of the two").into());
            }
            _ => {
                let what = "a rule or an algorithm makes only one target";
                return Err(Mistake::new(what).field("targets").into());
            }
        };
        let same = self.law.is_none() || self.law == law;
        Ok(CheckResult::new(
            found.computed,
            same && found.holds == self.fair,
        ))
    }
}

impl FairnessCheck {
    /// Returns whether the rule is fair, and its law in words.
    fn of_rule(
        &self,
        rule: &DiceRule,
        n: &BigUint,
    ) -> Result<(CheckResult, Option<String>), StudyError> {
        let sides = n.to_u64().unwrap_or(u64::MAX);
        check_at_most("targets", sides, "sides", MAX_OUTCOMES)?;
        let end = self.first.checked_add(sides as i64).ok_or_else(|| {
            let first = self.first;
            let what =
                format!("a die whose numbers begin at {first} has numbers that are too large");
            Mistake::in_field("first", first, what)
        })?;
        let law = rule.law()?;
        let text = law_text(&law);
        let share = Rational::new(1.into(), sides.into());
        let wanted = self.first..end;
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
        let mut computed = text.clone();
        if !never.is_empty() {
            computed.push_str(&format!("; never {}", never.join(", ")));
        }
        if !apart.is_zero() {
            computed.push_str(&format!("; total variation {apart}"));
        }
        Ok((CheckResult::new(computed, apart.is_zero()), Some(text)))
    }
}

fn check_algorithm_law(
    source: u64,
    algorithm: AlgorithmName,
    n: &BigUint,
) -> Result<CheckResult, StudyError> {
    let law = chain(algorithm.0, &task(source, n.clone())?)?.probabilities();
    let share = Rational::new(1.into(), BigInt::from(n.clone()));
    let fair = law.values().filter(|p| **p == share).count();
    let holds = fair == law.len() && BigUint::from(fair) == *n;
    let computed = format!("{fair} of {n} outcomes: {share} each");
    Ok(CheckResult::new(computed, holds))
}

fn check_batch_law(source: u64, targets: &[BigUint]) -> Result<CheckResult, StudyError> {
    let sides: Option<Vec<u64>> = targets.iter().map(ToPrimitive::to_u64).collect();
    let too_large = || Mistake::new("the batch has too many outcomes").field("targets");
    let sides = sides.ok_or_else(too_large)?;
    let law = joint(source, &sides, MAX_CHAIN_FACES).map_err(|_| too_large())?;
    let all: u128 = sides.iter().map(|&n| u128::from(n)).product();
    let share = Rational::new(1.into(), all.into());
    let holds = law.len() as u128 == all && law.values().all(|p| *p == share);
    let computed = match (law.values().min(), law.values().max()) {
        (Some(least), Some(most)) if least != most => {
            format!("{} outcomes, from {least} to {most} each", law.len())
        }
        _ => format!("{} outcomes, {share} each", law.len()),
    };
    Ok(CheckResult::new(computed, holds))
}
