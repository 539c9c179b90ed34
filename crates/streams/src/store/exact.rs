//! Computes the exact values of policies, and the best policy: improves moves until the certificate
//! holds.
//!
//! Choose a small size, *home* (and the target that is next there). Between two visits of home, a
//! policy takes some expected number of rolls and gives some expected number of outcomes; their
//! ratio is its cost lambda. The relative values of the policy are
//!
//! ```text
//! h(q) = expected rolls until home - lambda expected outcomes until home
//! ```
//!
//! for every size q. A policy may have several closed classes. Home is in the class that is reached
//! from the first size, 1. From any other class a path to home is opened, by changing the move
//! whose change costs least.

use super::certificate::{StoreCertificate, holds};
use super::policy::{Move, Policy, PolicyTestResults, Root};
use super::search::{self, Proposal};
use crate::cycles::{Graph, Visit, costs_until};
use flipcost_number::{BigInt, Rational};
use num_integer::Integer;
use num_traits::Zero;

/// The maximum number of rounds of exact improvement. Usually one is enough, since the proposal was
/// already improved in doubles.
const MAX_ROUNDS: usize = 20;

/// The exact cost of a policy that returns home from every size, and its relative values,
/// multiplied by their common denominator.
struct ExactSolution {
    cost: Rational,
    /// G(v) times `unit`, from v = 0, for each place in the order.
    values: search::Values<BigInt>,
    unit: BigInt,
}

/// Returns a best policy with its certificate; `None` if `go_on` stopped the search, or if the
/// proposal cannot be repaired.
pub fn best(
    proposal: Proposal,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Policy, Rational, StoreCertificate)> {
    let Proposal {
        mut policy,
        values: near,
        cost,
    } = proposal;
    for _ in 0..MAX_ROUNDS {
        let home = open_closed_classes(&mut policy, &near, cost)?;
        if !go_on() {
            return None;
        }
        let exact = evaluate_policy(&policy, home);
        if !go_on() {
            return None;
        }
        if improve_policy(&mut policy, &exact) {
            continue;
        }
        let certificate = StoreCertificate {
            source: policy.source,
            targets: policy.targets.clone(),
            cost: exact.cost.clone(),
            values: exact.values.clone(),
            unit: exact.unit.clone(),
        };
        if !holds(&certificate) {
            return None;
        }
        prefer_filling(&mut policy, &exact);
        return Some((policy, exact.cost, certificate));
    }
    None
}

/// All roots of a policy as one list: the roots of the first target in ascending order, then those
/// of the next target, and so on.
#[derive(Clone, Copy)]
struct PolicyRoots {
    sizes: u64,
    places: usize,
}

impl PolicyRoots {
    fn from_policy(policy: &Policy) -> PolicyRoots {
        PolicyRoots {
            sizes: policy.last_root(),
            places: policy.places(),
        }
    }

    fn index(self, root: Root) -> usize {
        root.place * self.sizes as usize + root.size as usize - 1
    }

    fn all(self) -> impl Iterator<Item = Root> {
        let sizes = move |place| (1..=self.sizes).map(move |size| Root { place, size });
        (0..self.places).flat_map(sizes)
    }
}

/// The edges from each root to the roots that can follow it after one test.
fn root_graph(policy: &Policy, results: &PolicyTestResults) -> Graph {
    let roots = PolicyRoots::from_policy(policy);
    let ahead = |root: Root| {
        let (top, _) = policy.rolled(root.size);
        let ends = results.get(root.place, top).ends.keys();
        ends.map(|end| roots.index(*end)).collect()
    };
    Graph::new(roots.all().map(ahead).collect())
}

/// Returns the index of home, the first root of a closed class that is reached from size 1. Changes
/// moves of other classes, those for which this costs least by the values in doubles, so that home
/// is reached from every root.
fn open_closed_classes(
    policy: &mut Policy,
    near: &search::Values<f64>,
    cost: f64,
) -> Option<usize> {
    let roots = PolicyRoots::from_policy(policy);
    let mut home = None;
    for _ in 0..policy.tests().count() + 1 {
        let results = policy.test_results();
        let graph = root_graph(policy, &results);
        // Take the first root of the class, so that the choice depends only on the policy.
        let at = *home.get_or_insert_with(|| {
            let there = graph.reached(graph.recurrent(0));
            there.iter().position(|there| *there).unwrap_or(0)
        });
        let comes = graph.leading(at);
        if comes.iter().all(|comes| *comes) {
            return Some(at);
        }
        // Returns the share of the values of size v from which home is reached.
        let part = |place: usize, v: u64| -> f64 {
            let comes = |root: Root| comes[roots.index(root)];
            let all = if v <= roots.sizes {
                f64::from(u8::from(comes(Root { place, size: v }))) * v as f64
            } else {
                let home = results
                    .get(place, v)
                    .ends
                    .iter()
                    .filter(|(end, _)| comes(**end));
                home.map(|(end, count)| (end.size * count) as f64).sum()
            };
            all / v as f64
        };
        let mut least: Option<(f64, (usize, u64), Move)> = None;
        for (place, v) in policy.tests() {
            if part(place, v) > 0.0 {
                continue;
            }
            let of = &near[place];
            let own = of[v as usize];
            let mut consider = |home: f64, value: f64, found: Move| {
                if home > 0.0 {
                    let loss = (value - own) / (home * v as f64);
                    if least.is_none_or(|(known, _, _)| loss < known) {
                        least = Some((loss, (place, v), found));
                    }
                }
            };
            for k in v.div_ceil(2)..v {
                let home = part(place, k) * k as f64 + part(place, v - k) * (v - k) as f64;
                let value = of[k as usize] + of[(v - k) as usize];
                consider(home / v as f64, value, Move::Split(k));
            }
            let n = policy.targets[place];
            if v.is_multiple_of(n) {
                let (q, next) = (v / n, policy.next(place));
                let value = n as f64 * near[next][q as usize] - cost * v as f64;
                consider(part(next, q), value, Move::Output);
            }
        }
        let (_, (place, v), found) = least?;
        policy.set(place, v, found);
    }
    None
}

/// Computes the values of a policy between two visits of the root with the index `home`.
fn evaluate_policy(policy: &Policy, home: usize) -> ExactSolution {
    let roots = PolicyRoots::from_policy(policy);
    let results = policy.test_results();
    let ratio = |p: u64, q: u64| Rational::new(p.into(), q.into());
    let visit = |root: Root| {
        let (top, taken) = policy.rolled(root.size);
        let result = results.get(root.place, top);
        let ends = result.ends.iter();
        Visit {
            next: ends
                .map(|(end, count)| (roots.index(*end), ratio(end.size * count, top)))
                .collect(),
            rolls: ratio(taken, 1),
            outcomes: ratio(result.outputs, top),
        }
    };
    let [rolls, outputs] = costs_until(home, roots.all().map(visit).collect());
    let cost = &rolls[home] / &outputs[home];
    let h: Vec<Rational> = (rolls.iter().zip(&outputs))
        .map(|(rolls, outputs)| rolls - &cost * outputs)
        .collect();
    let unit = h
        .iter()
        .fold(cost.denom().clone(), |all, h| all.lcm(h.denom()));
    let mut values = vec![vec![BigInt::zero(); policy.largest() as usize + 1]; policy.places()];
    for (root, h) in roots.all().zip(&h) {
        let scaled = h.numer() * (&unit / h.denom());
        values[root.place][root.size as usize] = scaled * root.size;
    }
    let lambda = cost.numer() * (&unit / cost.denom());
    for (place, v) in policy.tests() {
        values[place][v as usize] =
            value_after_move(policy, &values, place, v, policy.move_at(place, v), &lambda);
    }
    ExactSolution { cost, values, unit }
}

/// Returns the value of a move at v that is not a roll: for a split G(k) + G(v - k), for an outcome
/// n G(v / n) - lambda v, with the G of the next target.
fn value_after_move(
    policy: &Policy,
    values: &search::Values<BigInt>,
    place: usize,
    v: u64,
    taken: Move,
    lambda: &BigInt,
) -> BigInt {
    match taken {
        Move::Split(k) => &values[place][k as usize] + &values[place][(v - k) as usize],
        _ => {
            let n = policy.targets[place];
            &values[policy.next(place)][(v / n) as usize] * n - lambda * v
        }
    }
}

/// Replaces moves by better moves, compared exactly; returns whether there were any.
fn improve_policy(policy: &mut Policy, exact: &ExactSolution) -> bool {
    let ExactSolution { cost, values, unit } = exact;
    let lambda = cost.numer() * (unit / cost.denom());
    let mut better = false;
    for (place, v) in policy.tests() {
        let value = |taken: Move| value_after_move(policy, values, place, v, taken, &lambda);
        let mut best = values[place][v as usize].clone();
        let mut found = None;
        if v.is_multiple_of(policy.targets[place]) {
            let value = value(Move::Output);
            if value < best {
                (best, found) = (value, Some(Move::Output));
            }
        }
        for k in v.div_ceil(2)..v {
            let value = value(Move::Split(k));
            if value < best {
                (best, found) = (value, Some(Move::Split(k)));
            }
        }
        if let Some(found) = found {
            policy.set(place, v, found);
            better = true;
        }
    }
    better
}

/// Among equally good moves, chooses those of "fill, then extract". Every policy of such moves
/// costs lambda, because the expectation of its rolls minus lambda times its outcomes stays
/// bounded.
fn prefer_filling(policy: &mut Policy, exact: &ExactSolution) {
    let ExactSolution { cost, values, unit } = exact;
    let lambda = cost.numer() * (unit / cost.denom());
    let filling = Policy::fill(policy.source, &policy.targets, policy.largest());
    for (place, v) in policy.tests() {
        let taken = filling.move_at(place, v);
        if value_after_move(policy, values, place, v, taken, &lambda) == values[place][v as usize] {
            policy.set(place, v, taken);
        }
    }
}
