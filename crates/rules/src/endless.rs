//! A rule whose states have no end: followed roll by roll, the likely states first, until what is
//! left undecided is small.
//!
//! Let d(x) be the probability of the paths followed to outcome x, and u that of the rest, so that
//! sum d + u = 1. Then d(x) <= P(x) <= d(x) + u. With a(t) the probability of the paths followed
//! that are undecided after t rolls, a(t) <= P(T > t), so the sum of all a(t) is at most E\[T\] =
//! sum P(T > t). Nothing is said from above, and nothing can be: a program may do anything in a
//! state that was not reached, such as never to end once a counter is 10^9, and two rules that
//! agree on all that was followed have any two means above the bound.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::value::Value;
use flipcost::task::Source;
use flipcost_number::budget;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::collections::{BTreeMap, HashMap};

/// What is known of a rule that was followed as far as was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosed {
    /// At most the probability of each outcome, and at least that less the undecided.
    pub outcomes: BTreeMap<BigUint, Rational>,
    /// The probability of all that was not followed to an outcome.
    pub undecided: Rational,
    /// At most the expected rolls.
    pub rolls_at_least: Rational,
    /// At least the expected rolls, of a finite chain.
    pub rolls_at_most: Option<Rational>,
    /// States that were looked at.
    pub states: usize,
    /// Faces of all states together, of a finite chain.
    pub transitions: Option<usize>,
    /// Is there a bound on the rolls? Where the states have no end there is none.
    pub bounded: bool,
}

impl Enclosed {
    /// Is less than 2^-bits undecided?
    pub fn is_decided(&self, bits: u64) -> bool {
        (self.undecided.numer().magnitude() << bits) <= *self.undecided.denom().magnitude()
    }
}

/// A value that is not negative with 12 decimals, the rest cut off, so that it is never above the
/// value.
pub fn decimals_below(value: &Rational) -> String {
    let unit = BigInt::from(10).pow(12);
    let units = (value * Rational::from_integer(unit))
        .to_integer()
        .to_string();
    let units = format!("{units:0>13}");
    let (whole, rest) = units.split_at(units.len() - 12);
    format!("{whole}.{rest}")
}

/// Words of 64 bits that are added while a rule is followed, at most.
const MAX_WORDS: u64 = 20_000_000;

/// Follows a rule until the undecided probability is below 2^-bits, `most` states were looked at,
/// or 20 million words were added.
///
/// # Errors
/// [`Fault`] of the program.
pub fn enclose(
    program: &dyn Program,
    source: &Source,
    faces: u64,
    bits: u64,
    most: usize,
) -> Result<Enclosed, Fault> {
    let weights: Vec<BigUint> = match source.weights() {
        Some(weights) => weights.to_vec(),
        None => vec![BigUint::one(); faces as usize],
    };
    let sum: BigUint = weights.iter().sum();
    let mut known: HashMap<Value, Vec<Move>> = HashMap::new();
    // in units of sum^-t
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
        // what is dropped in all rolls together stays below half of what is allowed
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
    Ok(Enclosed {
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
