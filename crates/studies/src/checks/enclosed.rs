//! The check `enclosed`: see [`EnclosedRule`].

use crate::case::Case;
use crate::decide::{CheckResult, Decide};
use crate::error::{Mistake, StudyError};
use crate::values::{Line, Natural, coin, task};
use flipcost_number::expression::parse_signed;
use flipcost_number::{BigInt, Rational};
use flipcost_rules::{RuleText, RuleVerdict, decimals_below};
use schemars::JsonSchema;
use serde::Deserialize;

/// A rule from a file, with infinitely many states. The claim states the first decimals of the
/// probability of an outcome, and the first decimals of a lower bound of the expected rolls.
///
/// ```toml
/// enclosed = { rule = "rules/exp.rhai", source = 2, target = 2, outcome = 1, probability = "0.3678794", rolls = "2.35318" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnclosedRule {
    /// The file of the rule, relative to the folder of the study or to a folder above it.
    rule: Line,
    /// The sides of the source; 2, a coin, if the key is missing.
    #[serde(default = "coin")]
    source: u64,
    /// The outcomes of the target.
    target: Natural,
    /// The outcome, counted from 0.
    outcome: Natural,
    /// The first decimals of the probability of the outcome.
    probability: Line,
    /// The first decimals of the expected rolls.
    rolls: Line,
}

/// Returns whether every value from `low` to `high` begins with the given decimals.
fn all_begin_with(decimals: &Line, low: &Rational, high: &Rational) -> Result<bool, StudyError> {
    let Line(text) = decimals;
    let first = parse_signed(text).map_err(Mistake::split)?;
    let places = text
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len() as u32);
    let unit = Rational::new(BigInt::from(1), BigInt::from(10).pow(places));
    Ok(first <= *low && *high < &first + unit)
}

impl Decide for EnclosedRule {
    fn standing(&self) -> &'static str {
        "by enclosures"
    }

    fn decide(&self, _: &Case) -> Result<CheckResult, StudyError> {
        let wrong = |what: String| Mistake::in_field("rule", &self.rule.0, what);
        let name = &self.rule.0;
        let rule = RuleText::parse(name).map_err(|_| {
            wrong(format!(
                "the file \"{name}\" is not in the folder of the study or above it"
            ))
        })?;
        let task = task(self.source, self.target.0.clone())?;
        let verdict = rule.verdict(&task, false);
        let RuleVerdict::Endless(law) = verdict.map_err(|fault| wrong(fault.to_string()))? else {
            let what = format!("\"{name}\" has finitely many states");
            return Err(wrong(what).right("ask rule_check of it").into());
        };
        let low = law.outcomes.get(&self.outcome.0).cloned();
        let low = low.unwrap_or_default();
        let rolls = &law.rolls_at_least;
        let holds = all_begin_with(&self.probability, &low, &(&low + &law.undecided))?
            && all_begin_with(&self.rolls, rolls, rolls)?;
        let (probability, rolls) = (decimals_below(&low), decimals_below(rolls));
        let computed = format!("probability at least {probability}, at least {rolls} rolls");
        Ok(CheckResult::new(computed, holds))
    }
}
