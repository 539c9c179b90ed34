//! Decision trees (DDG trees): every roll of the source is a fork, every leaf an outcome.
//!
//! The depth of a node is the number of rolls so far. The layout is Reingold and Tilford's idea:
//! subtrees stand as close as their outlines allow, and a parent in the middle over its children.

use std::fmt::Write as _;

use super::flowchart::quote;
use super::glyphs;
use super::pen::{Ink, Pen, Type};
use super::plot::title;
use super::render::{Drawing, FigureError};
use super::style::{self, Dash, Hue};

/// What a node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Another roll follows.
    Roll,
    /// An outcome.
    Output,
    /// Another roll would follow, but the picture ends here.
    Open,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// What stands in the node: an outcome, or the state (may be empty).
    pub label: String,
    /// What the node is.
    pub kind: NodeKind,
    /// The face rolled (such as `H`) and the node (its place in [`Tree::nodes`]) that it leads to.
    pub edges: Vec<(String, usize)>,
    /// The probability of coming here, such as `1/8`; empty for nothing.
    pub probability: String,
    /// The label of an earlier node whose subtree would be repeated here.
    pub back_reference: Option<String>,
}

impl TreeNode {
    /// A node at which the source is rolled.
    pub fn roll(label: impl Into<String>, edges: Vec<(String, usize)>) -> TreeNode {
        TreeNode {
            edges,
            ..TreeNode::leaf(label, NodeKind::Roll)
        }
    }

    /// An outcome.
    pub fn output(label: impl Into<String>, probability: impl Into<String>) -> TreeNode {
        TreeNode {
            probability: probability.into(),
            ..TreeNode::leaf(label, NodeKind::Output)
        }
    }

    /// A node at which the picture ends.
    pub fn open(label: impl Into<String>, probability: impl Into<String>) -> TreeNode {
        TreeNode {
            probability: probability.into(),
            ..TreeNode::leaf(label, NodeKind::Open)
        }
    }

    /// The same node with the remark that it repeats an earlier one.
    pub fn back_to(self, label: impl Into<String>) -> TreeNode {
        TreeNode {
            back_reference: Some(label.into()),
            ..self
        }
    }

    fn leaf(label: impl Into<String>, kind: NodeKind) -> TreeNode {
        let label = label.into();
        TreeNode {
            label,
            kind,
            edges: Vec::new(),
            probability: String::new(),
            back_reference: None,
        }
    }
}

/// A decision tree. The first node is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// What the tree shows.
    pub title: String,
    /// What the depth counts, such as `flips`.
    pub unit: String,
    /// The nodes; every one but the first is the child of exactly one other.
    pub nodes: Vec<TreeNode>,
}

/// Deeper than this a tree is no picture.
const DEPTH_LIMIT: usize = 1000;
const RADIUS: f64 = 12.0;
const LEVEL: f64 = 72.0;
/// The same where some node has more than three children.
const LEVEL_FAN: f64 = 96.0;
const GAP: f64 = 7.0;
const TEXT: f64 = 12.0;

/// Where nodes stand: x in pixels from an arbitrary origin, y in levels.
struct Layout {
    x: Vec<f64>,
    depth: Vec<usize>,
}

impl Tree {
    /// A tree of these nodes.
    pub fn new(title: impl Into<String>, unit: impl Into<String>, nodes: Vec<TreeNode>) -> Tree {
        Tree {
            title: title.into(),
            unit: unit.into(),
            nodes,
        }
    }

    /// Every node with its depth, parents first.
    fn order(&self) -> Result<Vec<(usize, usize)>, FigureError> {
        let wrong = |text: String| Err(FigureError::Mismatch(text));
        if self.nodes.is_empty() {
            return Err(FigureError::Empty(format!(
                "the tree {:?} has no nodes",
                self.title
            )));
        }
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        let mut order = vec![(0, 0)];
        let mut next = 0;
        while let Some(&(node, depth)) = order.get(next) {
            next += 1;
            for (_, child) in &self.nodes[node].edges {
                match seen.get(*child) {
                    None => {
                        return wrong(format!(
                            "node {node} leads to node {child}, which is not there"
                        ));
                    }
                    Some(true) => {
                        return wrong(format!("two edges lead to node {child}: not a tree"));
                    }
                    Some(false) if depth >= DEPTH_LIMIT => {
                        return wrong(format!("the tree is deeper than {DEPTH_LIMIT}"));
                    }
                    Some(false) => {
                        seen[*child] = true;
                        order.push((*child, depth + 1));
                    }
                }
            }
        }
        match seen.iter().position(|s| !s) {
            Some(lost) => wrong(format!("no edge leads to node {lost}")),
            None => Ok(order),
        }
    }

    /// The text under a node.
    fn under(node: &TreeNode) -> Vec<String> {
        let mut lines = Vec::new();
        if !node.probability.is_empty() && node.edges.is_empty() {
            lines.push(node.probability.clone());
        }
        if let Some(label) = &node.back_reference {
            lines.push(format!("↺ {}", glyphs::ellipsize(label, 12)));
        }
        lines
    }

    /// Half the width of a node's shape.
    fn half_shape(node: &TreeNode) -> f64 {
        if node.label.is_empty() && node.kind == NodeKind::Roll {
            return 5.0;
        }
        (glyphs::width(&glyphs::ellipsize(&node.label, 14), TEXT) / 2.0 + 6.0).max(RADIUS)
    }

    /// Half the width of a node with what stands under it.
    fn half_width(node: &TreeNode) -> f64 {
        Tree::under(node)
            .iter()
            .map(|line| glyphs::width(line, style::NOTE_SIZE) / 2.0)
            .fold(Tree::half_shape(node), f64::max)
    }

    fn layout(&self) -> Result<Layout, FigureError> {
        let order = self.order()?;
        let count = self.nodes.len();
        // Each subtree's outline: for every level below its root, how far left and right it goes
        // from the root. Children are merged from left to right.
        let mut outline: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count];
        let mut offset = vec![0.0; count];
        for &(node, _) in order.iter().rev() {
            let mut merged: Vec<(f64, f64)> = Vec::new();
            let mut places = Vec::new();
            for (_, child) in &self.nodes[node].edges {
                let below = std::mem::take(&mut outline[*child]);
                let shift = merged
                    .iter()
                    .zip(&below)
                    .map(|((_, right), (left, _))| right + GAP - left)
                    .fold(f64::NEG_INFINITY, f64::max);
                let shift = if merged.is_empty() { 0.0 } else { shift };
                for (level, (left, right)) in below.iter().enumerate() {
                    match merged.get_mut(level) {
                        Some(edge) => edge.1 = right + shift,
                        None => merged.push((left + shift, right + shift)),
                    }
                }
                places.push((*child, shift));
            }
            let middle = match (places.first(), places.last()) {
                (Some(a), Some(b)) => (a.1 + b.1) / 2.0,
                _ => 0.0,
            };
            for (child, shift) in places {
                offset[child] = shift - middle;
            }
            let half = Tree::half_width(&self.nodes[node]);
            let mut whole = vec![(-half, half)];
            whole.extend(merged.iter().map(|(l, r)| (l - middle, r - middle)));
            outline[node] = whole;
        }
        let (mut x, mut depth) = (vec![0.0; count], vec![0; count]);
        for &(node, level) in &order {
            depth[node] = level;
            for (_, child) in &self.nodes[node].edges {
                x[*child] = x[node] + offset[*child];
            }
        }
        let left = outline[0].iter().map(|o| o.0).fold(0.0, f64::min);
        for place in &mut x {
            *place -= left;
        }
        Ok(Layout { x, depth })
    }

    /// Left, right and level of every node: what must not overlap.
    #[cfg(test)]
    pub(super) fn boxes(&self) -> Result<Vec<(f64, f64, usize)>, FigureError> {
        let layout = self.layout()?;
        let half = |i: usize| Tree::half_width(&self.nodes[i]);
        let sides = |i: usize| {
            (
                layout.x[i] - half(i),
                layout.x[i] + half(i),
                layout.depth[i],
            )
        };
        Ok((0..self.nodes.len()).map(sides).collect())
    }

    /// Draws the tree. Its width grows with the number of leaves.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the nodes are not one tree; [`FigureError::Empty`] without any.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        let layout = self.layout()?;
        let mut pen = Pen::default();
        let levels = layout.depth.iter().max().map_or(0, |d| d + 1);
        let spread = layout
            .x
            .iter()
            .zip(&self.nodes)
            .map(|(x, node)| x + Tree::half_width(node))
            .fold(0.0, f64::max);
        // The scale on the left: how many rolls so far.
        let scale =
            glyphs::width(&self.unit, TEXT).max(glyphs::width(&levels.to_string(), TEXT)) + 18.0;
        let least = glyphs::width(&self.title, style::TITLE_SIZE).min(420.0) + 2.0 * style::MARGIN;
        let width = (style::MARGIN + scale + spread + 8.0 + style::MARGIN).max(least);
        let left =
            style::MARGIN + scale + (width - 2.0 * style::MARGIN - scale - 8.0 - spread) / 2.0;
        let head = title(&mut pen, &self.title, width);
        let fan = self.nodes.iter().any(|node| node.edges.len() > 3);
        let gap = if fan { LEVEL_FAN } else { LEVEL };
        let top = head + 22.0 + RADIUS;
        let place = |i: usize| (left + layout.x[i], top + gap * layout.depth[i] as f64);

        let soft = Type::start(TEXT).color(style::SOFT);
        pen.text(&soft, (style::MARGIN, top - 24.0), &self.unit);
        for level in 0..levels {
            let y = top + gap * level as f64;
            let line = Ink::stroke(style::GRID, 1.0);
            pen.line(
                &line,
                &[(style::MARGIN + scale - 8.0, y), (width - style::MARGIN, y)],
            );
            pen.text(&soft, (style::MARGIN, y), &level.to_string());
        }
        // Each edge runs from under its parent to over its child, straight or, in a fan, curved: so
        // it passes clear of the nodes beside it and of what stands under them.
        let height = |node: &TreeNode| Tree::half_shape(node).min(RADIUS);
        let ends = |i: usize, child: usize| {
            let ((x0, y0), (x1, y1)) = (place(i), place(child));
            (
                (x0, y0 + height(&self.nodes[i])),
                (x1, y1 - height(&self.nodes[child])),
            )
        };
        let edges = || {
            let all = self.nodes.iter().enumerate();
            all.flat_map(|(i, node)| {
                node.edges
                    .iter()
                    .map(move |(face, child)| (i, face, *child))
            })
        };
        let ink = Ink::stroke(style::AXIS, 1.2);
        for (i, _, child) in edges() {
            let (from, to) = ends(i, child);
            match fan {
                true => pen.curve(&ink, from, to),
                false => pen.line(&ink, &[from, to]),
            }
        }
        for (i, face, child) in edges() {
            let ((x0, y0), (x1, y1)) = ends(i, child);
            // On a fan's curve at 4/5 of its parameter: near the child, where the edges are apart.
            let (across, down) = if fan { (0.896, 0.752) } else { (0.55, 0.55) };
            let set = Type::centred(style::NOTE_SIZE).color(style::SOFT);
            pen.label(&set, (x0 + (x1 - x0) * across, y0 + (y1 - y0) * down), face);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            let ((x, y), half) = (place(i), Tree::half_shape(node));
            let label = glyphs::ellipsize(&node.label, 14);
            let (ink, letters) = match node.kind {
                NodeKind::Output => (
                    Ink::fill(Hue::Green.rgb().mix(style::INK, 0.12)),
                    style::WHITE,
                ),
                NodeKind::Open => {
                    let ink = Ink::fill(style::WHITE)
                        .outlined(style::AXIS, 1.4)
                        .dashed(Dash::Dashed);
                    (ink, style::SOFT)
                }
                NodeKind::Roll => {
                    let blue = Hue::Blue.rgb();
                    let tint = if label.is_empty() {
                        blue
                    } else {
                        blue.tint(0.12)
                    };
                    (Ink::fill(tint).outlined(blue, 1.4), style::INK)
                }
            };
            let radius = half.min(RADIUS);
            match node.kind {
                // Outcomes differ from states by their shape too.
                NodeKind::Output => pen.rect(&ink, x - half, y - RADIUS, 2.0 * half, 2.0 * RADIUS),
                _ => pen.pill(&ink, (x, y), radius, half),
            }
            let shown = if label.is_empty() && node.kind == NodeKind::Open {
                "…"
            } else {
                &label
            };
            pen.text(&Type::centred(TEXT).color(letters), (x, y), shown);
            let mut y = y + RADIUS + 4.0;
            for line in Tree::under(node) {
                // On a patch of paper, in case an edge of a neighbour passes.
                let set = Type::centred(style::NOTE_SIZE).color(style::SOFT);
                pen.label(&set, (x, y + style::NOTE_SIZE * 0.45), &line);
                y += style::NOTE_SIZE * 1.3;
            }
        }
        let last = self
            .nodes
            .iter()
            .enumerate()
            .map(|(i, node)| place(i).1 + Tree::under(node).len() as f64 * style::NOTE_SIZE * 1.3)
            .fold(0.0, f64::max);
        Ok(pen.finish(width, last + RADIUS + 6.0 + style::MARGIN, &self.title))
    }

    /// The tree in the DOT language of Graphviz. Ends with a line break.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph tree {\n");
        writeln!(dot, "  label={};", quote(&self.title)).expect("a String takes all");
        dot.push_str("  labelloc=t;\n  node [fontname=\"DejaVu Sans\"];\n  edge [fontname=\"DejaVu Sans\", arrowhead=none];\n");
        for (i, node) in self.nodes.iter().enumerate() {
            let mut label = node.label.clone();
            for line in Tree::under(node) {
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
