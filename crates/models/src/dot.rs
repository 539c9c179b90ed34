//! Writes a chain in DOT, the language of Graphviz, as a picture. Final states have double circles.

use crate::Model;
use crate::WRITING_TO_MEMORY;
use num_traits::One;
use std::fmt::Write;

/// Quotes a string for DOT.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes the model as a directed graph named `chain`.
pub(crate) fn write(model: &Model) -> String {
    let mut text = String::new();
    let mut line = |text_line: String| writeln!(text, "{text_line}").expect(WRITING_TO_MEMORY);
    line("digraph chain {".into());
    line(format!("  label={};", quote(&model.title)));
    line("  node [shape=circle];".into());
    line(format!(
        "  start [shape=point]; start -> s{};",
        model.initial
    ));
    for (index, state) in model.states.iter().enumerate() {
        if state.is_absorbing(index) {
            let labels: Vec<&str> = (state.labels.iter())
                .filter(|label| *label != "done")
                .map(String::as_str)
                .collect();
            let label = quote(&labels.join(", "));
            line(format!("  s{index} [shape=doublecircle, label={label}];"));
            continue;
        }
        let name = if state.name.is_empty() {
            index.to_string()
        } else {
            state.name.clone()
        };
        let reward = if state.reward.is_one() {
            String::new()
        } else {
            format!(
                ", xlabel={}",
                quote(&format!("{} {}", state.reward, model.reward))
            )
        };
        line(format!("  s{index} [label={}{reward}];", quote(&name)));
        for (to, p) in &state.next {
            if p.is_one() {
                line(format!("  s{index} -> s{to};"))
            } else {
                line(format!("  s{index} -> s{to} [label=\"{p}\"];"))
            }
        }
    }
    line("}".into());
    text
}
