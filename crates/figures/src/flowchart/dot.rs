//! A flow chart for Graphviz.

use super::FlowChart;
use crate::dot::quote;

impl FlowChart {
    /// The flow chart in the DOT language of Graphviz, numbers in full. Ends with a line break.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph flowchart {\n");
        let mut add = |line: String| {
            dot.push_str("  ");
            dot.push_str(&line);
            dot.push('\n');
        };
        add(format!(
            "label={};",
            quote(&match &self.guide {
                None => format!("Fast dice roller, n = {}", self.target),
                Some(guide) => format!(
                    "Fast dice roller, n = {}\n{}",
                    self.target,
                    guide.lines.join("\n")
                ),
            })
        ));
        add("labelloc=t;".into());
        add("rankdir=LR;".into());
        add("node [fontname=\"DejaVu Sans\"];".into());
        add("edge [fontname=\"DejaVu Sans\"];".into());
        if self.rounds.is_empty() {
            add("before0 [shape=circle, label=\"1\"];".into());
            add("accept0 [shape=plaintext, label=\"✓\"];".into());
            add("before0 -> accept0 [label=\"always\"];".into());
        }
        for (i, round) in self.rounds.iter().enumerate() {
            add(format!(
                "before{i} [shape=circle, label={}];",
                quote(&round.before)
            ));
            add(format!(
                "after{i} [shape=circle, label={}];",
                quote(&round.after)
            ));
            add(format!(
                "test{i} [shape=diamond, label={}];",
                quote(&format!(
                    "{}< {}?",
                    if self.guide.is_some() { "c " } else { "" },
                    round.subtract
                ))
            ));
            let accept = match self.result(round) {
                Some(result) => format!("✓ {result}"),
                None => "✓".to_string(),
            };
            add(format!(
                "accept{i} [shape=plaintext, label={}];",
                quote(&accept)
            ));
            add(format!(
                "before{i} -> after{i} [label={}];",
                quote(&self.rolls(round))
            ));
            add(format!("after{i} -> test{i};"));
            let next = self.next(i);
            let word = if next.is_some() { "yes" } else { "always" };
            add(format!("test{i} -> accept{i} [label=\"{word}\"];"));
            if let Some((_, to)) = next {
                let style = if to == i + 1 {
                    ""
                } else {
                    ", color=\"#d55e00\", penwidth=2"
                };
                let label = quote(&match self.guide {
                    Some(_) => format!("c = c - {}", round.subtract),
                    None => format!("subtract {}", round.subtract),
                });
                add(format!(
                    "test{i} -> before{to} [label={label}, constraint=false{style}];"
                ));
            }
        }
        // One line per round: the first states in a column, held in order by unseen edges.
        if self.rounds.len() > 1 {
            let column: Vec<String> = (0..self.rounds.len())
                .map(|i| format!("before{i}"))
                .collect();
            add(format!(
                "{{ rank=same; {} [style=invis]; }}",
                column.join(" -> ")
            ));
        }
        dot.push_str("}\n");
        dot
    }
}
