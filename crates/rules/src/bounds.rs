//! Computes bounds of the law of a finite chain that has too many states for an exact solution, in
//! fixed-point arithmetic.
//!
//! *Outcomes.* Probability is passed along the chain, from state to state in the order of their
//! shortest rolls. Each part that is passed on is rounded down, so the sum that arrives at an
//! outcome is at most the outcome's probability. The rest of the probability is undecided.
//!
//! *Rolls.* Let P be the matrix of the probabilities between states. The expected rolls are the
//! smallest nonnegative solution h of h = 1 + P h. Iteration from 0, rounded down, never exceeds h.
//! If u >= 0 satisfies 1 + P u <= u in all states, then h <= u, since iteration from 0 stays below
//! u. So the program tries u = (1 + d) times the lower bound, and computes 1 + P u rounded up
//! (optimistic value iteration, Hartmanns & Kaminski 2020).

use crate::endless::LawBounds;
use crate::explore::ExploredChain;
use flipcost::law::Next;
use flipcost_number::{BigInt, BigUint, Rational, budget};
use num_traits::ToPrimitive;

/// The fixed-point units: 2^-96 for a probability, and 2^-48 for a number of rolls.
const MASS_BITS: u32 = 96;
const ROLL_BITS: u32 = 48;
/// The largest number of transitions in all sweeps together, and the largest number of sweeps.
const MAX_STEPS: u64 = 4_000_000_000;
const MAX_SWEEPS: u64 = 10_000;
/// The margin d = 2^-26, which is tried as soon as no state changes by more than 2^-30.
const MARGIN_BITS: u32 = 26;
const STEADY_BITS: u32 = 30;

/// A chain, with the weights of the source's faces as machine words. The weights are `None` if all
/// faces are equally likely.
struct WeightedChain<'a> {
    explored: &'a ExploredChain,
    weights: Option<Vec<u64>>,
}

impl WeightedChain<'_> {
    /// Returns the next states of a state with their weights, and the sum of the weights.
    fn branches(&self, state: u32) -> (impl Iterator<Item = (Next, u128)>, u128) {
        let nexts = self.explored.next_targets(state);
        let sum = match &self.weights {
            Some(weights) => weights.iter().sum(),
            None => nexts.len() as u64,
        };
        let weight = |face: usize| self.weights.as_ref().map_or(1, |weights| weights[face]);
        let branch = move |(face, next): (usize, &Next)| (*next, u128::from(weight(face)));
        (nexts.iter().enumerate().map(branch), sum.into())
    }

    fn sweeps(&self) -> u64 {
        MAX_SWEEPS.min(MAX_STEPS / (self.explored.transitions() as u64).max(1))
    }

    /// Returns a lower bound for the probability of each outcome, in units of 2^-96.
    fn outcome_probabilities(&self, bits: u64) -> Vec<u128> {
        let mut outcomes = vec![0; self.explored.outcomes().len()];
        let mut masses = vec![0u128; self.explored.states().len()];
        match self.explored.first() {
            Next::State(state) => masses[state as usize] = 1 << MASS_BITS,
            Next::Outcome(outcome) => outcomes[outcome as usize] = 1 << MASS_BITS,
        }
        for _ in 0..self.sweeps() {
            budget::spend(20 * self.explored.transitions() as u64);
            for state in 0..masses.len() {
                let mass = std::mem::take(&mut masses[state]);
                if mass == 0 {
                    continue;
                }
                let (branches, sum) = self.branches(state as u32);
                for (next, weight) in branches {
                    match next {
                        Next::State(next) => masses[next as usize] += mass * weight / sum,
                        Next::Outcome(outcome) => outcomes[outcome as usize] += mass * weight / sum,
                    }
                }
            }
            if masses.iter().sum::<u128>() >> (MASS_BITS - bits as u32) == 0 {
                break;
            }
        }
        outcomes
    }

    /// Returns 1 + P h for a state, in units of 2^-48. Rounds up if `up` is set, otherwise down.
    fn iterate_expected_rolls(&self, state: u32, h: &[u128], up: bool) -> u128 {
        let (branches, sum) = self.branches(state);
        let all = branches.map(|(next, weight)| match next {
            Next::State(next) => weight * h[next as usize],
            Next::Outcome(_) => 0,
        });
        let all: u128 = all.sum();
        (1 << ROLL_BITS) + if up { all.div_ceil(sum) } else { all / sum }
    }

    /// Returns a lower bound of the expected rolls from every state, and an upper bound if one was
    /// proved.
    fn expected(&self) -> (Vec<u128>, Option<Vec<u128>>) {
        let states = self.explored.states().len();
        let mut low = vec![0; states];
        let mut steady = false;
        for _ in 0..self.sweeps() {
            budget::spend(20 * self.explored.transitions() as u64);
            let mut change = 0;
            for state in (0..states).rev() {
                let now = self.iterate_expected_rolls(state as u32, &low, false);
                change = change.max(now - low[state]);
                low[state] = now;
            }
            steady = change >> (ROLL_BITS - STEADY_BITS) == 0;
            if steady || low.iter().any(|rolls| rolls >> (2 * ROLL_BITS - 1) != 0) {
                break;
            }
        }
        let mut high: Vec<u128> = low
            .iter()
            .map(|rolls| rolls + (rolls >> MARGIN_BITS) + 1)
            .collect();
        let holds =
            |state: usize| self.iterate_expected_rolls(state as u32, &high, true) <= high[state];
        if !(steady && (0..states).all(holds)) {
            return (low, None);
        }
        for _ in 0..4 {
            for state in (0..states).rev() {
                high[state] = self.iterate_expected_rolls(state as u32, &high, true);
            }
        }
        (low, Some(high))
    }

    /// Returns whether the number of rolls is bounded, that is, whether no rolls lead from a state
    /// back to itself.
    fn is_bounded(&self) -> bool {
        let states = 0..self.explored.states().len() as u32;
        let mut before = vec![0u32; states.len()];
        let later = |state: u32| {
            self.explored
                .next_targets(state)
                .iter()
                .filter_map(|next| match next {
                    Next::State(next) => Some(*next),
                    Next::Outcome(_) => None,
                })
        };
        states
            .clone()
            .flat_map(later)
            .for_each(|next| before[next as usize] += 1);
        let mut open: Vec<u32> = states
            .filter(|state| before[*state as usize] == 0)
            .collect();
        let mut done = 0;
        while let Some(state) = open.pop() {
            done += 1;
            for next in later(state) {
                before[next as usize] -= 1;
                if before[next as usize] == 0 {
                    open.push(next);
                }
            }
        }
        done == before.len()
    }
}

/// Returns bounds of the law of a chain. The undecided probability is at most 2^-bits (`bits` at
/// most 64) if the sweeps suffice. Returns `None` for a loaded source whose weights have a sum of
/// 2^31 or more.
pub fn enclose_chain(
    explored: &ExploredChain,
    weights: Option<&[BigUint]>,
    bits: u64,
) -> Option<LawBounds> {
    let weights: Option<Vec<u64>> = match weights {
        Some(weights) => Some(weights.iter().map(|w| w.to_u64()).collect::<Option<_>>()?),
        None => None,
    };
    let sum = weights
        .iter()
        .flatten()
        .try_fold(0, |sum: u64, w| sum.checked_add(*w))?;
    if sum >> 31 != 0 {
        return None;
    }
    let chain = WeightedChain { explored, weights };
    let arrived = chain.outcome_probabilities(bits);
    let all = BigInt::from(1u128 << MASS_BITS);
    let share = |mass: u128| Rational::new(mass.into(), all.clone());
    let (low, high) = chain.expected();
    let rolls = |known: &[u128]| match explored.first() {
        Next::State(state) => {
            Rational::new(known[state as usize].into(), (1u64 << ROLL_BITS).into())
        }
        Next::Outcome(_) => Rational::default(),
    };
    let undecided = (1 << MASS_BITS) - arrived.iter().sum::<u128>();
    let outcomes = explored.outcomes().iter().cloned();
    Some(LawBounds {
        outcomes: outcomes.zip(arrived.into_iter().map(share)).collect(),
        undecided: share(undecided),
        rolls_at_least: rolls(&low),
        rolls_at_most: high.map(|high| rolls(&high)),
        states: explored.states().len(),
        transitions: Some(explored.transitions()),
        bounded: chain.is_bounded(),
    })
}
