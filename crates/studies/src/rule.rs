//! Rules that people state in words: roll these dice, keep or discard the throw, and compute a
//! number from it.
//!
//! The dice of a rule are called a, b, c, ... in the order of its list, and each shows 1 to its
//! sides. Its formulas ([`Formula`]) have `+ - * / %` (whole division, and the remainder, which is
//! never negative), comparisons `< <= = >= >` (1 or 0) and brackets:
//!
//! ```toml
//! rule = { dice = [6, 2], value = "a + 6 * (b - 1)" }
//! rule = { dice = [4, 4], value = "(4 * (a-1) + b-1) % 6 + 1", keep = "4 * (a-1) + b <= 12" }
//! ```
//!
//! Without `keep` every throw counts. With `keep`, a throw is repeated until `keep` is not 0. The
//! exact law of the value is found by enumerating all throws, in O(product of the sides).

use super::error::{Mistake, StudyError};
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::Formula;
use flipcost_number::{BigInt, Rational};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The largest number of throws of a rule that are enumerated.
pub const MAX_THROWS: u64 = 1_000_000;

/// The largest number of steps of the formulas over all throws: a million throws, with a hundred
/// numbers, names and signs each.
pub const MAX_STEPS: u64 = 100_000_000;

/// Dice, a formula of the result, and the throws that count. The dice are called a, b, c, ...;
/// formulas have `+ - * / %` (whole division, and the remainder, which is never negative),
/// comparisons (1 or 0) and brackets.
///
/// ```toml
/// rule = { dice = [6, 2], value = "a + 6 * (b - 1)", keep = "a <= 5" }
/// ```
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(try_from = "RuleText")]
#[schemars(with = "RuleText")]
pub struct DiceRule {
    /// The sides of the dice.
    pub dice: Vec<u64>,
    value: Formula,
    keep: Option<Formula>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RuleText {
    /// The sides of the dice.
    dice: Vec<u64>,
    /// The formula of the value.
    value: String,
    /// The formula that selects throws: only throws for which it is not 0 count. All throws count
    /// if the key is missing.
    keep: Option<String>,
}

impl TryFrom<RuleText> for DiceRule {
    type Error = ExpressionError;

    fn try_from(written: RuleText) -> Result<Self, ExpressionError> {
        let letters: Vec<String> = ('a'..='z').map(String::from).collect();
        let dice = written.dice.len().min(letters.len());
        let names: Vec<&str> = letters[..dice].iter().map(String::as_str).collect();
        let formula = |text: &String| Formula::read(text, &names);
        Ok(DiceRule {
            value: formula(&written.value)?,
            keep: written.keep.as_ref().map(formula).transpose()?,
            dice: written.dice,
        })
    }
}

/// The faces of a throw, counted from 1, and its value; `None` if the throw is repeated.
pub type Throw = (Vec<i64>, Option<i64>);

impl DiceRule {
    /// Returns all throws, in the order of their faces.
    ///
    /// # Errors
    /// If there are no throws, more than [`MAX_THROWS`] throws or more than [`MAX_STEPS`] steps, or
    /// if a formula has no value for a throw.
    pub fn throws(&self) -> Result<Vec<Throw>, StudyError> {
        let text = self.value.text();
        let wrong = |what: &str| Mistake::new(format!("the rule \"{text}\" {what}"));
        let dice = || wrong("must have 1 to 1000000 throws").field("dice");
        let all = self
            .dice
            .iter()
            .try_fold(1u64, |all, &sides| all.checked_mul(sides));
        let all = match all {
            Some(all) if (1..=MAX_THROWS).contains(&all) => all,
            _ => return Err(dice().with_value(format_args!("{:?}", self.dice)).into()),
        };
        let steps = self.value.steps() + self.keep.as_ref().map_or(0, Formula::steps);
        if all.saturating_mul(steps as u64) > MAX_STEPS {
            let mistake = wrong(&format!("has {all} throws of {steps} steps"));
            let mistake = mistake.field("value").with_value(text);
            return Err(mistake.right(format!("{MAX_STEPS} is the most")).into());
        }
        let throw = |number: u64| {
            let mut rest = number;
            let mut faces: Vec<i64> = Vec::new();
            for &sides in self.dice.iter().rev() {
                faces.push((rest % sides) as i64 + 1);
                rest /= sides;
            }
            faces.reverse();
            let read = |formula: &Formula| {
                let value = formula.value(&faces);
                value.map_err(|error| {
                    let what = format!("for the throw {faces:?}, {error}");
                    Mistake::new(what).with_value(formula.text())
                })
            };
            let counts = match &self.keep {
                Some(keep) => read(keep)? != 0,
                None => true,
            };
            let value = if counts {
                Some(read(&self.value)?)
            } else {
                None
            };
            Ok((faces, value))
        };
        (0..all).map(throw).collect()
    }

    /// Returns the exact probability of every value.
    ///
    /// # Errors
    /// If a throw has no value, or no throw is kept.
    pub fn law(&self) -> Result<BTreeMap<i64, Rational>, StudyError> {
        let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
        for value in self.throws()?.into_iter().filter_map(|(_, value)| value) {
            *counts.entry(value).or_default() += 1;
        }
        let all: u64 = counts.values().sum();
        if all == 0 {
            let what = format!("the rule \"{}\" keeps no throw", self.value.text());
            let keep = self.keep.as_ref().map_or("", Formula::text);
            return Err(Mistake::in_field("keep", keep, what).into());
        }
        let share = |(value, count): (i64, u64)| {
            (value, Rational::new(BigInt::from(count), BigInt::from(all)))
        };
        Ok(counts.into_iter().map(share).collect())
    }
}

/// Formats a law in one line, for example `1: 1/12, 2..6: 1/6`.
pub fn law_text(law: &BTreeMap<i64, Rational>) -> String {
    let mut runs: Vec<(i64, i64, &Rational)> = Vec::new();
    for (&value, p) in law {
        match runs.last_mut() {
            Some((_, last, q)) if *last + 1 == value && *q == p => *last = value,
            _ => runs.push((value, value, p)),
        }
    }
    let run = |(first, last, p): (i64, i64, &Rational)| {
        if first == last {
            format!("{first}: {p}")
        } else {
            format!("{first}..{last}: {p}")
        }
    };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(dice: &[u64], value: &str, keep: Option<&str>) -> DiceRule {
        let written = RuleText {
            dice: dice.to_vec(),
            value: value.to_string(),
            keep: keep.map(String::from),
        };
        DiceRule::try_from(written).unwrap()
    }

    #[test]
    fn a_rule_uses_only_its_own_dice() {
        let written = |value: &str| RuleText {
            dice: vec![6, 6],
            value: value.to_string(),
            keep: None,
        };
        assert!(DiceRule::try_from(written("a + b")).is_ok());
        let error = DiceRule::try_from(written("a + c")).err().unwrap();
        assert_eq!(
            error.to_string(),
            "\"a + c\" is not a formula that can be used: only a, b have a value here, at character 5 ('c')"
        );
        let sum = vec!["1"; 5000].join("+");
        assert!(DiceRule::try_from(written(&sum)).is_ok());
        let error = rule(&[100, 101], &sum, None).throws().unwrap_err();
        assert!(
            error.to_string().contains("100000000 is the most"),
            "{error}"
        );
        let error = rule(&[6], "10 / (a - 3)", None).law().unwrap_err();
        assert!(
            error.to_string().starts_with("for the throw [3], "),
            "{error}"
        );
    }

    #[test]
    fn the_law_of_a_rule_is_exact() {
        let sum = rule(&[6, 6], "a + b", None).law().unwrap();
        assert_eq!(sum[&7], Rational::new(1.into(), 6.into()));
        let d5 = rule(&[6], "a", Some("a <= 5")).law().unwrap();
        assert_eq!(law_text(&d5), "1..5: 1/5");
        assert!(rule(&[6], "a", Some("a > 6")).law().is_err());
        assert!(rule(&[1000, 1000, 1000], "a", None).law().is_err());
    }
}
