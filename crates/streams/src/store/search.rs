//! Searches for the best policy in doubles: it proposes a policy, and `certificate` proves it.
//!
//! Given the values of the small sizes, one sweep over increasing sizes finds the best moves
//! between rolls, since splits and outcomes lead to smaller sizes. A sweep costs O(S^2). Then the
//! values of that policy are computed again, and so on until no move is better.

use super::policy::{Move, Policy};

/// The maximum number of rounds of improvement.
const MAX_ROUNDS: usize = 200;
/// The maximum number of steps of one evaluation.
const MAX_STEPS: usize = 4000;
/// A move counts as better if it improves G(v) / v by at least this.
const MIN_IMPROVEMENT: f64 = 1e-11;

/// A number for every place in the order and every size from 0.
pub type Values<T> = Vec<Vec<T>>;

/// A policy, its cost and the relative values G(v) = v h(v).
pub struct Proposal {
    pub policy: Policy,
    pub cost: f64,
    pub values: Values<f64>,
}

/// Finds the best policy, up to the precision of doubles.
pub fn search(first: Policy, go_on: &mut dyn FnMut() -> bool) -> Option<Proposal> {
    let mut policy = first;
    let none = vec![vec![0.0; policy.largest() as usize + 1]; policy.places()];
    let (mut rolls, mut outputs) = (none.clone(), none);
    for _ in 0..MAX_ROUNDS {
        let cost = evaluate_policy(&policy, &mut rolls, &mut outputs);
        let relative = |(rolls, outputs): (&Vec<f64>, &Vec<f64>)| {
            let both = rolls.iter().zip(outputs);
            both.map(|(rolls, outputs)| rolls - cost * outputs)
                .collect()
        };
        let mut values: Values<f64> = rolls.iter().zip(&outputs).map(relative).collect();
        if !go_on() {
            return None;
        }
        if !improve_policy(&mut policy, cost, &mut values) {
            return Some(Proposal {
                policy,
                cost,
                values,
            });
        }
    }
    None
}

/// Adds up expected rolls and outcomes, step by step, until their increments are the same for all
/// sizes; returns the rolls per outcome. At every step half of the weight stays in place, so that
/// periodic chains converge as well.
fn evaluate_policy(policy: &Policy, rolls: &mut Values<f64>, outputs: &mut Values<f64>) -> f64 {
    let roots = policy.last_root() as usize;
    let top: Vec<(usize, f64)> = (0..=roots)
        .map(|q| match q {
            0 => (0, 0.0),
            q => {
                let (top, rolls) = policy.rolled(q as u64);
                (top as usize, rolls as f64)
            }
        })
        .collect();
    let mut gains = (0.0, 1.0);
    for _ in 0..MAX_STEPS {
        propagate_values(policy, rolls, 0.0);
        propagate_values(policy, outputs, 1.0);
        let mut most = 0.0f64;
        let mut next = |values: &mut Values<f64>, own: f64| {
            let mut least = f64::INFINITY;
            let mut greatest = f64::NEG_INFINITY;
            let mut first = 0.0;
            for of in values.iter_mut().rev() {
                for q in (1..=roots).rev() {
                    let (top, rolls) = top[q];
                    let value = own * rolls + of[top] / top as f64;
                    let old = of[q] / q as f64;
                    let gain = value - old;
                    (least, greatest) = (least.min(gain), greatest.max(gain));
                    first = gain;
                    of[q] = q as f64 * (old + gain / 2.0);
                }
            }
            // Values are relative to the first, and the shift is linear in v so that the order of
            // moves is preserved.
            let shift = values[0][1];
            for of in values {
                for (q, value) in of.iter_mut().enumerate().take(roots + 1) {
                    *value -= shift * q as f64;
                }
            }
            most = most.max(greatest - least);
            first
        };
        gains = (next(rolls, 1.0), next(outputs, 0.0));
        if most < 1e-12 {
            break;
        }
    }
    propagate_values(policy, rolls, 0.0);
    propagate_values(policy, outputs, 1.0);
    gains.0 / gains.1
}

/// Computes the values of the large sizes from those of the small ones.
fn propagate_values(policy: &Policy, values: &mut Values<f64>, own: f64) {
    for (place, v) in policy.tests() {
        let value = match policy.move_at(place, v) {
            Move::Split(k) => values[place][k as usize] + values[place][(v - k) as usize],
            _ => value_after_output(policy, values, place, v) + own * v as f64,
        };
        values[place][v as usize] = value;
    }
}

/// The value after an outcome at v: n G(v / n), for the next target in the order.
fn value_after_output(policy: &Policy, values: &Values<f64>, place: usize, v: u64) -> f64 {
    let n = policy.targets[place];
    n as f64 * values[policy.next(place)][(v / n) as usize]
}

/// Replaces moves at the large sizes by better ones; returns whether there were any.
fn improve_policy(policy: &mut Policy, cost: f64, values: &mut Values<f64>) -> bool {
    let mut better = false;
    for (place, v) in policy.tests() {
        let of = &values[place];
        let given = || value_after_output(policy, values, place, v) - cost * v as f64;
        let own = match policy.move_at(place, v) {
            Move::Split(k) => of[k as usize] + of[(v - k) as usize],
            _ => given(),
        };
        let mut best = (own - MIN_IMPROVEMENT * v as f64, None);
        if v.is_multiple_of(policy.targets[place]) {
            let value = given();
            if value < best.0 {
                best = (value, Some(Move::Output));
            }
        }
        for k in v.div_ceil(2)..v {
            let value = of[k as usize] + of[(v - k) as usize];
            if value < best.0 {
                best = (value, Some(Move::Split(k)));
            }
        }
        values[place][v as usize] = match best {
            (value, Some(found)) => {
                policy.set(place, v, found);
                better = true;
                value
            }
            (_, None) => own,
        };
    }
    better
}
