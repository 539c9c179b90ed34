//! The question `list algorithms`: the registry of algorithms.

use flipcost::algorithms::{Algorithm, REGISTRY};
use flipcost::number::Real;
use flipcost::task::{Source, Task};
use flipcost_endless::samplers::SAMPLERS;
use flipcost_question::prelude::*;
use flipcost_rules::registry_rule;
use std::fmt::Write;

question! {
    /// List the algorithms: id, name, citation, and whether the number of rolls is bounded; or
    /// describe one algorithm in full
    ///
    /// A row for each algorithm, with id, name, citation, and whether the number of rolls is
    /// bounded; or one row for a single algorithm, also with its rule and its law, and a page about
    /// it.
    pub struct Algorithms: "list-algorithms", "list algorithms" {
        /// Only this algorithm, with its rule, law, exact costs and source
        algorithm: Option<AlgorithmId>; word("ID"),
        /// Print the algorithm as a rule, to save in a file for -a rule:FILE
        as_rule: bool; flag(),
    }
    purpose: Reference
    examples: ["list algorithms", "list algorithms interval", "list algorithms interval --as-rule"]
}

/// Pairs of a source and a target, whose costs are shown on the page of an algorithm. In the last
/// pairs, the source is a word.
const EXAMPLE_DICE: [(u64, u64); 8] = [
    (2, 6),
    (2, 10),
    (2, 20),
    (2, 100),
    (6, 10),
    (10, 6),
    (1 << 8, 6),
    (1 << 32, 6),
];

/// The largest number of these costs that are shown. Pairs that the algorithm accepts come first.
const MAX_EXAMPLES: usize = 6;

/// Returns the page of an algorithm.
fn render_page(algorithm: &dyn Algorithm) -> String {
    let about = algorithm.about();
    let mut text = format!("{} ({})\n\n", about.name, about.id);
    for (title, line) in [
        ("rule", about.rule),
        ("law", about.law),
        ("bounded", about.bounded),
        ("source", about.citation),
    ] {
        writeln!(text, "{title:8} {line}").expect("memory takes every byte");
    }
    let code = algorithm.pseudocode();
    if !code.is_empty() {
        text += "\npseudocode, roll() from 0 to m - 1:\n";
        for line in code {
            writeln!(text, "  {line}").expect("memory takes every byte");
        }
    }
    text += "\nexpected rolls E, exactly:\n";
    let tasks =
        EXAMPLE_DICE.map(|(m, n)| Task::die(n, Source::die(m).expect("dice")).expect("dice"));
    let mut costs: Vec<_> = tasks
        .iter()
        .map(|task| (task, algorithm.law(task)))
        .collect();
    if !costs[..MAX_EXAMPLES].iter().any(|(_, law)| law.is_ok()) {
        costs.sort_by_key(|(_, law)| law.is_err());
    }
    for (task, law) in &costs[..MAX_EXAMPLES] {
        let cost = match law {
            Ok(law) => match law.mean_real() {
                Real::Exact(mean) => mean.to_string(),
                mean => mean
                    .to_f64()
                    .map_or("?".to_string(), |mean| mean.to_string()),
            },
            Err(refusal) => format!("not possible: {refusal}"),
        };
        writeln!(text, "  {task}: {cost}").expect("memory takes every byte");
    }
    text
}

impl Question for Algorithms {
    fn summary(&self, _: &Answer) -> String {
        let about = self.algorithm.map(|id| id.0.about());
        match about {
            Some(about) => format!("{}: {}", about.name, about.rule),
            None => {
                let all = count_with_noun(REGISTRY.len() as u64, "algorithm");
                let samplers = count_with_noun(SAMPLERS.len() as u64, "sampler");
                format!(
                    "{all}, whose ids commands accept, then {samplers} for laws with infinitely many outcomes"
                )
            }
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        if self.as_rule {
            let wrong = |what: Sentence| QueryError::wrong("algorithm", what);
            let id = self.algorithm.ok_or_else(|| {
                wrong(
                    "name the algorithm to be shown as a rule"
                        .to_string()
                        .into(),
                )
            })?;
            let text = registry_rule(id.0.about().id).map_err(|what| wrong(what.into()))?;
            return sink.write_answer(&Head::new(), Vec::new(), Foot::text(text.to_string()));
        }
        let mut head = Head::new().columns(CellKind::Text, ["id", "name", "citation", "bounded"]);
        if self.algorithm.is_some() {
            head = head.columns(CellKind::Text, ["rule", "law"]);
        }
        sink.head(&head)?;
        // a function of a library is not in the list of algorithms
        let chosen = match self.algorithm {
            Some(algorithm) => vec![algorithm.0],
            None => REGISTRY.to_vec(),
        };
        let row = |algorithm: &dyn Algorithm| {
            let about = algorithm.about();
            let mut texts = vec![about.id, about.name, about.citation, about.bounded];
            if self.algorithm.is_some() {
                texts.extend([about.rule, about.law]);
            }
            let cell = |text: &str| Cell::Text(text.to_string());
            texts.into_iter().map(cell).collect()
        };
        let mut rows: Vec<Vec<Cell>> = chosen.into_iter().map(row).collect();
        if self.algorithm.is_none() {
            rows.extend(SAMPLERS.iter().map(|sampler| {
                let name = format!("{} (for laws without an end)", sampler.name);
                row![
                    sampler.id.to_string(),
                    name,
                    sampler.citation.to_string(),
                    sampler.bounded.to_string()
                ]
            }));
        }
        sink.rows(rows)?;
        sink.foot(Foot {
            text: self.algorithm.map(|id| render_page(id.0)),
            ..Foot::default()
        })
    }
}
