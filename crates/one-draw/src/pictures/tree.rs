//! Draws the decision tree of an algorithm.

use crate::questions::DecisionTree;
use flipcost::algorithms::face_name;
use flipcost::table::Cell;
use flipcost_figures::TreeNode;
use flipcost_figures::{Drawing, FigureError};
use flipcost_question::PictureError;
use flipcost_question::picture::word_of_cell;
use flipcost_question::{Answer, Sentence, field, say};

/// The largest number of nodes of a tree that is written as text.
pub const MAX_WRITTEN: usize = 200_000;
/// The largest number of nodes of a tree that is drawn.
pub const MAX_DRAWN: usize = 2000;

/// A node of the tree, which is one row of the answer.
struct TreeRow<'a> {
    /// The face of the parent's die that leads to the node, by its name (for example H).
    edge: Option<String>,
    kind: TreeRowKind<'a>,
    probability: &'a Cell,
    children: Vec<usize>,
}

enum TreeRowKind<'a> {
    /// A roll in a state, which may have no name.
    Roll(&'a Cell),
    Outcome(&'a Cell),
    Undecided(&'a Cell),
}

/// Returns the nodes, the root first; fails if there are more than `most`.
fn tree_rows(answer: &Answer, most: usize) -> Result<Vec<TreeRow<'_>>, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::DecisionTree>() else {
        return Err(PictureError::kind(answer));
    };
    if answer.rows.len() > most {
        let (depth, nodes) = (query.depth(), answer.rows.len());
        return Err(PictureError::Input(say!(
            "the tree of depth {depth} has {nodes} nodes, and {most} is the most here: choose a smaller ",
            field("depth")
        )));
    }
    let columns = [
        "parent",
        "face",
        "kind",
        "sides",
        "state",
        "outcome",
        "probability_exact",
    ];
    let rows = answer.cells(columns)?;
    let mut nodes: Vec<TreeRow> = Vec::with_capacity(rows.len());
    for (id, [parent, face, kind, _, state, outcome, probability]) in rows.iter().enumerate() {
        let parent = word_of_cell(parent).map(|parent| parent as usize);
        let parent = parent.filter(|parent| *parent < id);
        if let Some(parent) = parent {
            nodes[parent].children.push(id);
        } else if id > 0 {
            let what = say!("node {id} of the tree has no parent above it");
            return Err(PictureError::Input(what));
        }
        let sides = parent.and_then(|parent| word_of_cell(rows[parent][3]));
        let face = word_of_cell(face).and_then(|face| face.checked_sub(1));
        nodes.push(TreeRow {
            edge: sides
                .zip(face)
                .map(|(sides, face)| face_name(sides.into(), face)),
            kind: match kind.to_string().as_str() {
                "roll" => TreeRowKind::Roll(state),
                "outcome" => TreeRowKind::Outcome(outcome),
                _ => TreeRowKind::Undecided(state),
            },
            probability,
            children: Vec::new(),
        });
    }
    Ok(nodes)
}

/// Returns the tree as lines of boxes, with the probability of every outcome and the note.
pub(crate) fn text(answer: &Answer) -> Result<String, PictureError> {
    let nodes = tree_rows(answer, MAX_WRITTEN)?;
    let mut text = String::new();
    // Each entry contains the index of a node, the prefix of its line, and the prefix of its
    // children's lines.
    let mut open = vec![(0, String::new(), String::new())];
    while let Some((at, before, below)) = open.pop() {
        let Some(node) = nodes.get(at) else { break };
        let probability = node.probability;
        let said = match &node.kind {
            TreeRowKind::Roll(Cell::Empty) => "roll".to_string(),
            TreeRowKind::Roll(state) => format!("[{state}]"),
            TreeRowKind::Outcome(outcome) => format!("= {outcome}  ({probability})"),
            TreeRowKind::Undecided(state) => format!("[{state}] ...  ({probability})"),
        };
        text += &before;
        if let Some(face) = &node.edge {
            text += face;
            text.push(' ');
        }
        text += &said;
        text.push('\n');
        let last = node.children.len().saturating_sub(1);
        for (i, &child) in node.children.iter().enumerate().rev() {
            let (branch, rest) = if i == last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            open.push((child, format!("{below}{branch}"), format!("{below}{rest}")));
        }
    }
    Ok(text)
}

/// Returns the tree that an answer to [`crate::questions::DecisionTree`] describes, if it has at
/// most [`MAX_WRITTEN`] nodes. A drawing has room only for [`MAX_DRAWN`].
///
/// # Errors
/// [`PictureError::Kind`] if the answer is to another question, [`PictureError::Input`] if the tree
/// has more nodes.
pub fn tree(answer: &Answer) -> Result<flipcost_figures::Tree, PictureError> {
    draw_nodes(answer, tree_rows(answer, MAX_WRITTEN)?)
}

/// Returns the tree if it has at most [`MAX_DRAWN`] nodes.
pub(crate) fn drawable_tree(answer: &Answer) -> Result<flipcost_figures::Tree, PictureError> {
    let mut nodes = tree_rows(answer, MAX_DRAWN)?;
    let mut notes: Vec<String> = answer.foot.notes.iter().map(Sentence::to_string).collect();
    let outcome = |node: &TreeRow| matches!(node.kind, TreeRowKind::Outcome(_));
    if !nodes.iter().any(outcome)
        && let Some(levels) = cut_below_first_levels(&mut nodes)
    {
        notes.push(format!(
            "only {levels} levels are drawn, since all paths look the same up to there"
        ));
    }
    Ok(draw_nodes(answer, nodes)?.with_notes(notes))
}

/// If no outcome is decided in a tree, only this many levels of it are drawn.
const LEVELS_WITHOUT_OUTCOME: usize = 3;

/// Removes the nodes below the first levels of a tree and returns the number of levels that remain;
/// `None` if the tree has no further level.
fn cut_below_first_levels(nodes: &mut Vec<TreeRow>) -> Option<usize> {
    // The nodes are in level order, so a level begins where the level above ends.
    let mut level = 0..1;
    for _ in 0..LEVELS_WITHOUT_OUTCOME {
        let children = nodes[level.clone()].iter().flat_map(|node| &node.children);
        let count = children.count();
        level = level.end..level.end + count;
    }
    if level.end >= nodes.len() || level.is_empty() {
        return None;
    }
    nodes.truncate(level.end);
    for node in &mut nodes[level] {
        node.children.clear();
        node.kind = TreeRowKind::Undecided(&Cell::Empty);
    }
    Some(LEVELS_WITHOUT_OUTCOME)
}

fn draw_nodes(
    answer: &Answer,
    nodes: Vec<TreeRow>,
) -> Result<flipcost_figures::Tree, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::DecisionTree>() else {
        return Err(PictureError::kind(answer));
    };
    let draw = |node: &TreeRow| {
        let probability = node.probability.to_string();
        match &node.kind {
            TreeRowKind::Roll(_) => {
                let edges = node.children.iter();
                let edges =
                    edges.map(|&child| (nodes[child].edge.clone().unwrap_or_default(), child));
                TreeNode::roll("", edges.collect())
            }
            TreeRowKind::Outcome(outcome) => TreeNode::output(outcome.to_string(), probability),
            TreeRowKind::Undecided(_) => TreeNode::open("…", probability),
        }
    };
    let (algorithm, source) = (query.algorithm.0.about().name, &query.source.0);
    let target = query.target.with_article();
    let title = format!("{algorithm}: {target} from {}", source.with_article());
    let nodes = nodes.iter().map(draw).collect();
    Ok(flipcost_figures::Tree::new(
        title,
        source.unit().plural(),
        nodes,
    ))
}

impl DecisionTree {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        drawable_tree(answer)?.draw().map_err(|error| match error {
            FigureError::Unreadable { .. } => {
                let depth = self.depth();
                PictureError::Input(say!(
                    "a tree of depth {depth} is too large to be read on a page: choose a smaller ",
                    field("depth")
                ))
            }
            error => error.into(),
        })
    }

    pub(crate) fn lines(&self, answer: &Answer) -> Result<String, PictureError> {
        text(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::{drawable_tree, tree};
    use crate::questions::DecisionTree;
    use flipcost_question::{Control, Query};

    /// A d100 needs at least 7 flips, so none of the 2^7 - 1 nodes within 6 flips decides an
    /// outcome.
    #[test]
    fn a_tree_that_decides_nothing_is_drawn_in_part() {
        let query = Query::from(DecisionTree::new(100));
        let answer = query.answer(&Control::default()).unwrap();
        let drawn = drawable_tree(&answer).unwrap();
        assert_eq!(drawn.nodes.len(), 15);
        assert!(
            drawn.nodes[7..]
                .iter()
                .all(|node| node.probability == "1/8")
        );
        assert!(drawn.notes[0].contains("no outcome is decided within 6 flips"));
        assert!(drawn.notes[1].contains("3 levels"));
        assert_eq!(tree(&answer).unwrap().nodes.len(), 127);
    }
}
