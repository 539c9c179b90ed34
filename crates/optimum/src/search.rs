//! The search, in fixed point: it finds a lower bound for every rule, and the decisions of a good
//! rule.
//!
//! The heaviest node that is neither a leaf nor rolled is decided first. If it is heavier than
//! every deficit (the probability that an outcome has not yet received), it is rolled. Otherwise it
//! is rolled, or it becomes a leaf of an outcome whose deficit is at least as large. Masses are
//! rounded down and deficits up, and nodes below the least mass of [`Kinds`] are free. So every
//! rule is among those that are searched, and is counted at no more than its cost: the least cost
//! found here is a lower bound for all rules.
//!
//! **The bound of a state.** For any mass x, leaves of mass >= x only fit in deficits >= x. Suppose
//! that the nodes of mass >= x exceed these deficits by e in sum. Then rolling must move a mass of
//! e below x. Let q be the greatest probability of a face. Rolling a node of mass in [x q^-r, x
//! q^-(r+1)) moves a mass y of it below x at a price of at least y (1 + q + ... + q^r), by
//! induction (docs/loaded-optimum.md). The bound assumes that the cheapest nodes are moved first.
//! If e > 0, at least one node is rolled, which costs at least x.
//!
//! **The order of work.** States are searched depth first. A state is abandoned when its cost plus
//! its bound reaches the best known cost minus a tolerance. For each state, the search stores a
//! lower bound of the cost to finish from it. At first, a part of the effort is spent on finding a
//! good rule, with a tolerance that shrinks from one search to the next. Then the lower bound is
//! raised, each time by a fraction of the gap between the bounds.

use crate::kinds::Kinds;
use flipcost_number::budget::spend;
use std::collections::HashMap;

/// A decision about a node of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindDecision {
    /// The node is rolled.
    Roll(u32),
    /// The node is a leaf of an outcome with this deficit, in fixed point.
    Leaf(u32, u64),
}

/// The maximum number of states that are stored.
const MAX_STATES: usize = 1 << 20;
/// The maximum depth of decisions.
const MAX_DEPTH: usize = 2000;
/// The gap between the bounds is divided by this number, and the lower bound is raised by one such
/// part at a time.
const GAP_PARTS: u64 = 8;
/// An upper bound of the rounding errors of all deficits on one path.
const MAX_ROUNDING_ERROR: u64 = 1 << 12;

#[derive(Clone)]
struct SearchState {
    /// The kinds of the nodes, the heaviest first, each with the number of its nodes.
    nodes: Vec<(u32, u32)>,
    /// The deficits, the greatest first.
    deficits: Vec<u64>,
}

pub struct LoadedSearch<'a> {
    kinds: &'a Kinds,
    /// The numbers 1 + q + ... + q^r in units of 2^-32, rounded down.
    prices: Vec<u64>,
    /// q rounded down, and 1 / (1 - q) rounded up.
    q: f64,
    line_factor: f64,
    known: HashMap<Box<[u64]>, u64>,
    path: Vec<KindDecision>,
    /// The best cost so far and the decisions of its rule. Both are later proved exactly.
    pub upper: u64,
    pub best: Vec<KindDecision>,
    pub lower: u64,
    tolerance: u64,
    /// The bound that the current search tries to prove.
    most: u64,
    pub effort: u64,
    pub states: u64,
}

/// The error that the effort is spent.
struct EffortSpent;

impl<'a> LoadedSearch<'a> {
    /// Creates the search. `most` must exceed the cost of the best rule.
    pub fn new(kinds: &'a Kinds, q: f64, most: u64, effort: u64) -> LoadedSearch<'a> {
        let mut prices = Vec::new();
        let (mut sum, mut power) = (0.0f64, 1.0f64);
        while prices.len() < 4096 && power > 1e-12 {
            sum += power;
            power *= q;
            prices.push((sum * (1.0 - 1e-9) * 4_294_967_296.0) as u64);
        }
        LoadedSearch {
            kinds,
            prices,
            q: q * (1.0 - 1e-12),
            line_factor: (1.0 + 1e-9) / (1.0 - q),
            known: HashMap::new(),
            path: Vec::new(),
            upper: most,
            best: Vec::new(),
            lower: 0,
            tolerance: 0,
            most: 0,
            effort,
            states: 0,
        }
    }

    /// Searches until the difference between the best cost and the lower bound is at most the
    /// tolerance, or the effort is spent.
    pub fn run(&mut self, deficits: &[u64], tolerance: u64, go_on: &mut dyn FnMut(u64) -> bool) {
        let mut deficits = deficits.to_vec();
        deficits.sort_unstable_by(|a, b| b.cmp(a));
        let start = SearchState {
            nodes: vec![(0, 1)],
            deficits,
        };
        // First look for a good rule, which lowers the upper bound; this takes only a part of the
        // effort.
        let all = self.effort;
        (self.effort, self.most, self.tolerance) = (all / 16, u64::MAX, self.upper / 4);
        while self.tolerance > tolerance && go_on(self.states) {
            match self.search(start.clone(), 0, 0) {
                Ok(found) => self.lower = self.lower.max(found.min(self.upper)),
                Err(EffortSpent) => break,
            }
            self.tolerance /= 4;
        }
        // Then raise the lower bound.
        self.effort = all;
        while self.upper - self.lower > tolerance && go_on(self.states) {
            let step = ((self.upper - self.lower) / GAP_PARTS).max(tolerance);
            self.tolerance = step;
            self.most = self.lower + step;
            match self.search(start.clone(), 0, 0) {
                Ok(found) => self.lower = self.lower.max(found.min(self.upper)),
                Err(EffortSpent) => return,
            }
        }
    }

    fn cost_goal(&self) -> u64 {
        self.most.min(self.upper.saturating_sub(self.tolerance))
    }

    /// Returns a lower bound of the cost of every rule through this state, which was reached at
    /// this cost.
    fn search(
        &mut self,
        mut state: SearchState,
        mut cost: u64,
        depth: usize,
    ) -> Result<u64, EffortSpent> {
        let before = self.path.len();
        if self.states == self.effort || depth > MAX_DEPTH {
            return Err(EffortSpent);
        }
        self.states += 1;
        spend(1000);
        let kinds = self.kinds;
        while let Some(&(kind, count)) = state.nodes.first() {
            let mass = kinds.kinds[kind as usize].mass;
            if mass <= state.deficits[0] || cost >= self.cost_goal() {
                break;
            }
            cost += mass * u64::from(count);
            state.roll(kinds, count);
            (0..count).for_each(|_| self.path.push(KindDecision::Roll(kind)));
        }
        let found = self.search_decisions(&state, cost, depth);
        self.path.truncate(before);
        found
    }

    fn search_decisions(
        &mut self,
        state: &SearchState,
        cost: u64,
        depth: usize,
    ) -> Result<u64, EffortSpent> {
        let first = state.nodes.first().map(|&(kind, _)| kind);
        let heaviest = first.map_or(0, |kind| self.kinds.kinds[kind as usize].mass);
        let cuts = state
            .deficits
            .iter()
            .filter(|d| **d > MAX_ROUNDING_ERROR)
            .count();
        let ending =
            cuts.saturating_sub(1) as f64 * heaviest.max(self.kinds.rest) as f64 * self.line_factor;
        let through = cost
            .saturating_add(ending as u64)
            .saturating_add(MAX_ROUNDING_ERROR);
        // Of two rules with equal cost, prefer the one with more decisions.
        let is_further =
            through <= self.upper + MAX_ROUNDING_ERROR && self.path.len() > self.best.len();
        if through < self.upper || is_further {
            self.upper = self.upper.min(through);
            self.best.clone_from(&self.path);
        }
        let Some(kind) = first else {
            return Ok(cost);
        };
        let bound = cost + self.bound(state);
        if bound >= self.cost_goal() {
            return Ok(bound);
        }
        let key = state.key();
        if let Some(rest) = self.known.get(&key)
            && cost + rest >= self.cost_goal()
        {
            return Ok(cost + rest);
        }
        let mut least = u64::MAX;
        let mut last = None;
        for place in (0..state.deficits.len()).rev() {
            let deficit = state.deficits[place];
            if deficit < heaviest || last.replace(deficit) == Some(deficit) {
                continue;
            }
            let mut next = state.clone();
            next.assign_node(place, heaviest);
            self.path.push(KindDecision::Leaf(kind, deficit));
            let found = self.search(next, cost, depth + 1);
            self.path.pop();
            least = least.min(found?);
        }
        let mut next = state.clone();
        next.roll(self.kinds, 1);
        self.path.push(KindDecision::Roll(kind));
        let found = self.search(next, cost + heaviest, depth + 1);
        self.path.pop();
        least = least.min(found?).max(bound);
        if self.known.len() < MAX_STATES || self.known.contains_key(&key) {
            let rest = self.known.entry(key).or_insert(0);
            *rest = (*rest).max(least - cost);
        }
        Ok(least)
    }

    fn bound(&self, state: &SearchState) -> u64 {
        let (mut mass, mut fits, mut open, mut best) = (0u64, 0u64, 0, 0u64);
        for (i, &(kind, count)) in state.nodes.iter().enumerate() {
            let x = self.kinds.kinds[kind as usize].mass;
            mass += x * u64::from(count);
            while open < state.deficits.len() && state.deficits[open] >= x {
                fits += state.deficits[open];
                open += 1;
            }
            let Some(mut excess) = mass.checked_sub(fits).filter(|e| *e > 0) else {
                continue;
            };
            let (mut price, mut range) = (0u64, 0);
            let mut most = (x + 1) as f64 / self.q;
            for &(kind, count) in state.nodes[..=i].iter().rev() {
                let y = self.kinds.kinds[kind as usize].mass;
                while y as f64 > most * (1.0 + 1e-9) && range + 1 < self.prices.len() {
                    most /= self.q;
                    range += 1;
                }
                let part = excess.min((y + 1) * u64::from(count));
                price += ((u128::from(part) * u128::from(self.prices[range])) >> 32) as u64;
                excess -= part;
                if excess == 0 {
                    break;
                }
            }
            best = best.max(price.max(x));
        }
        best
    }
}

impl SearchState {
    /// Rolls `count` nodes of the first kind.
    fn roll(&mut self, kinds: &Kinds, count: u32) {
        let first = self.nodes[0].0;
        self.remove(count);
        for &(child, each) in &kinds.kinds[first as usize].children {
            match self.nodes.binary_search_by_key(&child, |node| node.0) {
                Ok(i) => self.nodes[i].1 += each * count,
                Err(i) => self.nodes.insert(i, (child, each * count)),
            }
        }
    }

    fn remove(&mut self, count: u32) {
        self.nodes[0].1 -= count;
        if self.nodes[0].1 == 0 {
            self.nodes.remove(0);
        }
    }

    /// Makes a node of the first kind a leaf of the outcome with this deficit.
    fn assign_node(&mut self, place: usize, mass: u64) {
        self.remove(1);
        let rest = self.deficits.remove(place) - mass;
        let i = self.deficits.partition_point(|d| *d >= rest);
        self.deficits.insert(i, rest);
    }

    fn key(&self) -> Box<[u64]> {
        let nodes = self.nodes.iter();
        let nodes = nodes.map(|&(kind, count)| u64::from(kind) << 32 | u64::from(count));
        self.deficits.iter().copied().chain(nodes).collect()
    }
}
