//! The order of faces and outcomes in which the interval algorithm costs the least.
//!
//! A roll keeps a part of [0, 1) in the order of the faces, and the cuts lie in the order of the
//! outcomes: the cost depends on both. Equal weights are exchangeable, and both orders turned round
//! are the mirror image of [0, 1), which costs the same. So of m! n! orders
//!
//! ```text
//! (m! / prod of the multiplicities of a_j!) (n! / prod of the multiplicities of w_i!)
//! ```
//!
//! are different, and of a pair of mirror images one is enough.

use flipcost::algorithms::find;
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::{BigUint, Enclosure};
use std::collections::BTreeMap;

/// So many orders are compared at most.
pub const MOST_ORDERS: u64 = 5040;

/// Means that are no fractions are compared to so many bits.
const BITS: u64 = 64;

/// The cheapest order.
#[derive(Debug)]
#[non_exhaustive]
pub struct IntervalOrder {
    /// The task with its weights in that order.
    pub task: Task,
    /// The faces of the source (from 0) in that order; empty if they are equally likely.
    pub faces: Vec<usize>,
    /// The outcomes of the target (from 0) in that order; empty if they are equally likely.
    pub outcomes: Vec<usize>,
    /// How many orders were compared.
    pub orders: u64,
    /// Does every other order cost as much or more? Else another may cost less by 2^-63.
    pub proved: bool,
}

/// The cheapest of all orders, the first in lexicographic order of the weights where several cost the
/// same. Cost: the law of the interval algorithm for each order.
///
/// ```
/// use flipcost::task::{Source, Target, Task};
/// use flipcost_one_draw::cheapest_order;
/// let task = Task::new(Source::loaded([1u8, 2])?, Target::weighted([1u8, 2])?);
/// let best = cheapest_order(&task).unwrap();
/// assert_eq!((best.orders, best.proved), (2, true)); // and their mirror images
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refusal::Rule`] if there are more than [`MOST_ORDERS`], and what the algorithm refuses.
pub fn cheapest_order(task: &Task) -> Result<IntervalOrder, Refusal> {
    let (faces, outcomes) = (task.source().weights(), task.target().weights());
    let (faces, outcomes) = (faces.unwrap_or_default(), outcomes.unwrap_or_default());
    if different_orders(task) > MOST_ORDERS {
        return Err(Refusal::Rule(format!(
            "more than {MOST_ORDERS} orders of its faces and outcomes are different, the most that are compared"
        )));
    }
    let interval = find("interval").expect("it is in the registry");
    let mut best: Option<(Real, Enclosure, IntervalOrder)> = None;
    let (mut orders, mut proved) = (0, true);
    for faces_now in arrangements(faces) {
        for outcomes_now in arrangements(outcomes) {
            spend(1000);
            let placed = |weights: &[BigUint], order: &[usize]| -> Vec<BigUint> {
                order.iter().map(|i| weights[*i].clone()).collect()
            };
            let now = [placed(faces, &faces_now), placed(outcomes, &outcomes_now)];
            let mirror = now
                .clone()
                .map(|weights| weights.into_iter().rev().collect());
            if mirror < now {
                continue;
            }
            let [source, target] = now;
            let source = if source.is_empty() {
                task.source().clone()
            } else {
                Source::loaded(source).expect("the same weights")
            };
            let target = if target.is_empty() {
                task.target().clone()
            } else {
                Target::weighted(target).expect("the same weights")
            };
            let task = Task::new(source, target);
            let law = interval.prepare(&task)?.law();
            let mean = law
                .map_err(|error| Refusal::Rule(error.to_string()))?
                .mean_real();
            let near = mean.enclose(BITS);
            orders += 1;
            let better = match &best {
                None => true,
                Some((known, of_known, _)) => match (mean.exact(), known.exact()) {
                    (Some(mean), Some(known)) => mean < known,
                    _ => {
                        let apart = near.low() >= of_known.high() || near.high() < of_known.low();
                        proved &= apart;
                        near.high() < of_known.low()
                    }
                },
            };
            if better {
                let order = IntervalOrder {
                    task,
                    faces: faces_now.clone(),
                    outcomes: outcomes_now,
                    orders: 0,
                    proved: false,
                };
                best = Some((mean, near, order));
            }
        }
    }
    let (_, _, order) = best.expect("one order at least");
    Ok(IntervalOrder {
        orders,
        proved,
        ..order
    })
}

/// The number of different orders, mirror images counted too, or one above [`MOST_ORDERS`]. Cost: a
/// look at each weight.
pub fn different_orders(task: &Task) -> u64 {
    let all = [task.source().weights(), task.target().weights()];
    let counts = all.map(|weights| count(weights.unwrap_or_default()));
    counts[0].saturating_mul(counts[1])
}

/// Of the orders of some weights.
fn count(weights: &[BigUint]) -> u64 {
    let mut known: BTreeMap<&BigUint, u64> = BTreeMap::new();
    let mut orders = 1u64;
    for (before, weight) in (0u64..).zip(weights) {
        let same = known.entry(weight).or_default();
        *same += 1;
        // a multinomial coefficient at each step, which never falls
        orders = orders * (before + 1) / *same;
        if orders > MOST_ORDERS {
            break;
        }
    }
    orders
}

/// Every order of weights that differs from the others, as places of the weights.
fn arrangements(weights: &[BigUint]) -> Vec<Vec<usize>> {
    let mut first: Vec<usize> = (0..weights.len()).collect();
    first.sort_by_key(|i| &weights[*i]);
    let mut all = vec![first];
    // the next in lexicographic order (Knuth, TAOCP 7.2.1.2, algorithm L); equal weights keep theirs
    loop {
        let mut next = all[all.len() - 1].clone();
        let ascent = next
            .windows(2)
            .rposition(|two| weights[two[0]] < weights[two[1]]);
        let Some(at) = ascent else {
            return all;
        };
        let larger = next.iter().rposition(|i| weights[*i] > weights[next[at]]);
        next.swap(at, larger.expect("the one after it is"));
        next[at + 1..].reverse();
        all.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;
    use std::collections::BTreeSet;

    fn task(source: &[u64], target: &[u64]) -> Task {
        let source = Source::loaded(source.to_vec()).unwrap();
        Task::new(source, Target::weighted(target.to_vec()).unwrap())
    }

    #[test]
    fn every_different_order_is_there_once() {
        for weights in [
            &[][..],
            &[1],
            &[1, 2],
            &[2, 1, 2],
            &[3, 1, 2, 1],
            &[1, 1, 1, 2, 2],
        ] {
            let weights: Vec<BigUint> = weights.iter().map(|w| BigUint::from(*w as u8)).collect();
            let all = arrangements(&weights);
            assert_eq!(all.len() as u64, count(&weights));
            let placed = all
                .iter()
                .map(|order| order.iter().map(|i| &weights[*i]).collect());
            let different: BTreeSet<Vec<&BigUint>> = placed.collect();
            assert_eq!(different.len(), all.len());
            for mut order in all {
                order.sort_unstable();
                assert!(order.into_iter().eq(0..weights.len()));
            }
        }
        let many: Vec<BigUint> = (1u8..=20).map(BigUint::from).collect();
        assert!(count(&many) > MOST_ORDERS);
    }

    /// By all orders, mirror images too. From a coin 1:2 the outcomes 1:2 are the faces themselves in one
    /// order, E = 1; in the other the cut 2/3 lies in the face of 2/3, 1/3 < 2/3 < 1, and never ends.
    #[test]
    fn no_order_costs_less() {
        for (source, target) in [
            (&[1u64, 2][..], &[2u64, 1][..]),
            (&[1, 2], &[1, 2, 4]),
            (&[2, 3], &[1, 1, 1]),
            (&[1, 2], &[3, 1, 1, 2]),
        ] {
            let task = task(source, target);
            let best = cheapest_order(&task).unwrap();
            let mean = |task: &Task| find("interval").unwrap().law(task).unwrap().mean_real();
            let least = mean(&best.task);
            let weights = task.source().weights().unwrap();
            let target: Vec<BigUint> = task.target().iter().map(|(_, weight)| weight).collect();
            let of = |weights: &[BigUint], order: &[usize]| -> Vec<BigUint> {
                order.iter().map(|i| weights[*i].clone()).collect()
            };
            let mut means: Vec<Real> = Vec::new();
            for faces in arrangements(weights) {
                for outcomes in arrangements(&target) {
                    let source = Source::loaded(of(weights, &faces)).unwrap();
                    let target = Target::weighted(of(&target, &outcomes)).unwrap();
                    means.push(mean(&Task::new(source, target)));
                }
            }
            assert!(
                means
                    .iter()
                    .all(|mean| mean.compare(&least) != Ok(Ordering::Less))
            );
            assert!(2 * best.orders >= means.len() as u64);
        }
        let same = cheapest_order(&task(&[1, 2], &[2, 1])).unwrap();
        assert_eq!(same.task.to_string(), task(&[1, 2], &[1, 2]).to_string());
        assert_eq!((same.faces, same.outcomes), (vec![0, 1], vec![1, 0]));
    }
}
