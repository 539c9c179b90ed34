//! The check `that`: see [`Statements`].

use crate::case::Case;
use crate::decide::{CheckResult, Decide};
use crate::error::{Mistake, SerializedMistake, StudyError};
use crate::limits::{MAX_CASES, MAX_OUTCOMES, check_at_most};
use crate::shown::format_real;
use crate::values::{FromText, texts};
use flipcost_all::questions::{AssertionResult, VerifyThat};
use flipcost_number::grammar::Operator;
use flipcost_number::{BigInt, Real};
use flipcost_question::{Control, Query, Sides};
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::ops::RangeInclusive;

/// A statement, or a list of statements that must all hold. A statement has expressions with `< <=
/// = >= >` between them. An expression writes a question as a function and a column of its answer
/// as a field; `[ROW]` selects a row if the answer has several. With `for`, n and k (the least k
/// with 2^k >= n) stand for numbers.
///
/// ```toml
/// that = "cost(6, algorithm: fast-dice-roller).expected = 11/3"
/// # or: that = "batch(4, 13, source: 6)[keep].expected = 2327482/699855"
/// # or: that = ["round(log2(6), 5) = 2.58496", "5/2 < cost(6, algorithm: interval).entropy < 3"]
/// ```
#[derive(JsonSchema)]
#[schemars(transparent)]
pub struct Statements(Vec<StatementText>);

impl<'de> Deserialize<'de> for Statements {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(StatementVisitor)
    }
}

struct StatementVisitor;

impl<'de> Visitor<'de> for StatementVisitor {
    type Value = Statements;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, or a list of them", StatementText::WHAT)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Statements, E> {
        let that = StatementText::read(text)
            .map_err(SerializedMistake)
            .map_err(E::custom)?;
        Ok(Statements(vec![that]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Statements, A::Error> {
        let mut all = Vec::new();
        while let Some(that) = list.next_element()? {
            all.push(that);
        }
        Ok(Statements(all))
    }
}

texts! {
    /// A statement, as the study writes it.
    StatementText(flipcost_all::questions::Assertion):
        "a statement such as \"cost(6, algorithm: interval).expected = 5\"", str::parse;
}

impl StatementText {
    fn verify_question(&self, range: Option<&RangeInclusive<u64>>) -> VerifyThat {
        let range = range.filter(|_| self.0.depends_on_n());
        VerifyThat {
            that: self.0.clone(),
            from: range.map_or(1, |range| *range.start()),
            to: range.map(|range| *range.end()),
            source: Sides::default(),
            algorithms: Vec::new(),
        }
    }

    fn check(&self, range: Option<&RangeInclusive<u64>>) -> Result<AssertionResult, StudyError> {
        let checked = self.verify_question(range).check(&Control::default());
        Ok(checked.map_err(Mistake::new)?)
    }

    /// Returns the computed value of one case, in words. If all operators are `≤`, it shows the
    /// values of all sides. For an equation whose last side is a number, it shows the value before
    /// rounding. Otherwise it shows the value of the last side that asks a question.
    fn computed(&self, checked: &AssertionResult) -> Result<String, StudyError> {
        let statement = self.0.statement();
        let (sides, values) = (statement.sides(), &checked.values);
        let all = |sign: Operator| statement.operators().iter().all(|one| *one == sign);
        if all(Operator::AtMost) {
            let shown = values
                .iter()
                .map(format_real)
                .collect::<Result<Vec<_>, _>>()?;
            let sign = if checked.wrong.is_none() {
                " ≤ "
            } else {
                ", "
            };
            return Ok(shown.join(sign));
        }
        let last = sides.len() - 1;
        let asks = |at: &usize| !sides[*at].is_number();
        if !all(Operator::Equal) || checked.wrong.is_some() {
            let equal = statement.operators().contains(&Operator::Equal);
            let asked = (0..=last).filter(asks).take(if equal { 1 } else { 2 });
            let asked = asked.map(|at| format_exactly(&values[at]));
            let asked = asked.collect::<Result<Vec<_>, StudyError>>()?;
            return Ok(asked.join(" and "));
        }
        match (asks(&last), sides[0].unrounded()) {
            (false, Some(side)) => {
                let value = self.0.value(&side, checked.n).map_err(Mistake::new)?;
                format_exactly(&value)
            }
            (false, None) if values[last].exact().is_some() => Ok(values[last].to_string()),
            _ => format_exactly(&values[last]),
        }
    }
}

/// Formats a value as a fraction with six decimals, or with twelve decimals.
fn format_exactly(value: &Real) -> Result<String, StudyError> {
    match value.exact() {
        Some(_) => format_real(value),
        None => Ok(value.decimals(12)?),
    }
}

impl Decide for Statements {
    fn contains_n(&self) -> bool {
        self.0.iter().any(|that| that.0.depends_on_n())
    }

    fn question(&self, case: &Case) -> Option<Query> {
        match (&self.0[..], case.at) {
            ([that], None) => Some(that.verify_question(case.range).into()),
            _ => None,
        }
    }

    fn standing(&self) -> &'static str {
        "decided exactly, or by enclosures"
    }

    fn decide(&self, case: &Case) -> Result<CheckResult, StudyError> {
        let Some((first, rest)) = self.0.split_first() else {
            return Err(Mistake::new("`that` has no statement").field("that").into());
        };
        if let Some(range) = case.range {
            check_at_most("for", range.end() - range.start(), "values of n", MAX_CASES)?;
        }
        if let (Some(at), Some(range)) = (case.at, case.range) {
            return first.check_holds_only_at(range, at);
        }
        let checked = first.check(case.range)?;
        let mut holds = checked.wrong.is_none();
        let mut computed = match (case.range, &checked.wrong) {
            (Some(range), None) if first.0.depends_on_n() => {
                let (from, to) = (range.start(), range.end());
                format!("it holds for all {} n of {from}..{to}", to - from + 1)
            }
            (Some(_), Some(wrong)) if first.0.depends_on_n() => format!("for {wrong}"),
            _ => first.computed(&checked)?,
        };
        // whole numbers, for example the rounds of a flow chart, are all shown
        let is_whole = |text: &str| text.parse::<BigInt>().is_ok();
        let mut all_whole = is_whole(&computed);
        let exact =
            |checked: &AssertionResult| checked.values.iter().all(|value| value.exact().is_some());
        let mut all_exact = exact(&checked);
        for that in rest {
            let checked = that.check(case.range)?;
            all_exact &= exact(&checked);
            if let Some(wrong) = &checked.wrong {
                holds = false;
                computed.push_str(&format!("; {}: {wrong}", that.0));
            } else if all_whole {
                let more = that.computed(&checked)?;
                all_whole = is_whole(&more);
                if all_whole {
                    computed.push_str(&format!(", {more}"));
                }
            }
        }
        Ok(CheckResult {
            standing: Some(if all_exact {
                "decided exactly"
            } else {
                "decided by enclosures"
            }),
            ..CheckResult::new(computed, holds)
        })
    }
}

impl StatementText {
    /// Returns whether the statement holds at exactly these n of the range.
    fn check_holds_only_at(
        &self,
        range: &RangeInclusive<u64>,
        at: &[u64],
    ) -> Result<CheckResult, StudyError> {
        check_at_most(
            "for",
            range.end() - range.start(),
            "values of n",
            MAX_OUTCOMES,
        )?;
        let mut found = Vec::new();
        for n in range.clone() {
            if self.check(Some(&(n..=n)))?.wrong.is_none() {
                found.push(n);
            }
        }
        let list: Vec<String> = found.iter().map(u64::to_string).collect();
        let equation = self.0.statement().operators() == [Operator::Equal];
        let what = if equation { "equal" } else { "true" };
        let computed = if list.is_empty() {
            format!("{what} at none of {} n", range.end() - range.start() + 1)
        } else {
            format!("{what} at n = {}", list.join(", "))
        };
        let mut wanted = at.to_vec();
        wanted.sort_unstable();
        Ok(CheckResult::new(computed, found == wanted))
    }
}
