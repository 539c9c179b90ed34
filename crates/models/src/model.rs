//! A model: a discrete-time Markov chain with one reward and labels.

use flipcost::algorithms::Algorithm;
use flipcost::law::Next;
use flipcost::task::{Refusal, Task};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

pub(crate) const WRITING_TO_MEMORY: &str = "memory takes every byte";

/// The maximum number of transitions of a chain that is written or read.
pub const MAX_TRANSITIONS: usize = 1_000_000;

/// A discrete-time Markov chain. States are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// A description in one line.
    pub title: String,
    /// The name of the reward, for example `rolls`.
    pub reward: String,
    /// The initial state.
    pub initial: usize,
    /// The states; at least one.
    pub states: Vec<ModelState>,
}

/// A state of a [`Model`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelState {
    /// The state in the algorithm's own terms; may be empty.
    pub name: String,
    /// The reward of a visit, at least 0: the number of rolls made there.
    pub reward: Rational,
    /// The labels of the state, except `init`.
    pub labels: Vec<String>,
    /// The transitions: each next state with its probability, in increasing order of the states.
    /// Probabilities are above 0 and sum to 1.
    pub next: Vec<(usize, Rational)>,
}

impl ModelState {
    /// Whether the state leads only to itself; `index` is its number.
    pub(crate) fn is_absorbing(&self, index: usize) -> bool {
        matches!(self.next[..], [(to, _)] if to == index)
    }
}

/// Refuses a library function if a single word already has more values than a chain may have
/// transitions.
fn check_word_values(algorithm: &dyn Algorithm, task: &Task) -> Result<(), Refusal> {
    let bits = algorithm.word_bits(task);
    match bits.filter(|bits| *bits > MAX_TRANSITIONS.ilog2()) {
        Some(bits) => Err(Refusal::Rule(format!(
            "its words have 2^{bits} values, and a chain has a transition for each: {MAX_TRANSITIONS} is the most"
        ))),
        None => Ok(()),
    }
}

impl Model {
    /// Returns the chain of an algorithm: the unfinished states 0, 1, ... in breadth-first order,
    /// then one final state for every outcome, in increasing order, with the labels `done` and
    /// `outcome_i` (i counted from 0). The reward of a visit to an unfinished state is the number
    /// of rolls made there, so the expected reward until `done` is `E[T]`. The probability of
    /// reaching `outcome_i` is that of the target.
    ///
    /// Cost: one step and one entry for every transition.
    ///
    /// ```
    /// use flipcost::algorithms::FAST_DICE_ROLLER;
    /// use flipcost::task::{Source, Task};
    /// use flipcost_models::Model;
    /// let model = Model::from_algorithm(FAST_DICE_ROLLER, &Task::die(3u8, Source::COIN)?)?;
    /// assert_eq!(model.states.len(), 3 + 3);
    /// assert_eq!(model.states[5].labels, ["done", "outcome_2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal`] if the algorithm refuses the task, or its chain has more than
    /// [`MAX_TRANSITIONS`] transitions.
    pub fn from_algorithm(algorithm: &dyn Algorithm, task: &Task) -> Result<Model, Refusal> {
        let (about, prepared) = (algorithm.about(), algorithm.prepare(task)?);
        check_word_values(algorithm, task)?;
        let (chain, names) = prepared
            .chain(MAX_TRANSITIONS)
            .map_err(|too_large| Refusal::Rule(too_large.to_string()))?;
        let unfinished = names.len();
        let mut order: Vec<usize> = (0..chain.outcomes().len()).collect();
        order.sort_by_key(|&i| &chain.outcomes()[i]);
        let mut place = vec![0; order.len()];
        for (rank, &i) in order.iter().enumerate() {
            place[i] = unfinished + rank;
        }
        let index = |next: Next| match next {
            Next::State(state) => state as usize,
            Next::Outcome(outcome) => place[outcome as usize],
        };
        let mut states = Vec::with_capacity(unfinished + order.len());
        for (state, name) in (0..).zip(names) {
            let (weights, total) = chain.transitions(state);
            let total = BigInt::from(total);
            let weights: BTreeMap<usize, BigUint> = (weights.into_iter())
                .map(|(next, weight)| (index(next), weight))
                .collect();
            let ratio =
                |(to, weight): (usize, BigUint)| (to, Rational::new(weight.into(), total.clone()));
            states.push(ModelState {
                name,
                reward: Rational::from(BigInt::from(chain.rolls(state))),
                labels: Vec::new(),
                next: weights.into_iter().map(ratio).collect(),
            });
        }
        for &i in &order {
            let outcome = &chain.outcomes()[i];
            states.push(ModelState {
                name: String::new(),
                reward: Rational::zero(),
                labels: vec!["done".to_string(), format!("outcome_{outcome}")],
                next: vec![(states.len(), Rational::one())],
            });
        }
        let (source, target) = (task.source(), task.target());
        let from = match source.small() {
            Some(m) => format!("a source of {m} sides"),
            None => source.with_article(),
        };
        let what = match target.sides() {
            Some(n) => format!("a target of {n} sides"),
            None => format!("a target of the weights {target}"),
        };
        Ok(Model {
            title: format!("{}: {what} from {from}", about.name),
            reward: "rolls".to_string(),
            initial: index(chain.start()),
            states,
        })
    }

    /// The number of transitions, including those of final states to themselves.
    pub fn transitions(&self) -> usize {
        self.states.iter().map(|state| state.next.len()).sum()
    }
}
