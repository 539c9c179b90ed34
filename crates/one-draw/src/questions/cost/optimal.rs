//! Searches for the best rule of any form from one source, or for bounds on its cost.

use super::Cost;
use flipcost::algorithms::face_name;
use flipcost::algorithms::find;
use flipcost::task::Task;
use flipcost_number::{BigUint, Decimal, Rational, Real};
use flipcost_optimum::{AfterFace, EFFORT, Optimum, OptimumError, PathEnd, optimum};
use flipcost_question::count_with_noun;
use flipcost_question::prelude::*;
use num_traits::{ToPrimitive, Zero};
use std::fmt::Write;
use std::num::NonZeroU64;

/// Up to this many outcomes, a step of the search is short.
const MAX_SHOWN_OUTCOMES: u64 = 20;

/// The largest number of rolls of a rule that are printed.
const MAX_PRINTED_ROLLS: usize = 60;

impl Cost {
    /// Returns the largest number of steps of the search. With many outcomes a step takes longer,
    /// so the default number of steps is smaller.
    pub(super) fn optimal_steps(&self) -> u64 {
        let outcomes = self.target.target().outcomes();
        let many = outcomes
            .to_u64()
            .unwrap_or(u64::MAX)
            .max(MAX_SHOWN_OUTCOMES);
        self.effort.map_or(
            (EFFORT / many).saturating_mul(MAX_SHOWN_OUTCOMES).max(1),
            NonZeroU64::get,
        )
    }

    /// Writes the row of the best rule, and the rule itself.
    pub(super) fn answer_optimal(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let target = &self.target;
        for (name, given) in [
            ("algorithms", !self.algorithms.is_empty()),
            ("columns", !self.columns.is_empty()),
            ("exact", self.exact),
            ("at", self.at.is_some()),
        ] {
            if given {
                return Err(QueryError::both_given(name, "optimal"));
            }
        }
        let task = Task::new(target.checked()?.clone(), self.source.0.clone());
        let most = self.optimal_steps();
        // The search does not report progress: most searches end long before the last step.
        let mut go_on = |_: u64| control.go_on().is_ok();
        let mut found = optimum(&task, most, &mut go_on).map_err(|error| match error {
            OptimumError::Outcomes(_) => QueryError::for_field("target")(error),
            error => QueryError::for_field("source")(error),
        })?;
        control.go_on()?;
        let precision = precision(self.digits, false)?;
        let interval = find("interval")
            .ok()
            .and_then(|interval| interval.law(&task).ok());
        let interval = interval.map(|law| law.mean_real());
        // if the search found nothing better, the best rule is the interval algorithm
        let high = interval.as_ref().map(|mean| mean.enclose(64).high());
        if let Some(high) = high.filter(|high| *high < found.upper) {
            found.upper = high;
            found.end = PathEnd::Line;
            found.actions.clear();
        }
        let interval = interval.map(|mean| decimal(&mean, precision));
        let upper = Real::Exact(found.upper.clone());
        let rolls = found.rolls(&task).filter(|rolls| !rolls.is_empty());
        let unit = self.source.0.unit().plural();
        let row = row![
            target.cell(),
            self.source.to_string(),
            found.exact(),
            decimal(&upper, precision)?,
            &found.lower,
            proof_status(&found),
            interval.transpose()?,
            rolls.as_deref().map(format_rule),
        ];
        let head = Head::new()
            .column("target", target.kind())
            .column("source", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .measured("lower_exact", CellKind::Exact, unit)
            .column("proved", CellKind::Text)
            .measured("interval", CellKind::Decimal, unit)
            .column("rule", CellKind::Text);
        let mut foot = Foot::default();
        if !found.is_enclosed() {
            foot.note(gap_sentence(&found, most));
        }
        foot.text = Some(format_tables(self, target, &found, rolls.as_deref()));
        sink.write_answer(&head, vec![row], foot)
    }
}

/// Formats the rule as tables that a person can follow by hand, the most likely rolls first.
fn format_tables(
    cost: &Cost,
    target: &TargetText,
    found: &Optimum,
    rolls: Option<&[Vec<AfterFace>]>,
) -> String {
    let unit = cost.source.0.unit().plural();
    let digits = |x: &Rational| Decimal::up(x, 12);
    let mut text = format!(
        "The best rule of all for {} from {}\n\n",
        target.phrase(),
        cost.source.0.with_article()
    );
    let mean = match found.exact() {
        Some(exact) if exact.is_integer() => exact.to_string(),
        Some(exact) => format!("{exact}, about {:.12}", Real::Exact(exact.clone())),
        None => format!("at most {}", digits(&found.upper)),
    };
    let lower = Decimal::down(&found.lower, 12);
    let proved = if found.is_proved() {
        "no rule of any form costs less".to_string()
    } else {
        format!("no rule of any form costs less than {lower}")
    };
    let mut line = |words: String| {
        text.push_str(&words);
        text.push('\n');
    };
    line(format!("expected {unit}: {mean}"));
    line(format!("proved: {proved}"));
    line(String::new());
    if found.upper.is_zero() {
        line(format!("0 {unit}: there is one outcome only"));
    } else if let Some(rolls) = rolls {
        write_rolls(cost, target, rolls, &mut line);
    } else if found.actions.is_empty() {
        line("the rule: the interval algorithm".to_string());
    } else {
        line("the rule has too many rolls to be shown".to_string());
    }
    text
}

fn write_rolls(
    cost: &Cost,
    target: &TargetText,
    rolls: &[Vec<AfterFace>],
    line: &mut dyn FnMut(String),
) {
    let sides = cost.source.0.sides().to_u128().unwrap_or_default();
    for (i, below) in rolls.iter().take(MAX_PRINTED_ROLLS).enumerate() {
        let mut words = format!("{:>3}:", i + 1);
        for (face, next) in (0..).zip(below) {
            let does = match next {
                AfterFace::Outcome(outcome) => target.label(&BigUint::from(*outcome)),
                AfterFace::Roll(to) => format!("-> {}", to + 1),
                AfterFace::Rest => "-> rest".to_string(),
            };
            write!(words, "  {}: {does}", face_name(sides, face)).expect("memory takes every byte");
        }
        line(words);
    }
    if rolls.len() > MAX_PRINTED_ROLLS {
        let more = count_with_noun((rolls.len() - MAX_PRINTED_ROLLS) as u64, "more roll");
        line(format!("    ... {more}, in the column rule"));
    }
    if rolls.iter().flatten().any(|next| *next == AfterFace::Rest) {
        line("rest: decided by the interval algorithm".to_string());
    }
}

/// Formats a rule in one line for programs: `2 >2; >3 1; >2 2`. For every roll, the line lists what
/// follows each face: an outcome (counted from 1), a roll (after `>`), or `?` for the rest.
fn format_rule(rolls: &[Vec<AfterFace>]) -> String {
    let next = |next: &AfterFace| match next {
        AfterFace::Outcome(outcome) => (outcome + 1).to_string(),
        AfterFace::Roll(to) => format!(">{}", to + 1),
        AfterFace::Rest => "?".to_string(),
    };
    let roll = |below: &Vec<AfterFace>| below.iter().map(next).collect::<Vec<String>>().join(" ");
    rolls.iter().map(roll).collect::<Vec<String>>().join("; ")
}

fn proof_status(found: &Optimum) -> &'static str {
    match (found.is_proved(), found.is_enclosed()) {
        (true, _) => "yes",
        (_, true) => "enclosed",
        _ => "no",
    }
}

fn gap_sentence(found: &Optimum, most: u64) -> Sentence {
    let steps = count_with_noun(found.steps, "step");
    if found.steps < most {
        return say!(
            "the search ended after {steps} at its greatest depth: the optimum is at least lower_exact and at most expected"
        );
    }
    say!(
        "the search ended after {steps} without a proof: the optimum is at least lower_exact and at most expected; ",
        field("effort"),
        " takes more steps"
    )
}
