//! Writes a chain in the language of the model checker PRISM.
//!
//! The only variable, s, is the number of the state. The states at the end of the list that lead
//! only to themselves share one command.
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
use std::collections::HashMap;

/// Writes the model as a module `dice`.
pub(crate) fn write(model: &Model) -> String {
    let Model { title, reward, .. } = model;
    format!(
        "// {title}\n\
         // R{{\"{reward}\"}}=? [F \"done\"] is the expected number of {reward}\n\
         dtmc\n\n\
         module dice\n{}endmodule\n\n\
         rewards \"{reward}\"\n{}endrewards\n\n{}",
        commands(model),
        rewards(model),
        labels(model)
    )
}

/// The index of the first of the states at the end of the list that lead only to themselves, if
/// there are any.
fn first_final(model: &Model) -> Option<usize> {
    let states = &model.states;
    let kept = |index: &usize| states[*index].is_absorbing(*index);
    (0..states.len()).rev().take_while(kept).last()
}

/// Writes the declaration of the variable, and a command for each state.
fn commands(model: &Model) -> String {
    let states = &model.states;
    // PRISM requires a range of at least two values.
    let last = (states.len() - 1).max(1);
    let mut text = format!("  s : [0..{last}] init {};\n\n", model.initial);
    let first_final = first_final(model);
    let unfinished = first_final.unwrap_or(states.len());
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
        let moves = moves.join(" + ");
        text += &format!("  [] s={index} -> {moves}; // {}\n", state.name);
    }
    if let Some(first) = first_final {
        text += &format!("  [] s>={first} -> (s'=s);\n");
    }
    text
}

/// Writes the rewards: one line for each run of consecutive states with the same reward.
fn rewards(model: &Model) -> String {
    let mut text = String::new();
    let mut first = 0;
    for run in (model.states).chunk_by(|one, next| one.reward == next.reward) {
        let (end, earned) = (first + run.len(), &run[0].reward);
        if !earned.is_zero() {
            text += &match first {
                0 => format!("  s<{end} : {earned};\n"),
                _ => format!("  s>={first} & s<{end} : {earned};\n"),
            };
        }
        first = end;
    }
    if text.is_empty() {
        text += "  true : 0;\n"; // PRISM rejects an empty block
    }
    text
}

/// Writes the labels, in the order of the first states that have them.
fn labels(model: &Model) -> String {
    let mut text = String::new();
    if let Some(first) = first_final(model) {
        text += &format!("label \"done\" = s>={first};\n");
    }
    let mut labels: Vec<(&str, Vec<String>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (index, state) in model.states.iter().enumerate() {
        for label in state.labels.iter().filter(|label| *label != "done") {
            let place = *places.entry(label.as_str()).or_insert(labels.len());
            if place == labels.len() {
                labels.push((label.as_str(), Vec::new()));
            }
            labels[place].1.push(format!("s={index}"));
        }
    }
    for (label, states) in labels {
        text += &format!("label \"{label}\" = {};\n", states.join(" | "));
    }
    text
}
