//! The best rule of all from a loaded source, or how near a search comes.

use super::Cost;
use crate::question::*;
use flipcost::algorithms::find;
use flipcost::loaded::{EFFORT, Ending, Found, Optimum, Placed, optimum};
use flipcost::number::{BigUint, Rational, Real};
use flipcost::task::Task;
use flipcost_oeis::text::counted;
use std::fmt::Write;
use std::num::NonZeroU64;

/// An enclosure is narrow if it is not wider than 1 over this.
const NARROW: u64 = 1_000_000_000;

/// The most nodes that are printed.
const MOST_NODES: usize = 200;

impl Cost {
    /// The steps of the search.
    pub(super) fn steps(&self) -> u64 {
        self.effort.map_or(EFFORT, NonZeroU64::get)
    }

    /// The row of the best rule, and its tables.
    pub(super) fn best(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        for (name, given) in [
            ("algorithms", !self.algorithms.is_empty()),
            ("columns", !self.columns.is_empty()),
            ("exact", self.exact),
            ("at", self.at.is_some()),
        ] {
            if given {
                return Err(QueryError::both(name, "optimal"));
            }
        }
        let precision = precision(self.digits, false)?;
        let task = Task::new(self.source.0.clone(), self.target.checked()?.clone());
        control.go_on()?;
        let mut found = optimum(&task, self.steps()).map_err(QueryError::of("source"))?;
        control.go_on()?;
        let interval = find("interval").map_err(QueryError::input)?.law(&task);
        let interval = interval.map(|law| law.mean());
        // The entropy is a bound of its own, and the interval algorithm a rule.
        found.lower = task.entropy().enclose(64).low().max(found.lower);
        if let Ok(mean) = &interval
            && let high = mean.enclose(64).high()
            && high < found.upper
        {
            found.upper = high;
            found.rule = Found {
                levels: Vec::new(),
                ending: Ending::Interval,
            };
        }
        let unit = self.source.0.unit().plural();
        let gap = &found.upper - &found.lower;
        let closed = found.rule.ending != Ending::Interval;
        let proved = match () {
            () if closed && gap == Rational::default() => "yes",
            () if gap <= Rational::new(1.into(), NARROW.into()) => "enclosed",
            () => "no",
        };
        let number = |value: &Rational| decimal(&Real::Exact(value.clone()), precision);
        let row = row![
            self.target.cell(),
            self.source.to_string(),
            if closed {
                (&found.upper).into()
            } else {
                Cell::Empty
            },
            number(&found.upper)?,
            &found.lower,
            proved.to_string(),
            match interval {
                Ok(mean) => decimal(&mean, precision)?,
                Err(_) => Cell::Empty,
            }
        ];
        let head = Head::new()
            .column("target", self.target.kind())
            .column("source", Kind::Text)
            .measured("expected_exact", Kind::Exact, unit)
            .measured("expected", Kind::Decimal, unit)
            .measured("lower_exact", Kind::Exact, unit)
            .column("proved", Kind::Text)
            .measured("interval", Kind::Decimal, unit);
        let mut foot = Foot::default();
        if proved == "no" {
            let steps = counted(found.steps, "step");
            foot.note(say!(
                "the search ended after {steps} without a proof: the optimum is at least lower_exact and at most expected; ",
                field("effort"),
                " takes more steps"
            ));
        }
        foot.text = Some(self.tables(&found));
        sink.whole(&head, vec![row], foot)
    }

    /// The rule as tables to follow.
    fn tables(&self, found: &Optimum) -> String {
        let label = |outcome: usize| self.target.label(&BigUint::from(outcome));
        let mut text = format!(
            "The best rule that was found for {} from {}, a table for each roll.\n",
            self.target.in_words(),
            self.source.0.with_article()
        );
        let levels = &found.rule.levels;
        let mut nodes = 0;
        for (depth, level) in levels.iter().enumerate() {
            nodes += level.len();
            if nodes > MOST_NODES {
                writeln!(text, "... and {} more tables", levels.len() - depth).expect(IN_MEMORY);
                break;
            }
            writeln!(text, "\nTable {}", depth + 1).expect(IN_MEMORY);
            for (node, faces) in level.iter().enumerate() {
                let place = |(face, placed): (usize, &Placed)| {
                    let to = match placed {
                        Placed::Outcome(outcome) => format!("outcome {}", label(*outcome)),
                        Placed::Open(next) => format!("line {} of table {}", next + 1, depth + 2),
                    };
                    format!("face {}: {to}", face + 1)
                };
                let faces: Vec<String> = faces.iter().enumerate().map(place).collect();
                writeln!(text, "  line {}: {}", node + 1, faces.join("; ")).expect(IN_MEMORY);
            }
        }
        let last = levels.len() + 1;
        let ending = match &found.rule.ending {
            Ending::Decided => String::new(),
            Ending::Interval => format!(
                "\nTable {last}: the interval algorithm, or a longer search; so far down it hardly costs more.\n"
            ),
            Ending::Repeats {
                level, outcomes, ..
            } => {
                let renamed = |(now, then): (usize, &usize)| {
                    (now != *then).then(|| {
                        format!(
                            "outcome {} is what outcome {} was",
                            label(now),
                            label(*then)
                        )
                    })
                };
                let renamed: Vec<String> =
                    outcomes.iter().enumerate().filter_map(renamed).collect();
                let with = match renamed.is_empty() {
                    true => String::new(),
                    false => format!(", where {}", renamed.join(", ")),
                };
                format!(
                    "\nTable {last} is table {} again, line by line{with}.\n",
                    level + 1
                )
            }
        };
        text + &ending
    }
}

const IN_MEMORY: &str = "memory takes every byte";
