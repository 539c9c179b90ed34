//! The joint law of the outcomes of a batch, which shows whether they are fair and independent of
//! each other.

use flipcost::algorithms::{Uniform, UniformAction};
use flipcost::law::{Chain, Step, TooLarge};
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::collections::BTreeMap;

/// Returns the exact probability of every sequence of outcomes (counted from 0) of a batch that
/// keeps its state.
///
/// # Errors
/// [`TooLarge`] if the absorbing chain has more than `limit` transitions.
///
/// # Panics
/// If the source or a target has no sides.
///
/// ```
/// let law = flipcost_streams::joint::joint(6, &[4, 13], 10_000).unwrap();
/// assert_eq!(law.len(), 52);
/// assert!(law.values().all(|p| p.to_string() == "1/52"));
/// ```
pub fn joint(
    source: u64,
    targets: &[u64],
    limit: usize,
) -> Result<BTreeMap<Vec<u64>, Rational>, TooLarge> {
    type Place = (usize, BigUint, Uniform);
    let sides: Vec<BigUint> = targets.iter().map(|&n| n.into()).collect();
    let settle = |(mut i, mut code, mut state): Place| {
        loop {
            let Some(n) = sides.get(i) else {
                return Step::Output(code);
            };
            match state.extract(n) {
                UniformAction::Expand(state) => return Step::Roll((i, code, state)),
                UniformAction::Reject(rest) => state = rest,
                UniformAction::Output(outcome, kept) => {
                    code = code * n + outcome;
                    i += 1;
                    state = kept;
                }
            }
        }
    };
    let start = settle((0, BigUint::zero(), Uniform::new()));
    let step =
        |(i, code, state): &Place, face| settle((*i, code.clone(), state.expand(source, face)));
    let (chain, _) = Chain::explore(start, limit, |_| source, step)?;
    let decode = |(mut code, p): (BigUint, Rational)| {
        let digit = |n: &BigUint| {
            let (rest, digit) = code.div_rem(n);
            code = rest;
            digit.to_u64().expect("below n")
        };
        let mut outcomes: Vec<u64> = sides.iter().rev().map(digit).collect();
        outcomes.reverse();
        (outcomes, p)
    };
    Ok(chain.probabilities().into_iter().map(decode).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_a_batch_are_independent_and_fair() {
        for (m, list) in [
            (6u64, vec![4u64, 13]),
            (6, vec![13, 4]),
            (2, vec![3, 5, 3]),
            (20, vec![2, 1, 3, 7]),
        ] {
            let all = joint(m, &list, 1_000_000).unwrap();
            let count: u64 = list.iter().product();
            assert_eq!(all.len() as u64, count);
            let fair = Rational::new(1.into(), count.into());
            assert!(all.values().all(|p| *p == fair), "{m} {list:?}");
        }
    }
}
