//! What the registry of algorithms holds.

use crate::Libraries;
use crate::description::{ValueAbout, named, plain_text, said};
use crate::question::*;
use crate::sentence::{Sentence, Terminal};
use flipcost::algorithms::{self, Algorithm, REGISTRY, UnknownAlgorithm};
use flipcost::task::Task;
use flipcost_libraries::LIBRARIES;
use serde_json::Value as Json;
use std::fmt::Write;

question! {
    /// The algorithms: id, name, citation, and whether the rolls are bounded; or all about one of them
    ///
    /// The algorithms: a row for each, with its id, name, citation, and whether its rolls are bounded;
    /// or one of them, with its rule and its law too, and a page on it.
    pub struct Algorithms: "algorithms" {
        /// Only this one: its rule, law, exact costs and source
        algorithm: Option<AlgorithmId>; word("ID"),
    }
    purpose: Reference
    examples: ["algorithms", "algorithms interval"]
}

/// The dice whose costs stand on the page of an algorithm: sources and targets.
const EXAMPLES: [(u64, u64); 6] = [(2, 6), (2, 10), (2, 20), (2, 100), (6, 10), (10, 6)];

/// The page of an algorithm.
fn page(algorithm: &dyn Algorithm) -> String {
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
    for (m, n) in EXAMPLES {
        let task = Task::dice(m, n).expect("dice");
        let cost = match algorithm.law(&task) {
            Ok(law) => law.mean().to_string(),
            Err(refusal) => format!("not possible: {refusal}"),
        };
        writeln!(text, "  {task}: {cost}").expect("memory takes every byte");
    }
    text
}

impl Question for Algorithms {
    fn estimate(&self) -> Estimate {
        Estimate::table(REGISTRY.len() as u128, 6, 100, 50)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let mut head = Head::new().columns(Kind::Text, ["id", "name", "citation", "bounded"]);
        if self.algorithm.is_some() {
            head = head.columns(Kind::Text, ["rule", "law"]);
        }
        sink.head(&head)?;
        // a function of a library is in no list
        let chosen = match self.algorithm {
            Some(AlgorithmId(one)) => vec![one],
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
        sink.rows(chosen.into_iter().map(row).collect())?;
        sink.foot(Foot {
            text: self.algorithm.map(|id| page(id.0)),
            ..Foot::default()
        })
    }
}

/// The id that is most like a text, if one is.
fn like(text: &str) -> Option<&'static str> {
    let ids = algorithms::ids().into_iter();
    let ids = ids.chain(LIBRARIES.iter().map(|library| library.id));
    let likeness = |id: &'static str| (strsim::jaro_winkler(text, id), id);
    let nearest = ids.map(likeness).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest
        .filter(|(likeness, _)| *likeness > 0.85)
        .map(|(_, id)| id)
}

impl AlgorithmId {
    /// The algorithm of this id.
    ///
    /// # Errors
    /// A sentence with the id that is most like it, or all of them.
    pub fn named(id: &str) -> Result<AlgorithmId, Sentence> {
        let algorithms = || Algorithms { algorithm: None };
        let libraries = Libraries::all;
        id.parse().map_err(|error| match error {
            UnknownAlgorithm::Id(id) => match like(&id) {
                Some(near) => say!(
                    "\"{id}\" is not an algorithm: did you mean {near}? ",
                    algorithms(),
                    " and ",
                    libraries(),
                    " list all"
                ),
                None => {
                    let ids = algorithms::ids().join(", ");
                    say!(
                        "\"{id}\" is not an algorithm: choose one of {ids} (",
                        algorithms(),
                        " describes them), or a function of ",
                        libraries()
                    )
                }
            },
            UnknownAlgorithm::Policy(id) => {
                let what =
                    say!("{id} is a policy for a stream of targets, not an algorithm for one");
                say!(
                    what,
                    ": batches take it",
                    Terminal(" (see `flipcost batch`)")
                )
            }
            error => said(error),
        })
    }
}

impl Value for AlgorithmId {
    const ABOUT: ValueAbout = ValueAbout {
        choices: || named(algorithms::ids()),
        ..ValueAbout::python("AlgorithmLike")
    };

    fn of_json(json: &Json) -> Result<AlgorithmId, Sentence> {
        AlgorithmId::named(plain_text(json)?)
    }

    fn goes_on(item: &str) -> bool {
        // `levels=2` of peres:N=8,levels=2: an id begins with its name and a colon
        item.contains('=') && !item.contains(':')
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}
