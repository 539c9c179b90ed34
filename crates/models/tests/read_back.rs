//! Parses every written model and compares its cost and the probabilities of its outcomes with
//! those of the engine.

use flipcost::algorithms::{self, Algorithm, CHAIN_LIMIT, REGISTRY};
use flipcost::task::{Source, Target, Task};
use flipcost_models::{Language, Model, ModelState, write};
use flipcost_number::Rational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

fn model(states: usize, initial: usize) -> Model {
    let state = ModelState {
        name: String::new(),
        reward: Rational::zero(),
        labels: Vec::new(),
        next: Vec::new(),
    };
    Model {
        title: String::new(),
        reward: String::new(),
        initial,
        states: vec![state; states],
    }
}

/// Parses the part of the PRISM language that this package writes.
fn read_prism(text: &str) -> Model {
    let states = text.lines().find_map(|line| {
        let (last, initial) = line
            .trim()
            .strip_prefix("s : [0..")?
            .split_once("] init ")?;
        let initial = initial.strip_suffix(';')?.parse().unwrap();
        Some((last.parse::<usize>().unwrap() + 1, initial))
    });
    let (states, initial) = states.expect("a variable s");
    let mut read = model(states, initial);
    for line in text.lines().map(str::trim) {
        if let Some((state, moves)) = line
            .strip_prefix("[] s=")
            .and_then(|rest| rest.split_once(" -> "))
        {
            let moves = moves.split_once("; //").unwrap().0;
            let part = |part: &str| {
                let (p, to) = part.rsplit_once("(s'=").unwrap();
                let p = p.trim().trim_end_matches(':').trim();
                let p = if p.is_empty() { "1" } else { p };
                (
                    to.trim_end_matches(')').parse().unwrap(),
                    p.parse().unwrap(),
                )
            };
            read.states[state.parse::<usize>().unwrap()].next =
                moves.split(" + ").map(part).collect();
        } else if let Some((condition, rest)) = line
            .strip_suffix(';')
            .and_then(|line| line.split_once(" : "))
        {
            let ends: Vec<&str> = condition.split(" & ").collect();
            let first = (ends.iter())
                .find_map(|end| end.strip_prefix("s>="))
                .map_or(0, |first| first.parse().unwrap());
            let Some(last) = ends.iter().find_map(|end| end.strip_prefix("s<")) else {
                continue;
            };
            read.reward = "rolls".to_string();
            for state in first..last.parse().unwrap() {
                read.states[state].reward = rest.parse().unwrap();
            }
        } else if let Some(rest) = line.strip_prefix("label \"") {
            let (label, places) = rest.strip_suffix(';').unwrap().split_once("\" = ").unwrap();
            for place in places.split(" | ") {
                if let Some(first) = place.strip_prefix("s>=") {
                    for state in first.parse().unwrap()..states {
                        read.states[state].labels.push(label.to_string());
                    }
                } else {
                    let state: usize = place.strip_prefix("s=").unwrap().parse().unwrap();
                    read.states[state].labels.push(label.to_string());
                }
            }
        }
    }
    loop_states_without_transitions(read)
}

/// Adds to every state without transitions a transition to itself.
fn loop_states_without_transitions(mut read: Model) -> Model {
    for (at, state) in read.states.iter_mut().enumerate() {
        if state.next.is_empty() {
            state.next.push((at, Rational::one()));
        }
    }
    read
}

/// Parses the part of DRN that this package writes.
fn read_drn(text: &str) -> Model {
    let mut read = model(0, 0);
    let mut lines = text.lines().map(str::trim);
    while lines.next() != Some("@reward_models") {}
    read.reward = lines.next().unwrap().to_string();
    for line in lines.skip_while(|line| *line != "@model").skip(1) {
        if let Some(rest) = line.strip_prefix("state ") {
            let (index, rest) = rest.split_once(" [").unwrap();
            let (reward, labels) = rest.split_once(']').unwrap();
            assert_eq!(index, read.states.len().to_string());
            let labels = labels.split_whitespace().map(String::from);
            let (init, labels): (Vec<String>, _) = labels.partition(|label| label == "init");
            if !init.is_empty() {
                read.initial = read.states.len();
            }
            read.states.push(ModelState {
                name: String::new(),
                reward: reward.parse().unwrap(),
                labels,
                next: Vec::new(),
            });
        } else if let Some((to, p)) = line.split_once(" : ") {
            let state = read.states.last_mut().unwrap();
            state.next.push((to.parse().unwrap(), p.parse().unwrap()));
        }
    }
    read
}

/// Parses the part of DOT that this package writes.
fn read_dot(text: &str) -> Model {
    let mut read = model(0, 0);
    let state = |text: &str| -> usize { text.strip_prefix('s').unwrap().parse().unwrap() };
    let quoted = |text: &str, of: &str| -> Option<String> {
        let rest = text.split_once(&format!("{of}=\""))?.1;
        Some(rest.split_once('"').unwrap().0.to_string())
    };
    for line in text.lines().map(str::trim) {
        if let Some(start) = line.strip_prefix("start [shape=point]; start -> ") {
            read.initial = state(start.strip_suffix(';').unwrap());
        } else if let Some((from, to)) = line.split_once(" -> ") {
            let end = to.find([' ', ';']).unwrap();
            let p = quoted(to, " [label").map_or(Rational::one(), |p| p.parse().unwrap());
            read.states[state(from)].next.push((state(&to[..end]), p));
        } else if line.starts_with('s') {
            let (name, rest) = line.split_once(" [").unwrap();
            assert_eq!(state(name), read.states.len());
            let unfinished = !rest.starts_with("shape=doublecircle");
            let labels = if unfinished {
                Vec::new()
            } else {
                vec!["done".to_string(), quoted(rest, "label").unwrap()]
            };
            let rolls = quoted(rest, "xlabel").map_or(Rational::one(), |rolls| {
                rolls.split(' ').next().unwrap().parse().unwrap()
            });
            read.states.push(ModelState {
                name: String::new(),
                reward: if unfinished { rolls } else { Rational::zero() },
                labels,
                next: Vec::new(),
            });
        }
    }
    loop_states_without_transitions(read)
}

/// Returns the expected reward until a final state is reached, and the probability of each final
/// state, by Gaussian elimination: each state is removed in turn, and its successors replace it.
fn solve(model: &Model) -> (Rational, BTreeMap<String, Rational>) {
    let is_final = |at: usize| matches!(model.states[at].next[..], [(to, _)] if to == at);
    let mut chain: BTreeMap<usize, (Rational, BTreeMap<usize, Rational>)> = BTreeMap::new();
    for (at, state) in model.states.iter().enumerate() {
        if !is_final(at) {
            chain.insert(
                at,
                (state.reward.clone(), state.next.iter().cloned().collect()),
            );
        }
    }
    let order: Vec<usize> = chain
        .keys()
        .copied()
        .filter(|at| *at != model.initial)
        .collect();
    for gone in order.into_iter().rev().chain([model.initial]) {
        let Some((mut reward, mut next)) = chain.remove(&gone) else {
            // The initial state may be final.
            return (
                Rational::zero(),
                [(model.states[gone].labels[1].clone(), Rational::one())].into(),
            );
        };
        let stays = next.remove(&gone).unwrap_or_else(Rational::zero);
        let leaves = Rational::one() - stays;
        reward /= &leaves;
        next.values_mut().for_each(|p| *p /= &leaves);
        if gone == model.initial {
            let label = |to: usize| model.states[to].labels[1].clone();
            return (
                reward,
                next.into_iter().map(|(to, p)| (label(to), p)).collect(),
            );
        }
        for (other_reward, other_next) in chain.values_mut() {
            if let Some(p) = other_next.remove(&gone) {
                *other_reward += &p * &reward;
                for (to, q) in &next {
                    *other_next.entry(*to).or_insert_with(Rational::zero) += &p * q;
                }
            }
        }
    }
    unreachable!("the initial state is the last one")
}

/// Checks in every language that the model of a task is the engine's chain.
fn check_model(algorithm: &dyn Algorithm, task: &Task) -> bool {
    let what = format!("{}: {task}", algorithm.about().id);
    let chain = (algorithm.prepare(task).ok()).and_then(|made| made.chain(CHAIN_LIMIT).ok());
    let Some((chain, _)) = chain else {
        assert!(Model::from_algorithm(algorithm, task).is_err(), "{what}");
        return false;
    };
    let law: BTreeMap<String, Rational> = (chain.probabilities().into_iter())
        .map(|(outcome, p)| (format!("outcome_{outcome}"), p))
        .collect();
    let model = Model::from_algorithm(algorithm, task).unwrap();
    assert_eq!(solve(&model), (chain.mean(), law), "{what}");
    for language in [Language::Prism, Language::Drn, Language::Dot] {
        let text = write(&model, language);
        assert!(
            text.len() as u64
                <= 1000
                    + 100 * task.target().possible().iter_u64_digits().next().unwrap()
                    + language.bytes_of_a_transition() * (model.transitions() as u64),
            "{what}: {language:?} has {}",
            text.len()
        );
        let read = match language {
            Language::Prism => read_prism(&text),
            Language::Drn => read_drn(&text),
            _ => read_dot(&text),
        };
        assert_eq!(read.initial, model.initial, "{what}, {language:?}");
        // A variable of PRISM has at least two values.
        let states = model
            .states
            .len()
            .max(1 + usize::from(language == Language::Prism));
        assert_eq!(read.states.len(), states, "{what}, {language:?}");
        for (read, written) in read.states.iter().zip(&model.states) {
            assert_eq!(read.next, written.next, "{what}, {language:?}");
            assert_eq!(read.labels, written.labels, "{what}, {language:?}");
            assert_eq!(read.reward, written.reward, "{what}, {language:?}");
        }
    }
    true
}

#[test]
fn every_model_has_the_cost_and_the_law_of_the_engine() {
    let mut refused: BTreeMap<(&str, u64), Vec<u64>> = BTreeMap::new();
    for algorithm in REGISTRY {
        for m in [2u64, 6] {
            for n in 1u64..=12 {
                if !check_model(*algorithm, &Task::die(n, Source::die(m).unwrap()).unwrap()) {
                    let id = algorithm.about().id;
                    refused.entry((id, m)).or_default().push(n);
                }
            }
        }
    }
    println!("{refused:?}");
    // The number of rolls is bounded only for dice whose prime factors divide m.
    assert_eq!(refused[&("bounded", 2)], [3, 5, 6, 7, 9, 10, 11, 12]);
    assert_eq!(refused[&("bounded", 6)], [5, 7, 10, 11]);
}

#[test]
fn weights_have_models_too() {
    for m in [2u64, 6] {
        for weights in [vec![1u8, 0, 5], vec![4, 7, 8], vec![1, 3]] {
            let task = Task::new(Target::weighted(weights).unwrap(), Source::die(m).unwrap());
            for algorithm in algorithms::suited_to(&task) {
                assert!(check_model(algorithm, &task));
            }
        }
    }
}
