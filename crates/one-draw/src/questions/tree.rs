//! The question `show --as tree`: the decision tree of an algorithm.

use flipcost::algorithms::tree;
use flipcost::algorithms::tree::MAX_NODES;
use flipcost::law::CostFormula;
use flipcost::task::RollUnit;
use flipcost_figures::Drawing;
use flipcost_number::Rational;
use flipcost_question::count_with_noun;
use flipcost_question::dice::estimate_rolls;
use flipcost_question::prelude::*;
use flipcost_question::{Answer, FrontEnd, PictureError, Query};
use num_traits::{ToPrimitive, Zero};

question! {
    /// How an algorithm works: its decision tree, table, leaves or flow chart, the path of given
    /// rolls, or why nothing costs less
    ///
    /// In a decision tree a node such as [v = 4, c = 1] is the state of the algorithm, here of the
    /// fast dice roller: c is one of v numbers from 0 that are equally likely. H = 3 is an outcome:
    /// heads gives 3.
    ///
    /// The decision tree (DDG tree) of an algorithm, cut off at a depth: a row for every node,
    /// level by level, the faces in order.
    ///
    /// `node` counts from 0 and is the index of the row; `parent` is the index of the parent's row.
    /// `face` (from 1) leads from the parent to the node. `kind` is `roll` (a die with this number
    /// of `sides` is rolled there), `outcome` (from 1) or `undecided` (a roll would follow, but the
    /// tree is cut off there). The note states the probability that is undecided in all. For an
    /// unknown source the probability is a product of the probabilities of its faces, p and 1 - p
    /// for a coin.
    pub struct DecisionTree: "show" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// How the algorithm is shown
        view: TreeView = TreeView::Tree; option("VIEW").name("as").printed(),
        /// The algorithm.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM,
        /// Cut off the tree after this many rolls [default: about as many as fit on a page]
        depth: Option<u64>; option("D"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Table
    examples: ["show 6 --as tree --depth 5", "show 6 -o tree.svg"]
}

choices! {
    /// The view that selects this question.
    pub enum TreeView {
        /// The decision tree, with the probability of every outcome.
        Tree = "tree",
    }
}

impl DecisionTree {
    /// The largest depth of a tree.
    pub const MAX_DEPTH: u64 = 1000;

    /// Returns the question about the tree of the fast dice roller from a coin, to the default
    /// depth.
    pub fn new(n: impl Into<TargetText>) -> DecisionTree {
        DecisionTree::with_defaults([("target", n.into().json())])
    }

    /// Returns the number of rolls after which the tree is cut off: the given number, or as many as
    /// fit on a page (at most 64 nodes in the last level, and 6 rolls), but at least 1.
    pub fn depth(&self) -> u64 {
        let m = self.drawn_source().get();
        self.depth.unwrap_or_else(|| {
            let fits = |depth: &u32| m.checked_pow(*depth).is_some_and(|all| all <= 64);
            (1..=6).take_while(fits).last().unwrap_or(1).into()
        })
    }
}

impl DecisionTree {
    /// Returns the source of the tree: a coin if bits are taken from words.
    fn drawn_source(&self) -> Sides {
        match self.target.task(&self.source.0) {
            Ok(task) => Sides(tree::drawn_task(self.algorithm.0, &task).source().clone()),
            Err(_) => self.source.clone(),
        }
    }

    fn head(&self, unit: RollUnit) -> Head {
        let probability = if self.source.0.is_unknown() {
            CellKind::Formula
        } else {
            CellKind::Exact
        };
        Head::new()
            .columns(CellKind::Count, ["node", "parent"])
            .measured("depth", CellKind::Count, unit.plural())
            .column("face", CellKind::Count)
            .column("kind", CellKind::Text)
            .column("sides", CellKind::Count)
            .column("state", CellKind::Text)
            .column("outcome", self.target.outcome_kind())
            .column("probability_exact", probability)
    }
}

impl Question for DecisionTree {
    fn summary(&self, answer: &Answer) -> String {
        let outcomes = answer.column("outcome").into_iter().flatten();
        let leaves = outcomes.filter(|cell| **cell != Cell::Empty).count();
        format!(
            "the tree of {} from {} by {} has {leaves} leaves among the {} nodes that are shown",
            self.target.with_article(),
            self.source.0.with_article(),
            algorithm_phrase(self.algorithm.id()),
            answer.rows.len()
        )
    }

    fn estimate(&self) -> Estimate {
        let exponent = u32::try_from(self.depth()).unwrap_or(u32::MAX);
        let last_level = self.drawn_source().get().saturating_pow(exponent);
        let nodes = (last_level.saturating_mul(2)).min(MAX_NODES as u128);
        let rolls = estimate_rolls(&self.source, &self.target);
        Estimate::cells(9 * nodes, 16 + rolls / 4)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let depth = self.depth();
        let is_unknown = self.source.0.is_unknown();
        let task = if is_unknown {
            self.target.task_of_any(&self.source.0)?
        } else {
            self.target.task(&self.source.0)?
        };
        let algorithm = self.algorithm.0;
        if depth > DecisionTree::MAX_DEPTH {
            let right = format!("{} is the most", DecisionTree::MAX_DEPTH);
            let what = say!("a tree of depth {depth} is too deep");
            return Err(QueryError::wrong("depth", what).right(right));
        }
        let drawn = tree::drawn_task(algorithm, &task);
        let unit = drawn.source().unit();
        let nodes = tree::nodes(algorithm, &drawn, depth)
            .map_err(QueryError::of_algorithm("algorithm", algorithm))?;
        // For an unknown source: how often each face occurs on the path to each node.
        let mut faces: Vec<Vec<u32>> = Vec::new();
        let mut rows = Chunks::begin(&self.head(unit), control, sink)?;
        let (mut undecided, mut reached) = (Rational::zero(), 0);
        let mut decided = false;
        for node in nodes {
            control.go_on()?; // each deep node takes long
            let node = node.map_err(QueryError::input)?;
            reached = node.depth;
            decided |= matches!(node.kind, tree::DecisionNodeKind::Output(_));
            if node.kind == tree::DecisionNodeKind::CutOff {
                undecided += &node.probability;
            }
            let probability = if is_unknown {
                let sides = task.source().sides().to_usize().unwrap_or(0);
                let mut from_root = match node.parent {
                    Some(parent) => faces[parent].clone(),
                    None => vec![0; sides],
                };
                if let Some(face) = node.face {
                    from_root[face as usize] += 1;
                }
                let product = format_face_product(&from_root);
                faces.push(from_root);
                Cell::Formula(CostFormula::Text(product).into())
            } else {
                Cell::from(node.probability.clone())
            };
            rows.push(node_row(node, probability, &self.target))?;
        }
        let mut foot = Foot::default();
        let rolls = count_with_noun(reached, unit.singular());
        foot.note(if undecided.is_zero() {
            say!("every outcome is decided after {rolls}")
        } else if !decided {
            say!(
                "no outcome is decided within {rolls}: a greater ",
                field("depth"),
                " reaches the first"
            )
        } else if is_unknown {
            say!("the result may be undecided after {rolls}")
        } else {
            say!("undecided after {rolls}: probability {undecided}")
        });
        if drawn.source() != task.source() {
            foot.note(BITS_OF_WORDS_NOTE);
        }
        rows.end(foot)
    }

    fn picture_query(&self) -> Option<Query> {
        Some(self.clone().into())
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }

    fn to_text(&self, answer: &Answer, _: FrontEnd) -> Result<String, PictureError> {
        self.lines(answer)
    }
}

/// The note for the tree of an algorithm that takes the bits of words one by one.
pub(super) const BITS_OF_WORDS_NOTE: &str =
    "bits are taken from words one by one: this is the tree of a coin";

/// Formats the probability of rolls in which each face occurs this many times: `p^2*(1 - p)` for a
/// coin, `p1*p3^2` for a die.
fn format_face_product(faces: &[u32]) -> String {
    let name = |face: usize| match (faces.len(), face) {
        (2, 0) => "p".to_string(),
        (2, _) => "(1 - p)".to_string(),
        _ => format!("p{}", face + 1),
    };
    let power = |(face, times): (usize, &u32)| match times {
        0 => None,
        1 => Some(name(face)),
        _ => Some(format!("{}^{times}", name(face))),
    };
    let factors: Vec<String> = faces.iter().enumerate().filter_map(power).collect();
    match factors.as_slice() {
        [] => "1".to_string(),
        [one] if one == "(1 - p)" => "1 - p".to_string(),
        many => many.join("*"),
    }
}

fn node_row(node: tree::DecisionNode, probability: Cell, target: &TargetText) -> Vec<Cell> {
    let (kind, sides, outcome) = match node.kind {
        tree::DecisionNodeKind::Roll { sides } => {
            ("roll", Cell::Integer(sides.into()), Cell::Empty)
        }
        tree::DecisionNodeKind::Output(face) => ("outcome", Cell::Empty, target.outcome(&face)),
        tree::DecisionNodeKind::CutOff => ("undecided", Cell::Empty, Cell::Empty),
    };
    let state = if node.state.is_empty() {
        Cell::Empty
    } else {
        Cell::Text(node.state)
    };
    let count = |value: u64| Cell::Integer(value.into());
    row![
        node.id,
        node.parent.map_or(Cell::Empty, |id| count(id as u64)),
        node.depth,
        node.face.map_or(Cell::Empty, |face| count(face + 1)),
        kind.to_string(),
        sides,
        state,
        outcome,
        probability
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_from_unknown_sources_are_products() {
        for (faces, product) in [
            (&[0, 0][..], "1"),
            (&[0, 1], "1 - p"),
            (&[2, 1], "p^2*(1 - p)"),
            (&[0, 3], "(1 - p)^3"),
            (&[1, 0, 2], "p1*p3^2"),
        ] {
            assert_eq!(format_face_product(faces), product);
        }
    }
}
