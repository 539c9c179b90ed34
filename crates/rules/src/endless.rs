//! A rule whose states have no end: followed roll by roll, the likely states first, until what is left
//! undecided is small.
//!
//! Let d(x) be the probability of the paths followed to outcome x, and u that of the rest, so that
//! sum d + u = 1. Then d(x) <= P(x) <= d(x) + u. With a(t) the probability of the paths followed that
//! are undecided after t rolls, a(t) <= P(T > t), so the sum of all a(t) is at most E\[T\] = sum P(T > t).
//! Nothing is said from above: what is left may take for ever.

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
    /// States that were looked at.
    pub states: usize,
}

impl Enclosed {
    /// Is less than 2^-bits undecided?
    pub fn is_decided(&self, bits: u64) -> bool {
        (self.undecided.numer().magnitude() << bits) <= *self.undecided.denom().magnitude()
    }
}

/// A value that is not negative with 12 decimals, the rest cut off, so that it is never above the value.
pub fn decimals_below(value: &Rational) -> String {
    let unit = BigInt::from(10).pow(12);
    let units = (value * Rational::from_integer(unit))
        .to_integer()
        .to_string();
    let units = format!("{units:0>13}");
    let (whole, rest) = units.split_at(units.len() - 12);
    format!("{whole}.{rest}")
}

/// Where a state leads, once it was looked at, and the shortest rolls to it.
struct Known {
    moves: Vec<Move>,
    path: Vec<u64>,
}

/// Follows a rule until the undecided probability is below 2^-bits, or `most` states were looked at.
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
    let mut known: HashMap<Value, Known> = HashMap::new();
    // in units of sum^-t
    let mut outcomes: BTreeMap<BigUint, BigUint> = BTreeMap::new();
    let mut alive: BTreeMap<Value, (BigUint, Vec<u64>)> = BTreeMap::new();
    let mut unit = BigUint::one();
    match program.start()? {
        Move::Roll(state) => {
            alive.insert(state, (BigUint::one(), Vec::new()));
        }
        Move::Output(outcome) => {
            outcomes.insert(outcome, BigUint::one());
        }
    }
    let (mut dropped, mut rolls) = (BigUint::zero(), BigUint::zero());
    while !alive.is_empty() {
        let left: BigUint = alive.values().map(|(mass, _)| mass).sum();
        if ((&left + &dropped) << bits) <= unit || known.len() >= most {
            dropped += left;
            break;
        }
        rolls += left;
        for mass in outcomes.values_mut().chain([&mut dropped, &mut rolls]) {
            *mass *= &sum;
        }
        // what is dropped in all rolls together stays below half of what is allowed
        let small = |mass: &BigUint| (mass << (bits + 21)) <= unit;
        let mut later: BTreeMap<Value, (BigUint, Vec<u64>)> = BTreeMap::new();
        for (state, (mass, path)) in std::mem::take(&mut alive) {
            budget::spend(100 * faces + mass.bits());
            if small(&mass) || (known.len() >= most && !known.contains_key(&state)) {
                dropped += mass * &sum;
                continue;
            }
            if !known.contains_key(&state) {
                let moves: Result<Vec<Move>, Fault> = (0..faces)
                    .map(|face| program.step(&state, &path, face))
                    .collect();
                known.insert(
                    state.clone(),
                    Known {
                        moves: moves?,
                        path,
                    },
                );
            }
            let Known { moves, path } = &known[&state];
            for ((face, next), weight) in (0..).zip(moves).zip(&weights) {
                match next {
                    Move::Output(outcome) => {
                        *outcomes.entry(outcome.clone()).or_default() += &mass * weight
                    }
                    Move::Roll(state) => {
                        let entry = later.entry(state.clone()).or_insert_with(|| {
                            let mut path = path.clone();
                            path.push(face);
                            (BigUint::zero(), path)
                        });
                        entry.0 += &mass * weight;
                    }
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
        states: known.len(),
    })
}
