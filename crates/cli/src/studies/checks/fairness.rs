//! The check `fairness`: see [`Fairness`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::{OUTCOMES, at_most};
use crate::studies::rule::{Rule, law_text};
use flipcost::number::{BigInt, Rational};
use num_traits::{Signed, Zero};
use schemars::JsonSchema;
use serde::Deserialize;

/// Is a rule a fair die? Its exact law, and its distance from the fair one.
///
/// ```toml
/// [check.fairness]
/// rule = { dice = [6], value = "a + 6", keep = "a <= 5" }
/// sides = 5
/// first = 7
/// law = "7..11: 1/5"
/// fair = true
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fairness {
    /// What is rolled, and read off.
    rule: Rule,
    /// The sides of the die that it should be.
    sides: i64,
    /// The least number of that die.
    #[serde(default = "one")]
    first: i64,
    /// Whether it is claimed to be fair.
    fair: bool,
    /// The law, as `1: 1/12, 2..6: 1/6`.
    law: Option<String>,
}

fn one() -> i64 {
    1
}

impl Decide for Fairness {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        if self.sides < 1 {
            let what = "a die has at least 1 side";
            return Err(Mistake::of("sides", self.sides, what).into());
        }
        at_most("sides", self.sides.unsigned_abs(), "sides", OUTCOMES)?;
        let end = self.first.checked_add(self.sides).ok_or_else(|| {
            let first = self.first;
            let what = format!("a die whose first number is {first} is out of reach");
            Mistake::of("first", first, what)
        })?;
        let law = self.rule.law()?;
        let text = law_text(&law);
        let share = Rational::new(1.into(), self.sides.into());
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
        let fair = apart.is_zero();
        let mut computed = text.clone();
        if !never.is_empty() {
            computed.push_str(&format!("; never {}", never.join(", ")));
        }
        if !fair {
            computed.push_str(&format!("; total variation {apart}"));
        }
        let same = self.law.as_ref().is_none_or(|law| *law == text);
        Ok(Found::new(computed, same && fair == self.fair))
    }
}
