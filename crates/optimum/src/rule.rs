//! Turns the decisions of a search into a rule, as a list of rolls.

use crate::exact::{ExactDecision, PathEnd};
use flipcost_number::Rational;
use flipcost_number::collect::ordered;
use num_traits::One;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// The maximum number of rolls of a rule.
const MAX_ROLLS: usize = 10_000;

/// What a rule does after a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AfterFace {
    /// The result is this outcome, counted from 0.
    Outcome(usize),
    /// The next roll is this one, counted from 0.
    Roll(usize),
    /// The rule does not say what follows, because the remaining nodes are laid on a line.
    Rest,
}

/// What the rule does at a node.
#[derive(Clone)]
enum RuleNode {
    /// Rolls the source; there is one child node for each face.
    Roll(Vec<usize>),
    /// The node is a leaf of this outcome, counted from 0.
    Leaf(usize),
    /// Continues as at this node; each outcome i of that node is replaced by `again[i]`.
    Again(usize),
    /// The remaining nodes are laid on a line.
    OpenNodes,
}

/// The tree of a rule. Its root is the first node.
pub(super) struct RuleTree {
    /// The nodes, by index.
    nodes: Vec<RuleNode>,
    /// The renaming of outcomes each time the rule returns to an earlier node: outcome i becomes
    /// `again[i]`.
    again: Vec<usize>,
}

/// The undecided nodes by mass. Among nodes of equal mass, the earlier node comes first.
type OpenNodes = BTreeMap<Rational, VecDeque<usize>>;

impl RuleTree {
    /// Grows the tree from these decisions. Returns `None` if a decision does not fit.
    pub(super) fn new(
        actions: &[ExactDecision],
        end: &PathEnd,
        faces: &[Rational],
        mut lacking: Vec<Rational>,
    ) -> Option<RuleTree> {
        let mut tree = RuleTree {
            nodes: vec![RuleNode::OpenNodes],
            again: (0..lacking.len()).collect(),
        };
        let mut open = ordered([(Rational::one(), VecDeque::from([0]))]);
        let mut start = None;
        for (i, action) in actions.iter().enumerate() {
            if *end == PathEnd::Back(i) {
                start = Some((open.clone(), lacking.clone()));
            }
            match action {
                ExactDecision::Roll(mass) => {
                    let node = take_node(&mut open, mass)?;
                    let mut below = Vec::new();
                    for p in faces {
                        let child = mass * p;
                        open.entry(child).or_default().push_back(tree.nodes.len());
                        below.push(tree.nodes.len());
                        tree.nodes.push(RuleNode::OpenNodes);
                    }
                    tree.nodes[node] = RuleNode::Roll(below);
                }
                ExactDecision::Leaf(mass, outcome) => {
                    let node = take_node(&mut open, mass)?;
                    lacking[*outcome] -= mass;
                    tree.nodes[node] = RuleNode::Leaf(*outcome);
                }
            }
        }
        if let Some((before, lacked)) = start {
            let scale = open.last_key_value()?.0 / before.last_key_value()?.0;
            for (now, then) in open.values().flatten().zip(before.values().flatten()) {
                tree.nodes[*now] = RuleNode::Again(*then);
            }
            let mut free: Vec<usize> = (0..lacking.len()).collect();
            for (i, lacked) in lacked.iter().enumerate() {
                let same = |j: &usize| lacking[*j] == lacked * &scale;
                let place = free.iter().position(same)?;
                tree.again[i] = free.remove(place);
            }
        }
        Some(tree)
    }
}

/// Removes the first undecided node of this mass.
fn take_node(open: &mut OpenNodes, mass: &Rational) -> Option<usize> {
    let nodes = open.get_mut(mass)?;
    let node = nodes.pop_front();
    if nodes.is_empty() {
        open.remove(mass);
    }
    node
}

impl RuleTree {
    /// Returns the rolls, beginning with the first roll, and for each roll what follows each of its
    /// faces, beginning with the likeliest face. Rolls with the same continuation are merged,
    /// unless some continuation is unknown. Returns `None` if there are too many rolls.
    pub(super) fn rolls(&self, faces: &[Rational]) -> Option<Vec<Vec<AfterFace>>> {
        // How the outcomes are renamed after 0, 1, 2, ... rounds, until every outcome has its own
        // name again.
        let mut rounds = vec![(0..self.again.len()).collect::<Vec<usize>>()];
        loop {
            let last = &rounds[rounds.len() - 1];
            let next: Vec<usize> = self.again.iter().map(|i| last[*i]).collect();
            if next.is_sorted() {
                break;
            }
            if rounds.len() * next.len() > 100 * MAX_ROLLS {
                return None;
            }
            rounds.push(next);
        }
        let resolve = |mut node: usize, mut round: usize| {
            while let RuleNode::Again(to) = self.nodes[node] {
                (node, round) = (to, (round + 1) % rounds.len());
            }
            (node, round)
        };
        let mut number = HashMap::new();
        let mut order = Vec::new();
        let mut open = BTreeSet::from([(Reverse(Rational::one()), resolve(0, 0))]);
        while let Some((Reverse(mass), place)) = open.pop_first() {
            let RuleNode::Roll(below) = &self.nodes[place.0] else {
                continue;
            };
            if number.contains_key(&place) {
                continue;
            }
            if order.len() == MAX_ROLLS {
                return None;
            }
            number.insert(place, order.len());
            let next = below.iter().map(|child| resolve(*child, place.1));
            let next: Vec<(usize, usize)> = next.collect();
            open.extend((next.iter().zip(faces)).map(|(to, p)| (Reverse(&mass * p), *to)));
            order.push(next);
        }
        let face = |place: &(usize, usize)| match &self.nodes[place.0] {
            RuleNode::Leaf(outcome) => AfterFace::Outcome(rounds[place.1][*outcome]),
            RuleNode::OpenNodes => AfterFace::Rest,
            _ => AfterFace::Roll(number[place]),
        };
        let rolls = order.iter().map(|next| next.iter().map(face).collect());
        Some(merge_rolls(rolls.collect()))
    }
}

/// Merges rolls with the same continuation. Rolls are divided into classes, and the classes are
/// split until they no longer change (Moore 1956).
fn merge_rolls(rolls: Vec<Vec<AfterFace>>) -> Vec<Vec<AfterFace>> {
    if rolls.iter().flatten().any(|face| *face == AfterFace::Rest) {
        return rolls;
    }
    let mut class = vec![0; rolls.len()];
    let mut many = 1;
    loop {
        let kind = |face: &AfterFace| match face {
            AfterFace::Roll(to) => AfterFace::Roll(class[*to]),
            other => *other,
        };
        let kinds = rolls.iter().map(|faces| faces.iter().map(kind).collect());
        let kinds: Vec<Vec<AfterFace>> = kinds.collect();
        let mut first = HashMap::new();
        let mut different = Vec::new();
        let next = kinds.iter().map(|faces| {
            *first.entry(faces).or_insert_with(|| {
                different.push(faces.clone());
                different.len() - 1
            })
        });
        let next: Vec<usize> = next.collect();
        if different.len() == many {
            return different;
        }
        (class, many) = (next, different.len());
    }
}
