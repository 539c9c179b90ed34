//! A node of a decision tree, and the room that it takes.

use crate::glyphs;
use crate::style;

/// Half the height of a node.
pub(super) const RADIUS: f64 = 12.0;
/// The font size in a node.
pub(super) const TEXT: f64 = 12.0;

/// What a node is: a roll, an outcome, or a roll at which the picture ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Another roll follows.
    Roll,
    /// An outcome.
    Output,
    /// Another roll would follow, but the picture ends here.
    Open,
}

/// A node of a decision tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The label of the node: an outcome, or the state (may be empty).
    pub label: String,
    /// The kind of the node.
    pub kind: NodeKind,
    /// The edges: the face that was rolled, for example `H`, and the index of the node to which the
    /// edge leads.
    pub edges: Vec<(String, usize)>,
    /// The probability of reaching the node, for example `1/8`; empty if it is not shown.
    pub probability: String,
    /// The label of an earlier node whose subtree would be repeated here.
    pub back_reference: Option<String>,
}

impl TreeNode {
    /// Returns a node at which the source is rolled.
    pub fn roll(label: impl Into<String>, edges: Vec<(String, usize)>) -> TreeNode {
        TreeNode {
            edges,
            ..TreeNode::leaf(label, NodeKind::Roll)
        }
    }

    /// Returns a node with an outcome.
    pub fn output(label: impl Into<String>, probability: impl Into<String>) -> TreeNode {
        TreeNode {
            probability: probability.into(),
            ..TreeNode::leaf(label, NodeKind::Output)
        }
    }

    /// Returns a node at which the picture ends.
    pub fn open(label: impl Into<String>, probability: impl Into<String>) -> TreeNode {
        TreeNode {
            probability: probability.into(),
            ..TreeNode::leaf(label, NodeKind::Open)
        }
    }

    /// Returns the same node with a remark that its subtree is the same as that of an earlier node.
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

    /// Returns the text under the node.
    pub(super) fn lines_below(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.probability.is_empty() && self.edges.is_empty() {
            lines.push(self.probability.clone());
        }
        if let Some(label) = &self.back_reference {
            lines.push(format!("↺ {}", glyphs::ellipsize(label, 12)));
        }
        lines
    }

    /// Returns the text in the node.
    pub(super) fn text(&self) -> String {
        glyphs::ellipsize(&self.label, 14)
    }

    /// Returns half the width of the node's shape.
    pub(super) fn half_shape(&self) -> f64 {
        if self.label.is_empty() && self.kind == NodeKind::Roll {
            return 5.0;
        }
        (glyphs::width(&self.text(), TEXT) / 2.0 + 6.0).max(RADIUS)
    }

    /// Returns half the height of the node's shape.
    pub(super) fn half_height(&self) -> f64 {
        self.half_shape().min(RADIUS)
    }

    /// Returns half the width of the node together with the text under it.
    pub(super) fn half_width(&self) -> f64 {
        self.lines_below()
            .iter()
            .map(|line| glyphs::width(line, style::NOTE_SIZE) / 2.0)
            .fold(self.half_shape(), f64::max)
    }
}
