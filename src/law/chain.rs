//! An absorbing Markov chain, and the law of the rolls until it ends.
//!
//! An algorithm is in one of finitely many unfinished states. In each it rolls, and a branch is
//! taken, with a probability that is its integer weight over the sum of the state's weights: to another
//! state, or to an outcome, where the algorithm ends. That is an absorbing Markov chain, and T, the number
//! of rolls until it ends, has a discrete *phase-type law*. With P the probabilities between unfinished
//! states and N = (I - P)^-1 the *fundamental matrix* (see `law/fundamental.rs`), a reward r(u) for
//! every visit to u (the rolls made there, the bits drawn, the price of the die) has the sum R with
//!
//! ```text
//! visits    v = e_start^T N      P(outcome) = sum_u v(u) P(u -> outcome)
//! remaining h = N r              E[R] = h(start) = sum_u v(u) r(u)
//! E[R^2] = sum_u v(u) r(u) (2 h(u) - r(u))
//! ```
//!
//! The last line: with R' the reward after this visit, which the past does not change,
//! g(u) = E[(r + R')^2] = r^2 + 2 r (h - r) + sum_w P(u -> w) g(w), so g = N (r (2 h - r)). One
//! elimination serves all rewards.
//!
//! **Source.** Kemeny & Snell 1960, Finite Markov Chains, chapter III: visits, absorption
//! probabilities, and the same variance, written (2N - I) h - h^2 for r = 1. Neuts 1981,
//! Matrix-Geometric Solutions in Stochastic Models, chapter 2: phase-type laws.

pub(crate) use super::fundamental::solve;

use super::OutcomeLaw;
use super::fundamental::{Fundamental, Rows};
use crate::number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::OnceLock;

/// What an algorithm does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<S> {
    /// Roll again, from this state.
    Roll(S),
    /// The target shows this face (from 0).
    Output(BigUint),
}

/// Where a branch leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Next {
    /// Another unfinished state.
    State(u32),
    /// An outcome, by its index in [`Chain::outcomes`].
    Outcome(u32),
}

/// A way out of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its weight, at least 1: its probability times the sum of the state's weights.
    pub weight: BigUint,
    /// Where it leads.
    pub next: Next,
}

/// An unfinished state of a chain: what a visit costs, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainState {
    /// The rolls made in a visit, at least 1, before any branch is taken.
    pub rolls: u32,
    /// The branches, at least one.
    pub branches: Vec<Branch>,
}

/// The chain has more transitions than were allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its chain has more than {limit} transitions")]
pub struct TooLarge {
    /// The limit that was passed.
    pub limit: usize,
}

/// These states are no absorbing chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// A state makes no roll.
    #[error("state {0} makes no roll")]
    NoRoll(usize),
    /// A branch has the weight 0.
    #[error("a branch of state {0} has the weight 0")]
    NoWeight(usize),
    /// A branch, or the start, leads to a state or an outcome that is not there.
    #[error("{0:?} is not there")]
    Missing(Next),
    /// An outcome is listed twice.
    #[error("the outcome {0} is there twice")]
    Twice(BigUint),
    /// From this state no outcome is ever reached.
    #[error("state {0} never leads to an outcome")]
    Endless(usize),
    /// The states cannot be numbered.
    #[error("{0} states are too many to be numbered")]
    Many(usize),
}

/// A finite absorbing chain: unfinished states with weighted branches, and the outcomes.
///
/// ```
/// use flipcost::law::{Chain, Step};
/// use flipcost::number::Rational;
/// // A d5 from a d6: roll the d6 again while it shows 6. Or first flip a coin for the die to use.
/// let sides = |die: &u64| *die;
/// let step = |die: &u64, face: u64| match (die, face) {
///     (2, _) => Step::Roll([6, 20][face as usize]),
///     (6, 5) => Step::Roll(6),
///     _ => Step::Output((face % 5).into()),
/// };
/// let (chain, dice) = Chain::explore(Step::Roll(2), 100, sides, step).unwrap();
/// assert_eq!(chain.mean().to_string(), "21/10"); // 1 + (6/5 + 1) / 2 rolls
/// assert!(chain.probabilities().values().all(|p| p.to_string() == "1/5"));
/// // Another reward: the coin is free, a d6 costs 1, a d20 costs 3.
/// let price = |die: &u64| match die { 2 => 0, 6 => 1, _ => 3 };
/// let prices: Vec<Rational> = dice.iter().map(|die| price(die).to_string().parse().unwrap()).collect();
/// assert_eq!(chain.mean_of(&prices).to_string(), "21/10"); // (6/5 + 3) / 2
/// ```
pub struct Chain {
    start: Next,
    /// Where the branches of state u lead: from `ends[u]` to `ends[u + 1]`.
    next: Vec<Next>,
    ends: Vec<usize>,
    /// The weights of the branches; `None`: each is a face of a fair die and weighs 1.
    weights: Option<Vec<BigUint>>,
    rolls: Vec<u32>,
    outcomes: Vec<BigUint>,
    base: BigUint,
    fundamental: OnceLock<Fundamental>,
    visits: OnceLock<Vec<Rational>>,
    remaining: OnceLock<Vec<Rational>>,
}

impl Chain {
    /// Explores every reachable state of dice, in breadth-first order, together with the states' own
    /// names. `sides` says how many faces, at least 1, the die of a state has. Cost: one step per state
    /// and face.
    ///
    /// From every state some outcome must be reachable: the moments of a chain that may go on for ever
    /// panic.
    ///
    /// # Errors
    /// If there are more than `limit` faces in all states together.
    pub fn explore<S: Clone + Eq + Hash>(
        start: Step<S>,
        limit: usize,
        sides: impl Fn(&S) -> u64,
        mut step: impl FnMut(&S, u64) -> Step<S>,
    ) -> Result<(Chain, Vec<S>), TooLarge> {
        let mut states: Vec<S> = Vec::new();
        let mut known: HashMap<S, u32> = HashMap::new();
        let mut outcomes: Vec<BigUint> = Vec::new();
        let mut named: HashMap<BigUint, u32> = HashMap::new();
        let mut place = |step: Step<S>, states: &mut Vec<S>| match step {
            Step::Roll(state) => Next::State(*known.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() as u32 - 1
            })),
            Step::Output(outcome) => {
                Next::Outcome(*named.entry(outcome).or_insert_with_key(|outcome| {
                    outcomes.push(outcome.clone());
                    outcomes.len() as u32 - 1
                }))
            }
        };
        let start = place(start, &mut states);
        let (mut next, mut ends) = (Vec::new(), vec![0]);
        let (mut spent, mut base) = (0u64, BigUint::one());
        let mut last = 0; // the die before, whose sides are in the base
        while ends.len() <= states.len() {
            let state = states[ends.len() - 1].clone();
            let faces = sides(&state);
            spent = spent.saturating_add(faces);
            if spent > (limit as u64).min(u32::MAX.into()) {
                return Err(TooLarge { limit });
            }
            if faces != last {
                base = base.lcm(&faces.into());
                last = faces;
            }
            next.extend((0..faces).map(|face| place(step(&state, face), &mut states)));
            ends.push(next.len());
        }
        let rolls = vec![1; states.len()];
        let chain = Chain::of_parts(start, next, ends, None, rolls, outcomes, base);
        Ok((chain, states))
    }

    /// The chain with these states and outcomes, which begins at `start`.
    ///
    /// ```
    /// use flipcost::law::{Branch, Chain, ChainState, Next};
    /// // blocks of 3 flips, 6 of 8 of which are accepted
    /// let branch = |weight: u8, next| Branch { weight: weight.into(), next };
    /// let branches = vec![branch(6, Next::Outcome(0)), branch(2, Next::State(0))];
    /// let block = ChainState { rolls: 3, branches };
    /// let chain = Chain::new(Next::State(0), vec![block], vec![0u8.into()]).unwrap();
    /// assert_eq!(chain.mean().to_string(), "4");
    /// ```
    ///
    /// # Errors
    /// If a state makes no roll, a branch weighs nothing or leads nowhere, two outcomes are equal, or
    /// from some state no outcome is ever reached.
    pub fn new(
        start: Next,
        states: Vec<ChainState>,
        outcomes: Vec<BigUint>,
    ) -> Result<Chain, ChainError> {
        let count = states.len();
        if u32::try_from(count).is_err() {
            return Err(ChainError::Many(count));
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = outcomes.iter().find(|outcome| !seen.insert(*outcome)) {
            return Err(ChainError::Twice(twice.clone()));
        }
        let found = |next: Next| match next {
            Next::State(state) => (state as usize) < count,
            Next::Outcome(outcome) => (outcome as usize) < outcomes.len(),
        };
        let missing = |next: Next| (!found(next)).then_some(ChainError::Missing(next));
        if let Some(error) = missing(start) {
            return Err(error);
        }
        let (mut next, mut ends, mut weights) = (Vec::new(), vec![0], Vec::new());
        let (mut rolls, mut base) = (Vec::with_capacity(count), BigUint::one());
        for (index, state) in states.into_iter().enumerate() {
            if state.rolls == 0 {
                return Err(ChainError::NoRoll(index));
            }
            let mut total = BigUint::zero();
            for branch in state.branches {
                if branch.weight.is_zero() {
                    return Err(ChainError::NoWeight(index));
                }
                if let Some(error) = missing(branch.next) {
                    return Err(error);
                }
                total += &branch.weight;
                next.push(branch.next);
                weights.push(branch.weight);
            }
            if total.is_zero() {
                return Err(ChainError::Endless(index));
            }
            base = base.lcm(&total);
            rolls.push(state.rolls);
            ends.push(next.len());
        }
        let chain = Chain::of_parts(start, next, ends, Some(weights), rolls, outcomes, base);
        match chain.endless() {
            Some(state) => Err(ChainError::Endless(state)),
            None => Ok(chain),
        }
    }

    fn of_parts(
        start: Next,
        next: Vec<Next>,
        ends: Vec<usize>,
        weights: Option<Vec<BigUint>>,
        rolls: Vec<u32>,
        outcomes: Vec<BigUint>,
        base: BigUint,
    ) -> Chain {
        Chain {
            start,
            next,
            ends,
            weights,
            rolls,
            outcomes,
            base: base.max(2u8.into()),
            fundamental: OnceLock::new(),
            visits: OnceLock::new(),
            remaining: OnceLock::new(),
        }
    }

    /// The same chain, whose undecided nodes are counted in units of base^-t. Every P(state after t
    /// rolls) base^t must be an integer, as it is where the states are sets of nodes of a decision tree
    /// of a source of so many sides.
    pub(crate) fn counted_by(mut self, base: u64) -> Chain {
        self.base = base.into();
        self
    }

    /// A state from which no outcome can be reached.
    fn endless(&self) -> Option<usize> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        let mut ends = vec![false; self.len()];
        let mut open = Vec::new();
        for state in 0..self.len() {
            for next in self.branches(state as u32) {
                match *next {
                    Next::State(to) => before[to as usize].push(state as u32),
                    Next::Outcome(_) => {
                        if !std::mem::replace(&mut ends[state], true) {
                            open.push(state);
                        }
                    }
                }
            }
        }
        while let Some(state) = open.pop() {
            for &from in &before[state] {
                if !std::mem::replace(&mut ends[from as usize], true) {
                    open.push(from as usize);
                }
            }
        }
        ends.iter().position(|ends| !ends)
    }

    /// The number of unfinished states.
    pub fn len(&self) -> usize {
        self.rolls.len()
    }

    /// Is there no unfinished state, so that the outcome is certain before any roll?
    pub fn is_empty(&self) -> bool {
        self.rolls.is_empty()
    }

    /// The first state, or an outcome that needs no roll.
    pub fn start(&self) -> Next {
        self.start
    }

    /// Where the branches of a state lead, in order; those of a die are its faces.
    pub fn branches(&self, state: u32) -> &[Next] {
        &self.next[self.span(state)]
    }

    /// The weights of the branches of a state, in order; `None`: it is a fair die, all weights are 1.
    pub fn weights(&self, state: u32) -> Option<&[BigUint]> {
        self.weights.as_ref().map(|all| &all[self.span(state)])
    }

    fn span(&self, state: u32) -> std::ops::Range<usize> {
        self.ends[state as usize]..self.ends[state as usize + 1]
    }

    /// The weights of all that a state leads to, and their sum: the probabilities times that sum.
    /// Cost: one look-up for every branch.
    pub fn transitions(&self, state: u32) -> (BTreeMap<Next, BigUint>, BigUint) {
        let branches = self.branches(state);
        let Some(weights) = self.weights(state) else {
            let mut faces: BTreeMap<Next, usize> = BTreeMap::new();
            for next in branches {
                *faces.entry(*next).or_default() += 1;
            }
            let big = |(next, faces): (Next, usize)| (next, faces.into());
            return (faces.into_iter().map(big).collect(), branches.len().into());
        };
        let mut sums: BTreeMap<Next, BigUint> = BTreeMap::new();
        for (next, weight) in branches.iter().zip(weights) {
            *sums.entry(*next).or_default() += weight;
        }
        (sums, weights.iter().sum())
    }

    /// The rolls that a visit to a state makes.
    pub fn rolls(&self, state: u32) -> u32 {
        self.rolls[state as usize]
    }

    /// The outcomes that can be reached.
    pub fn outcomes(&self) -> &[BigUint] {
        &self.outcomes
    }

    /// The undecided nodes of depth t are counted in units of base^-t: the least common multiple of
    /// the sums of weights (of the dice), or the source itself where there is only one.
    pub fn base(&self) -> &BigUint {
        &self.base
    }

    /// The numbers P(T > t) base^t, t = 0, 1, 2, ... Cost of one term: one product of O(t log base)
    /// bits for every branch of the states that can be reached with t rolls.
    pub fn survivors(&self) -> impl Iterator<Item = BigUint> + '_ {
        // for a die of so many sides: base / sides
        let units: HashMap<usize, BigUint> = match &self.weights {
            None => {
                let sides: BTreeSet<usize> = self.ends.windows(2).map(|w| w[1] - w[0]).collect();
                sides.into_iter().map(|m| (m, &self.base / m)).collect()
            }
            Some(_) => HashMap::new(),
        };
        // the state, and the rolls already made in this visit
        let mut now: BTreeMap<(u32, u32), BigUint> = BTreeMap::new();
        if let Next::State(first) = self.start {
            now.insert((first, 0), BigUint::one());
        }
        std::iter::repeat_with(move || {
            let alive: BigUint = now.values().sum();
            let mut later: BTreeMap<(u32, u32), BigUint> = BTreeMap::new();
            for ((state, made), count) in std::mem::take(&mut now) {
                if made + 1 < self.rolls(state) {
                    *later.entry((state, made + 1)).or_default() += count * &self.base;
                    continue;
                }
                let branches = self.branches(state);
                let Some(weights) = self.weights(state) else {
                    let each = count * &units[&branches.len()];
                    for next in branches {
                        if let Next::State(to) = next {
                            *later.entry((*to, 0)).or_default() += &each;
                        }
                    }
                    continue;
                };
                let (count, total) = (count * &self.base, weights.iter().sum());
                for (next, weight) in branches.iter().zip(weights) {
                    if let Next::State(to) = next {
                        let (nodes, rest) = (&count * weight).div_rem(&total);
                        assert!(rest.is_zero(), "nodes are counted in whole units");
                        *later.entry((*to, 0)).or_default() += nodes;
                    }
                }
            }
            now = later;
            alive
        })
    }

    /// One elimination for all rewards.
    fn fundamental(&self) -> &Fundamental {
        self.fundamental.get_or_init(|| {
            let row = |state: usize| {
                let (sums, total) = self.transitions(state as u32);
                let total = BigInt::from(total);
                let inner = sums.into_iter().filter_map(|(next, weight)| match next {
                    Next::State(to) => {
                        Some((to as usize, Rational::new(weight.into(), total.clone())))
                    }
                    Next::Outcome(_) => None,
                });
                inner.collect()
            };
            let rows: Rows = (0..self.len()).map(row).collect();
            Fundamental::new(rows)
        })
    }

    fn rolls_as_reward(&self) -> Vec<Rational> {
        let reward = |&k: &u32| Rational::from(BigInt::from(k));
        self.rolls.iter().map(reward).collect()
    }

    /// Expected number of visits to every state. Cost: see [`Chain::moments_of`]; kept.
    pub fn visits(&self) -> &[Rational] {
        self.visits.get_or_init(|| {
            let mut first = vec![Rational::zero(); self.len()];
            if let Next::State(start) = self.start {
                first[start as usize] = Rational::one();
            }
            self.fundamental().visits(first)
        })
    }

    /// Expected remaining rolls from every state. Cost: see [`Chain::moments_of`]; kept.
    pub fn remaining(&self) -> &[Rational] {
        self.remaining
            .get_or_init(|| self.fundamental().values(self.rolls_as_reward()))
    }

    /// `E[T]`, in rolls. Cost: see [`Chain::moments_of`]; kept.
    pub fn mean(&self) -> Rational {
        match self.start {
            Next::State(start) => self.remaining()[start as usize].clone(),
            Next::Outcome(_) => Rational::zero(),
        }
    }

    /// (`E[T]`, `E[T^2]`), in rolls and rolls squared. Cost: see [`Chain::moments_of`]; kept.
    pub fn moments(&self) -> (Rational, Rational) {
        let second = self.second(&self.rolls_as_reward(), self.remaining());
        (self.mean(), second)
    }

    /// sum_u v(u) r(u) (2 h(u) - r(u)).
    fn second(&self, reward: &[Rational], remaining: &[Rational]) -> Rational {
        let two = BigInt::from(2);
        let terms = self.visits().iter().zip(reward).zip(remaining);
        terms.map(|((v, r), h)| v * r * (h * &two - r)).sum()
    }

    /// `E[R]` for the sum R of a reward that every visit to a state earns, `reward[u]` in state u: the
    /// price of its die, or the bits that it draws. Cost: as [`Chain::visits`], and one product a state.
    ///
    /// # Panics
    /// If there is not one reward for every state.
    pub fn mean_of(&self, reward: &[Rational]) -> Rational {
        assert_eq!(reward.len(), self.len(), "one reward for every state");
        let terms = self.visits().iter().zip(reward);
        terms.map(|(v, r)| v * r).sum()
    }

    /// (`E[R]`, `E[R^2]`) for such a reward.
    ///
    /// Cost: one elimination for all rewards together, which is O(n) products of fractions where n
    /// states follow each other and up to O(n^3) where each leads to all others, and two products for
    /// each of its entries. The fractions can grow to n log2 of the sums of weights in bits.
    ///
    /// # Panics
    /// If there is not one reward for every state.
    pub fn moments_of(&self, reward: &[Rational]) -> (Rational, Rational) {
        let mean = self.mean_of(reward);
        let remaining = self.fundamental().values(reward.to_vec());
        (mean, self.second(reward, &remaining))
    }

    /// The exact probability of every outcome, in the order of the outcomes' values. Cost: as
    /// [`Chain::visits`], and one product for every transition to an outcome.
    pub fn probabilities(&self) -> BTreeMap<BigUint, Rational> {
        let mut all: Vec<Rational> = vec![Rational::zero(); self.outcomes.len()];
        if let Next::Outcome(only) = self.start {
            all[only as usize] = Rational::one();
        }
        for (state, visits) in self.visits().iter().enumerate() {
            let (sums, total) = self.transitions(state as u32);
            let share = visits / BigInt::from(total);
            for (next, weight) in sums {
                if let Next::Outcome(outcome) = next {
                    all[outcome as usize] += &share * BigInt::from(weight);
                }
            }
        }
        self.outcomes.iter().cloned().zip(all).collect()
    }

    /// How many outcomes have which probability. Cost: as [`Chain::probabilities`].
    pub fn outcome_law(&self) -> OutcomeLaw {
        OutcomeLaw::of_probabilities(self.probabilities().into_values())
            .expect("an absorbing chain ends with probability 1")
    }

    /// The most rolls on a path from the start; `None` if there is a cycle. Cost: one look at every
    /// branch.
    pub fn worst_case(&self) -> Option<u64> {
        let Next::State(start) = self.start else {
            return Some(0);
        };
        // Depth-first with an explicit stack: 0 unseen, 1 open, 2 done.
        let (mut mark, mut depth) = (vec![0u8; self.len()], vec![0u64; self.len()]);
        let mut stack = vec![(start, 0usize)];
        mark[start as usize] = 1;
        while let Some((at, i)) = stack.pop() {
            let state = at as usize;
            match self.branches(at).get(i) {
                None => {
                    mark[state] = 2;
                    depth[state] += u64::from(self.rolls(at)); // and the most that follows
                    if let Some((before, _)) = stack.last() {
                        let before = *before as usize;
                        depth[before] = depth[before].max(depth[state]);
                    }
                }
                Some(Next::Outcome(_)) => stack.push((at, i + 1)),
                Some(Next::State(to)) => {
                    stack.push((at, i + 1));
                    match mark[*to as usize] {
                        0 => {
                            mark[*to as usize] = 1;
                            stack.push((*to, 0));
                        }
                        1 => return None,
                        _ => depth[state] = depth[state].max(depth[*to as usize]),
                    }
                }
            }
        }
        Some(depth[start as usize])
    }
}
