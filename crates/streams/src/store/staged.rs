//! The staged rule for coins, which first decides whether the outcome is in a group whose size is
//! the largest power of two.
//!
//! A request for one of n outcomes is answered in stages. With 2^k <= n < 2^(k+1) the first 2^k
//! outcomes are a *group*, which is chosen with probability 2^k / n. If it is chosen, k coins
//! select the outcome; otherwise the other n - 2^k outcomes form a new request. A stage decides
//! between probabilities j / t and (t - j) / t with a number that is uniform on v values, v > S /
//! 2:
//!
//! ```text
//! floor(j v / t) values      the group, and as many values are left in store
//! floor((t - j) v / t)       the others, likewise
//! at most one value          nothing is left (v = 1), and the law is now (j v mod t) / t
//! ```
//!
//! which is exact: (floor(j v / t) + (j v mod t) / t) / v = j / t. Besides the choice that it
//! makes, a stage reveals only whether the third case occurred. This loses at most Hb(1 / v) bits.
//! Let L(n) be the expected number of stages (below 2), with L(2^k) = 0 and L(n) = 1 + (r / n)
//! L(r), r = n - 2^k, and Hb the entropy of a coin:
//!
//! ```text
//! log2 n <= rolls per outcome <= log2 n + L(n) Hb(2 / S) / (1 - 2 / S),   S >= 4,
//! ```
//!
//! because each try of a stage loses at most Hb(2 / S) bits, and another try follows with
//! probability 1 / v < 2 / S.

use crate::cycles::{Graph, Visit, costs_until};
use flipcost_number::Real;
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Zero};
use std::collections::HashMap;

/// Chains of up to this many states are solved exactly.
const MAX_EXACT_STATES: usize = 500;

/// The state at the beginning of a stage, when the store is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct StagedState {
    /// The index of the stage of the request.
    stage: usize,
    /// The number j: the group is chosen with probability j / t.
    j: u64,
    /// The number of values of the stored number.
    v: u64,
}

/// The staged rule for one target, from a coin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The requests n, n - 2^k, ..., of which the last is a power of two.
    requests: Vec<u64>,
    /// The number S of states.
    states: u64,
}

/// The decision of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageDecision {
    /// The group is chosen.
    Group,
    /// The other outcomes are chosen.
    Others,
    /// The stage is undecided: the store is empty, and the probabilities have changed.
    Again,
}

/// A transition from a state: the probability times v, the number of rolls, and the next state,
/// with or without an outcome before it.
struct StagedTransition {
    part: u64,
    rolls: u64,
    outcome: bool,
    to: StagedState,
}

impl Staged {
    /// Creates the rule for a target of n >= 1 sides and a store of S >= 2 states.
    pub fn new(target: u64, states: u64) -> Staged {
        let mut requests = vec![target];
        while let Some(&last) = requests.last()
            && !last.is_power_of_two()
        {
            requests.push(last - (1 << last.ilog2()));
        }
        Staged { requests, states }
    }

    /// The number n of sides of the target.
    pub fn target(&self) -> u64 {
        self.requests[0]
    }

    /// The expected number L(n) of stages of a request that lose information.
    pub fn stages(&self) -> Rational {
        let pairs = self.requests.windows(2).rev();
        pairs.fold(Rational::zero(), |later, pair| {
            Rational::one() + Rational::new(pair[1].into(), pair[0].into()) * later
        })
    }

    /// An upper bound of the rule's loss in bits, for S >= 4.
    pub fn loss_bound(&self) -> Real {
        let s = self.states;
        let log = |x: u64| Real::log(x, 2);
        let ratio = |p: u64, q: u64| Rational::new(p.into(), q.into());
        // Hb(2 / S) = (2 / S) (log S - 1) + (1 - 2 / S) (log S - log(S - 2))
        let least = log(s)
            .minus(&Real::integer(1))
            .times(&Real::Exact(ratio(2, s)));
        let most = log(s)
            .minus(&log(s - 2))
            .times(&Real::Exact(ratio(s - 2, s)));
        let scale = self.stages() * ratio(s, s - 2);
        least.plus(&most).times(&Real::Exact(scale))
    }

    /// The number of outcomes in the group of a stage.
    pub(super) fn group_size(&self, stage: usize) -> u64 {
        1 << self.group_coins(stage)
    }

    /// The number of coins that choose within the group of a stage.
    pub(super) fn group_coins(&self, stage: usize) -> u32 {
        self.requests[stage].ilog2()
    }

    /// The first outcome of the group of a stage.
    pub(super) fn first_outcome(&self, stage: usize) -> u64 {
        self.requests[0] - self.requests[stage]
    }

    /// If the number of outcomes of a request is a power of two, so that no store is needed,
    /// returns the first of these outcomes.
    pub(super) fn first_outcome_if_only_coins(&self, stage: usize) -> Option<u64> {
        (stage + 1 == self.requests.len()).then(|| self.first_outcome(stage))
    }

    /// Whether the store is full, so that no coin can be added.
    pub(super) fn is_filled(&self, values: u64) -> bool {
        values > self.states / 2
    }

    /// Returns how many values of a full store lead to the group and how many to the others, and
    /// the new j if the number is the left-over value.
    fn part_sizes(&self, stage: usize, j: u64, values: u64) -> (u64, u64, u64) {
        let t = u128::from(self.requests[stage]);
        let product = |j: u128| j * u128::from(values);
        let of = |j: u128| (product(j) / t) as u64;
        let rest = (product(j.into()) % t) as u64;
        (of(j.into()), of(t - u128::from(j)), rest)
    }

    /// Decides a stage with the number in a full store: returns the decision, the number and its
    /// number of values afterwards, and j if the stage is undecided.
    pub(super) fn decide(
        &self,
        stage: usize,
        j: u64,
        number: u64,
        values: u64,
    ) -> (StageDecision, u64, u64, u64) {
        let (group, others, rest) = self.part_sizes(stage, j, values);
        match number {
            number if number < group => (StageDecision::Group, number, group, j),
            number if number - group < others => (StageDecision::Others, number - group, others, j),
            _ => (StageDecision::Again, 0, 1, rest),
        }
    }

    /// Fills the store; returns its number of values then, and the number of rolls.
    fn fill(&self, mut v: u64) -> (u64, u64) {
        let mut rolls = 0;
        while !self.is_filled(v) {
            v *= 2;
            rolls += 1;
        }
        (v, rolls)
    }

    fn begin_stage(&self, stage: usize, v: u64, rolls: u64) -> (StagedState, u64) {
        let (v, more) = self.fill(v);
        let j = self.group_size(stage);
        (StagedState { stage, j, v }, rolls + more)
    }

    fn transitions(&self, at: StagedState) -> Vec<StagedTransition> {
        let (group, others, j) = self.part_sizes(at.stage, at.j, at.v);
        let mut ways = Vec::new();
        let mut add = |part: u64, (to, rolls): (StagedState, u64), outcome: bool| {
            if part > 0 {
                ways.push(StagedTransition {
                    part,
                    rolls,
                    outcome,
                    to,
                });
            }
        };
        let coins = |stage: usize| u64::from(self.group_coins(stage));
        if group > 0 {
            add(group, self.begin_stage(0, group, coins(at.stage)), true);
        }
        if others > 0 {
            let next = at.stage + 1;
            if self.requests[next].is_power_of_two() {
                add(others, self.begin_stage(0, others, coins(next)), true)
            } else {
                add(others, self.begin_stage(next, others, 0), false)
            }
        }
        let (v, rolls) = self.fill(1);
        add(
            at.v - group - others,
            (StagedState { j, v, ..at }, rolls),
            false,
        );
        ways
    }

    /// The exact expected number of rolls per outcome in the long run; `None` if the chain has more
    /// than 500 states, or several closed classes of different costs.
    pub fn cost(&self) -> Option<Rational> {
        if self.requests.len() == 1 {
            return Some(Rational::from_integer(self.group_coins(0).into()));
        }
        let (start, _) = self.begin_stage(0, 1, 0);
        let mut places = HashMap::from([(start, 0)]);
        let mut states = vec![start];
        let mut ways: Vec<Vec<(usize, StagedTransition)>> = Vec::new();
        while ways.len() < states.len() {
            let next = self.transitions(states[ways.len()]).into_iter().map(|way| {
                let place = *places.entry(way.to).or_insert_with(|| {
                    states.push(way.to);
                    states.len() - 1
                });
                (place, way)
            });
            let next = next.collect();
            ways.push(next);
            if states.len() > MAX_EXACT_STATES {
                return None;
            }
        }
        let ahead = ways
            .iter()
            .map(|ways| ways.iter().map(|(to, _)| *to).collect());
        let graph = Graph::new(ahead.collect());
        let home = graph.recurrent(0);
        if graph.leading(home).contains(&false) {
            return None;
        }
        let ratio = |p: u128, q: u64| Rational::new(BigInt::from(p), q.into());
        let visit = |(state, ways): (&StagedState, &Vec<(usize, StagedTransition)>)| {
            let sum = |of: fn(&StagedTransition) -> u64| {
                let terms = ways.iter();
                let sum = terms.map(|(_, way)| u128::from(way.part) * u128::from(of(way)));
                ratio(sum.sum(), state.v)
            };
            Visit {
                next: (ways.iter())
                    .map(|(to, way)| (*to, ratio(way.part.into(), state.v)))
                    .collect(),
                rolls: sum(|way| way.rolls),
                outcomes: sum(|way| way.outcome.into()),
            }
        };
        let visits = states.iter().zip(&ways).map(visit).collect();
        let [rolls, outcomes] = costs_until(home, visits);
        Some(&rolls[home] / &outcomes[home])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    /// The values come from stationary laws in fractions in a Python program.
    #[test]
    fn known_costs() {
        for (n, states, cost) in [
            (3, 16, "79/42"),
            (5, 16, "122/45"),
            (7, 8, "24/7"),
            (10, 16, "167/45"),
            (8, 4, "3"),
            (1, 4, "0"),
        ] {
            let found = Staged::new(n, states).cost().map(|cost| cost.to_string());
            assert_eq!(found.as_deref(), Some(cost), "d{n}, {states} states");
        }
    }

    /// The cost is at least the entropy, and at most the entropy plus the bound of the loss, even
    /// for n far above S.
    #[test]
    fn costs_keep_to_their_bounds() {
        for states in [4, 5, 8, 16, 33, 64, 100] {
            for n in (2..=40).chain([52, 100, 1000, 12_345]) {
                let rule = Staged::new(n, states);
                let Some(cost) = rule.cost() else {
                    continue;
                };
                let entropy = Real::log(n, 2);
                let loss = Real::Exact(cost).minus(&entropy);
                assert_ne!(loss.compare(0), Ok(Ordering::Less), "d{n}, {states}");
                let order = loss.compare(rule.loss_bound());
                assert_ne!(order, Ok(Ordering::Greater), "d{n}, {states}");
            }
        }
        assert!(Staged::new(52, 64).cost().is_some() && Staged::new(1000, 16).cost().is_some());
    }

    /// In every state the parts of the values add up, and the group has probability exactly j / t.
    #[test]
    fn a_stage_is_exact() {
        for (n, states) in [(3u64, 16u64), (7, 8), (52, 64), (1000, 16), (11, 33)] {
            let rule = Staged::new(n, states);
            let t = n;
            for j in 1..t.min(60) {
                for v in states / 2 + 1..=states {
                    let ways = rule.transitions(StagedState { stage: 0, j, v });
                    assert_eq!(ways.iter().map(|way| way.part).sum::<u64>(), v);
                    let group = u128::from(j) * u128::from(v) / u128::from(t);
                    let rest = u128::from(j) * u128::from(v) % u128::from(t);
                    let ratio = |p: u128, q: u128| Rational::new(p.into(), q.into());
                    let part = ratio(group, v.into()) + ratio(rest, u128::from(t) * u128::from(v));
                    assert_eq!(part, ratio(j.into(), t.into()));
                    assert!(
                        ways.iter()
                            .all(|way| way.to.v > states / 2 && way.to.v <= states)
                    );
                }
            }
        }
    }
}
