//! The decision tree of an algorithm (its DDG tree), cut off at a depth.

use super::{Algorithm, Traced};
use crate::number::{BigInt, BigUint, Rational};
use crate::task::{Refusal, Task};
use num_traits::One;

/// What a node of the tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A die of so many sides is rolled here.
    Roll {
        /// The die's sides.
        sides: u64,
    },
    /// The target shows this face, from 0.
    Output(BigUint),
    /// A roll, but the tree ends here.
    CutOff,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its place in the list.
    pub id: usize,
    /// Its parent's place; `None`: the root.
    pub parent: Option<usize>,
    /// The face (from 0) that leads from the parent to it.
    pub face: Option<u64>,
    /// Rolls so far.
    pub depth: u64,
    /// What it is.
    pub kind: Kind,
    /// The probability to reach it.
    pub probability: Rational,
    /// The algorithm's state there; empty at an output.
    pub state: String,
}

/// Trees of up to this many nodes are made.
pub const MOST_NODES: usize = 1_000_000;

/// The nodes of the decision tree down to this depth, level by level, the faces in order. Refuses
/// dice that the algorithm refuses, and a tree above [`MOST_NODES`]. Cost: the rule is replayed from
/// the start for every node, so O(depth) steps each.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, tree::decision_tree};
/// use flipcost::task::Task;
/// let nodes = decision_tree(FAST_DICE_ROLLER, &Task::dice(2u8, 3u8).unwrap(), 2).unwrap();
/// assert_eq!(nodes.len(), 7);
/// assert_eq!(nodes[6].probability.to_string(), "1/4");
/// ```
pub fn decision_tree(
    method: &dyn Algorithm,
    dice: &Task,
    depth: u64,
) -> Result<Vec<Node>, Refusal> {
    let bound = method.prepare(dice)?;
    // Plays a path; where it is unfinished, face 0 of one more roll names the state.
    let visit = |path: &[u64]| -> (Result<(u64, String), BigUint>, u64) {
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
        let played = bound.play(&mut roll, Some(&mut tell));
        match (played, last) {
            (Some(rolled), _) if rolled.rolls <= path.len() as u64 => {
                (Err(rolled.outcome), rolled.rolls)
            }
            (_, Some(told)) => (Ok((told.sides, told.before)), path.len() as u64),
            _ => unreachable!("a path that is not finished asks for a roll"),
        }
    };
    let mut nodes: Vec<Node> = Vec::new();
    let mut paths = vec![(None, Vec::new(), Rational::one())];
    for level in 0..=depth {
        let mut below = Vec::new();
        for (parent, path, probability) in paths {
            let id = nodes.len();
            let (kind, state) = match visit(&path).0 {
                Err(outcome) => (Kind::Output(outcome), String::new()),
                Ok((_, state)) if level == depth => (Kind::CutOff, state),
                Ok((sides, state)) => {
                    if sides > MOST_NODES as u64 || id + below.len() + sides as usize > MOST_NODES {
                        return Err(Refusal::Rule(format!(
                            "the tree of depth {depth} has more than {MOST_NODES} nodes"
                        )));
                    }
                    let each = &probability / BigInt::from(sides);
                    for face in 0..sides {
                        let mut longer = path.clone();
                        longer.push(face);
                        below.push((Some(id), longer, each.clone()));
                    }
                    (Kind::Roll { sides }, state)
                }
            };
            nodes.push(Node {
                id,
                parent,
                face: path.last().copied(),
                depth: level,
                kind,
                probability,
                state,
            });
        }
        paths = below;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::super::{FAST_DICE_ROLLER, REGISTRY};
    use super::*;

    /// The probability of the nodes that still roll at depth t is P(T > t).
    #[test]
    fn the_tree_is_that_of_the_law() {
        for method in REGISTRY {
            for (m, n) in [(2u64, 1u64), (2, 5), (2, 8), (3, 4), (6, 12)] {
                let dice = Task::dice(m, n).unwrap();
                let Ok(bound) = method.prepare(&dice) else {
                    continue;
                };
                let law = bound.law().unwrap();
                let nodes = decision_tree(*method, &dice, 3).unwrap();
                for (t, survival) in law.survival().enumerate().take(4) {
                    let alive = nodes
                        .iter()
                        .filter(|x| x.depth == t as u64 && !matches!(x.kind, Kind::Output(_)));
                    let sum: Rational = alive.map(|x| &x.probability).sum();
                    assert_eq!(sum, survival, "{} {m} {n}", method.about().id);
                }
                let ends = nodes
                    .iter()
                    .filter(|x| !matches!(x.kind, Kind::Roll { .. }));
                let all: Rational = ends.map(|x| &x.probability).sum();
                assert_eq!(all, Rational::one());
            }
        }
    }

    #[test]
    fn a_large_target_has_a_small_tree() {
        let dice = Task::dice(2u8, BigUint::one() << 300u32).unwrap();
        let nodes = decision_tree(FAST_DICE_ROLLER, &dice, 4).unwrap();
        assert_eq!(nodes.len(), 31);
        assert!(decision_tree(FAST_DICE_ROLLER, &dice, 30).is_err());
    }
}
