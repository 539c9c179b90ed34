//! An algorithm's chain in the PRISM language, for an independent model checker.
//!
//! A discrete-time Markov chain with one variable s: the unfinished states 0, 1, ..., then one
//! final state for every outcome, in increasing order. Every unfinished state has the reward 1 in
//! `rolls`, so that
//!
//! ```text
//! R{"rolls"}=? [F "done"]      is E[T]
//! P=? [F "outcome_0"]          is 1/n
//! ```
//!
//! All probabilities are written as fractions, which an exact engine keeps.
//!
//! **Source.** Kwiatkowska, Norman & Parker 2011, PRISM 4.0.

use super::{Algorithm, libraries};
use crate::law::Next;
use crate::number::BigUint;
use crate::task::{Refusal, Task};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Chains of up to this many transitions are written.
pub const MOST_TRANSITIONS: usize = 1_000_000;

/// Refuses a library whose words alone have more values than a chain has transitions.
fn few_values(id: &str, task: &Task) -> Result<(), Refusal> {
    let bits = libraries::library(id).and_then(|line| {
        let cost = line.cost(task.target().sides()?).ok()?;
        cost.word_bits
    });
    match bits.filter(|bits| *bits > MOST_TRANSITIONS.ilog2()) {
        Some(bits) => Err(Refusal::Rule(format!(
            "its words have 2^{bits} values, and a chain has a transition for each: {MOST_TRANSITIONS} is the most"
        ))),
        None => Ok(()),
    }
}

/// The chain of an algorithm in the PRISM language. Cost: one step and one line per transition.
///
/// # Errors
/// [`Refusal`] if the algorithm refuses the task, or its chain has more than [`MOST_TRANSITIONS`]
/// transitions.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::unstable::algorithms::prism::prism;
/// use flipcost::task::Task;
/// let text = prism(FAST_DICE_ROLLER, &Task::dice(2u8, 3u8).unwrap()).unwrap();
/// assert!(text.contains("[] s=1 -> 1/2 : (s'=3) + 1/2 : (s'=4);"));
/// assert!(text.contains("label \"outcome_2\" = s=5;"));
/// ```
pub fn prism(method: &dyn Algorithm, dice: &Task) -> Result<String, Refusal> {
    let (about, bound) = (method.about(), method.prepare(dice)?);
    few_values(about.id, dice)?;
    let (chain, names) = bound
        .chain(MOST_TRANSITIONS)
        .map_err(|too_large| Refusal::Rule(too_large.to_string()))?;
    let states = names.len();
    let mut order: Vec<usize> = (0..chain.outcomes().len()).collect();
    order.sort_by_key(|&i| &chain.outcomes()[i]);
    let mut place = vec![0; order.len()];
    for (rank, &i) in order.iter().enumerate() {
        place[i] = states + rank;
    }
    let index = |next: Next| match next {
        Next::State(state) => state as usize,
        Next::Outcome(outcome) => place[outcome as usize],
    };
    let mut text = String::new();
    let mut line = |text_line: String| writeln!(text, "{text_line}").expect("a string takes it");
    let (m, target) = (dice.sides()?, dice.target());
    let what = match target.sides() {
        Some(n) => format!("a target of {n} sides"),
        None => format!("a target of the weights {target}"),
    };
    line(format!(
        "// {}: {what} from a source of {m} sides",
        about.name
    ));
    line("// R{\"rolls\"}=? [F \"done\"] is the expected number of rolls".into());
    line("dtmc\n\nmodule dice".into());
    let last = states + order.len() - 1;
    // PRISM wants a range of at least two values
    line(format!(
        "  s : [0..{}] init {};\n",
        last.max(1),
        index(chain.start())
    ));
    for (state, name) in names.iter().enumerate() {
        let (weights, total) = chain.transitions(state as u32);
        let weights: BTreeMap<usize, BigUint> = (weights.into_iter())
            .map(|(next, weight)| (index(next), weight))
            .collect();
        let moves: Vec<String> = weights
            .into_iter()
            .map(|(to, weight)| match weight.gcd(&total) {
                g if g == total => format!("(s'={to})"),
                g => format!("{}/{} : (s'={to})", weight / &g, &total / g),
            })
            .collect();
        line(format!(
            "  [] s={state} -> {}; // {name}",
            moves.join(" + "),
        ));
    }
    line(format!("  [] s>={states} -> (s'=s);"));
    line(format!(
        "endmodule\n\nrewards \"rolls\"\n  s<{states} : 1;\nendrewards\n"
    ));
    line(format!("label \"done\" = s>={states};"));
    for (rank, &i) in order.iter().enumerate() {
        let outcome = &chain.outcomes()[i];
        line(format!(
            "label \"outcome_{outcome}\" = s={};",
            states + rank
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::{CHAIN_LIMIT, REGISTRY};
    use super::*;
    use crate::law::chain::solve;
    use crate::number::Rational;
    use crate::task::{Source, Target};
    use num_traits::{One, Zero};

    /// Reads the text back and solves R{"rolls"}=? [F "done"].
    fn check(text: &str) -> Rational {
        let start: usize = text
            .lines()
            .find_map(|line| line.split_once("init "))
            .map(|(_, rest)| rest.trim_end_matches(';').parse().unwrap())
            .unwrap();
        let moves: Vec<BTreeMap<usize, Rational>> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("[] s=")?.split_once(" -> "))
            .map(|(_, rest)| {
                let rest = rest.split_once("; //").unwrap().0;
                let part = |part: &str| {
                    let (p, to) = part.rsplit_once("(s'=").unwrap();
                    let to = to.trim_end_matches(')').parse().unwrap();
                    let p = p.trim().trim_end_matches(':').trim();
                    let p = if p.is_empty() { "1" } else { p };
                    (to, p.parse().unwrap())
                };
                rest.split(" + ").map(part).collect()
            })
            .collect();
        for row in &moves {
            assert!(row.values().sum::<Rational>().is_one());
        }
        let states = moves.len();
        let inner = |row: BTreeMap<usize, Rational>| {
            row.into_iter().filter(|(to, _)| *to < states).collect()
        };
        let rows = moves.into_iter().map(inner).collect();
        let rewards = solve(rows, vec![Rational::one(); states]);
        rewards.get(start).cloned().unwrap_or_else(Rational::zero)
    }

    /// Weights as well: 1:0:5 from a coin and from a d6, by every algorithm that takes them.
    #[test]
    fn the_reward_is_the_cost_for_weights() {
        for m in [2u64, 6] {
            let target = Target::weighted([1u8, 0, 5]).unwrap();
            let task = Task::new(Source::die(m).unwrap(), target.clone());
            for method in crate::algorithms::listed(&task) {
                let text = prism(method, &task).unwrap();
                let (chain, _) = method.prepare(&task).unwrap().chain(CHAIN_LIMIT).unwrap();
                assert_eq!(check(&text), chain.mean(), "{} {m}", method.about().id);
                assert!(text.contains("a target of the weights 1:0:5 from a source of"));
                assert_eq!(text.matches("label \"outcome_").count(), 2);
            }
        }
    }

    #[test]
    fn the_reward_is_the_cost() {
        for method in REGISTRY {
            for m in [2u64, 6] {
                for n in 1u64..=12 {
                    let dice = Task::dice(m, n).unwrap();
                    let Ok(bound) = method.prepare(&dice) else {
                        continue;
                    };
                    // a biased rule may never come to some outcomes
                    let possible = bound.outcomes().map_or(n.into(), |law| law.outcomes());
                    let text = prism(*method, &dice).unwrap();
                    let (chain, _) = bound.chain(CHAIN_LIMIT).unwrap();
                    let what = format!("{} {m} {n}", method.about().id);
                    assert_eq!(check(&text), chain.mean(), "{what}");
                    let labels = text.matches("label \"outcome_").count();
                    assert_eq!(BigUint::from(labels), possible, "{what}");
                }
            }
        }
    }
}
