//! Writes a chain in the language of the model checker PRISM.
//!
//! The only variable, s, is the number of the state. The states at the end that lead only to
//! themselves share one command.
//!
//! ```text
//! R{"rolls"}=? [F "done"]      is E[T]
//! P=? [F "outcome_0"]          is the probability of outcome 0
//! ```
//!
//! All probabilities are written as fractions, which an exact engine preserves.
//!
//! **Source.** Kwiatkowska, Norman & Parker 2011, PRISM 4.0.

use crate::Model;
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Writes the model as a module `dice`.
pub(crate) fn write(model: &Model) -> String {
    let mut text = String::new();
    let mut line = |text_line: String| writeln!(text, "{text_line}").expect(WRITING_TO_MEMORY);
    let states = &model.states;
    let reward = &model.reward;
    line(format!("// {}", model.title));
    line(format!(
        "// R{{\"{reward}\"}}=? [F \"done\"] is the expected number of {reward}"
    ));
    line("dtmc\n\nmodule dice".into());
    // PRISM requires a range of at least two values.
    let last = (states.len() - 1).max(1);
    line(format!("  s : [0..{last}] init {};\n", model.initial));
    let kept = |index: &usize| states[*index].is_absorbing(*index);
    let finals = (0..states.len()).rev().take_while(kept).count();
    let unfinished = states.len() - finals;
    for (index, state) in states[..unfinished].iter().enumerate() {
        let moves: Vec<String> = (state.next.iter())
            .map(|(to, p)| {
                if p.is_one() {
                    format!("(s'={to})")
                } else {
                    format!("{p} : (s'={to})")
                }
            })
            .collect();
        line(format!(
            "  [] s={index} -> {}; // {}",
            moves.join(" + "),
            state.name
        ));
    }
    if finals > 0 {
        line(format!("  [] s>={unfinished} -> (s'=s);"));
    }
    line(format!("endmodule\n\nrewards \"{reward}\""));
    // Go through runs of states with the same reward.
    let mut first = 0;
    while first < states.len() {
        let earned = &states[first].reward;
        let run = states[first..]
            .iter()
            .take_while(|state| state.reward == *earned);
        let end = first + run.count();
        if !earned.is_zero() {
            line(match first {
                0 => format!("  s<{end} : {earned};"),
                _ => format!("  s>={first} & s<{end} : {earned};"),
            });
        }
        first = end;
    }
    if states.iter().all(|state| state.reward.is_zero()) {
        line("  true : 0;".into()); // PRISM rejects an empty block
    }
    line("endrewards\n".into());
    if finals > 0 {
        line(format!("label \"done\" = s>={unfinished};"));
    }
    let mut labels: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (index, state) in states.iter().enumerate() {
        for label in state.labels.iter().filter(|label| *label != "done") {
            labels.entry(label).or_insert_with(|| {
                order.push(label);
                Vec::new()
            });
            labels
                .get_mut(label.as_str())
                .expect("the label was inserted before")
                .push(index);
        }
    }
    for label in order {
        let where_: Vec<String> = labels[label]
            .iter()
            .map(|index| format!("s={index}"))
            .collect();
        line(format!("label \"{label}\" = {};", where_.join(" | ")));
    }
    text
}

pub(crate) const WRITING_TO_MEMORY: &str = "memory takes every byte";
