//! Every sentence that a question can give, as each front end renders it.
//!
//! The questions and their sentences are in `sentences.txt`. A block begins with a question, and
//! the lines below are its sentences. To add a question, add its line; `UPDATE=1 cargo test -p
//! flipcost-all --test it sentences` writes the rest.

use flipcost::table::Cell;
use flipcost_question::{
    Answer, Control, Foot, FrontEnd, Head, Query, QueryError, Sink, VIEW_FIELDS,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;

/// The source lines whose sentences have been rendered so far.
static RENDERED_PLACES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The packages whose sources contain sentences about questions.
const PACKAGES: [&str; 10] = [
    "question",
    "one-draw",
    "toll",
    "dice-set",
    "extraction",
    "libraries",
    "streams",
    "oeis",
    "models",
    "all",
];

/// Returns the root folder of the project.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/all")
}

const FRONT_ENDS: [&str; 3] = ["terminal", "python", "plain"];

/// A sink that keeps the foot of an answer and counts its rows.
#[derive(Default)]
struct FootKeeper(Foot, usize);

impl Sink for FootKeeper {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.1 += rows.len();
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.0 = foot;
        Ok(())
    }
}

/// Writes a sentence for each front end, on one line if it is the same for all front ends.
fn in_each_front_end(name: &str, at: impl Fn(FrontEnd) -> String, block: &mut String) {
    let front_ends = [flipcost_all::terminal(), FrontEnd::Python, FrontEnd::Plain];
    let said = front_ends.map(at);
    for (text, place) in said.iter().zip(FRONT_ENDS) {
        let letter = |at: usize| text[at + 2..].starts_with(|c: char| c.is_ascii_alphabetic());
        let flag = text.match_indices("--").any(|(at, _)| letter(at));
        let terminal = flag || text.contains("`flipcost ");
        if place != FRONT_ENDS[0] && terminal {
            writeln!(block, "WRONG: the command line is named ({place})").unwrap();
        }
    }
    if said.iter().all(|text| *text == said[0]) {
        writeln!(block, "{name}: {}", said[0]).unwrap();
        return;
    }
    for (text, place) in said.iter().zip(FRONT_ENDS) {
        writeln!(block, "{name} ({place}): {text}").unwrap();
    }
}

fn error(query: Option<&Query>, error: &QueryError, block: &mut String) {
    let QueryError::Input(wrong) = error else {
        panic!("{error}");
    };
    if let Some(field) = &wrong.field {
        let given = wrong.given.as_deref().unwrap_or("-");
        writeln!(block, "field: {field}, given: {given}").unwrap();
        if query.is_some_and(|query| !has(query, field)) && !VIEW_FIELDS.contains(&field.as_str()) {
            writeln!(block, "WRONG: there is no such field").unwrap();
        }
    }
    in_each_front_end("error", |front_end| error.render(front_end), block);
    RENDERED_PLACES
        .lock()
        .unwrap()
        .insert(wrong.place.to_string());
}

/// Returns whether a question of this kind has a certain field.
fn has(query: &Query, field: &str) -> bool {
    let mut question: Value = serde_json::from_str(&query.to_json()).unwrap();
    question["no such field"] = json!(1);
    let known = flipcost_all::from_json(&question.to_string()).unwrap_err();
    known.to_string().contains(&format!("`{field}`"))
}

/// Returns a question with all its sentences. `HHH...` stands for 10,001 flips.
fn block(text: &str) -> String {
    let mut block = format!("{text}\n");
    let whole = text.replace("HHH...", &"H".repeat(10_001));
    let query = match flipcost_all::from_json(&whole) {
        Ok(query) => query,
        Err(wrong) => {
            error(None, &wrong, &mut block);
            return block;
        }
    };
    let mut said = FootKeeper::default();
    let done = query.run(&Control::default(), &mut said);
    if let Err(wrong) = &done {
        error(Some(&query), wrong, &mut block);
    }
    for note in said.0.notes.iter().chain(&said.0.asides) {
        in_each_front_end("note", |front_end| note.render(front_end), &mut block);
    }
    if said.1 > Answer::MAX_ROWS {
        block.push_str("all at once:\n");
        let wrong = query.answer(&Control::default()).unwrap_err();
        error(Some(&query), &wrong, &mut block);
    }
    if let (Some(batch), Ok(())) = (
        query.downcast::<flipcost_streams::questions::Batch>(),
        &done,
    ) && batch.repeat
        && let Err(wrong) = batch.curve()
    {
        block.push_str("its chart:\n");
        error(None, &wrong, &mut block);
    }
    block
}

/// Returns the places in the source that make a sentence: file, line and column, in the compiler's
/// format. Places that only pass on a sentence of the engine are left out, because such a sentence
/// has no field and is therefore the same in every front end.
fn sentences(folder: &Path) -> Vec<String> {
    const MADE: [&str; 3] = [
        "QueryError::wrong(",
        "QueryError::general(",
        "InputError::new(",
    ];
    let mut places = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            places.extend(sentences(&path));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let file = path.strip_prefix(root()).unwrap();
        for (line, text) in text.lines().enumerate() {
            for column in MADE.iter().filter_map(|made| text.find(made)) {
                let (line, column) = (line + 1, column + 1);
                places.push(format!("{}:{line}:{column}", file.display()));
            }
        }
    }
    places
}

#[test]
fn every_sentence_of_every_front_end() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sentences.txt");
    let kept = std::fs::read_to_string(path).unwrap();
    let questions = kept.split("\n\n").filter_map(|block| block.lines().next());
    let blocks: Vec<String> = questions.map(block).collect();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, blocks.join("\n")).unwrap();
        return;
    }
    assert!(!kept.contains("\nWRONG"), "{path}");
    let met = RENDERED_PLACES.lock().unwrap();
    let packages = PACKAGES.map(|package| root().join("crates").join(package).join("src"));
    let unmet: Vec<String> = (packages.iter().flat_map(|package| sentences(package)))
        .filter(|place| !met.contains(place))
        .collect();
    assert!(unmet.is_empty(), "no question meets\n{}", unmet.join("\n"));
    for (kept, now) in kept.split("\n\n").zip(&blocks) {
        assert_eq!(
            kept.trim_end(),
            now.trim_end(),
            "UPDATE=1 writes {path} again"
        );
    }
}
