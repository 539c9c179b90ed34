//! Absorbing Markov chains: the law of the number of rolls until an algorithm ends.
//!
//! An algorithm is in one of finitely many unfinished states. In each state it rolls, and takes a
//! branch to another state, or to an outcome, where the algorithm ends. The probability of a branch
//! is its integer weight over the sum of the state's weights. This is an absorbing Markov chain,
//! and T, the number of rolls until it ends, has a discrete *phase-type law*. Let P be the matrix
//! of probabilities of the steps between unfinished states, and N = (I - P)^-1 (the fundamental
//! matrix, see `law/fundamental.rs`). If every visit to state u earns a reward r(u) (the rolls made
//! there, the bits drawn, the price of the die), the sum R of all rewards has
//!
//! ```text
//! visits    v = e_start^T N      P(outcome) = sum_u v(u) P(u -> outcome)
//! remaining h = N r              E[R] = h(start) = sum_u v(u) r(u)
//! E[R^2] = sum_u v(u) r(u) (2 h(u) - r(u))
//! ```
//!
//! Proof of the last line: for a visit to u with the reward r = r(u), let R' be the sum of all
//! later rewards, which does not depend on the past. Then g(u), the second moment of the rewards
//! from u on, is E[(r + R')^2] = r^2 + 2 r (h - r) + sum_w P(u -> w) g(w), so g = N (r (2 h - r)).
//! One elimination serves all rewards.
//!
//! **Source.** Kemeny & Snell 1960, Finite Markov Chains, chapter III: visits, absorption
//! probabilities, and the same variance, written (2N - I) h - h^2 for r = 1. Neuts 1981,
//! Matrix-Geometric Solutions in Stochastic Models, chapter 2: phase-type laws.

pub use super::fundamental::Fundamental;

use super::OutcomeLaw;
use super::fundamental::Rows;
use crate::task::{RollUnit, Source};
use flipcost_number::budget::spend;
use flipcost_number::collect::ordered;
use flipcost_number::reduce::{minus, plus, sum, times};
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::OnceLock;

/// The next action of an algorithm: another roll, or an outcome.
///
/// ```
/// use flipcost::law::{Chain, Step};
/// // Flip a coin until it shows heads: one state, (), and one outcome, 0.
/// let flip = |_: &(), face: u64| if face == 0 { Step::Output(0u8.into()) } else { Step::Roll(()) };
/// let (chain, _) = Chain::explore(Step::Roll(()), 10, |_| 2, flip).unwrap();
/// assert_eq!(chain.mean().to_string(), "2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<S> {
    /// Roll again, from this state.
    Roll(S),
    /// Stop: the outcome is this face of the target, counted from 0.
    Output(BigUint),
}

impl<S> Step<S> {
    /// Applies a function to the state.
    pub fn map<T>(self, state: impl FnOnce(S) -> T) -> Step<T> {
        match self {
            Step::Roll(at) => Step::Roll(state(at)),
            Step::Output(outcome) => Step::Output(outcome),
        }
    }
}

/// The state or the outcome to which a branch leads.
///
/// ```
/// use flipcost::law::{Chain, Next, Step};
/// let flip = |_: &(), face: u64| if face == 0 { Step::Output(0u8.into()) } else { Step::Roll(()) };
/// let (chain, _) = Chain::explore(Step::Roll(()), 10, |_| 2, flip).unwrap();
/// assert_eq!(chain.branches(0), [Next::Outcome(0), Next::State(0)]);
/// ```
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
    /// The branch's weight, at least 1: its probability times the sum of the state's weights.
    pub weight: BigUint,
    /// The state or outcome that the branch leads to.
    pub next: Next,
}

/// An unfinished state of a chain: the cost of a visit, and the branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainState {
    /// The rolls made in a visit, at least 1, before any branch is taken.
    pub rolls: u32,
    /// The branches, at least one.
    pub branches: Vec<Branch>,
}

/// The error if a chain has more transitions than allowed.
///
/// ```
/// use flipcost::algorithms::{AlgorithmError, FAST_DICE_ROLLER};
/// use flipcost::task::{Source, Task};
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::die(1009, Source::COIN)?)?;
/// let Err(AlgorithmError::TooLarge(error)) = prepared.chain(100) else { panic!("it is large") };
/// assert_eq!(error.limit, 100);
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its chain has more than {limit} transitions")]
pub struct TooLarge {
    /// The limit that was exceeded.
    pub limit: usize,
}

/// The reason why some states do not form an absorbing chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// A state makes no roll.
    #[error("state {0} makes no roll")]
    NoRoll(usize),
    /// A branch has the weight 0.
    #[error("a branch of state {0} has the weight 0")]
    NoWeight(usize),
    /// A branch, or the start, leads to a state or an outcome that does not exist.
    #[error("{0:?} does not exist")]
    Missing(Next),
    /// An outcome is listed twice.
    #[error("the outcome {0} is listed twice")]
    Twice(BigUint),
    /// No outcome can be reached from this state.
    #[error("state {0} never leads to an outcome")]
    Endless(usize),
    /// There are too many states to number them in 32 bits.
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
/// let price = |die: &u64| Rational::from_integer(match die { 2 => 0, 6 => 1, _ => 3 }.into());
/// let prices: Vec<Rational> = dice.iter().map(price).collect();
/// assert_eq!(chain.mean_of(&prices).to_string(), "21/10"); // (6/5 + 3) / 2
/// ```
pub struct Chain {
    start: Next,
    /// The states or outcomes to which all branches lead; those of state u are at indices `ends[u]`
    /// to `ends[u + 1] - 1`.
    next: Vec<Next>,
    ends: Vec<usize>,
    /// The weights of the branches; `None` if each branch is a face of a fair die and has weight 1.
    weights: Option<Vec<BigUint>>,
    rolls: Vec<u32>,
    outcomes: Vec<BigUint>,
    base: BigUint,
    /// The name of a roll, for a loaded source.
    unit: Option<RollUnit>,
    solved: Box<ChainSolutions>,
}

impl Chain {
    /// Whether the other chain has the same states and branches in the same order.
    pub(super) fn is_same_chain(&self, other: &Chain) -> bool {
        (self.start, self.unit) == (other.start, other.unit)
            && (&self.next, &self.ends, &self.weights) == (&other.next, &other.ends, &other.weights)
            && (&self.rolls, &self.outcomes) == (&other.rolls, &other.outcomes)
    }
}

/// Shows the numbers of states, branches and outcomes.
impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (states, branches) = (self.len(), self.next.len());
        let outcomes = self.outcomes.len();
        write!(
            f,
            "Chain({states} states, {branches} branches, {outcomes} outcomes)"
        )
    }
}

/// The part of a chain that was explored so far, without the names of its states, so that the code
/// is compiled only once for all types of states.
struct ExploredChain {
    limit: u64,
    faces: u64,
    /// The number of faces of the die added last; `base` is already a multiple of it.
    last: u64,
    base: BigUint,
    next: Vec<Next>,
    ends: Vec<usize>,
    outcomes: Vec<BigUint>,
    places: HashMap<BigUint, u32>,
}

impl ExploredChain {
    fn new(limit: usize) -> Self {
        ExploredChain {
            limit: limit as u64,
            faces: 0,
            last: 0,
            base: BigUint::one(),
            next: Vec::new(),
            ends: vec![0],
            outcomes: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// The number of states whose branches are all known.
    fn states(&self) -> usize {
        self.ends.len() - 1
    }

    fn outcome(&mut self, outcome: BigUint) -> Next {
        let outcomes = &mut self.outcomes;
        Next::Outcome(*self.places.entry(outcome).or_insert_with_key(|outcome| {
            outcomes.push(outcome.clone());
            outcomes.len() as u32 - 1
        }))
    }

    /// Adds a roll of a die with this many faces to the state.
    fn roll(&mut self, faces: u64) -> Result<(), TooLarge> {
        spend(100);
        self.faces = self.faces.saturating_add(faces);
        if self.faces > self.limit.min(u32::MAX.into()) {
            return Err(TooLarge {
                limit: self.limit as usize,
            });
        }
        if faces != self.last {
            self.base = self.base.lcm(&faces.into());
            self.last = faces;
        }
        Ok(())
    }

    fn chain(self, start: Next) -> Chain {
        let rolls = vec![1; self.states()];
        let (outcomes, base) = (self.outcomes, self.base);
        Chain::of_parts(start, self.next, self.ends, None, rolls, outcomes, base)
    }
}

/// Results that are computed when they are needed for the first time.
#[derive(Default)]
struct ChainSolutions {
    fundamental: OnceLock<Fundamental>,
    visits: OnceLock<Vec<Rational>>,
    remaining: OnceLock<Vec<Rational>>,
}

impl Chain {
    /// Explores all reachable states, breadth first, and returns the chain and the original states.
    /// `sides` returns the number of faces, at least 1, of the die that is rolled in a state. Cost:
    /// one step per state and face.
    ///
    /// Every state must lead to some outcome. For a chain that may never end, the moments panic;
    /// [`Rule::law`](crate::algorithms::Rule::law) returns an error.
    ///
    /// # Errors
    /// If all states together have more than `limit` faces.
    pub fn explore<S: Clone + Eq + Hash>(
        start: Step<S>,
        limit: usize,
        sides: impl Fn(&S) -> u64,
        mut step: impl FnMut(&S, u64) -> Step<S>,
    ) -> Result<(Chain, Vec<S>), TooLarge> {
        let mut explored = ExploredChain::new(limit);
        let mut states: Vec<S> = Vec::new();
        let mut known: HashMap<S, u32> = HashMap::new();
        let mut place =
            |step: Step<S>, states: &mut Vec<S>, explored: &mut ExploredChain| match step {
                Step::Roll(state) => Next::State(*known.entry(state).or_insert_with_key(|state| {
                    states.push(state.clone());
                    states.len() as u32 - 1
                })),
                Step::Output(outcome) => explored.outcome(outcome),
            };
        let start = place(start, &mut states, &mut explored);
        while explored.states() < states.len() {
            let state = states[explored.states()].clone();
            let faces = sides(&state);
            explored.roll(faces)?;
            for face in 0..faces {
                let next = place(step(&state, face), &mut states, &mut explored);
                explored.next.push(next);
            }
            explored.ends.push(explored.next.len());
        }
        let chain = explored.chain(start);
        Ok((chain, states))
    }

    /// Creates the chain with these states and outcomes; it begins at `start`.
    ///
    /// ```
    /// use flipcost::law::{Branch, ChainState};
    /// use flipcost::law::{Chain, Next};
    /// // blocks of 3 flips, accepted in 6 of 8 cases
    /// let branch = |weight: u8, next| Branch { weight: weight.into(), next };
    /// let branches = vec![branch(6, Next::Outcome(0)), branch(2, Next::State(0))];
    /// let block = ChainState { rolls: 3, branches };
    /// let chain = Chain::new(Next::State(0), vec![block], vec![0u8.into()]).unwrap();
    /// assert_eq!(chain.mean().to_string(), "4");
    /// ```
    ///
    /// # Errors
    /// If a state makes no roll, a branch has weight 0 or leads nowhere, two outcomes are equal, or
    /// from some state no outcome can be reached.
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
        match chain.endless().iter().position(|endless| *endless) {
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
            unit: None,
            solved: Box::default(),
        }
    }

    /// Returns the same chain for a loaded source with the same number of faces: the branches of
    /// each state get the weights of the faces. The chain must have been explored with a fair die.
    pub(crate) fn loaded(mut self, source: &Source) -> Chain {
        if let (Some(weights), Some(sum)) = (source.weights(), source.weight_sum()) {
            let faces = weights.iter().cycle().take(self.next.len());
            (self.weights, self.base) = (Some(faces.cloned().collect()), sum);
            self.unit = Some(source.unit());
        }
        self
    }

    /// Returns the same chain, but with rolls that have the name of the rolls of this source.
    pub(crate) fn rolling(mut self, source: &Source) -> Chain {
        self.unit = Some(source.unit());
        self
    }

    /// The name of a roll: that of a loaded source, or that of the die if all states roll the same
    /// die.
    pub(super) fn unit(&self) -> RollUnit {
        let sides = || {
            self.sides()
                .map_or(RollUnit::Rolls, |m| RollUnit::of_sides(m.into()))
        };
        self.unit.unwrap_or_else(sides)
    }

    /// Returns the same chain, where undecided nodes are counted in units of base^-t. Every P(state
    /// after t rolls) base^t must be an integer. This holds if the states are sets of nodes of a
    /// decision tree of a source with `base` sides.
    pub(crate) fn counted_by(mut self, base: u128) -> Chain {
        self.base = base.into();
        self
    }

    /// For each state, whether no outcome can be reached from it.
    pub(crate) fn endless(&self) -> Vec<bool> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        let mut ends = vec![false; self.len()];
        let mut open = Vec::new();
        for (state, ends) in ends.iter_mut().enumerate() {
            for next in self.branches(state as u32) {
                match *next {
                    Next::State(to) => before[to as usize].push(state as u32),
                    Next::Outcome(_) => {
                        if !std::mem::replace(ends, true) {
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
        ends.into_iter().map(|ends| !ends).collect()
    }

    /// The exact probability of every outcome, and the probability that the chain ends; the chain
    /// may never end. Cost: as [`Chain::probabilities`].
    pub(crate) fn ending(&self) -> (BTreeMap<BigUint, Rational>, Rational) {
        let endless = self.endless();
        if !endless.contains(&true) {
            return (self.probabilities(), Rational::one());
        }
        // States from which no outcome can be reached are replaced by an extra outcome.
        let last = self.outcomes.iter().max();
        let never = last.map_or(BigUint::zero(), |last| last + 1u8);
        let place = Next::Outcome(self.outcomes.len() as u32);
        let redirect = |next: &Next| match *next {
            Next::State(state) if endless[state as usize] => place,
            next => next,
        };
        let chain = Chain::of_parts(
            redirect(&self.start),
            self.next.iter().map(redirect).collect(),
            self.ends.clone(),
            self.weights.clone(),
            self.rolls.clone(),
            [&self.outcomes[..], std::slice::from_ref(&never)].concat(),
            self.base.clone(),
        );
        let mut probabilities = chain.probabilities();
        let lost = probabilities.remove(&never).unwrap_or_default();
        (probabilities, Rational::one() - lost)
    }

    /// The number of unfinished states.
    pub fn len(&self) -> usize {
        self.rolls.len()
    }

    /// Checks whether there is no unfinished state, so that the outcome is certain before any roll.
    pub fn is_empty(&self) -> bool {
        self.rolls.is_empty()
    }

    /// The first state, or an outcome that needs no roll.
    pub fn start(&self) -> Next {
        self.start
    }

    /// The states or outcomes to which the branches of a state lead, in order; for a fair die there
    /// is one branch for each face.
    pub fn branches(&self, state: u32) -> &[Next] {
        &self.next[self.branch_range(state)]
    }

    /// The weights of the branches of a state, in order; `None` for a fair die, where all weights
    /// are 1.
    pub fn weights(&self, state: u32) -> Option<&[BigUint]> {
        self.weights
            .as_ref()
            .map(|all| &all[self.branch_range(state)])
    }

    fn branch_range(&self, state: u32) -> std::ops::Range<usize> {
        self.ends[state as usize]..self.ends[state as usize + 1]
    }

    /// The weights of all successors of a state, and the sum of the weights: the probability of a
    /// successor is its weight over this sum. Cost: one lookup for every branch.
    pub fn transitions(&self, state: u32) -> (BTreeMap<Next, BigUint>, BigUint) {
        let branches = self.branches(state);
        let Some(weights) = self.weights(state) else {
            let mut faces: BTreeMap<Next, usize> = BTreeMap::new();
            for next in branches {
                *faces.entry(*next).or_default() += 1;
            }
            let big = |(next, faces): (Next, usize)| (next, faces.into());
            return (ordered(faces.into_iter().map(big)), branches.len().into());
        };
        let mut sums: BTreeMap<Next, BigUint> = BTreeMap::new();
        for (next, weight) in branches.iter().zip(weights) {
            *sums.entry(*next).or_default() += weight;
        }
        (sums, weights.iter().sum())
    }

    /// The number of rolls in one visit to a state.
    pub fn rolls(&self, state: u32) -> u32 {
        self.rolls[state as usize]
    }

    /// The outcomes that can be reached.
    pub fn outcomes(&self) -> &[BigUint] {
        &self.outcomes
    }

    /// The base of the units in which undecided nodes are counted: at depth t the unit is the
    /// probability base^-t. The base is the least common multiple of the sums of weights (of the
    /// dice), or the number of sides of the source if there is only one.
    pub fn base(&self) -> &BigUint {
        &self.base
    }

    /// The number of sides of the die, if every state rolls the same fair die once.
    pub fn sides(&self) -> Option<u64> {
        let mut sides = self.ends.windows(2).map(|ends| (ends[1] - ends[0]) as u64);
        let first = sides.next()?;
        let fair = self.weights.is_none() && self.rolls.iter().all(|rolls| *rolls == 1);
        (fair && sides.all(|more| more == first)).then_some(first)
    }

    /// The numbers P(T > t) base^t for t = 0, 1, 2, ... Cost of one term: one product of O(t log
    /// base) bits for every branch of the states that can be reached with t rolls.
    pub fn undecided_nodes(&self) -> impl Iterator<Item = BigUint> + '_ {
        // For each number of sides of a state's die: base / sides.
        let units: HashMap<usize, BigUint> = match &self.weights {
            None => {
                let sides: BTreeSet<usize> = self.ends.windows(2).map(|w| w[1] - w[0]).collect();
                sides.into_iter().map(|m| (m, &self.base / m)).collect()
            }
            Some(_) => HashMap::new(),
        };
        // The keys are the state, and the number of rolls already made in this visit.
        let mut now: BTreeMap<(u32, u32), BigUint> = BTreeMap::new();
        if let Next::State(first) = self.start {
            now.insert((first, 0), BigUint::one());
        }
        std::iter::repeat_with(move || {
            let alive: BigUint = now.values().sum();
            spend(now.len() as u64 * (alive.bits() / 16 + 100));
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

    /// The elimination of the chain, which serves all rewards.
    fn fundamental(&self) -> &Fundamental {
        self.solved.fundamental.get_or_init(|| {
            let row = |state: usize| {
                let (sums, total) = self.transitions(state as u32);
                let total = BigInt::from(total);
                let inner = sums.into_iter().filter_map(|(next, weight)| match next {
                    Next::State(to) => {
                        Some((to as usize, Rational::new(weight.into(), total.clone())))
                    }
                    Next::Outcome(_) => None,
                });
                ordered(inner)
            };
            let rows: Rows = (0..self.len()).map(row).collect();
            Fundamental::new(rows)
        })
    }

    fn rolls_as_reward(&self) -> Vec<Rational> {
        let reward = |&k: &u32| Rational::from(BigInt::from(k));
        self.rolls.iter().map(reward).collect()
    }

    /// The expected number of visits to every state. Cost: see [`Chain::moments_of`]; the result is
    /// kept.
    pub fn visits(&self) -> &[Rational] {
        self.solved.visits.get_or_init(|| {
            let mut first = vec![Rational::zero(); self.len()];
            if let Next::State(start) = self.start {
                first[start as usize] = Rational::one();
            }
            self.fundamental().visits(first)
        })
    }

    /// The expected number of remaining rolls from every state. Cost: see [`Chain::moments_of`];
    /// the result is kept.
    pub fn remaining(&self) -> &[Rational] {
        self.solved
            .remaining
            .get_or_init(|| self.fundamental().values(self.rolls_as_reward()))
    }

    /// The expected sum of a reward from every state on, including the reward of that state. Cost:
    /// two products for each entry of the elimination.
    pub(super) fn sums_of_rewards(&self, reward: Vec<Rational>) -> Vec<Rational> {
        self.fundamental().values(reward)
    }

    /// `E[T]`, in rolls. Cost: see [`Chain::moments_of`]; the result is kept.
    pub fn mean(&self) -> Rational {
        match self.start {
            Next::State(start) => self.remaining()[start as usize].clone(),
            Next::Outcome(_) => Rational::zero(),
        }
    }

    /// (`E[T]`, `E[T^2]`), in rolls and rolls squared. Cost: see [`Chain::moments_of`]; the result
    /// is kept.
    pub fn moments(&self) -> (Rational, Rational) {
        let second = self.second(&self.rolls_as_reward(), self.remaining());
        (self.mean(), second)
    }

    /// The second moment: sum_u v(u) r(u) (2 h(u) - r(u)).
    fn second(&self, reward: &[Rational], remaining: &[Rational]) -> Rational {
        let term = |((v, r), h): ((&Rational, &Rational), &Rational)| {
            let worth = times(&minus(&plus(h, h), r), r);
            Rational::new_raw(v.numer() * worth.numer(), v.denom() * worth.denom())
        };
        let terms = self.visits().iter().zip(reward).zip(remaining);
        sum(&terms.map(term).collect::<Vec<_>>())
    }

    /// `E[R]` for the sum R of a reward that every visit to a state earns: `reward[u]` in state u,
    /// for example the price of its die, or the number of bits drawn. Cost: as [`Chain::visits`],
    /// and one product per state.
    ///
    /// # Panics
    /// If `reward` does not have exactly one entry for every state.
    pub fn mean_of(&self, reward: &[Rational]) -> Rational {
        assert_eq!(reward.len(), self.len(), "one reward for every state");
        let terms = self.visits().iter().zip(reward);
        sum(&terms.map(|(v, r)| times(v, r)).collect::<Vec<_>>())
    }

    /// (`E[R]`, `E[R^2]`) for the sum R of a reward; see [`Chain::mean_of`].
    ///
    /// Cost: one elimination for all rewards together, and two products for each of its entries.
    /// The elimination takes O(n) products of fractions for a path of n states. If each state leads
    /// to most others, it takes O(n^3) products of words, and O(n^2) more for each word of the
    /// results. The fractions can grow to n log2(w) bits, where w is the largest sum of the weights
    /// of a state.
    ///
    /// # Panics
    /// If `reward` does not have exactly one entry for every state.
    pub fn moments_of(&self, reward: &[Rational]) -> (Rational, Rational) {
        let mean = self.mean_of(reward);
        let remaining = self.fundamental().values(reward.to_vec());
        (mean, self.second(reward, &remaining))
    }

    /// The exact probability of every outcome, in the order of the outcomes' values. Cost: as
    /// [`Chain::visits`], and one product for every transition to an outcome.
    pub fn probabilities(&self) -> BTreeMap<BigUint, Rational> {
        let mut all: Vec<Vec<Rational>> = vec![Vec::new(); self.outcomes.len()];
        if let Next::Outcome(only) = self.start {
            all[only as usize].push(Rational::one());
        }
        for (state, visits) in self.visits().iter().enumerate() {
            let (sums, total) = self.transitions(state as u32);
            let below = visits.denom() * BigInt::from(total);
            for (next, weight) in sums {
                if let Next::Outcome(outcome) = next {
                    let part =
                        Rational::new_raw(visits.numer() * BigInt::from(weight), below.clone());
                    all[outcome as usize].push(part);
                }
            }
        }
        let all = all.iter().map(|parts| sum(parts));
        ordered(self.outcomes.iter().cloned().zip(all))
    }

    /// The number of outcomes for each probability. Cost: as [`Chain::probabilities`].
    pub fn outcome_law(&self) -> OutcomeLaw {
        OutcomeLaw::of_probabilities(self.probabilities().into_values())
            .expect("an absorbing chain ends with probability 1")
    }

    /// The maximum number of rolls on a path from the start; `None` if there is a cycle. Cost: a
    /// visit to every branch.
    pub fn worst_case(&self) -> Option<u64> {
        let Next::State(start) = self.start else {
            return Some(0);
        };
        // A depth-first search with an explicit stack. Marks: 0 unseen, 1 on the stack, 2 done.
        let (mut mark, mut depth) = (vec![0u8; self.len()], vec![0u64; self.len()]);
        let mut stack = vec![(start, 0usize)];
        mark[start as usize] = 1;
        while let Some((at, i)) = stack.pop() {
            let state = at as usize;
            match self.branches(at).get(i) {
                None => {
                    mark[state] = 2;
                    depth[state] += u64::from(self.rolls(at)); // plus the maximum that follows
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

#[cfg(test)]
mod tests {
    use super::super::Law;
    use super::*;
    use proptest::prelude::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn variance((mean, second): (Rational, Rational)) -> Rational {
        second - &mean * &mean
    }

    fn state(rolls: u32, branches: &[(u64, Next)]) -> ChainState {
        let branch = |&(weight, next): &(u64, Next)| Branch {
            weight: weight.into(),
            next,
        };
        ChainState {
            rolls,
            branches: branches.iter().map(branch).collect(),
        }
    }

    /// Creates a chain with this many outcomes that begins in state 0.
    fn chain(states: Vec<ChainState>, outcomes: u64) -> Result<Chain, ChainError> {
        let outcomes = (0..outcomes).map(BigUint::from).collect();
        Chain::new(Next::State(0), states, outcomes)
    }

    const END: Next = Next::Outcome(0);

    /// Rolls a die of m sides until it has shown one of the first a faces r times.
    fn successes(m: u64, a: u64, r: u32) -> Chain {
        let step = |&left: &u32, face: u64| match (face < a, left) {
            (false, _) => Step::Roll(left),
            (true, 1) => Step::Output(face.into()),
            (true, _) => Step::Roll(left - 1),
        };
        Chain::explore(Step::Roll(r), 1000, |_| m, step).unwrap().0
    }

    /// The negative binomial law (geometric for r = 1): p = a/m, E = r/p, Var = r (1-p) / p^2,
    /// P(T > t) = sum_{j<r} C(t, j) p^j (1-p)^(t-j).
    #[test]
    fn waiting_for_successes() {
        for (m, a) in [(2u64, 1u64), (6, 1), (6, 5), (10, 3), (4, 4)] {
            for r in 1..=5u32 {
                let (p, what) = (ratio(a as i64, m as i64), format!("{a} of {m}, {r} times"));
                let chain = successes(m, a, r);
                let (mean, times) = (chain.mean(), ratio(r.into(), 1));
                assert_eq!(mean, &times / &p, "{what}");
                let left = ratio(1, 1) - &p;
                assert_eq!(
                    variance(chain.moments()),
                    times * &left / (&p * &p),
                    "{what}"
                );
                assert_eq!(chain.visits(), vec![p.recip(); r as usize], "{what}");
                let law = Law::from(chain);
                for (t, survival) in law.survival().take(12).enumerate() {
                    let term = |j: usize| {
                        let ways = num_integer::binomial(t, j);
                        p.pow(j as i32) * left.pow(t as i32 - j as i32) * BigInt::from(ways)
                    };
                    // If success is certain, only the term with j = t is not 0, since 0^0 = 1.
                    let few = (0..(r as usize).min(t + 1)).filter(|&j| a < m || j == t);
                    assert_eq!(survival, few.map(term).sum::<Rational>(), "{what}, t = {t}");
                }
                let most = (a == m).then_some(u64::from(r));
                assert_eq!(law.max(), most, "{what}");
            }
        }
    }

    /// A walk on 0 .. n from i, up with weight a and down with weight b; it ends at 0 and n.
    fn ruin(n: u32, i: u32, a: u64, b: u64) -> Chain {
        let at = |i: u32| match i {
            0 => Next::Outcome(0),
            i if i == n => Next::Outcome(1),
            i => Next::State(i - 1),
        };
        let states = (1..n).map(|i| state(1, &[(a, at(i + 1)), (b, at(i - 1))]));
        let outcomes = vec![0u8.into(), 1u8.into()];
        Chain::new(at(i), states.collect(), outcomes).unwrap()
    }

    /// Gambler's ruin (Feller 1968, chapter XIV). Fair: P(n) = i/n, E = i (n-i), Var = i (n-i)
    /// (i^2 + (n-i)^2 - 2) / 3. If c = q/p is not 1: P(n) = (1 - c^i) / (1 - c^n), E = (i - n P(n))
    /// / (q - p).
    #[test]
    fn the_ruin_of_a_gambler() {
        for n in 1u32..=9 {
            for i in 0..=n {
                let (whole, part) = (i64::from(n), i64::from(i));
                let fair = ruin(n, i, 1, 1);
                let up = |chain: &Chain| chain.probabilities()[&BigUint::one()].clone();
                assert_eq!(up(&fair), ratio(part, whole), "{i} of {n}");
                let rest = whole - part;
                assert_eq!(fair.mean(), ratio(part * rest, 1), "{i} of {n}");
                let spread = part * rest * (part * part + rest * rest - 2);
                assert_eq!(variance(fair.moments()), ratio(spread, 3), "{i} of {n}");
                for (a, b) in [(1u64, 2u64), (3, 2), (5, 1)] {
                    let walk = ruin(n, i, a, b);
                    let c = ratio(b as i64, a as i64);
                    let one = ratio(1, 1);
                    let wins = (&one - c.pow(i as i32)) / (&one - c.pow(n as i32));
                    assert_eq!(up(&walk), wins, "{i} of {n}, {a} : {b}");
                    let drift = ratio(b as i64 - a as i64, (a + b) as i64);
                    let mean = (ratio(part, 1) - wins * ratio(whole, 1)) / drift;
                    assert_eq!(walk.mean(), mean, "{i} of {n}, {a} : {b}");
                }
            }
        }
    }

    /// Two stages, each repeated until it succeeds. With rewards r1 and r2, R = r1 G1 + r2 G2 for
    /// geometric G1 and G2, so that E[R] = r1/p1 + r2/p2 and Var[R] = r1^2 (1-p1)/p1^2 + r2^2
    /// (1-p2)/p2^2.
    #[test]
    fn rewards_have_their_own_means_and_variances() {
        let stages = vec![
            state(1, &[(2, Next::State(1)), (1, Next::State(0))]),
            state(1, &[(5, END), (7, Next::State(1))]),
        ];
        let chain = chain(stages, 1).unwrap();
        let (p1, p2) = (ratio(2, 3), ratio(5, 12));
        let one = ratio(1, 1);
        let rewards = [
            (ratio(1, 1), ratio(1, 1)),
            (ratio(2, 1), ratio(-3, 7)),
            (ratio(0, 1), ratio(4, 5)),
        ];
        for (r1, r2) in rewards {
            let reward = [r1.clone(), r2.clone()];
            let (mean, second) = chain.moments_of(&reward);
            assert_eq!(mean, &r1 / &p1 + &r2 / &p2);
            assert_eq!(chain.mean_of(&reward), mean);
            let part = |r: &Rational, p: &Rational| r * r * (&one - p) / (p * p);
            assert_eq!(variance((mean, second)), part(&r1, &p1) + part(&r2, &p2));
        }
        assert_eq!(chain.moments_of(&[one.clone(), one]), chain.moments());
    }

    /// A chain whose prices and bits are not proportional to its rolls: the second moment equals
    /// the one computed from the costs of all paths.
    #[test]
    fn a_reward_of_a_bounded_chain_is_a_sum_over_paths() {
        // First a coin. After heads, a d4 ends the rule; after tails, two more flips follow.
        let states = vec![
            state(1, &[(1, Next::State(1)), (1, Next::State(2))]),
            state(1, &[(4, END)]),
            state(1, &[(1, Next::State(3)), (1, Next::State(3))]),
            state(1, &[(2, END)]),
        ];
        let chain = chain(states, 1).unwrap();
        let bits = [1, 2, 1, 1].map(|b| ratio(b, 1));
        // Every path takes 1 + 2 or 1 + 1 + 1 bits, so always 3
        assert_eq!(chain.moments_of(&bits), (ratio(3, 1), ratio(9, 1)));
        let price = [1, 10, 2, 3].map(|p| ratio(p, 1));
        // The price is 11 or 6, each with probability 1/2
        assert_eq!(chain.moments_of(&price), (ratio(17, 2), ratio(121 + 36, 2)));
        // A path takes 2 or 3 rolls
        assert_eq!(chain.moments(), (ratio(5, 2), ratio(13, 2)));
        assert_eq!(chain.worst_case(), Some(3));
    }

    /// A state of k rolls is equivalent to k states of one roll.
    #[test]
    fn a_state_of_several_rolls_is_a_row_of_states() {
        for k in 1..=4u32 {
            let short = vec![
                state(k, &[(3, Next::State(0)), (4, Next::State(1)), (1, END)]),
                state(2, &[(2, Next::State(0)), (6, END)]),
            ];
            // the rolls of state 0, then those of state 1
            let mut long: Vec<ChainState> =
                (1..k).map(|i| state(1, &[(1, Next::State(i))])).collect();
            let last = [(3, Next::State(0)), (4, Next::State(k)), (1, END)];
            long.push(state(1, &last));
            long.push(state(1, &[(1, Next::State(k + 1))]));
            long.push(state(1, &[(2, Next::State(0)), (6, END)]));
            let (short, long) = (chain(short, 1).unwrap(), chain(long, 1).unwrap());
            assert_eq!(short.moments(), long.moments(), "k = {k}");
            assert_eq!(short.base(), long.base(), "k = {k}");
            let pairs = short.undecided_nodes().zip(long.undecided_nodes()).take(20);
            pairs
                .enumerate()
                .for_each(|(t, (a, b))| assert_eq!(a, b, "k = {k}, t = {t}"));
        }
        let path = vec![
            state(7, &[(1, Next::State(1)), (1, END)]),
            state(9, &[(1, END)]),
        ];
        assert_eq!(chain(path, 1).unwrap().worst_case(), Some(16));
        let most = vec![
            state(u32::MAX, &[(1, Next::State(1))]),
            state(u32::MAX, &[(1, END)]),
        ];
        let most = chain(most, 1).unwrap();
        assert_eq!(most.worst_case(), Some(2 * u64::from(u32::MAX)));
        assert_eq!(most.mean(), ratio(2 * i64::from(u32::MAX), 1));
    }

    /// A weight of w is equivalent to w faces of a die, and common factors of the weights do not
    /// matter.
    #[test]
    fn weights_and_faces_are_the_same_law() {
        let dice = successes(10, 3, 2);
        let again = |weight, left| [(3 * weight, left), (7 * weight, Next::State(0))];
        for weight in [1u64, 2, 1 << 61] {
            let states = vec![
                state(1, &again(weight, Next::State(1))),
                state(
                    1,
                    &[
                        (7 * weight, Next::State(1)),
                        (weight, END),
                        (weight, Next::Outcome(1)),
                        (weight, Next::Outcome(2)),
                    ],
                ),
            ];
            let weighted = chain(states, 3).unwrap();
            assert_eq!(weighted.moments(), dice.moments());
            assert_eq!(weighted.probabilities(), dice.probabilities());
            assert_eq!(weighted.visits(), dice.visits());
            let (a, b) = (Law::from(weighted.counted_by(10)), dice.undecided_nodes());
            a.undecided_nodes()
                .0
                .zip(b)
                .take(20)
                .for_each(|(a, b)| assert_eq!(a, b));
        }
    }

    /// Dice of 2, 3 and 4 sides: nodes are counted in units of 12^-t; P(T > t) was computed by
    /// hand.
    #[test]
    fn several_dice_have_a_common_base() {
        let step = |sides: &u64, face: u64| match (sides, face) {
            (2, 0) => Step::Roll(3),
            (2, _) => Step::Roll(4),
            (_, 0) => Step::Roll(2),
            (_, face) => Step::Output(face.into()),
        };
        let (chain, _) = Chain::explore(Step::Roll(2), 100, |sides| *sides, step).unwrap();
        assert_eq!(*chain.base(), 12u8.into());
        // After a coin and a die, the coin is rolled again with probability (1/3 + 1/4) / 2 = 7/24.
        let law = Law::from(chain);
        let survival: Vec<String> = law.survival().take(6).map(|p| p.to_string()).collect();
        assert_eq!(survival, ["1", "1", "7/24", "7/24", "49/576", "49/576"]);
        assert_eq!(law.mean(), Ok(ratio(2 * 24, 17)));
    }

    /// E[T] = sum_{t<K} P(T > t) + c P(T > K), where c, the mean number of rolls after the first K,
    /// lies between the least and the largest h(u). For E[T^2] the same holds with the second
    /// moments g(u) of the rolls from u on.
    #[test]
    fn moments_and_survival_series() {
        let chains = [successes(6, 2, 3), ruin(7, 3, 2, 3), ruin(5, 1, 1, 1)];
        for chain in chains {
            let h = chain.remaining().to_vec();
            let squares = h
                .iter()
                .map(|h| h * BigInt::from(2) - ratio(1, 1))
                .collect();
            let g = chain.fundamental().values(squares);
            let ends = |all: &[Rational]| {
                let (low, high) = (all.iter().min(), all.iter().max());
                (low.unwrap().clone(), high.unwrap().clone())
            };
            let ((least, most), (least_square, most_square)) = (ends(&h), ends(&g));
            let (mean, second) = chain.moments();
            let law = Law::from(chain);
            let (mut sum, mut squares) = (Rational::zero(), Rational::zero());
            for (k, survival) in law.survival().take(25).enumerate() {
                let rest = (&survival * &least, &survival * &most);
                assert!(&sum + rest.0 <= mean && mean <= &sum + rest.1, "K = {k}");
                // For T > K, T^2 = (T-K)^2 + 2 K (T-K) + K^2; sum_{t<K} (2t+1) P(T > t) includes
                // the term K^2
                let twice = |h: &Rational| h * BigInt::from(2 * k);
                let low = &squares + &survival * (&least_square + twice(&least));
                let high = &squares + &survival * (&most_square + twice(&most));
                assert!(low <= second && second <= high, "K = {k}");
                squares += &survival * BigInt::from(2 * k + 1);
                sum += survival;
            }
        }
    }

    #[test]
    fn chains_that_are_not_absorbing_are_refused() {
        let good = || state(1, &[(1, END)]);
        let error = |states, outcomes| chain(states, outcomes).err().unwrap();
        assert_eq!(
            error(vec![good(), state(0, &[(1, END)])], 1),
            ChainError::NoRoll(1)
        );
        assert_eq!(
            error(vec![state(1, &[(1, END), (0, END)])], 1),
            ChainError::NoWeight(0)
        );
        assert_eq!(error(vec![good()], 0), ChainError::Missing(END));
        let away = Next::State(1);
        assert_eq!(
            error(vec![state(1, &[(1, away)])], 1),
            ChainError::Missing(away)
        );
        assert_eq!(error(vec![], 1), ChainError::Missing(Next::State(0)));
        assert_eq!(
            error(vec![good(), state(1, &[])], 1),
            ChainError::Endless(1)
        );
        let circle = vec![
            state(1, &[(1, END), (1, Next::State(1))]),
            state(1, &[(1, Next::State(2))]),
            state(1, &[(1, Next::State(1)), (9, Next::State(2))]),
        ];
        assert_eq!(error(circle, 1), ChainError::Endless(1));
        let twice = Chain::new(END, vec![], vec![5u8.into(), 5u8.into()]).err();
        assert_eq!(twice, Some(ChainError::Twice(5u8.into())));
        assert_eq!(
            ChainError::Missing(away).to_string(),
            "State(1) does not exist"
        );
    }

    #[test]
    fn a_certain_outcome_needs_no_roll() {
        let chain = Chain::new(END, vec![], vec![7u8.into()]).unwrap();
        assert!(chain.is_empty() && chain.visits().is_empty());
        assert_eq!(chain.moments(), (ratio(0, 1), ratio(0, 1)));
        assert_eq!(
            (chain.worst_case(), chain.undecided_nodes().next()),
            (Some(0), Some(BigUint::zero()))
        );
        assert_eq!(chain.outcome_law(), OutcomeLaw::uniform(1));
    }

    #[test]
    fn a_chain_beyond_the_limit_is_not_explored() {
        let step = |&at: &u64, face: u64| Step::Roll(at + face);
        let explored = Chain::explore(Step::Roll(0), 99, |_| 2, step);
        assert_eq!(explored.err(), Some(TooLarge { limit: 99 }));
        let wide = Chain::explore(
            Step::Roll(0u64),
            10,
            |_| u64::MAX,
            |_, _| Step::Output(1u8.into()),
        );
        assert!(wide.is_err());
        let fits = Chain::explore(
            Step::Roll(()),
            10,
            |_| 10,
            |_, face| Step::Output(face.into()),
        );
        let (chain, _) = fits.unwrap();
        assert_eq!(chain.outcome_law(), OutcomeLaw::uniform(10));
    }

    proptest! {
        /// In every chain the probabilities of the outcomes sum to 1, the start is visited at least
        /// once, and the sum of v r is h(start).
        #[test]
        fn every_chain_ends_once(weights in prop::collection::vec(prop::collection::vec(0u64..4, 1..7), 1..7)) {
            let count = weights.len() as u32;
            let target = |i: usize| match i as u32 {
                i if i < count => Next::State(i),
                i => Next::Outcome(i % 3),
            };
            let states: Vec<ChainState> = weights.iter().map(|row| {
                let ways = row.iter().enumerate().filter(|(_, w)| **w > 0);
                let mut ways: Vec<(u64, Next)> = ways.map(|(i, &w)| (w, target(i))).collect();
                ways.push((1, Next::Outcome(row.len() as u32 % 3)));
                state(1 + row.len() as u32 % 3, &ways)
            }).collect();
            let chain = chain(states, 3).unwrap();
            let total: Rational = chain.probabilities().values().sum();
            prop_assert!(total.is_one());
            prop_assert!(chain.outcome_law().outcomes() <= 3u8.into());
            prop_assert!(chain.visits()[0] >= ratio(1, 1));
            let rolls: Vec<Rational> = (0..count).map(|u| ratio(chain.rolls(u).into(), 1)).collect();
            prop_assert_eq!(chain.moments_of(&rolls), chain.moments());
            let (mean, second) = chain.moments();
            prop_assert!(second >= &mean * &mean);
            let partial: Rational = Law::from(chain).survival().take(9).sum();
            prop_assert!(partial <= mean);
        }
    }
}
