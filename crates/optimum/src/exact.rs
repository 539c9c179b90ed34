//! Computes with exact fractions: the cost of the rule that the search found, the state at which
//! this rule repeats itself, and a proof that no rule costs less.
//! **A state that repeats.** Let c be the cost at which a state is reached, and h its heaviest
//! node. Let a second state be reached at the cost c' > c with the heaviest node h' < h, and let
//! the two states be equal up to the scale h'/h. To finish from them costs h v and h' v with the
//! same least v. If the best rule goes through the second state, then c' + h' v <= c + h v, so v >=
//! (c' - c) / (h - h'), and this rule costs at least c + h (c' - c) / (h - h'), which is the cost
//! of repeating forever. If that is at least the cost of the rule that was found, the second state
//! need not be followed. The two states need not lie on one path.
//!
//! **A state that is dominated.** A state is also skipped if it equals an earlier state up to scale
//! and has no lower cost and no smaller scale: whatever finishes it also finishes the earlier
//! state. Redirecting a best rule in this way cannot create a loop. In a loop, costs and scales
//! would all be equal, so nothing would be rolled, while each leaf lowers the sum of the nodes
//! (docs/loaded-optimum.md has the full argument).

use crate::kinds::Kinds;
use crate::search::KindDecision;
use flipcost_number::budget::spend;
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Zero};
use std::collections::HashMap;

/// The maximum number of states of a proof.
const MAX_STATES: usize = 20_000;
/// The maximum number of nodes of a state that is compared with others.
const MAX_NODES: usize = 200;

/// A decision about a node, with the mass of the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExactDecision {
    /// The node is rolled.
    Roll(Rational),
    /// The node becomes a leaf of this outcome.
    Leaf(Rational, usize),
}

/// A state: the nodes that are neither leaves nor rolled, the heaviest first, and for each outcome
/// the probability that it has not yet received.
#[derive(Clone)]
pub struct ExactState {
    pub nodes: Vec<(Rational, u32)>,
    pub deficits: Vec<Rational>,
}

/// The state up to scale.
#[derive(PartialEq, Eq, Hash)]
struct NormalizedState(Vec<(Rational, u32)>, Vec<Rational>);

impl ExactState {
    pub fn start(shares: Vec<Rational>) -> ExactState {
        ExactState {
            nodes: vec![(Rational::one(), 1)],
            deficits: shares,
        }
    }

    pub fn roll(&mut self, mass: &Rational, faces: &[(Rational, u32)]) -> bool {
        spend(10_000);
        if !self.remove(mass) {
            return false;
        }
        for (p, count) in faces {
            let child = mass * p;
            match self.find_node(&child) {
                Ok(i) => self.nodes[i].1 += count,
                Err(i) => self.nodes.insert(i, (child, *count)),
            }
        }
        true
    }

    fn find_node(&self, mass: &Rational) -> Result<usize, usize> {
        self.nodes.binary_search_by(|node| mass.cmp(&node.0))
    }

    pub fn remove(&mut self, mass: &Rational) -> bool {
        let Ok(i) = self.find_node(mass) else {
            return false;
        };
        self.nodes[i].1 -= 1;
        if self.nodes[i].1 == 0 {
            self.nodes.remove(i);
        }
        true
    }

    fn normalized(&self) -> Option<NormalizedState> {
        let (first, _) = self.nodes.first()?;
        if self.nodes.len() > MAX_NODES {
            return None;
        }
        let nodes = self
            .nodes
            .iter()
            .map(|(mass, count)| (mass / first, *count));
        let lacking = self.deficits.iter().filter(|d| !d.is_zero());
        let mut deficits: Vec<Rational> = lacking.map(|d| d / first).collect();
        deficits.sort_unstable_by(|a, b| b.cmp(a));
        Some(NormalizedState(nodes.collect(), deficits))
    }

    /// An upper bound of the cost of finishing by laying the remaining nodes on a line: at each
    /// depth, a cut between two outcomes lies in only one node.
    fn line_ending_cost(&self, q: &Rational) -> Rational {
        let cuts = self.deficits.iter().filter(|d| !d.is_zero()).count();
        let heaviest = self
            .nodes
            .first()
            .map_or_else(Rational::zero, |node| node.0.clone());
        let cuts = Rational::from_integer(cuts.saturating_sub(1).into());
        cuts * heaviest / (Rational::one() - q)
    }
}

/// A rule: its decisions in order, and how it ends.
pub struct DecisionPath {
    pub actions: Vec<ExactDecision>,
    pub end: PathEnd,
    pub cost: Rational,
}

/// How the decisions of a rule end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// No nodes are left.
    Finished,
    /// The rule continues in the same way as after this many decisions.
    Back(usize),
    /// The remaining nodes are laid on a line and cut into the outcomes.
    Line,
}

/// Replays decisions exactly, and returns the rule that begins with them. Drops the first decision
/// that does not fit exactly, and all decisions after it.
pub fn replay(shares: &[Rational], kinds: &Kinds, decisions: &[KindDecision]) -> DecisionPath {
    let mut state = ExactState::start(shares.to_vec());
    let q = &kinds.faces[0].0;
    let mut lacking: Vec<u64> = (shares.iter())
        .map(|share| super::kinds::to_fixed(share, kinds.bits, true))
        .collect();
    let (mut actions, mut cost) = (Vec::new(), Rational::zero());
    let mut seen: HashMap<NormalizedState, (usize, Rational, Rational)> = HashMap::new();
    for decision in decisions {
        spend(100_000);
        if let (Some(shape), Some((heaviest, _))) = (state.normalized(), state.nodes.first()) {
            if let Some((at, before, wide)) = seen.get(&shape) {
                let round = (&cost - before) / (wide - heaviest);
                let cost = before + wide * round;
                let end = PathEnd::Back(*at);
                return DecisionPath { actions, end, cost };
            }
            seen.insert(shape, (actions.len(), cost.clone(), heaviest.clone()));
        }
        match *decision {
            KindDecision::Roll(kind) => {
                let mass = kinds.exact(kind);
                if !state.roll(&mass, &kinds.faces) {
                    break;
                }
                cost += &mass;
                actions.push(ExactDecision::Roll(mass));
            }
            KindDecision::Leaf(kind, deficit) => {
                let mass = kinds.exact(kind);
                let fits = |i: &usize| lacking[*i] == deficit && state.deficits[*i] >= mass;
                let Some(outcome) = (0..lacking.len()).find(fits) else {
                    break;
                };
                if !state.remove(&mass) {
                    break;
                }
                lacking[outcome] -= kinds.kinds[kind as usize].mass;
                state.deficits[outcome] -= &mass;
                actions.push(ExactDecision::Leaf(mass, outcome));
            }
        }
    }
    let mut open = (0..shares.len()).filter(|i| !state.deficits[*i].is_zero());
    if let (Some(last), None) = (open.next(), open.next()) {
        // A single outcome is left, so every remaining node becomes a leaf of this outcome.
        for (mass, count) in std::mem::take(&mut state.nodes) {
            let leaf = ExactDecision::Leaf(mass, last);
            actions.extend(std::iter::repeat_n(leaf, count as usize));
        }
    }
    let end = if state.nodes.is_empty() {
        PathEnd::Finished
    } else {
        PathEnd::Line
    };
    cost += state.line_ending_cost(q);
    DecisionPath { actions, end, cost }
}

/// Returns whether a proof shows that no rule costs less than `value`. `false` can also mean that
/// no proof was found.
pub fn proves_least_cost(shares: &[Rational], faces: &[(Rational, u32)], value: &Rational) -> bool {
    let mut known: HashMap<NormalizedState, Vec<(Rational, Rational)>> = HashMap::new();
    let mut open = vec![(ExactState::start(shares.to_vec()), Rational::zero())];
    let mut states = 0;
    while let Some((mut state, mut cost)) = open.pop() {
        while let Some((mass, count)) = state.nodes.first().cloned() {
            if cost >= *value || state.deficits.iter().any(|d| *d >= mass) {
                break;
            }
            for _ in 0..count {
                state.roll(&mass, faces);
                cost += &mass;
            }
        }
        if &cost + bound(&state, &faces[0].0) >= *value {
            continue;
        }
        states += 1;
        let Some(shape) = state.normalized().filter(|_| states <= MAX_STATES) else {
            return false; // too many states, or a rule that finishes below the value
        };
        let mass = state.nodes[0].0.clone();
        let others = known.entry(shape).or_default();
        let is_left = |(before, wide): &(Rational, Rational)| {
            if cost >= *before && mass >= *wide {
                return true;
            }
            cost > *before && before + wide * (&cost - before) / (wide - &mass) >= *value
        };
        if others.iter().any(is_left) {
            continue;
        }
        others.push((cost.clone(), mass.clone()));
        let mut taken: Vec<&Rational> = Vec::new();
        for (i, deficit) in state.deficits.iter().enumerate() {
            if *deficit >= mass && !taken.contains(&deficit) {
                taken.push(deficit);
                let mut next = state.clone();
                next.remove(&mass);
                next.deficits[i] -= &mass;
                open.push((next, cost.clone()));
            }
        }
        state.roll(&mass, faces);
        open.push((state, cost + mass));
    }
    true
}

/// The bound of a state that [`super::search`] describes, computed exactly.
fn bound(state: &ExactState, q: &Rational) -> Rational {
    let (mut mass, mut best) = (Rational::zero(), Rational::zero());
    for (i, (x, count)) in state.nodes.iter().enumerate() {
        spend(10_000);
        mass += x * BigInt::from(*count);
        let fits: Rational = state.deficits.iter().filter(|d| *d >= x).sum();
        let mut excess = &mass - fits;
        if excess <= Rational::zero() {
            continue;
        }
        let (mut cost, mut price, mut power) = (Rational::zero(), Rational::one(), Rational::one());
        for (y, count) in state.nodes[..=i].iter().rev() {
            while y * &power * q >= *x {
                power *= q;
                price += &power;
            }
            let part = (y * BigInt::from(*count)).min(excess.clone());
            cost += &part * &price;
            excess -= part;
        }
        best = best.max(cost).max(x.clone());
    }
    best
}
