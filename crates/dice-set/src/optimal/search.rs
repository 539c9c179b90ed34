//! The search for the best rule: raises the lower bounds of situations until a closed rule costs
//! exactly as much as the bound of the start.
//!
//! Let v(s) be the least price per unit of undecided probability from the situation s, in multiples
//! of the least price. Then
//!
//! ```text
//! v(s) = min over steps of [ cost + left v(s') ],    v(end) = 0,
//! ```
//!
//! where `left` is the part of the probability that the step leaves undecided. Every situation has
//! a lower bound of v, at first that of [`LeafPrices`]. Replacing this bound by the least value
//! over the listed steps of the situation and `rest` (the value of every step that is not listed is
//! above `rest`) gives another lower bound; it is computed in fixed point and rounded down. A
//! *trial* follows the least bounds from the start to a situation whose steps are not listed, lists
//! these steps, and raises the bounds on the way back.
//!
//! **The proof.** When the least bounds lead to the end, or back to a situation on the way, they
//! form a closed rule, whose value W is computed exactly. Let E contain the situations of the rule.
//! For each situation in E, let it also contain the situations to which its steps lead, except for
//! steps with cost + left (lower bound) >= W. Each situation in E has a rule within E, whose exact
//! value is the W of that situation. If no listed step and no `rest` in E is below W, then any rule
//! from the start costs at least W. To see this, follow the rule until it leaves E, where a lower
//! bound holds; the part that never leaves E is paid step by step, up to W times a probability that
//! tends to 0. A step below W improves the rule. If the steps of a situation in E are not listed
//! yet, they are listed now. So either the proof is completed, or the search continues with more
//! listed steps. Equal values are decided exactly: no step is left out because of a rounded number.

use super::fixed::{self, INFINITE, ONE};
use super::leaves::{LeafPrices, PricedDie};
use super::situation::Situation;
use super::step::{ListingEnd, SearchBudget, SituationStep, steps};
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Zero};
use std::collections::HashMap;

/// A step from a situation to the next one: an edge of the graph.
#[derive(Clone, Debug)]
struct StepEdge {
    to: usize,
    /// The cost per unit of probability, in fixed point, rounded down.
    cost: u64,
    /// The part of the probability that remains undecided, in fixed point, rounded down.
    left: u64,
    /// The exact cost; its unit is the unit of the prices times the unit of the situation. `factor`
    /// is the factor that was divided out of the next situation.
    exact_cost: u128,
    factor: u128,
}

struct SearchNode {
    situation: Situation,
    mass: u128,
    /// A lower bound of v.
    low: u64,
    edges: Vec<StepEdge>,
    /// The value of every step that is not listed is above this.
    rest: u64,
    /// The last listing of steps found all steps up to this value above the bound.
    reach: u64,
    /// The maximum number of ways to try in the next listing.
    effort: u64,
}

/// The graph of situations, with steps as edges.
pub struct SituationGraph {
    leaves: LeafPrices,
    nodes: Vec<SearchNode>,
    index: HashMap<Situation, usize>,
    /// The number of ways that the search may still try.
    pub effort: u64,
}

/// The first listing for a situation finds the steps up to this value above its bound.
const LISTING_MARGIN: u64 = ONE / 1_000_000;
/// The maximum number of ways that the first listing of a situation tries.
const FIRST_LISTING_WAYS: u64 = 20_000;
/// The maximum number of ways that are tried to find a step of the rule again.
const MAX_RELISTING_WAYS: u64 = 10_000_000;
/// The maximum number of situations in memory.
const MAX_NODES: usize = 3_000_000;

/// The result of a trial.
enum TrialEnd {
    /// The trial has listed the steps of a situation.
    Listed,
    /// The least bounds form a closed rule.
    Closed,
    /// No more steps can be listed within the effort.
    Spent,
}

/// A closed rule: a list of steps that begins at a situation, and the step to which the last step
/// returns.
#[derive(Clone, Debug)]
pub struct ClosedRule {
    pub start: Situation,
    pub steps: Vec<SituationStep>,
    /// The index of the step that follows the last step; `None` if the rule ends there.
    pub back: Option<usize>,
}

impl SituationGraph {
    pub fn new(target: &[u64], dice: &[PricedDie], effort: u64) -> SituationGraph {
        let sum = target.iter().map(|w| u128::from(*w)).sum();
        let deficits = target.iter().map(|w| (u128::from(*w), 1)).collect();
        let (start, _) = Situation::reduced(vec![(sum, 1)], deficits);
        let mut search = SituationGraph {
            leaves: LeafPrices::new(dice),
            nodes: Vec::new(),
            index: HashMap::new(),
            effort,
        };
        search.intern_situation(start);
        search
    }

    /// The lower bound for the start, per unit of probability and in multiples of the least price.
    pub fn start_bound(&self) -> Rational {
        Rational::new(self.nodes[0].low.into(), ONE.into())
    }

    /// The least price of a roll, in units of the prices.
    pub fn least_price(&self) -> u64 {
        self.leaves.cheapest
    }

    fn intern_situation(&mut self, situation: Situation) -> usize {
        if let Some(&known) = self.index.get(&situation) {
            return known;
        }
        let mass = situation.mass().unwrap_or(u128::MAX);
        let sizes: Vec<u128> = situation.open.iter().map(|(size, _)| *size).collect();
        let mut low = 0u64;
        for &(deficit, count) in &situation.deficits {
            let bound = self.leaves.bound(deficit, &sizes);
            let part =
                (deficit.checked_mul(count.into())).map_or(0, |sum| fixed::div_floor(sum, mass));
            low = low.saturating_add(fixed::mul_floor(part, bound));
        }
        let node = self.nodes.len();
        self.nodes.push(SearchNode {
            mass,
            low,
            edges: Vec::new(),
            rest: low,
            reach: 0,
            effort: FIRST_LISTING_WAYS,
            situation: situation.clone(),
        });
        self.index.insert(situation, node);
        node
    }

    fn bound_through(&self, edge: &StepEdge) -> u64 {
        edge.cost
            .saturating_add(fixed::mul_floor(edge.left, self.nodes[edge.to].low))
    }

    /// Returns the listed step with the least bound, and this bound.
    fn best_edge(&self, node: usize) -> Option<(usize, u64)> {
        let edges = self.nodes[node].edges.iter().enumerate();
        edges
            .map(|(i, edge)| (i, self.bound_through(edge)))
            .min_by_key(|&(_, bound)| bound)
    }

    fn raise_bound(&mut self, node: usize) {
        if self.nodes[node].situation.is_end() {
            return;
        }
        let best = self.best_edge(node).map_or(INFINITE, |(_, bound)| bound);
        let bound = best.min(self.nodes[node].rest);
        self.nodes[node].low = self.nodes[node].low.max(bound);
    }

    /// Lists all steps with values up to at least `until`. Returns false, and lists nothing, if the
    /// effort or the memory for situations is used up.
    fn list_steps(&mut self, node: usize, until: u64) -> bool {
        if self.effort == 0 || self.nodes.len() > MAX_NODES || self.nodes[node].effort == 0 {
            return false;
        }
        let at = &self.nodes[node];
        let reach = match at.reach {
            0 => LISTING_MARGIN,
            reach => reach.saturating_mul(2),
        };
        let budget = at.low.saturating_add(reach).max(until);
        let mut effort = SearchBudget {
            left: at.effort.min(self.effort),
        };
        let given = effort.left;
        let situation = at.situation.clone();
        let mut found = Vec::new();
        let listed = steps(
            &situation,
            &mut self.leaves,
            budget,
            &mut effort,
            &mut |step| {
                found.push(step);
            },
        );
        self.effort -= given - effort.left;
        let mut edges = Vec::new();
        let mut seen = HashMap::new();
        for step in found {
            let edge = self.make_edge(node, step);
            // Of two steps to the same situation, keep the one that costs less.
            match seen.get(&edge.to) {
                Some(&i) => {
                    let other: &mut StepEdge = &mut edges[i];
                    if edge.exact_cost < other.exact_cost {
                        *other = edge;
                    }
                }
                None => {
                    seen.insert(edge.to, edges.len());
                    edges.push(edge);
                }
            }
        }
        let at = &mut self.nodes[node];
        match listed {
            ListingEnd::All => {
                at.edges = edges;
                at.rest = at.rest.max(budget);
                at.reach = reach;
            }
            ListingEnd::Spent | ListingEnd::TooLong => {
                // Only some of the steps were found. They can be used, but nothing is known about
                // the others.
                at.effort = match listed {
                    ListingEnd::TooLong => 0,
                    _ => at.effort.saturating_mul(4),
                };
                for edge in edges {
                    if at.edges.iter().all(|other| other.to != edge.to) {
                        at.edges.push(edge);
                    }
                }
            }
        }
        true
    }

    fn make_edge(&mut self, node: usize, step: SituationStep) -> StepEdge {
        let to = self.intern_situation(step.to);
        let at = &self.nodes[node];
        let all = at.mass.saturating_mul(self.leaves.common);
        let left = if self.nodes[to].situation.is_end() {
            0
        } else {
            fixed::div_floor(self.nodes[to].mass.saturating_mul(step.factor), all)
        };
        StepEdge {
            to,
            cost: fixed::div_floor(
                step.cost,
                at.mass.saturating_mul(self.leaves.cheapest.into()),
            ),
            left,
            exact_cost: step.cost,
            factor: step.factor,
        }
    }

    /// Follows the least bounds from a situation.
    fn follow_bounds(&mut self, from: usize) -> TrialEnd {
        let mut path = vec![from];
        let end = loop {
            let node = path[path.len() - 1];
            if self.nodes[node].situation.is_end() {
                break TrialEnd::Closed;
            }
            let best = self.best_edge(node);
            let listed = best.filter(|&(_, bound)| bound <= self.nodes[node].rest);
            let Some((edge, _)) = listed else {
                break if self.list_steps(node, 0) {
                    TrialEnd::Listed
                } else {
                    TrialEnd::Spent
                };
            };
            let to = self.nodes[node].edges[edge].to;
            if path.contains(&to) {
                break TrialEnd::Closed;
            }
            path.push(to);
        };
        for &node in path.iter().rev() {
            self.raise_bound(node);
        }
        end
    }

    /// Returns the exact value of an edge, given the value of the situation to which it leads.
    fn exact_edge_value(&self, node: usize, edge: &StepEdge, to: &Rational) -> Rational {
        let at = &self.nodes[node];
        let cost = Rational::new(
            edge.exact_cost.into(),
            BigInt::from(at.mass) * self.leaves.cheapest,
        );
        if to.is_zero() {
            return cost;
        }
        cost + self.weight_of_rest(node, edge) * to
    }

    fn weight_of_rest(&self, node: usize, edge: &StepEdge) -> Rational {
        if self.nodes[edge.to].situation.is_end() {
            return Rational::zero();
        }
        Rational::new(
            BigInt::from(self.nodes[edge.to].mass) * edge.factor,
            BigInt::from(self.nodes[node].mass) * self.leaves.common,
        )
    }

    /// Follows a rule from a situation and enters its steps in `chosen`: at a situation without a
    /// chosen step, the step with the least bound. `None` if the rule is not closed.
    fn choose_closed_rule(&self, from: usize, chosen: &mut HashMap<usize, usize>) -> Option<()> {
        let mut node = from;
        let mut added = Vec::new();
        loop {
            if self.nodes[node].situation.is_end() || chosen.contains_key(&node) {
                return Some(());
            }
            match self.best_edge(node) {
                Some((edge, _)) => {
                    chosen.insert(node, edge);
                    added.push(node);
                    node = self.nodes[node].edges[edge].to;
                }
                None => {
                    for node in added {
                        chosen.remove(&node);
                    }
                    return None;
                }
            }
        }
    }

    /// Returns the exact value of every chosen situation.
    fn exact_values(&self, chosen: &HashMap<usize, usize>) -> HashMap<usize, Rational> {
        let mut values: HashMap<usize, Rational> = HashMap::new();
        let mut order: Vec<usize> = chosen.keys().copied().collect();
        order.sort_unstable();
        for from in order {
            let (mut path, mut node) = (Vec::<usize>::new(), from);
            // Follow the rule to a situation of known value, or once around a cycle.
            let mut value = loop {
                if self.nodes[node].situation.is_end() {
                    break Rational::zero();
                }
                if let Some(value) = values.get(&node) {
                    break value.clone();
                }
                if let Some(start) = path.iter().position(|other| *other == node) {
                    // Solve v = b + q v.
                    let (mut b, mut q) = (Rational::zero(), Rational::one());
                    for &at in &path[start..] {
                        let edge = &self.nodes[at].edges[chosen[&at]];
                        b += &q * self.exact_edge_value(at, edge, &Rational::zero());
                        q *= self.weight_of_rest(at, edge);
                    }
                    break b / (Rational::one() - q);
                }
                path.push(node);
                node = self.nodes[node].edges[chosen[&node]].to;
            };
            for &at in path.iter().rev() {
                value = self.exact_edge_value(at, &self.nodes[at].edges[chosen[&at]], &value);
                values.insert(at, value.clone());
            }
        }
        values
    }

    fn exact_lower_bound(&self, node: usize) -> Rational {
        Rational::new(self.nodes[node].low.into(), ONE.into())
    }

    /// Tries to prove that the closed rule along the least bounds is the best. Returns its choices
    /// and its value; `Err(true)` after listing more steps for the proof, `Err(false)` if the
    /// effort is spent.
    fn prove_closed_rule(&mut self) -> Result<ProvedRule, bool> {
        let mut chosen = HashMap::new();
        self.choose_closed_rule(0, &mut chosen).ok_or(true)?;
        loop {
            let values = self.exact_values(&chosen);
            let mut open: Vec<usize> = chosen.keys().copied().collect();
            open.sort_unstable();
            let mut better = Vec::new();
            let mut grown = false;
            for node in open {
                let value = &values[&node];
                let rest = Rational::new(self.nodes[node].rest.into(), ONE.into());
                if rest < *value {
                    let until = (value * BigInt::from(ONE)).ceil().to_integer();
                    let until = u64::try_from(until).unwrap_or(INFINITE - 1);
                    return Err(self.list_steps(node, until));
                }
                let mut least: Option<(Rational, usize)> = None;
                for (i, edge) in self.nodes[node].edges.iter().enumerate() {
                    if self.nodes[edge.to].situation.is_end() || chosen.contains_key(&edge.to) {
                        let zero = Rational::zero();
                        let to = values.get(&edge.to).unwrap_or(&zero);
                        let through = self.exact_edge_value(node, edge, to);
                        if through < *value && least.as_ref().is_none_or(|(x, _)| through < *x) {
                            least = Some((through, i));
                        }
                        continue;
                    }
                    let bound = exact_edge_bound(self, node, edge);
                    if bound >= *value {
                        continue;
                    }
                    let to = edge.to;
                    if self.choose_closed_rule(to, &mut chosen).is_none() {
                        return Err(!matches!(self.follow_bounds(to), TrialEnd::Spent));
                    }
                    grown = true;
                }
                if let Some((_, i)) = least {
                    better.push((node, i));
                }
            }
            if !better.is_empty() {
                chosen.extend(better);
                continue;
            }
            if !grown {
                let value = values[&0].clone();
                return Ok(ProvedRule { chosen, value });
            }
        }
    }

    /// Runs the search. Returns the least price that was found, per unit of probability and in
    /// multiples of the least price of a roll; its rule; and whether no rule costs less. There is
    /// no value and no rule if no rule was closed.
    pub fn run(&mut self, go_on: &mut dyn FnMut(&SituationGraph) -> bool) -> SearchResult {
        let mut best: Option<(Rational, HashMap<usize, usize>)> = None;
        if self.nodes[0].situation.is_end()
            || self.nodes[0].situation.deficits.len() == 1
                && self.nodes[0].situation.deficits[0].1 == 1
        {
            return SearchResult {
                value: Some(Rational::zero()),
                proved: true,
                rule: Some(ClosedRule {
                    start: self.nodes[0].situation.clone(),
                    steps: Vec::new(),
                    back: None,
                }),
            };
        }
        let mut trials = 0u64;
        loop {
            trials += 1;
            if trials.is_multiple_of(64) && !go_on(self) {
                break;
            }
            let low = self.nodes[0].low;
            match self.follow_bounds(0) {
                TrialEnd::Listed => continue,
                TrialEnd::Spent => break,
                TrialEnd::Closed => {}
            }
            let mut chosen = HashMap::new();
            if self.choose_closed_rule(0, &mut chosen).is_some() {
                let value = self.exact_values(&chosen).remove(&0).unwrap_or_default();
                if best.as_ref().is_none_or(|(known, _)| value < *known) {
                    best = Some((value, chosen));
                }
            }
            if self.nodes[0].low > low {
                continue;
            }
            match self.prove_closed_rule() {
                Ok(proved) => {
                    let rule = self.find_rule_steps(&proved.chosen);
                    return SearchResult {
                        value: Some(proved.value),
                        proved: true,
                        rule,
                    };
                }
                Err(true) => {}
                Err(false) => break,
            }
        }
        match best {
            Some((value, chosen)) => SearchResult {
                rule: self.find_rule_steps(&chosen),
                value: Some(value),
                proved: false,
            },
            None => SearchResult {
                value: None,
                proved: false,
                rule: None,
            },
        }
    }

    /// Finds the takings of the chosen steps again.
    fn find_rule_steps(&mut self, chosen: &HashMap<usize, usize>) -> Option<ClosedRule> {
        let (mut path, mut node) = (Vec::new(), 0);
        let mut steps_taken = Vec::new();
        let back = loop {
            if self.nodes[node].situation.is_end() {
                break None;
            }
            if let Some(back) = path.iter().position(|other| *other == node) {
                break Some(back);
            }
            path.push(node);
            let edge = self.nodes[node].edges[chosen[&node]].clone();
            let situation = self.nodes[node].situation.clone();
            let to = self.nodes[edge.to].situation.clone();
            let budget = edge.cost
                + fixed::mul_floor(
                    edge.left.saturating_add(1).min(ONE),
                    self.nodes[edge.to].low,
                )
                + 64;
            // The first listing found the steps within this effort. Now they may come in another
            // order, and take longer.
            let effort = self.nodes[node]
                .effort
                .max(FIRST_LISTING_WAYS)
                .saturating_mul(8);
            let mut effort = SearchBudget {
                left: effort.min(MAX_RELISTING_WAYS),
            };
            let mut same = None;
            steps(
                &situation,
                &mut self.leaves,
                budget.max(self.nodes[node].rest),
                &mut effort,
                &mut |step| {
                    if same.is_none() && step.to == to && step.cost == edge.exact_cost {
                        same = Some(step);
                    }
                },
            );
            steps_taken.push(same?);
            node = edge.to;
        };
        Some(ClosedRule {
            start: self.nodes[0].situation.clone(),
            steps: steps_taken,
            back,
        })
    }
}

/// Returns the exact value of cost + left (lower bound) of an edge.
fn exact_edge_bound(search: &SituationGraph, node: usize, edge: &StepEdge) -> Rational {
    search.exact_edge_value(node, edge, &search.exact_lower_bound(edge.to))
}

struct ProvedRule {
    chosen: HashMap<usize, usize>,
    value: Rational,
}

/// The result of a search.
pub struct SearchResult {
    pub value: Option<Rational>,
    pub proved: bool,
    pub rule: Option<ClosedRule>,
}
