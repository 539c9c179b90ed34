//! The decision tree of an algorithm (its DDG tree), down to a given depth.

use super::buffered::{bits_per_word, with_coin_source};
use super::{Algorithm, Prepared, Traced};
use crate::task::{Fair, Refusal, Source, Task};
use flipcost_number::order::ceil_log;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::One;
use std::collections::VecDeque;

/// The kind of a node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionNodeKind {
    /// A die with `sides` sides is rolled here.
    Roll {
        /// The die's sides.
        sides: u64,
    },
    /// The outcome is this face of the target, counted from 0.
    Output(BigUint),
    /// A node at which the tree is cut off, although more rolls follow.
    CutOff,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecisionNode {
    /// The node's index in the list.
    pub id: usize,
    /// The index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// The face (counted from 0) that leads from the parent to this node.
    pub face: Option<u64>,
    /// The number of rolls so far.
    pub depth: u64,
    /// The node's kind.
    pub kind: DecisionNodeKind,
    /// The probability of reaching the node; if the source is unknown, its faces are taken as
    /// equally likely.
    pub probability: Rational,
    /// The algorithm's state at the node; empty at an outcome.
    pub state: String,
}

/// The maximum number of nodes of a tree.
pub const MAX_NODES: usize = 1_000_000;

/// The nodes of a decision tree, created one at a time; see [`nodes`].
pub struct Nodes {
    prepared: Box<dyn Prepared>,
    source: Source,
    depth: u64,
    /// The number of nodes that were created.
    made: usize,
    /// The nodes that were found but not yet created, in order: the parent, the faces from the
    /// root, and the probability.
    waiting: VecDeque<(Option<usize>, Vec<u64>, Rational)>,
    /// The level of the node created last.
    level: usize,
    /// The number of waiting nodes that are one level below the current level.
    below: usize,
}

/// The situation at the end of a path: an outcome, or a state in which a die with these sides is
/// rolled next.
enum PathEnd {
    Outcome(BigUint),
    State(u128, String),
}

fn too_many_nodes(depth: u64) -> Refusal {
    Refusal::Rule(format!(
        "the tree of depth {depth} has more than {MAX_NODES} nodes"
    ))
}

/// The task whose tree is drawn. For a rule that takes single bits from words, its source is a
/// coin.
pub fn drawn_task(method: &dyn Algorithm, task: &Task) -> Task {
    if method.takes_bits() && bits_per_word(task).is_some() {
        with_coin_source(task)
    } else {
        task.clone()
    }
}

/// Returns the nodes of the decision tree of [`drawn_task`] down to this depth, level by level,
/// with the faces in order. If the tree has more than [`MAX_NODES`] nodes, the iterator ends with
/// an error.
///
/// Cost: O(depth) steps for every node, because the rule is replayed from the start.
///
/// # Errors
/// [`Refusal`] if the algorithm refuses the task, or if the tree is certain to have too many nodes.
pub fn nodes(method: &dyn Algorithm, task: &Task, depth: u64) -> Result<Nodes, Refusal> {
    let task = &drawn_task(method, task);
    if let Ok(Fair { m, n }) = task.fair() {
        // An outcome has probability 1/n, so all nodes at depths t with m^t < n, which are
        // likelier, roll again.
        let certain = depth.min(ceil_log(m, n).into());
        let level = u32::try_from(certain).ok().and_then(|t| m.checked_pow(t));
        if level.is_none_or(|level| level > MAX_NODES as u128) {
            return Err(too_many_nodes(depth));
        }
    }
    Ok(Nodes {
        prepared: method.prepare_to_play(task)?,
        source: task.source().clone(),
        depth,
        made: 0,
        waiting: VecDeque::from([(None, Vec::new(), Rational::one())]),
        level: 0,
        below: 0,
    })
}

impl Nodes {
    /// Plays a path to its end. Returns the outcome, or the number of sides of the die that is
    /// rolled there and the name of the state; to learn the name, the rule is played with one more
    /// roll that shows face 0.
    fn follow_path(&self, path: &[u64]) -> Result<PathEnd, Refusal> {
        let mut next = 0;
        let mut last = None;
        let mut roll = |_| {
            next += 1;
            match path.get(next - 1) {
                Some(&face) => Some(face),
                None => (next == path.len() + 1).then_some(0),
            }
        };
        let mut tell = |told: Traced| last = Some(told);
        let played = self.prepared.play(&mut roll, Some(&mut tell));
        match (played?, last) {
            (Some(rolled), _) if rolled.rolls <= path.len() as u64 => {
                Ok(PathEnd::Outcome(rolled.outcome))
            }
            (_, Some(told)) => Ok(PathEnd::State(told.sides, told.before)),
            _ => unreachable!("a path that is not finished asks for a roll"),
        }
    }
}

impl Iterator for Nodes {
    type Item = Result<DecisionNode, Refusal>;

    fn next(&mut self) -> Option<Result<DecisionNode, Refusal>> {
        let (parent, path, probability) = self.waiting.pop_front()?;
        if path.len() > self.level {
            (self.level, self.below) = (path.len(), 0);
        }
        let (id, level) = (self.made, path.len() as u64);
        self.made += 1;
        let visited = match self.follow_path(&path) {
            Ok(visited) => visited,
            Err(error) => {
                self.waiting.clear();
                return Some(Err(error));
            }
        };
        let (kind, state) = match visited {
            PathEnd::Outcome(outcome) => (DecisionNodeKind::Output(outcome), String::new()),
            PathEnd::State(_, state) if level == self.depth => (DecisionNodeKind::CutOff, state),
            PathEnd::State(sides, state) => {
                let sides = u64::try_from(sides).unwrap_or(u64::MAX);
                if sides > MAX_NODES as u64 || id + self.below + sides as usize > MAX_NODES {
                    self.waiting.clear();
                    return Some(Err(too_many_nodes(self.depth)));
                }
                let each = &probability / BigInt::from(sides);
                for face in 0..sides {
                    let mut longer = path.clone();
                    longer.push(face);
                    let mass = match self.source.law() {
                        None => each.clone(),
                        Some(law) => &probability * law.probability(&face.into()),
                    };
                    self.waiting.push_back((Some(id), longer, mass));
                }
                self.below += sides as usize;
                (DecisionNodeKind::Roll { sides }, state)
            }
        };
        Some(Ok(DecisionNode {
            id,
            parent,
            face: path.last().copied(),
            depth: level,
            kind,
            probability,
            state,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FAST_DICE_ROLLER, REGISTRY};
    use super::*;
    use crate::task::Target;

    fn tree(method: &dyn Algorithm, task: &Task, depth: u64) -> Result<Vec<DecisionNode>, Refusal> {
        nodes(method, task, depth)?.collect()
    }

    /// The probabilities of the nodes that still roll at depth t sum to P(T > t).
    #[test]
    fn the_tree_is_that_of_the_law() {
        for method in REGISTRY {
            for (m, n) in [
                ("2", 1u64),
                ("2", 5),
                ("2", 8),
                ("3", 4),
                ("6", 12),
                ("1:2", 2),
                ("1:2:3", 5),
            ] {
                let dice = Task::new(Target::uniform(n).unwrap(), m.parse().unwrap());
                let Ok(bound) = method.prepare(&dice) else {
                    continue;
                };
                let law = bound.law().unwrap();
                let nodes = tree(*method, &dice, 3).unwrap();
                for (t, survival) in law.survival().enumerate().take(4) {
                    let alive = nodes.iter().filter(|x| {
                        x.depth == t as u64 && !matches!(x.kind, DecisionNodeKind::Output(_))
                    });
                    let sum: Rational = alive.map(|x| &x.probability).sum();
                    assert_eq!(sum, survival, "{} {m} {n}", method.about().id);
                }
                let ends = nodes
                    .iter()
                    .filter(|x| !matches!(x.kind, DecisionNodeKind::Roll { .. }));
                let all: Rational = ends.map(|x| &x.probability).sum();
                assert_eq!(all, Rational::one());
            }
        }
    }

    /// A rule that takes bits from words has the tree of the coin.
    #[test]
    fn bits_of_words() {
        let words = "1:2:3 from word:64".parse().unwrap();
        for id in ["knuth-yao", "fldr", "aldr", "interval", "alias"] {
            let method = super::super::find(id).unwrap();
            let nodes = tree(method, &words, 4).unwrap();
            assert_eq!(nodes, tree(method, &with_coin_source(&words), 4).unwrap());
        }
    }

    #[test]
    fn a_large_target_has_a_small_tree() {
        let dice = Task::die(BigUint::one() << 300u32, Source::COIN).unwrap();
        let nodes = tree(FAST_DICE_ROLLER, &dice, 4).unwrap();
        assert_eq!(nodes.len(), 31);
        assert!(tree(FAST_DICE_ROLLER, &dice, 30).is_err());
    }
}
