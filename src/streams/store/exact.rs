//! The exact values of a policy, and of the best one: moves are improved until the certificate holds.
//!
//! Between two visits of one small size, *home*, a policy takes so many rolls and gives so many
//! outcomes in expectation; their ratio is its cost lambda, and
//!
//! ```text
//! h(q) = expected rolls until home - lambda expected outcomes until home
//! ```
//!
//! its relative values. A policy may have several closed classes. Home is in the one that the first
//! size, 1, leads to; a class that never comes home is opened at the move that costs least.

use super::certificate::{Certificate, holds};
use super::policy::{Fate, Move, Policy};
use super::search::Proposal;
use crate::law::chain::Fundamental;
use crate::number::{BigInt, Rational};
use num_integer::Integer;
use num_traits::Zero;
use std::collections::BTreeMap;

/// Rounds of exact improvement: doubles have done all but the last.
const ROUNDS: usize = 20;

/// The exact cost of a policy whose every size comes home, and its relative values times their
/// common denominator.
struct Values {
    cost: Rational,
    /// G(v) times `unit`, from v = 0.
    values: Vec<BigInt>,
    unit: BigInt,
}

/// A best policy with its certificate; `None` if `go_on` ended it, or the proposal cannot be mended.
pub fn best(
    proposal: Proposal,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Policy, Rational, Certificate)> {
    let Proposal {
        mut policy,
        values: near,
        cost,
    } = proposal;
    for _ in 0..ROUNDS {
        let home = open_closed_classes(&mut policy, &near, cost)?;
        if !go_on() {
            return None;
        }
        let exact = evaluate(&policy, home);
        if !go_on() {
            return None;
        }
        if improve(&mut policy, &exact) {
            continue;
        }
        let certificate = Certificate {
            source: policy.source,
            target: policy.target,
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

/// The sizes that a walk along `ahead` meets.
fn reach(from: usize, count: usize, ahead: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let (mut seen, mut open) = (vec![false; count], vec![from]);
    seen[from] = true;
    while let Some(at) = open.pop() {
        for to in ahead(at) {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    seen
}

/// The small sizes that each leads to at the next test: place q - 1 for q.
fn graph(policy: &Policy, fates: &[Fate]) -> Vec<Vec<usize>> {
    let roots = policy.last_root();
    (1..=roots)
        .map(|q| {
            let (top, _) = policy.rolled(q);
            let fate = &fates[(top - roots - 1) as usize];
            fate.ends.keys().map(|q| *q as usize - 1).collect()
        })
        .collect()
}

fn backward(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut back = vec![Vec::new(); graph.len()];
    for (from, ahead) in graph.iter().enumerate() {
        for to in ahead {
            back[*to].push(from);
        }
    }
    back
}

/// A size of the closed class that 1 leads to (the first found). Every size comes home after this:
/// moves of the other classes are changed where that costs least, by the values of doubles.
fn open_closed_classes(policy: &mut Policy, near: &[f64], cost: f64) -> Option<u64> {
    let roots = policy.last_root();
    let mut home = None;
    for _ in 0..policy.largest() {
        let fates = policy.fates();
        let graph = graph(policy, &fates);
        let back = backward(&graph);
        let count = graph.len();
        let mut at = match home {
            Some(home) => home,
            None => {
                // a size that leads back to everything that it leads to
                let mut at = 0;
                loop {
                    let there = reach(at, count, |at| graph[at].clone());
                    let again = reach(at, count, |at| back[at].clone());
                    match (0..count).find(|&q| there[q] && !again[q]) {
                        Some(further) => at = further,
                        None => break at,
                    }
                }
            }
        };
        // the smallest of its class, so that the choice is the policy's alone
        let there = reach(at, count, |at| graph[at].clone());
        if home.is_none() {
            at = (0..count).find(|&q| there[q]).unwrap_or(at);
            home = Some(at);
        }
        let comes = reach(at, count, |at| back[at].clone());
        if comes.iter().all(|comes| *comes) {
            return Some(at as u64 + 1);
        }
        // the part of a size's values that comes home
        let part = |v: u64| -> f64 {
            let all = match v <= roots {
                true => f64::from(u8::from(comes[v as usize - 1])) * v as f64,
                false => {
                    let fate = &fates[(v - roots - 1) as usize];
                    let home = fate.ends.iter().filter(|(q, _)| comes[**q as usize - 1]);
                    home.map(|(q, count)| (q * count) as f64).sum()
                }
            };
            all / v as f64
        };
        let mut least: Option<(f64, u64, Move)> = None;
        for v in roots + 1..=policy.largest() {
            if part(v) > 0.0 {
                continue;
            }
            let own = near[v as usize];
            let mut consider = |home: f64, value: f64, found: Move| {
                if home > 0.0 {
                    let loss = (value - own) / (home * v as f64);
                    if least.is_none_or(|(known, _, _)| loss < known) {
                        least = Some((loss, v, found));
                    }
                }
            };
            for k in v.div_ceil(2)..v {
                let home = (part(k) * k as f64 + part(v - k) * (v - k) as f64) / v as f64;
                let value = near[k as usize] + near[(v - k) as usize];
                consider(home, value, Move::Split(k));
            }
            if v.is_multiple_of(policy.target) {
                let q = v / policy.target;
                let value = policy.target as f64 * near[q as usize] - cost * v as f64;
                consider(part(q), value, Move::Output);
            }
        }
        let (_, v, found) = least?;
        policy.moves[v as usize - 1] = found;
    }
    None
}

fn evaluate(policy: &Policy, home: u64) -> Values {
    let roots = policy.last_root();
    let fates = policy.fates();
    let ratio = |p: u64, q: u64| Rational::new(p.into(), q.into());
    let (mut rows, mut rolls, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for q in 1..=roots {
        let (top, taken) = policy.rolled(q);
        let fate = &fates[(top - roots - 1) as usize];
        let ends = fate.ends.iter().filter(|(end, _)| **end != home);
        let row: BTreeMap<usize, Rational> = ends
            .map(|(end, count)| (*end as usize - 1, ratio(end * count, top)))
            .collect();
        rows.push(row);
        rolls.push(ratio(taken, 1));
        outputs.push(ratio(fate.outputs, top));
    }
    let chain = Fundamental::new(rows);
    let (rolls, outputs) = (chain.values(rolls), chain.values(outputs));
    let at = home as usize - 1;
    let cost = &rolls[at] / &outputs[at];
    let h: Vec<Rational> = (rolls.iter().zip(&outputs))
        .map(|(rolls, outputs)| rolls - &cost * outputs)
        .collect();
    let unit = h
        .iter()
        .fold(cost.denom().clone(), |all, h| all.lcm(h.denom()));
    let mut values = vec![BigInt::zero()];
    for (q, h) in (1u64..).zip(&h) {
        values.push(h.numer() * (&unit / h.denom()) * q);
    }
    let lambda = cost.numer() * (&unit / cost.denom());
    for v in roots + 1..=policy.largest() {
        let value = match policy.at(v) {
            Move::Split(k) => &values[k as usize] + &values[(v - k) as usize],
            _ => output(&values, policy.target, v, &lambda),
        };
        values.push(value);
    }
    Values { cost, values, unit }
}

/// n G(v / n) - lambda v.
fn output(values: &[BigInt], n: u64, v: u64, lambda: &BigInt) -> BigInt {
    &values[(v / n) as usize] * n - lambda * v
}

/// Moves that are better, exactly; was there any?
fn improve(policy: &mut Policy, exact: &Values) -> bool {
    let Values { cost, values, unit } = exact;
    let lambda = cost.numer() * (unit / cost.denom());
    let mut better = false;
    for v in policy.last_root() + 1..=policy.largest() {
        let mut best = values[v as usize].clone();
        let mut found = None;
        if v.is_multiple_of(policy.target) {
            let value = output(values, policy.target, v, &lambda);
            if value < best {
                (best, found) = (value, Some(Move::Output));
            }
        }
        for k in v.div_ceil(2)..v {
            let value = &values[k as usize] + &values[(v - k) as usize];
            if value < best {
                (best, found) = (value, Some(Move::Split(k)));
            }
        }
        if let Some(found) = found {
            policy.moves[v as usize - 1] = found;
            better = true;
        }
    }
    better
}

/// Of moves that are equally good, those of "fill, then extract". Every policy of such moves costs
/// lambda: its rolls less lambda times its outcomes have an expectation that stays bounded.
fn prefer_filling(policy: &mut Policy, exact: &Values) {
    let Values { cost, values, unit } = exact;
    let lambda = cost.numer() * (unit / cost.denom());
    let filling = Policy::fill(policy.source, policy.target, policy.largest());
    for v in policy.last_root() + 1..=policy.largest() {
        let value = match filling.at(v) {
            Move::Split(k) => &values[k as usize] + &values[(v - k) as usize],
            _ => output(values, policy.target, v, &lambda),
        };
        if value == values[v as usize] {
            policy.moves[v as usize - 1] = filling.at(v);
        }
    }
}
