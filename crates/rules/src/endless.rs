//! Computes bounds for a rule with infinitely many states, by following its paths roll by roll
//! until the undecided probability is small. Unlikely states are not followed.
//!
//! Let d(x) be the probability of the followed paths that end with outcome x, and u the rest, so
//! that sum d + u = 1. Then d(x) <= P(x) <= d(x) + u. Let a(t) be the probability of the followed
//! paths that are undecided after t rolls. Then a(t) <= P(T > t), so the sum of all a(t) is at most
//! E\[T\] = sum P(T > t). There is no upper bound of E\[T\]: in a state that was not reached, a
//! program may do anything, for example run forever once a counter is 10^9. Two rules that agree on
//! all followed paths may have any two means above the lower bound.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::value::Value;
use flipcost::task::Source;
use flipcost_number::budget;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::collections::{BTreeMap, HashMap};

/// The bounds for a rule that was followed to the requested precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawBounds {
    /// A lower bound of the probability of each outcome; adding the undecided probability gives an
    /// upper bound.
    pub outcomes: BTreeMap<BigUint, Rational>,
    /// The probability of all paths that were not followed to an outcome.
    pub undecided: Rational,
    /// A lower bound of the expected rolls.
    pub rolls_at_least: Rational,
    /// An upper bound of the expected rolls, for a finite chain.
    pub rolls_at_most: Option<Rational>,
    /// The number of states that were followed.
    pub states: usize,
    /// The number of faces of all states together, for a finite chain.
    pub transitions: Option<usize>,
    /// Whether the number of rolls is bounded; false if there are infinitely many states.
    pub bounded: bool,
}

impl LawBounds {
    /// Returns whether the undecided probability is below 2^-bits.
    pub fn is_decided(&self, bits: u64) -> bool {
        (self.undecided.numer().magnitude() << bits) <= *self.undecided.denom().magnitude()
    }
}

/// Formats a nonnegative value with 12 decimals, rounded down.
pub fn decimals_below(value: &Rational) -> String {
    let unit = BigInt::from(10).pow(12);
    let units = (value * Rational::from_integer(unit))
        .to_integer()
        .to_string();
    let units = format!("{units:0>13}");
    let (whole, rest) = units.split_at(units.len() - 12);
    format!("{whole}.{rest}")
}

/// The largest number of 64-bit words that are added while a rule is followed.
const MAX_WORDS: u64 = 20_000_000;

/// Follows a rule until the undecided probability is at most 2^-bits, or `most` states were
/// followed, or 20 million words were added.
///
/// # Errors
/// If the program stops with a [`Fault`].
pub fn enclose(
    program: &dyn Program,
    source: &Source,
    faces: u64,
    bits: u64,
    most: usize,
) -> Result<LawBounds, Fault> {
    let weights: Vec<BigUint> = match source.weights() {
        Some(weights) => weights.to_vec(),
        None => vec![BigUint::one(); faces as usize],
    };
    let sum: BigUint = weights.iter().sum();
    let mut known: HashMap<Value, Vec<Move>> = HashMap::new();
    // After t rolls, probabilities are in units of sum^-t, where sum is the sum of the weights.
    let mut outcomes: BTreeMap<BigUint, BigUint> = BTreeMap::new();
    let mut alive: BTreeMap<Value, BigUint> = BTreeMap::new();
    let mut unit = BigUint::one();
    match program.start()? {
        Move::Roll(state) => {
            alive.insert(state, BigUint::one());
        }
        Move::Output(outcome) => {
            outcomes.insert(outcome, BigUint::one());
        }
    }
    let (mut dropped, mut rolls) = (BigUint::zero(), BigUint::zero());
    let mut words = 0;
    while !alive.is_empty() {
        let left: BigUint = alive.values().sum();
        if ((&left + &dropped) << bits) <= unit || known.len() >= most || words > MAX_WORDS {
            dropped += left;
            break;
        }
        rolls += left;
        for mass in outcomes.values_mut().chain([&mut dropped, &mut rolls]) {
            *mass *= &sum;
        }
        // All probabilities that are dropped because they are small add up to less than half of the
        // allowed 2^-bits.
        let small = |mass: &BigUint| (mass << (bits + 21)) <= unit;
        let mut later: BTreeMap<Value, BigUint> = BTreeMap::new();
        for (state, mass) in std::mem::take(&mut alive) {
            budget::spend(100 * faces + mass.bits());
            words += faces * (1 + mass.bits() / 64);
            if small(&mass) || (known.len() >= most && !known.contains_key(&state)) {
                dropped += mass * &sum;
                continue;
            }
            if !known.contains_key(&state) {
                let step = |face| program.step(&state, face);
                let moves: Result<Vec<Move>, Fault> = (0..faces).map(step).collect();
                known.insert(state.clone(), moves?);
            }
            for (next, weight) in known[&state].iter().zip(&weights) {
                let mass = &mass * weight;
                match next {
                    Move::Output(outcome) => *outcomes.entry(outcome.clone()).or_default() += mass,
                    Move::Roll(state) => *later.entry(state.clone()).or_default() += mass,
                }
            }
        }
        unit *= &sum;
        alive = later;
    }
    let share = |mass: BigUint| Rational::new(mass.into(), BigInt::from(unit.clone()));
    Ok(LawBounds {
        outcomes: outcomes
            .into_iter()
            .map(|(outcome, mass)| (outcome, share(mass)))
            .collect(),
        undecided: share(dropped),
        rolls_at_least: share(rolls),
        rolls_at_most: None,
        states: known.len(),
        transitions: None,
        bounded: false,
    })
}
