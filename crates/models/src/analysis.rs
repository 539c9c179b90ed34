//! What a chain costs, which outcomes it has, and how far it is from the optimum.

use crate::{Model, text};
use flipcost::algorithms;
use flipcost::law::{Branch, ChainError, ChainState};
use flipcost::law::{Chain, Law, Next};
use flipcost::task::{Source, Target, Task};
use flipcost_number::{BigInt, BigUint, Rational, Real};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// The cost and the outcomes of a [`Model`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysis {
    /// States that can be reached and are not final.
    pub unfinished: usize,
    /// Final states that can be reached.
    pub finals: usize,
    /// Transitions that leave unfinished states that can be reached.
    pub transitions: usize,
    /// Final states that can be reached and have a reward, which is not counted.
    pub uncounted: usize,
    /// The expected reward until a final state.
    pub expected: Rational,
    /// The variance of the reward until a final state.
    pub variance: Rational,
    /// The outcomes, in the order of their first states.
    pub outcomes: Vec<ModelOutcome>,
}

/// An outcome of a [`Model`]: final states that bear the same labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelOutcome {
    /// Its name: the labels of its states that not all final states have, or `state 7`.
    pub name: String,
    /// Its probability, above 0.
    pub probability: Rational,
}

/// Why a model has no cost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// From a state that can be reached no final state can be.
    #[error("the chain can get stuck: no final state is reachable from state {0}")]
    Endless(usize),
    /// A state does not cost 1 roll or more.
    #[error("state {0} costs {1}: its law counts whole rolls, of which a state takes 1 or more")]
    NoRolls(usize, String),
    /// It cannot be a chain for another reason.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

/// Why the rolls of a die cannot drive a model: what it earns is then no number of rolls, and no
/// optimum is its lower bound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undriven {
    /// A state earns no number of rolls.
    #[error("state {state} costs {reward}, which is no number of rolls")]
    Reward {
        /// The state.
        state: usize,
        /// What it earns.
        reward: String,
    },
    /// The die is not fair: which rule costs the least is not known.
    #[error("it is the cost of an optimal tree, which is known of fair dice only, and not of {0}")]
    NotFair(String),
    /// A state has a probability that its rolls cannot make.
    #[error(
        "state {state} leads to state {to} with probability {probability}, which {rolls} of {source_name} cannot make"
    )]
    Probability {
        /// The state.
        state: usize,
        /// Where it leads.
        to: usize,
        /// With which probability.
        probability: String,
        /// `1 roll`, `2 flips`.
        rolls: String,
        /// `a coin`, `a d6`.
        source_name: String,
    },
}

/// The states that can be reached, in breadth-first order.
fn reached(model: &Model) -> Vec<usize> {
    let mut known = vec![false; model.states.len()];
    let mut order = vec![model.initial];
    known[model.initial] = true;
    let mut at = 0;
    while at < order.len() {
        for (to, _) in &model.states[order[at]].next {
            if !std::mem::replace(&mut known[*to], true) {
                order.push(*to);
            }
        }
        at += 1;
    }
    order
}

/// What can be reached of a model.
struct ReachedChain {
    chain: Chain,
    /// The outcomes, by their places in the chain.
    names: Vec<String>,
    unfinished: Vec<usize>,
    finals: Vec<usize>,
}

/// The outcomes of a chain, which have these names.
fn outcomes(chain: &Chain, names: Vec<String>) -> Vec<ModelOutcome> {
    let probabilities = chain.probabilities();
    let outcome = |(id, name): (usize, String)| ModelOutcome {
        name,
        probability: probabilities[&BigUint::from(id)].clone(),
    };
    names.into_iter().enumerate().map(outcome).collect()
}

impl Model {
    /// The cost, its variance and the law of the outcomes, all exact. States that cannot be reached
    /// count for nothing, and so does what a final state earns.
    ///
    /// Cost: one elimination ([`Chain::moments_of`]): about one product of fractions for every
    /// transition where the chain is a tree that leads back to its root. Of n states that all lead to
    /// each other the fractions can grow to n times the bits of the probabilities, and cost O(n^3)
    /// products of words.
    ///
    /// # Errors
    /// [`ChainFault`] if some state that can be reached never leads to a final state.
    pub fn analysis(&self) -> Result<Analysis, ChainFault> {
        let parts = self.chain(|_, _| Ok(1))?;
        let (chain, unfinished) = (parts.chain, parts.unfinished);
        let earns = |state: &&usize| !self.states[**state].reward.is_zero();
        let uncounted = parts.finals.iter().filter(earns).count();
        let transitions = unfinished
            .iter()
            .map(|&state| self.states[state].next.len())
            .sum();
        let rewards: Vec<Rational> = (unfinished.iter())
            .map(|&state| self.states[state].reward.clone())
            .collect();
        let (expected, second) = chain.moments_of(&rewards);
        Ok(Analysis {
            unfinished: unfinished.len(),
            finals: parts.finals.len(),
            uncounted,
            transitions,
            variance: second - &expected * &expected,
            expected,
            outcomes: outcomes(&chain, parts.names),
        })
    }

    /// The law of the cost, and that of the outcomes. Cost: as [`Model::analysis`].
    ///
    /// # Errors
    /// As [`Model::analysis`], and [`ChainFault::NoRolls`] for a state that does not cost a number of rolls.
    pub fn cost_law(&self) -> Result<(Law, Vec<ModelOutcome>), ChainFault> {
        let parts = self.chain(|state, reward| {
            let rolls = reward.is_integer().then(|| reward.to_integer().to_u32());
            let rolls = rolls.flatten().filter(|rolls| *rolls > 0);
            rolls.ok_or_else(|| ChainFault::NoRolls(state, text::short(reward)))
        })?;
        let outcomes = outcomes(&parts.chain, parts.names);
        Ok((parts.chain.into(), outcomes))
    }

    /// The states that can be reached as a chain, of which each takes the rolls that are computed from its number and
    /// its reward.
    fn chain(
        &self,
        rolls: impl Fn(usize, &Rational) -> Result<u32, ChainFault>,
    ) -> Result<ReachedChain, ChainFault> {
        let order = reached(self);
        let (finals, unfinished): (Vec<usize>, Vec<usize>) =
            (order.into_iter()).partition(|&state| self.states[state].is_absorbing(state));
        let mut finals = finals;
        finals.sort_unstable();
        let names = self.names(&finals);
        let mut ids: BTreeMap<&str, u32> = BTreeMap::new();
        let mut listed: Vec<&str> = Vec::new();
        for name in &names {
            ids.entry(name).or_insert_with(|| {
                listed.push(name);
                listed.len() as u32 - 1
            });
        }
        let mut place = vec![Next::State(0); self.states.len()];
        for (index, &state) in (0..).zip(&unfinished) {
            place[state] = Next::State(index);
        }
        for (&state, name) in finals.iter().zip(&names) {
            place[state] = Next::Outcome(ids[name.as_str()]);
        }
        let branches = |&state: &usize| {
            let next = &self.states[state].next;
            let total = (next.iter()).fold(BigInt::one(), |all, (_, p)| all.lcm(p.denom()));
            let branch = |(to, p): &(usize, Rational)| Branch {
                weight: (p * &total).to_integer().magnitude().clone(),
                next: place[*to],
            };
            Ok(ChainState {
                rolls: rolls(state, &self.states[state].reward)?,
                branches: next.iter().map(branch).collect(),
            })
        };
        let states = unfinished.iter().map(branches);
        let states = states.collect::<Result<Vec<ChainState>, ChainFault>>()?;
        let outcomes = (0..listed.len()).map(BigUint::from).collect();
        let chain =
            Chain::new(place[self.initial], states, outcomes).map_err(|error| match error {
                ChainError::Endless(state) => ChainFault::Endless(unfinished[state]),
                error => ChainFault::Chain(error),
            })?;
        Ok(ReachedChain {
            chain,
            names: listed.into_iter().map(str::to_string).collect(),
            unfinished,
            finals,
        })
    }

    /// What the final states are called, one by one.
    fn names(&self, finals: &[usize]) -> Vec<String> {
        let mut common: Option<BTreeSet<&str>> = None;
        for &state in finals {
            let labels = self.states[state]
                .labels
                .iter()
                .map(String::as_str)
                .collect();
            common = Some(match common {
                None => labels,
                Some(common) => &common & &labels,
            });
        }
        let mut common = common.unwrap_or_default();
        if finals.len() == 1 {
            common = BTreeSet::from(["done"]);
        }
        let name = |&state: &usize| {
            let labels: Vec<&str> = (self.states[state].labels.iter())
                .map(String::as_str)
                .filter(|label| *label != "deadlock" && !common.contains(label))
                .collect();
            if labels.is_empty() {
                format!("state {state}")
            } else {
                labels.join(", ")
            }
        };
        finals.iter().map(name).collect()
    }

    /// Can the rolls of such a die drive the model? Every unfinished state that can be reached must
    /// earn a natural number r, and lead everywhere with a multiple of m^-r: then it is the end of r
    /// rolls, the model is a decision tree of the die, and no law of outcomes costs less than its
    /// optimal tree.
    ///
    /// # Errors
    /// [`Undriven`], with the first state that is no such one.
    pub fn driven_by(&self, source: &Source) -> Result<(), Undriven> {
        if !source.is_fair() {
            return Err(Undriven::NotFair(source.with_article()));
        }
        for state in reached(self) {
            let here = &self.states[state];
            if here.is_absorbing(state) {
                continue;
            }
            let rolls = if here.reward.is_integer() {
                // a state of more rolls than this leads nowhere with a probability that is read
                here.reward
                    .to_integer()
                    .to_u32()
                    .map(|rolls| rolls.min(1 << 20))
            } else {
                None
            };
            let Some(rolls) = rolls else {
                return Err(Undriven::Reward {
                    state,
                    reward: text::short(&here.reward),
                });
            };
            let sides = source.sides();
            let made = |p: &Rational| divides_a_power(p.denom().magnitude(), &sides, rolls);
            if let Some((to, p)) = here.next.iter().find(|(_, p)| !made(p)) {
                let unit = source.unit();
                let unit = if rolls == 1 {
                    unit.singular()
                } else {
                    unit.plural()
                };
                return Err(Undriven::Probability {
                    state,
                    to: *to,
                    probability: text::short(p),
                    rolls: format!("{rolls} {unit}"),
                    source_name: source.with_article(),
                });
            }
        }
        Ok(())
    }
}

/// Does q divide m^k?
fn divides_a_power(q: &BigUint, m: &BigUint, k: u32) -> bool {
    let mut left = q.clone();
    for _ in 0..k {
        let common = left.gcd(m);
        if common.is_one() {
            break;
        }
        left /= common;
    }
    left.is_one()
}

impl Analysis {
    /// Are all outcomes equally likely?
    pub fn is_fair(&self) -> bool {
        let first = &self.outcomes[0].probability;
        self.outcomes
            .iter()
            .all(|outcome| outcome.probability == *first)
    }

    /// The total variation distance of the outcomes from the uniform law on them.
    pub fn total_variation(&self) -> Rational {
        let even = Rational::new(1.into(), self.outcomes.len().into());
        let apart = |outcome: &ModelOutcome| (&outcome.probability - &even).abs();
        self.outcomes.iter().map(apart).sum::<Rational>() / BigInt::from(2)
    }

    /// The law of the outcomes as a target.
    pub fn target(&self) -> Target {
        let denominators = self
            .outcomes
            .iter()
            .map(|outcome| outcome.probability.denom());
        let total = denominators.fold(BigInt::one(), |all, q| all.lcm(q));
        let weight = |outcome: &ModelOutcome| {
            let weight = (&outcome.probability * &total).to_integer();
            weight.magnitude().clone()
        };
        Target::weighted(self.outcomes.iter().map(weight)).expect("an outcome has a probability")
    }

    /// The least expected rolls of this die with which any rule has this law of outcomes: the cost
    /// of its optimal tree (Knuth & Yao 1976). Exact where its fraction has at most `most_bits` bits.
    ///
    /// # Errors
    /// The engine's sentence, if the die is wider than a tree is made for.
    pub fn least_expected_rolls(
        &self,
        source: &Source,
        most_bits: u128,
    ) -> Result<Real, flipcost::algorithms::AlgorithmError> {
        let best = algorithms::find("knuth-yao").expect("it is in the registry");
        let law = best.law(&Task::new(source.clone(), self.target()))?;
        Ok(match law.mean_up_to(most_bits) {
            Ok(exact) => Real::Exact(exact),
            Err(_) => law.mean_real(),
        })
    }
}
