//! The tree of a rule, node by node.

use super::exact::{Action, End};
use flipcost_number::Rational;
use flipcost_number::collect::ordered;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, VecDeque};

/// What is done at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// It is rolled: the node below each face.
    Roll(Vec<usize>),
    /// It is a leaf of this outcome, counted from 0.
    Leaf(usize),
    /// As at this node, each outcome i there being the outcome `again[i]` here.
    Again(usize),
    /// The rule does not say: what is left is laid on a line.
    Open,
}

/// A tree. Its root is the first node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// What is done at each.
    pub nodes: Vec<Node>,
    /// The probability of each node.
    pub masses: Vec<Rational>,
    /// Which outcome stands for which, where the tree comes back to itself.
    pub again: Vec<usize>,
}

/// The nodes that are open, by mass, those that came first in front.
type Open = BTreeMap<Rational, VecDeque<usize>>;

impl Tree {
    /// The tree that these decisions grow; `None` if they do not fit.
    pub(super) fn new(
        actions: &[Action],
        end: &End,
        faces: &[Rational],
        mut lacking: Vec<Rational>,
    ) -> Option<Tree> {
        let mut tree = Tree {
            nodes: vec![Node::Open],
            masses: vec![Rational::one()],
            again: (0..lacking.len()).collect(),
        };
        let mut open = ordered([(Rational::one(), VecDeque::from([0]))]);
        let mut start = None;
        for (i, action) in actions.iter().enumerate() {
            if *end == End::Back(i) {
                start = Some((open.clone(), lacking.clone()));
            }
            match action {
                Action::Roll(mass) => {
                    let node = take(&mut open, mass)?;
                    let mut below = Vec::new();
                    for p in faces {
                        let child = mass * p;
                        open.entry(child.clone())
                            .or_default()
                            .push_back(tree.nodes.len());
                        below.push(tree.nodes.len());
                        tree.nodes.push(Node::Open);
                        tree.masses.push(child);
                    }
                    tree.nodes[node] = Node::Roll(below);
                }
                Action::Leaf(mass, outcome) => {
                    let node = take(&mut open, mass)?;
                    lacking[*outcome] -= mass;
                    tree.nodes[node] = Node::Leaf(*outcome);
                }
            }
        }
        if let Some((before, lacked)) = start {
            let scale = open.last_key_value()?.0 / before.last_key_value()?.0;
            for (now, then) in open.values().flatten().zip(before.values().flatten()) {
                tree.nodes[*now] = Node::Again(*then);
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

/// The first node of this mass.
fn take(open: &mut Open, mass: &Rational) -> Option<usize> {
    let nodes = open.get_mut(mass)?;
    let node = nodes.pop_front();
    if nodes.is_empty() {
        open.remove(mass);
    }
    node
}

impl Tree {
    /// The outcomes' probabilities and the cost, if it finishes or comes back to itself: from the tree alone.
    pub fn law(&self, outcomes: usize) -> Option<(Vec<Rational>, Rational)> {
        let mut shares = vec![Rational::zero(); outcomes];
        let mut cost = Rational::zero();
        for (node, mass) in self.nodes.iter().zip(&self.masses) {
            match node {
                Node::Roll(_) => cost += mass,
                Node::Leaf(outcome) => shares[*outcome] += mass,
                Node::Again(_) => {}
                Node::Open => return None,
            }
        }
        let back: Vec<(usize, usize)> = (self.nodes.iter().enumerate())
            .filter_map(|(i, node)| match node {
                Node::Again(to) => Some((i, *to)),
                _ => None,
            })
            .collect();
        let Some(&(from, to)) = back.first() else {
            return Some((shares, cost));
        };
        // all that comes back is as much smaller; what is below it is one round
        let scale = &self.masses[from] / &self.masses[to];
        let mut round = vec![Rational::zero(); outcomes];
        let mut price = Rational::zero();
        let mut inside = vec![false; self.nodes.len()];
        for &(from, to) in &back {
            if self.masses[from] != &self.masses[to] * &scale {
                return None;
            }
            inside[to] = true;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Roll(below) if inside[i] => {
                    price += &self.masses[i];
                    below.iter().for_each(|child| inside[*child] = true);
                }
                Node::Leaf(outcome) if inside[i] => round[*outcome] += &self.masses[i],
                _ => {}
            }
        }
        let ends = back.iter().map(|(_, to)| to);
        let mut starts: Vec<&usize> = ends.collect();
        starts.sort_unstable();
        starts.dedup();
        if starts.len() != back.len() {
            return None;
        }
        // the outcomes change places in every round: after `period` rounds they stand as at first
        let mut place: Vec<usize> = (0..outcomes).collect();
        let (mut period, mut power) = (0, Rational::one());
        let mut added = vec![Rational::zero(); outcomes];
        loop {
            period += 1;
            power *= &scale;
            place = place.iter().map(|i| self.again[*i]).collect();
            for (i, share) in round.iter().enumerate() {
                added[place[i]] += share * &power;
            }
            if place.iter().enumerate().all(|(i, j)| i == *j) {
                break;
            }
            if period > 1000 {
                return None;
            }
        }
        let rounds = Rational::one() / (Rational::one() - &power);
        for (share, more) in shares.iter_mut().zip(added) {
            *share += more * &rounds;
        }
        cost += price * &scale / (Rational::one() - scale);
        Some((shares, cost))
    }
}
