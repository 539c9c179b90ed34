//! Pictures of decision trees (DDG trees): every roll of the source is a fork, and every leaf is an
//! outcome.
//!
//! The depth of a node is the number of rolls that lead to it. The layout follows Reingold and
//! Tilford: subtrees are as close as their outlines allow, and a parent is centred over its
//! children.

mod draw;
mod layout;
mod node;

pub use node::{NodeKind, TreeNode};

/// A decision tree. The first node is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The title.
    pub title: String,
    /// The unit of the depth, for example `flips`.
    pub unit: String,
    /// The nodes; each node except the first is the child of exactly one other node.
    pub nodes: Vec<TreeNode>,
    /// The sentences below the picture.
    pub notes: Vec<String>,
}

impl Tree {
    /// Returns a tree of these nodes.
    pub fn new(title: impl Into<String>, unit: impl Into<String>, nodes: Vec<TreeNode>) -> Tree {
        Tree {
            title: title.into(),
            unit: unit.into(),
            nodes,
            notes: Vec::new(),
        }
    }

    /// Returns the same tree with these sentences below it.
    pub fn with_notes(self, notes: Vec<String>) -> Tree {
        Tree { notes, ..self }
    }
}
