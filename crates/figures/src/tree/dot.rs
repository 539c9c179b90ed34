//! A tree for Graphviz.

use std::fmt::Write as _;

use super::{NodeKind, Tree};
use crate::dot::quote;

impl Tree {
    /// The tree in the DOT language of Graphviz. Ends with a line break.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph tree {\n");
        writeln!(dot, "  label={};", quote(&self.title)).expect("a String takes all");
        dot.push_str("  labelloc=t;\n  node [fontname=\"DejaVu Sans\"];\n  edge [fontname=\"DejaVu Sans\", arrowhead=none];\n");
        for (i, node) in self.nodes.iter().enumerate() {
            let mut label = node.label.clone();
            for line in node.under() {
                if !label.is_empty() {
                    label.push('\n');
                }
                label.push_str(&line);
            }
            let look = match node.kind {
                NodeKind::Roll => "shape=circle",
                NodeKind::Output => {
                    "shape=box, style=filled, fillcolor=\"#009e73\", fontcolor=white"
                }
                NodeKind::Open => "shape=circle, style=dashed",
            };
            writeln!(dot, "  n{i} [{look}, label={}];", quote(&label)).expect("a String takes all");
            for (face, child) in &node.edges {
                writeln!(dot, "  n{i} -> n{child} [label={}];", quote(face))
                    .expect("a String takes all");
            }
        }
        dot.push_str("}\n");
        dot
    }
}
