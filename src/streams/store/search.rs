//! The search for the best policy, in doubles: it proposes, and `certificate` proves.
//!
//! Between rolls the best moves from given values of the small sizes are found by one sweep upward,
//! since splits and outcomes lead down: O(S^2). Then the values of that policy are computed anew, and
//! so on until no move is better.

use super::policy::{Move, Policy};

/// Rounds of improvement.
const ROUNDS: usize = 200;
/// Steps of one evaluation.
const STEPS: usize = 4000;
/// A move is better from here on, per value.
const BETTER: f64 = 1e-11;

/// A policy, its cost and the relative values G(v) = v h(v).
pub struct Proposal {
    pub policy: Policy,
    pub cost: f64,
    pub values: Vec<f64>,
}

/// The best policy as far as doubles tell.
pub fn search(first: Policy, go_on: &mut dyn FnMut() -> bool) -> Option<Proposal> {
    let mut policy = first;
    let size = policy.moves.len();
    let (mut rolls, mut outputs) = (vec![0.0; size + 1], vec![0.0; size + 1]);
    for _ in 0..ROUNDS {
        let cost = evaluate(&policy, &mut rolls, &mut outputs);
        let value = |(rolls, outputs): (&f64, &f64)| rolls - cost * outputs;
        let mut values: Vec<f64> = rolls.iter().zip(&outputs).map(value).collect();
        if !go_on() {
            return None;
        }
        if !improve(&mut policy, cost, &mut values) {
            return Some(Proposal {
                policy,
                cost,
                values,
            });
        }
    }
    None
}

/// Rolls and outcomes until the process is as if it had begun, up to a constant per value; the rolls
/// per outcome. Half of every step stands still, so that a periodic chain converges, too.
fn evaluate(policy: &Policy, rolls: &mut [f64], outputs: &mut [f64]) -> f64 {
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
    for _ in 0..STEPS {
        down(policy, rolls, 0.0);
        down(policy, outputs, 1.0);
        let mut most = 0.0f64;
        let mut next = |values: &mut [f64], own: f64| {
            let mut least = f64::INFINITY;
            let mut greatest = f64::NEG_INFINITY;
            let mut first = 0.0;
            for q in (1..=roots).rev() {
                let (top, rolls) = top[q];
                let value = own * rolls + values[top] / top as f64;
                let old = values[q] / q as f64;
                let gain = value - old;
                (least, greatest) = (least.min(gain), greatest.max(gain));
                first = gain;
                values[q] = q as f64 * (old + gain / 2.0);
            }
            // relative to the first, and linear in v so that moves keep their order
            let shift = values[1];
            for (q, value) in values.iter_mut().enumerate().take(roots + 1) {
                *value -= shift * q as f64;
            }
            most = most.max(greatest - least);
            first
        };
        gains = (next(rolls, 1.0), next(outputs, 0.0));
        if most < 1e-12 {
            break;
        }
    }
    down(policy, rolls, 0.0);
    down(policy, outputs, 1.0);
    gains.0 / gains.1
}

/// The values of the large sizes from those of the small ones.
fn down(policy: &Policy, values: &mut [f64], own: f64) {
    for v in policy.last_root() + 1..=policy.largest() {
        values[v as usize] = match policy.at(v) {
            Move::Split(k) => values[k as usize] + values[(v - k) as usize],
            _ => policy.target as f64 * values[(v / policy.target) as usize] + own * v as f64,
        };
    }
}

/// The better moves at the large sizes; was there any?
fn improve(policy: &mut Policy, cost: f64, values: &mut [f64]) -> bool {
    let mut better = false;
    for v in policy.last_root() + 1..=policy.largest() {
        let at = v as usize;
        let n = policy.target;
        let own = match policy.at(v) {
            Move::Split(k) => values[k as usize] + values[(v - k) as usize],
            _ => n as f64 * values[(v / n) as usize] - cost * v as f64,
        };
        let mut best = (own - BETTER * v as f64, None);
        if v.is_multiple_of(n) {
            let value = n as f64 * values[(v / n) as usize] - cost * v as f64;
            if value < best.0 {
                best = (value, Some(Move::Output));
            }
        }
        for k in v.div_ceil(2)..v {
            let value = values[k as usize] + values[(v - k) as usize];
            if value < best.0 {
                best = (value, Some(Move::Split(k)));
            }
        }
        values[at] = match best {
            (value, Some(found)) => {
                policy.moves[at - 1] = found;
                better = true;
                value
            }
            (_, None) => own,
        };
    }
    better
}
