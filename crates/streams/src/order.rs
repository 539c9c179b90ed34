//! Finds the order of the targets of a batch with the least cost, if the state is kept.

use super::batch::keep;
use super::dice::{all_sides, sides, targets as dice_targets};
use flipcost::task::{Refusal, Source, Target};
use flipcost_number::BigUint;
use flipcost_number::Real;
use flipcost_number::collect::ordered;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The order of the targets of a batch with the least cost, if the state is kept.
///
/// ```
/// use flipcost::task::{Source, Target};
/// let [d4, d13] = [Target::uniform(4)?, Target::uniform(13)?];
/// let best = flipcost_streams::best_order(&Source::die(6)?, &[d4.clone(), d13.clone()])?;
/// assert_eq!(best.targets, [d13, d4]);
/// assert!(best.exhaustive && best.proved);
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct BestOrder {
    /// The targets in that order.
    pub targets: Vec<Target>,
    /// The cost of that order.
    pub cost: Real,
    /// Whether all orders were compared. (If not, moving one target to another place is never
    /// better.)
    pub exhaustive: bool,
    /// Whether it is proved that no order is better: all orders whose costs are equal as doubles
    /// were then compared exactly. If all orders were compared but this is `false`, too many costs
    /// were close to each other, and no order is better by a relative difference of more than 1e-9
    /// (with a coin, often all orders cost the same).
    pub proved: bool,
}

/// For batches of up to this many targets, all orders are compared.
pub const MAX_EXHAUSTIVE: usize = 8;

/// Two doubles count as equal if they differ by at most this factor; sums of positive terms are
/// accurate to 1e-12.
const EQUALITY_FACTOR: f64 = 1.0 + 1e-9;

/// Returns the best order of a batch for `keep`, the first way of [`batch`](super::batch).
///
/// For up to eight targets, all orders are compared in doubles by branch and bound (the rest of an
/// order costs at least its entropy minus that of the state), and orders within 1e-9 of the best
/// are then compared exactly. For more targets, or targets above 2^64, the search begins with
/// decreasing order and moves single targets as long as this reduces the cost.
///
/// Cost: at most k! orders of k <= 8 targets, each a sum over its states; for more targets, k^2
/// orders for every move.
///
/// # Errors
/// If the source or a target is not fair, or the source has more than 2^64 sides.
pub fn best_order(source: &Source, targets: &[Target]) -> Result<BestOrder, Refusal> {
    let (source, mut sorted) = (sides(source)?, all_sides(targets)?);
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let words: Option<Vec<u64>> = sorted.iter().map(ToPrimitive::to_u64).collect();
    let cost = |targets: &[BigUint]| keep(source, 1, targets).cost;
    let Some(words) = words else {
        return Ok(BestOrder {
            cost: cost(&sorted),
            targets: dice_targets(&sorted),
            exhaustive: false,
            proved: false,
        });
    };
    let big = |words: &[u64]| words.iter().map(|&n| n.into()).collect::<Vec<BigUint>>();
    let first = locally_best(source, words);
    if first.len() > MAX_EXHAUSTIVE {
        let targets = big(&first);
        return Ok(BestOrder {
            cost: cost(&targets),
            targets: dice_targets(&targets),
            exhaustive: false,
            proved: false,
        });
    }
    let mut search = OrderSearch {
        source,
        best: cost_in_doubles(source, &first),
        found: Vec::new(),
    };
    let mut left = first.clone();
    left.sort_unstable_by(|a, b| b.cmp(a));
    search.extend(&mut Vec::new(), &left, &ordered([(1, 1.0)]), 0.0);
    let near = search.best * EQUALITY_FACTOR;
    let mut found = search.found;
    found.retain(|(cost, _)| *cost <= near);
    let proved = found.len() <= MAX_TIED_ORDERS;
    let mut best: Option<(Real, Vec<BigUint>)> = None;
    let mut decided = true;
    for (_, order) in found.into_iter().take(MAX_TIED_ORDERS) {
        let order = big(&order);
        let new = cost(&order);
        let better = match &best {
            None => true,
            Some((old, _)) => match new.compare(old) {
                Ok(order) => order == Ordering::Less,
                Err(_) => {
                    decided = false;
                    false
                }
            },
        };
        if better {
            best = Some((new, order));
        }
    }
    let (cost, targets) = best.unwrap_or_else(|| (cost(&[]), Vec::new()));
    Ok(BestOrder {
        targets: dice_targets(&targets),
        cost,
        exhaustive: true,
        proved: proved && decided,
    })
}

/// The maximum number of orders of about the same cost that are compared exactly.
const MAX_TIED_ORDERS: usize = 64;

/// The probability of every state v.
pub(super) type Spread = BTreeMap<u128, f64>;

/// Computes, in doubles, the effect of one outcome of a batch: the expected rolls, and the
/// probabilities of the states that are kept.
pub(super) fn advance(m: u128, n: u64, entries: &Spread) -> (f64, Spread) {
    // v < n <= 2^64 before a roll, and m <= 2^64
    let n = u128::from(n);
    let (mut spent, mut exits, mut now) = (0.0, Spread::new(), entries.clone());
    while !now.is_empty() {
        let mut next = Spread::new();
        for (mut v, mass) in now {
            while v < n {
                v *= m;
                spent += mass;
            }
            let rest = v % n;
            let back = mass * (rest as f64 / v as f64);
            if back > 1e-17 {
                *next.entry(rest).or_insert(0.0) += back;
            }
            *exits.entry(v / n).or_insert(0.0) += mass - back;
        }
        now = next;
    }
    (spent, exits)
}

fn cost_in_doubles(m: u128, order: &[u64]) -> f64 {
    let mut state = ordered([(1, 1.0)]);
    let mut cost = 0.0;
    for &n in order {
        let (spent, next) = advance(m, n, &state);
        cost += spent;
        state = next;
    }
    cost
}

struct OrderSearch {
    source: u128,
    best: f64,
    found: Vec<(f64, Vec<u64>)>,
}

impl OrderSearch {
    /// Tries every order that starts with `chosen` and continues with the targets in `left`, which
    /// are decreasing.
    fn extend(&mut self, chosen: &mut Vec<u64>, left: &[u64], state: &Spread, cost: f64) {
        if left.is_empty() {
            self.best = self.best.min(cost);
            self.found.push((cost, chosen.clone()));
            return;
        }
        let log = |x: f64| x.ln() / (self.source as f64).ln();
        let entropy: f64 = left.iter().map(|&n| log(n as f64)).sum();
        let stored: f64 = state.iter().map(|(&v, p)| p * log(v as f64)).sum();
        if cost + entropy - stored > self.best * EQUALITY_FACTOR + 1e-9 {
            return;
        }
        for i in 0..left.len() {
            if i > 0 && left[i] == left[i - 1] {
                continue;
            }
            let mut rest = left.to_vec();
            let n = rest.remove(i);
            let (spent, next) = advance(self.source, n, state);
            chosen.push(n);
            self.extend(chosen, &rest, &next, cost + spent);
            chosen.pop();
        }
    }
}

/// Improves an order until moving one target to another place is never better (in doubles).
fn locally_best(m: u128, mut order: Vec<u64>) -> Vec<u64> {
    let mut best = cost_in_doubles(m, &order);
    loop {
        let mut better = None;
        for i in 0..order.len() {
            for j in (0..order.len()).filter(|&j| j != i) {
                let mut moved = order.clone();
                let n = moved.remove(i);
                moved.insert(j, n);
                let cost = cost_in_doubles(m, &moved);
                if cost * EQUALITY_FACTOR < best {
                    best = cost;
                    better = Some(moved);
                }
            }
        }
        match better {
            Some(moved) => order = moved,
            None => return order,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::die;
    use flipcost_number::Rational;

    fn targets(list: &[u64]) -> Vec<BigUint> {
        list.iter().map(|&n| n.into()).collect()
    }

    #[test]
    fn a_d13_before_a_d4() {
        let best = best_order(&die(6), &dice_targets(&targets(&[4, 13]))).unwrap();
        let cost: Rational = "20100730738/6530347005".parse().unwrap();
        assert_eq!(best.targets, dice_targets(&targets(&[13, 4])));
        assert_eq!(best.cost.exact(), Some(&cost));
        assert!(best.exhaustive && best.proved);
    }

    /// Compares all orders exactly.
    #[test]
    fn the_best_order_is_the_best() {
        let list = [3u64, 4, 10, 13];
        for m in [2, 6] {
            let best = best_order(&die(m), &dice_targets(&targets(&list))).unwrap();
            let mut orders = vec![vec![]];
            for n in list {
                orders = orders
                    .into_iter()
                    .flat_map(|order: Vec<u64>| {
                        (0..=order.len()).map(move |i| {
                            let mut longer = order.clone();
                            longer.insert(i, n);
                            longer
                        })
                    })
                    .collect();
            }
            assert_eq!(orders.len(), 24);
            let least = orders
                .iter()
                .map(|order| keep(m, 1, &targets(order)).cost.exact().unwrap().clone())
                .min();
            assert_eq!(best.cost.exact(), least.as_ref());
        }
        assert_eq!(best_order(&die(6), &dice_targets(&[])).unwrap().targets, []);
    }

    /// The state is below n m <= 2^128 for the widest source and target. The least cost of an order
    /// is at least the entropy, and at most the cost of making the outcomes separately.
    #[test]
    fn words_of_64_bits() {
        let list = targets(&[u64::MAX, u64::MAX - 58, 3]);
        let best = best_order(&die(1u128 << 64), &dice_targets(&list)).unwrap();
        let costs = crate::batch(&die(1u128 << 64), &dice_targets(&list)).unwrap();
        assert!(best.exhaustive);
        assert_eq!(best.cost.compare(&costs.bound.cost), Ok(Ordering::Greater));
        assert_eq!(best.cost.compare(&costs.separate.cost), Ok(Ordering::Less));
    }
}
