//! The decision tree of an algorithm.

use crate::CostTarget;
use crate::dice::about_rolls;
use crate::question::*;
use flipcost::number::Rational;
use flipcost::unstable::algorithms::tree;
use flipcost::unstable::algorithms::tree::MOST_NODES;
use flipcost_oeis::text::counted;
use num_traits::Zero;

question! {
    /// The decision tree of an algorithm, with the probability of every outcome
    ///
    /// A node such as [v = 4, c = 1] is the state of the algorithm, here of the fast dice roller: c is one
    /// of v numbers from 0 that are equally likely. H = 3 is an outcome: heads, then 3.
    ///
    /// The decision tree (DDG tree) of an algorithm, cut off at a depth: a row for every node, level by
    /// level, the faces in order.
    ///
    /// `node` counts from 0, so that it is the row's place and `parent` is a row's place too; `face`
    /// (from 1) leads from the parent to the node. `kind` is `roll` (a die with this number of `sides`
    /// is rolled there), `outcome` (from 1) or `undecided` (a roll would follow, but the tree is cut
    /// off there). The note says what is undecided in all.
    pub struct Tree: "tree" {
        /// The target: the sides of a fair die, weights, or a function of p, as in f(p)=p^2.
        target: CostTarget; TARGET,
        /// The algorithm.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM,
        /// Rolls after which the tree is cut off [default: about as many as fit on a page]
        depth: Option<u64>; option("D"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Table
    examples: ["tree 6 --depth 5", "tree 6 -o tree.svg"]
}

impl Tree {
    /// The deepest tree.
    pub const DEEPEST: u64 = 1000;

    /// The tree of the fast dice roller, from a coin, to the usual depth.
    pub fn new(n: impl Into<TargetText>) -> Tree {
        Tree::usual([("target", n.into().json())])
    }

    /// The rolls after which the tree is cut off: those that are wanted, or as many as a page has
    /// room for (at most 64 nodes in the last level, and 6 rolls), but at least 1.
    pub fn depth(&self) -> u64 {
        let m = self.source.get();
        self.depth.unwrap_or_else(|| {
            let fits = |depth: &u32| m.checked_pow(*depth).is_some_and(|all| all <= 64);
            (1..=6).take_while(fits).last().unwrap_or(1).into()
        })
    }
}

impl Question for Tree {
    fn estimate(&self) -> Estimate {
        let (m, depth) = (self.source.get(), self.depth());
        let exponent = u32::try_from(depth).unwrap_or(u32::MAX);
        let last_level = m.saturating_pow(exponent).min(MOST_NODES as u128);
        let nodes = (2 * last_level).min(MOST_NODES as u128);
        let path = u128::from(depth).min(1000) * 100;
        Estimate::table(
            nodes,
            9,
            path,
            16 + about_rolls(&self.source, self.target.names()) / 4,
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let depth = self.depth();
        let (task, player) = self.target.played(&self.source.0, self.algorithm)?;
        if depth > Tree::DEEPEST {
            let right = format!("{} is the most", Tree::DEEPEST);
            let what = say!("a tree of depth {depth} is too deep");
            return Err(QueryError::wrong("depth", what).right(right));
        }
        let unit = task.source().unit();
        let nodes = tree::nodes(player.get(), &task, depth)
            .map_err(QueryError::of_algorithm("algorithm", player.get()))?;
        let head = Head::new()
            .columns(Kind::Count, ["node", "parent"])
            .measured("depth", Kind::Count, unit.plural())
            .column("face", Kind::Count)
            .column("kind", Kind::Text)
            .column("sides", Kind::Count)
            .column("state", Kind::Text)
            .column("outcome", self.target.names().outcome_kind())
            .column("probability_exact", Kind::Exact);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let (mut undecided, mut reached) = (Rational::zero(), 0);
        let mut decided = false;
        for node in nodes {
            control.go_on()?; // a deep node takes long
            let node = node.map_err(QueryError::input)?;
            reached = node.depth;
            decided |= matches!(node.kind, tree::NodeKind::Output(_));
            if node.kind == tree::NodeKind::CutOff {
                undecided += &node.probability;
            }
            rows.push(row(node, self.target.names()))?;
        }
        let mut foot = Foot::default();
        let rolls = counted(reached, unit.singular());
        foot.note(match undecided.is_zero() {
            true => say!("every outcome is decided after {rolls}"),
            false if !decided => say!(
                "no outcome is decided within {rolls}: a greater ",
                field("depth"),
                " reaches the first"
            ),
            false => say!("undecided after {rolls}: {undecided}"),
        });
        rows.end(foot)
    }
}

fn row(node: tree::Node, target: &TargetText) -> Vec<Cell> {
    let (kind, sides, outcome) = match node.kind {
        tree::NodeKind::Roll { sides } => ("roll", Cell::Integer(sides.into()), Cell::Empty),
        tree::NodeKind::Output(face) => ("outcome", Cell::Empty, target.outcome(&face)),
        tree::NodeKind::CutOff => ("undecided", Cell::Empty, Cell::Empty),
    };
    let state = match node.state.is_empty() {
        true => Cell::Empty,
        false => Cell::Text(node.state),
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
        node.probability
    ]
}
