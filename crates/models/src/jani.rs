//! JANI, the exchange format of model checkers, in JSON.
//!
//! One automaton with one location; its variable s is the number of the state. An edge for every
//! state that is not final; each adds to the transient variable of the reward. The property
//! `expected` is the expected reward until a final state, `outcome_i` the probability of that outcome.
//!
//! **Source.** Budde, Dehnert, Hahn, Hartmanns, Junges & Turrini 2017, JANI: Quantitative Model and Tool
//! Interaction; the specification at jani-spec.org.

use crate::Model;
use flipcost_number::{BigInt, Rational};
use num_traits::{One, ToPrimitive, Zero};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An integer of the numbers of JSON, which have 64 bits at most here.
fn integer(value: &BigInt) -> Value {
    match value.to_u64() {
        Some(value) => json!(value),
        None => json!(value.to_string()),
    }
}

/// A fraction.
fn number(value: &Rational) -> Value {
    if value.is_integer() {
        integer(value.numer())
    } else {
        json!({"op": "/", "left": integer(value.numer()), "right": integer(value.denom())})
    }
}

/// s is one of these states.
fn any_of(states: &[usize]) -> Value {
    let one = |state: &usize| json!({"op": "=", "left": "s", "right": state});
    let mut all = states.iter().map(one);
    let first = all.next().unwrap_or(json!(false));
    all.fold(
        first,
        |left, right| json!({"op": "∨", "left": left, "right": right}),
    )
}

fn property(name: &str, values: Value) -> Value {
    json!({
        "name": name,
        "expression": {
            "op": "filter",
            "fun": "max",
            "values": values,
            "states": {"op": "initial"},
        },
    })
}

/// Each on a line of its own; a value takes twenty times the memory of its text.
fn lines(values: impl IntoIterator<Item = Value>) -> String {
    let mut text = String::new();
    for value in values {
        let before = if text.is_empty() { "" } else { ",\n" };
        text += &format!("{before}{value}");
    }
    text
}

/// The model with its properties, a line for every edge.
pub(crate) fn write(model: &Model) -> String {
    let states = &model.states;
    let finals: Vec<usize> = (0..states.len())
        .filter(|index| states[*index].is_absorbing(*index))
        .collect();
    // the final states of an algorithm are the last ones
    let unfinished = states.len() - finals.len();
    let done = match finals.first() {
        Some(first) if *first == unfinished => {
            json!({"op": "≥", "left": "s", "right": unfinished})
        }
        _ => any_of(&finals),
    };
    let mut properties = vec![property(
        "expected",
        json!({"op": "Emin", "exp": model.reward, "accumulate": ["steps"], "reach": done}),
    )];
    let mut labels: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut order = Vec::new();
    for &index in &finals {
        for label in states[index].labels.iter().filter(|label| *label != "done") {
            if !labels.contains_key(label.as_str()) {
                order.push(label);
            }
            labels.entry(label).or_default().push(index);
        }
    }
    for label in order {
        let reach = json!({"op": "F", "exp": any_of(&labels[label.as_str()])});
        properties.push(property(label, json!({"op": "Pmin", "exp": reach})));
    }
    let edge = |(index, state): (usize, &crate::ModelState)| {
        let earned = number(&state.reward);
        let destinations: Vec<Value> = (state.next.iter())
            .map(|(to, p)| {
                let mut assignments = vec![json!({"ref": "s", "value": to})];
                if !state.reward.is_zero() {
                    assignments.push(json!({"ref": model.reward, "value": earned}));
                }
                let mut destination = json!({"location": "dice", "assignments": assignments});
                if !p.is_one() {
                    destination["probability"] = json!({"exp": number(p)});
                }
                destination
            })
            .collect();
        let guard = json!({"exp": {"op": "=", "left": "s", "right": index}});
        json!({"location": "dice", "guard": guard, "destinations": destinations})
    };
    let edges = (states.iter().enumerate())
        .filter(|(index, state)| !state.is_absorbing(*index))
        .map(edge);
    // a final state stays: a state without an edge would be a deadlock
    let last = json!({
        "location": "dice",
        "guard": {"exp": done},
        "destinations": [{"location": "dice", "assignments": []}],
    });
    let bounded = json!({"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": states.len() - 1});
    let variables = [
        json!({"name": "s", "type": bounded, "initial-value": model.initial}),
        json!({"name": model.reward, "type": "real", "transient": true, "initial-value": 0}),
    ];
    format!(
        "{{\"jani-version\": 1,\n\"name\": \"dice\",\n\"metadata\": {},\n\"type\": \"dtmc\",\n\"features\": [],\n\"variables\": [\n{}],\n\"properties\": [\n{}],\n\"automata\": [{{\"name\": \"dice\", \"locations\": [{{\"name\": \"dice\"}}], \"initial-locations\": [\"dice\"], \"edges\": [\n{}]}}],\n\"system\": {{\"elements\": [{{\"automaton\": \"dice\"}}]}}}}\n",
        json!({"description": model.title}),
        lines(variables),
        lines(properties),
        lines(edges.chain([last])),
    )
}
