//! Writes a chain in DRN, the explicit format of the model checker Storm.
//!
//! A model is a header and, for every state, a line `state 3 [1] label` with its reward in
//! brackets, a line `action 0`, and a line `4 : 1/2` for every transition.
//!
//! **Source.** Hensel, Junges, Katoen, Quatmann & Volk 2022, The probabilistic model checker Storm;
//! the page on the format at stormchecker.org.

use crate::model::{Model, WRITING_TO_MEMORY};
use std::fmt::Write;

/// Writes the model in DRN, without the names of the states.
pub(crate) fn write(model: &Model) -> String {
    let mut text = String::new();
    let states = model.states.len();
    writeln!(text, "// {}\n@type: DTMC\n@parameters\n", model.title).expect(WRITING_TO_MEMORY);
    writeln!(text, "@reward_models\n{}", model.reward).expect(WRITING_TO_MEMORY);
    writeln!(text, "@nr_states\n{states}\n@nr_choices\n{states}\n@model").expect(WRITING_TO_MEMORY);
    for (index, state) in model.states.iter().enumerate() {
        write!(text, "state {index} [{}]", state.reward).expect(WRITING_TO_MEMORY);
        if index == model.initial {
            text.push_str(" init");
        }
        for label in &state.labels {
            write!(text, " {label}").expect(WRITING_TO_MEMORY);
        }
        text.push_str("\n\taction 0\n");
        for (to, p) in &state.next {
            writeln!(text, "\t\t{to} : {p}").expect(WRITING_TO_MEMORY);
        }
    }
    text
}
