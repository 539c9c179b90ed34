//! The check `statement`: see [`StatementOfColumns`].

use crate::studies::case::Case;
use crate::studies::costs::all_n_up_to;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::{CASES, at_most};
use crate::studies::shown::shown;
use crate::studies::values::{AlgorithmName, Span, Written, coin, read_from_text, task};
use flipcost::unstable::sweep::{Pace, ordered};
use flipcost::unstable::table::{Decision, Statement};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;
use std::ops::RangeInclusive;

/// A statement about columns, decided for every target of a range, or for those in equal steps.
///
/// ```toml
/// statement = { that = "expected < log2(n) + 2", algorithm = "interval", targets = "1..1000" }
/// # or: statement = { that = "toll <= 3", source = 6, algorithm = "interval", targets = "1..101", step = 2 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatementOfColumns {
    /// Two expressions of columns and one of < <= = >= > between them.
    that: That,
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    /// The range of n.
    targets: Span,
    /// From each n to the next.
    #[serde(default = "one")]
    step: u64,
}

fn one() -> u64 {
    1
}

/// A statement as it is written.
struct That(Statement);

impl Written for That {
    const WHAT: &'static str = "a statement such as \"expected < log2(n) + 2\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        Statement::read(text).map(That).map_err(Mistake::split)
    }
}

read_from_text!(That);

impl Decide for StatementOfColumns {
    fn question(&self) -> Option<Value> {
        let targets = &self.targets.0;
        (self.step == 1).then(|| {
            json!({
                "ask": "verify-that",
                "that": self.that.0.text(),
                "from": targets.start(),
                "to": targets.end(),
                "source": self.source.to_string(),
                "algorithms": [self.algorithm.0.about().id],
            })
        })
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let targets = self.targets.0.clone();
        if self.step == 0 {
            let what = "step = 0 goes nowhere";
            return Err(Mistake::of("step", self.step, what)
                .right("write step = 2 for every second n")
                .into());
        }
        let count = (targets.end() - targets.start()) / self.step + 1;
        at_most("targets", count, "n", CASES)?;
        all_n_up_to("targets", self.algorithm.0, self.source, *targets.end())?;
        let source = task(self.source, *targets.start())?.source();
        let work = |part: RangeInclusive<u64>| {
            let nth = |i: u64| targets.start() + i * self.step;
            for n in part.map(nth) {
                let decided = (self.that.0).decide(self.algorithm.0, source, &n.into());
                let decided = decided
                    .map_err(|e| StudyError::from(Mistake::new(e)).at(format!("n = {n}")))?;
                if let Decision::Fails { left, right } = decided {
                    let (left, right) = (shown(&left)?, shown(&right)?);
                    return Ok(Some(format!(
                        "for n = {n} the left side is {left}, the right side {right}"
                    )));
                }
            }
            Ok(None)
        };
        let mut wrong: Option<String> = None;
        ordered(0..=count - 1, Pace::default(), work, |part, _| {
            wrong = wrong.take().or(part);
            Ok::<(), StudyError>(())
        })?;
        let (first, last) = (targets.start(), targets.end());
        Ok(match wrong {
            Some(wrong) => Found::new(wrong, false),
            None => Found::new(
                format!("it holds for all {count} n of {first}..{last}"),
                true,
            ),
        })
    }
}
