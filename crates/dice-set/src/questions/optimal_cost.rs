//! The best rule of all from one source, or how near a search comes.

use crate::loaded::{EFFORT, End, Node, Optimum, OptimumError, Tree, optimum};
use flipcost::algorithms::faces::face_name;
use flipcost::algorithms::find;
use flipcost::task::Task;
use flipcost_number::{BigUint, Decimal, Rational, Real};
use flipcost_one_draw::questions::cost::{Cost, Search};
use flipcost_question::counted;
use flipcost_question::prelude::*;
use num_traits::{ToPrimitive, Zero};
use std::fmt::Write;
use std::num::NonZeroU64;

/// Outcomes for which a step is short.
const FEW: u64 = 20;

/// Rolls that are printed.
const MOST_ROLLS: usize = 60;

/// The search, for `cost --optimal`.
pub const SEARCH: Search = Search { steps, answer };

/// The steps of the search: usually fewer where a step of many outcomes takes longer.
pub fn steps(cost: &Cost) -> u64 {
    let outcomes = cost.target.names().target().outcomes();
    let many = outcomes.to_u64().unwrap_or(u64::MAX).max(FEW);
    cost.effort
        .map_or((EFFORT / many).saturating_mul(FEW).max(1), NonZeroU64::get)
}

/// The row of the best rule, and the rule.
pub fn answer(
    cost: &Cost,
    target: &TargetText,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<(), QueryError> {
    for (name, given) in [
        ("algorithms", !cost.algorithms.is_empty()),
        ("columns", !cost.columns.is_empty()),
        ("exact", cost.exact),
        ("at", cost.at.is_some()),
    ] {
        if given {
            return Err(QueryError::both(name, "optimal"));
        }
    }
    let task = Task::new(cost.source.0.clone(), target.checked()?.clone());
    let most = steps(cost);
    // of the steps so far nothing follows for those to come: most searches end long before the last
    let mut go_on = |_: u64| control.go_on().is_ok();
    let mut found = optimum(&task, most, &mut go_on).map_err(|error| match error {
        OptimumError::Outcomes(_) => QueryError::of("target")(error),
        error => QueryError::of("source")(error),
    })?;
    control.go_on()?;
    let precision = precision(cost.digits, false)?;
    let interval = find("interval")
        .ok()
        .and_then(|interval| interval.law(&task).ok());
    let interval = interval.map(|law| law.mean());
    // where the search found nothing better, the interval algorithm is the rule
    let high = interval.as_ref().map(|mean| mean.enclose(64).high());
    if let Some(high) = high.filter(|high| *high < found.upper) {
        found.upper = high;
        found.end = End::Line;
        found.actions.clear();
    }
    let interval = interval.map(|mean| decimal(&mean, precision));
    let upper = Real::Exact(found.upper.clone());
    let unit = cost.source.0.unit().plural();
    let row = row![
        target.cell(),
        cost.source.to_string(),
        found.exact(),
        decimal(&upper, precision)?,
        &found.lower,
        standing(&found),
        interval.transpose()?,
    ];
    let head = Head::new()
        .column("target", target.kind())
        .column("source", Kind::Text)
        .measured("expected_exact", Kind::Exact, unit)
        .measured("expected", Kind::Decimal, unit)
        .measured("lower_exact", Kind::Exact, unit)
        .column("proved", Kind::Text)
        .measured("interval", Kind::Decimal, unit);
    let mut foot = Foot::default();
    if !found.is_enclosed() {
        foot.note(gap(&found, most));
    }
    foot.text = Some(tables(cost, target, &task, &found));
    sink.whole(&head, vec![row], foot)
}

/// The rule as tables to follow, the likeliest rolls first.
fn tables(cost: &Cost, target: &TargetText, task: &Task, found: &Optimum) -> String {
    let unit = cost.source.0.unit().plural();
    let digits = |x: &Rational| Decimal::up(x, 12);
    let mut text = format!(
        "The best rule of all for {} from {}\n\n",
        target.in_words(),
        cost.source.0.with_article()
    );
    let mean = match found.exact() {
        Some(exact) if exact.is_integer() => exact.to_string(),
        Some(exact) => format!("{exact}, about {:.12}", Real::Exact(exact.clone())),
        None => format!("at most {}", digits(&found.upper)),
    };
    let lower = Decimal::down(&found.lower, 12);
    let proved = match found.is_proved() {
        true => "no rule of any form costs less".to_string(),
        false => format!("no rule of any form costs less than {lower}"),
    };
    let mut line = |words: String| {
        text.push_str(&words);
        text.push('\n');
    };
    line(format!("expected {unit}: {mean}"));
    line(format!("proved: {proved}"));
    line(String::new());
    if found.upper.is_zero() {
        line(format!("0 {unit}: there is one outcome only"));
    } else if let Some(tree) = found.tree(task) {
        rolls(cost, target, &tree, &mut line);
    }
    text
}

fn rolls(cost: &Cost, target: &TargetText, tree: &Tree, line: &mut dyn FnMut(String)) {
    let sides = cost.source.0.sides().to_u128().unwrap_or_default();
    let label = |outcome: usize| target.label(&BigUint::from(outcome));
    let mut order: Vec<usize> = (0..tree.nodes.len())
        .filter(|i| matches!(tree.nodes[*i], Node::Roll(_)))
        .collect();
    order.sort_by(|a, b| tree.masses[*b].cmp(&tree.masses[*a]).then(a.cmp(b)));
    let name = |node: usize| order.iter().position(|other| *other == node).map(|i| i + 1);
    let does = |node: usize| match &tree.nodes[node] {
        Node::Leaf(outcome) => label(*outcome),
        Node::Roll(_) => format!("-> {}", name(node).unwrap_or_default()),
        Node::Again(to) => {
            // what comes back may itself be one that comes back
            let (mut to, mut times) = (*to, 1);
            while let Node::Again(next) = &tree.nodes[to] {
                (to, times) = (*next, times + 1);
            }
            match (&tree.nodes[to], name(to)) {
                // the outcome here, so that nothing is left to change
                (Node::Leaf(outcome), _) => {
                    label((0..times).fold(*outcome, |outcome, _| tree.again[outcome]))
                }
                (_, Some(name)) if times > 1 && !tree.again.is_sorted() => {
                    format!("-> {name} (again, {times} times)")
                }
                (_, name) => format!("-> {} (again)", name.unwrap_or_default()),
            }
        }
        Node::Open => "-> rest".to_string(),
    };
    for (i, node) in order.iter().take(MOST_ROLLS).enumerate() {
        let Node::Roll(below) = &tree.nodes[*node] else {
            continue;
        };
        let mut words = format!("{:>3}:", i + 1);
        for (face, child) in (0..).zip(below) {
            write!(words, "  {}: {}", face_name(sides, face), does(*child))
                .expect("memory takes every byte");
        }
        line(words);
    }
    if let Some(next) = order.get(MOST_ROLLS) {
        let most = Decimal::up(&tree.masses[*next], 12);
        line(format!(
            "    ... each of the other rolls has a probability of at most {most}"
        ));
    }
    let goes_on = |node: &Node| match node {
        Node::Again(to) => !matches!(tree.nodes[*to], Node::Leaf(_)),
        _ => false,
    };
    if tree.nodes.iter().any(goes_on) {
        let changed = (0..tree.again.len()).filter(|i| tree.again[*i] != *i);
        let changes: Vec<String> = changed
            .map(|i| format!("{} for {}", label(tree.again[i]), label(i)))
            .collect();
        line(match changes.is_empty() {
            true => "again: the same from there".to_string(),
            false => format!("again: the same from there, with {}", changes.join(", ")),
        });
    }
    if tree.nodes.contains(&Node::Open) {
        line("rest: cut by the interval algorithm".to_string());
    }
}

fn standing(found: &Optimum) -> &'static str {
    match (found.is_proved(), found.is_enclosed()) {
        (true, _) => "yes",
        (_, true) => "enclosed",
        _ => "no",
    }
}

fn gap(found: &Optimum, most: u64) -> Sentence {
    let steps = counted(found.steps, "step");
    if found.steps < most {
        return say!(
            "the search ended after {steps}, as deep as it goes: the optimum is at least lower_exact and at most expected"
        );
    }
    say!(
        "the search ended after {steps} without a proof: the optimum is at least lower_exact and at most expected; ",
        field("effort"),
        " takes more steps"
    )
}
