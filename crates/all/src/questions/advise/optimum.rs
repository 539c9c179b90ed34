//! Finds the best rule of any form for a loaded source, if a short search proves it.

use super::page::indent_lines;
use super::{Advise, Method, OPTIMAL_ID, SEARCH_STEPS, command_line};
use flipcost::algorithms::Memory;
use flipcost::task::Task;
use flipcost_dice_set::longest_path;
use flipcost_number::{Rational, Real};
use flipcost_one_draw::questions::Cost;
use flipcost_optimum::{AfterFace, optimum};
use flipcost_question::prelude::*;
use num_traits::Zero;
use serde_json::json;

/// The largest number of lines of a rule that a person can follow.
const MAX_LINES: usize = 40;

impl Advise {
    /// Returns the best rule for a loaded source, if it is proved and short enough to write down.
    pub(super) fn loaded_optimum(&self, task: &Task, control: &Control) -> Option<Method> {
        task.source().weights()?;
        let found = optimum(task, SEARCH_STEPS, &mut |_| control.go_on().is_ok()).ok()?;
        let mean = found.exact().filter(|_| found.is_proved())?;
        let rolls = found.rolls(task).filter(|rolls| rolls.len() <= MAX_LINES)?;
        let next = rolls.iter().map(|faces| {
            let follows = faces.iter().filter_map(|after| match after {
                AfterFace::Roll(line) => Some(*line),
                _ => None,
            });
            follows.collect()
        });
        let next: Vec<Vec<usize>> = next.collect();
        let unit = task.source().unit();
        let names = |face: usize| match (task.source().weights().map(<[_]>::len), face) {
            (Some(2), 0) => "heads".to_string(),
            (Some(2), _) => "tails".to_string(),
            (_, face) => format!("face {}", face + 1),
        };
        let label = |after: &AfterFace| match (&self.target, after) {
            (_, AfterFace::Roll(line)) => format!("row {}", line + 1),
            (Some(target), AfterFace::Outcome(i)) => {
                format!("outcome {}", target.label(&(*i).into()))
            }
            (_, AfterFace::Outcome(i)) => format!("outcome {}", i + 1),
            (_, AfterFace::Rest) => String::new(),
        };
        if rolls
            .iter()
            .flatten()
            .any(|after| *after == AfterFace::Rest)
        {
            return None;
        }
        let mut text =
            vec!["begin at row 1; each row says what to do after each face:".to_string()];
        for (line, faces) in (1..).zip(&rolls) {
            let cells = faces.iter().enumerate();
            let cells = cells.map(|(face, after)| format!("{}: {}", names(face), label(after)));
            text.push(format!(
                "{line:3}  {}",
                cells.collect::<Vec<_>>().join(", ")
            ));
        }
        let worst = longest_path(&next);
        let mut gives_up = vec![format!("a table of {} rows", rolls.len())];
        if worst.is_none() {
            gives_up.push(format!("the number of {} is unbounded", unit.plural()));
        }
        let optimal = json!({ "target": self.target_word(), "optimal": true });
        Some(Method {
            memory: Memory::State,
            number_bits: 0,
            id: OPTIMAL_ID.to_string(),
            mean: Real::Exact(mean.clone()),
            worst,
            distance: Some(Rational::zero()),
            words_joined: 1,
            gives_up: gives_up.join("; "),
            command: command_line::<Cost>(optimal, task.source()),
            how: indent_lines(text.iter().map(String::as_str)),
        })
    }
}
