//! Every sentence about a question, as the command line, Python and all others say it. They stand in
//! `sentences.txt`, which `UPDATE=1 cargo test -p flipcost-query --test sentences` writes again.

use flipcost::table::Cell;
use flipcost_query::{Batch, Control, Door, Foot, Head, Query, QueryError, Sink};
use serde_json::{Value, json};
use std::fmt::Write;

const DOORS: [(Door, &str); 3] = [
    (Door::Terminal, "terminal"),
    (Door::Python, "python"),
    (Door::Plain, "plain"),
];

/// What is wrong with these texts is said before there is a question.
const TEXTS: &[&str] = &[
    "cost 6",
    "7",
    "{}",
    r#"{"ask":7}"#,
    r#"{"ask":"no"}"#,
    r#"{"ask":"cost"}"#,
    r#"{"ask":"cost","target":"6","x":1}"#,
    r#"{"ask":"cost","target":"6x"}"#,
    r#"{"ask":"cost","target":"6","source":"1"}"#,
    r#"{"ask":"cost","target":"6","algorithms":["guess"]}"#,
    r#"{"ask":"cost","target":"6","algorithms":["recycling"]}"#,
    r#"{"ask":"sweep","from":"x","to":9}"#,
];

/// Questions with something to say: errors, and notes.
fn questions() -> Vec<Value> {
    let many = vec!["6"; 2001];
    vec![
        json!({"ask": "advise"}),
        json!({"ask": "advise", "target": "6", "source": "6", "dice": "4,6"}),
        json!({"ask": "advise", "shuffle": 0}),
        json!({"ask": "advise", "bits": 0}),
        json!({"ask": "advise", "target": "1:2:4", "source": "3", "prefer": "constant-time"}),
        json!({"ask": "advise", "target": "6", "dice": "4,6", "prefer": "bounded"}),
        json!({"ask": "advise", "target": "6", "source": "word:64"}),
        json!({"ask": "band", "from": 0, "to": 9}),
        json!({"ask": "band", "from": 1, "to": "2^70"}),
        json!({"ask": "band", "from": 9, "to": 3}),
        json!({"ask": "band", "from": 1, "to": 9, "parts": 0}),
        json!({"ask": "band", "from": 1, "to": "2^40", "parts": 2}),
        json!({"ask": "batch", "targets": []}),
        json!({"ask": "batch", "targets": many}),
        json!({"ask": "batch", "targets": ["2^200001"]}),
        json!({"ask": "batch", "targets": ["6"], "repeat": true, "capacity": "0"}),
        json!({"ask": "batch", "targets": ["6"], "repeat": true, "capacity": "1..2000"}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "repeat": true}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "capacity": "8,9"}),
        json!({"ask": "batch", "targets": ["6"], "seed": 7}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "seed": 7, "input": "HT"}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "input": "HT"}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "input": "HX"}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "input": "HTHHTTHTHTTH"}),
        json!({"ask": "batch", "targets": ["6"], "trace": true, "seed": 7}),
        json!({"ask": "batch", "targets": ["2^150000", "2^150000", "2^150000"], "trace": true}),
        json!({"ask": "batch", "targets": ["6", "5"], "best_order": true, "repeat": true}),
        json!({"ask": "batch", "targets": vec!["6"; 20], "best_order": true}),
        json!({"ask": "batch", "targets": ["6", "5"], "repeat": true}),
        json!({"ask": "batch", "targets": ["6", "5"], "power": 2}),
        json!({"ask": "batch", "targets": ["2^70"], "repeat": true}),
        json!({"ask": "batch", "targets": ["2^69:2^69"], "power": 2}),
        json!({"ask": "batch", "targets": ["6"], "power": 0}),
        json!({"ask": "batch", "targets": ["6"], "power": 1_000_000}),
        json!({"ask": "bias", "target": 0}),
        json!({"ask": "bias", "target": 6, "words": 0}),
        json!({"ask": "bias", "target": 6, "double": 54}),
        json!({"ask": "bias", "target": "2^70", "double": 53}),
        json!({"ask": "bias", "target": "2^200001"}),
        json!({"ask": "bias", "target": 6}),
        json!({"ask": "bounded", "sources": "1", "targets": "6"}),
        json!({"ask": "bounded", "sources": "2", "targets": "0"}),
        json!({"ask": "bounded", "sources": "2..2000", "targets": "1..2000"}),
        json!({"ask": "cite", "what": "nobody"}),
        json!({"ask": "cite", "what": "period:source=7"}),
        json!({"ask": "compare", "sources": "2"}),
        json!({"ask": "compare", "sources": "2", "targets": "6", "weights": ["1:2"]}),
        json!({"ask": "compare", "sources": "1", "targets": "6"}),
        json!({"ask": "compare", "sources": "2", "targets": "0"}),
        json!({"ask": "compare", "sources": "2..2000", "targets": "1..2000"}),
        json!({"ask": "cost", "target": "6", "columns": ["n", "n"]}),
        json!({"ask": "cost", "target": "6", "digits": 2_000_000}),
        json!({"ask": "cost", "target": "6", "source": "6", "algorithms": ["bit-recycler"]}),
        json!({"ask": "cost", "target": "1:2", "algorithms": ["fast-dice-roller"]}),
        json!({"ask": "cost", "target": "2^200001"}),
        json!({"ask": "cost", "target": "2^100000:2^200001"}),
        json!({"ask": "cost", "target": "10007", "algorithms": ["fast-dice-roller"]}),
        json!({"ask": "cost", "target": "6", "source": "word:8", "columns": ["algorithm", "log2(0*n)"]}),
        json!({"ask": "cost", "target": "6", "columns": ["2^(n*1000)"], "algorithms": ["interval"]}),
        json!({"ask": "cost", "target": "1:2", "source": "word:64"}),
        json!({"ask": "cost", "target": "6", "source": "word:32", "algorithms": ["java-nextint"]}),
        json!({"ask": "decimals", "of": "pi", "digits": 10_000_000}),
        json!({"ask": "decimals", "of": "1/3", "digits": 10_000_000}),
        json!({"ask": "distribution", "target": "3^200000", "algorithm": "fast-dice-roller"}),
        json!({"ask": "distribution", "target": "6", "algorithm": "fast-dice-roller", "upto": 1_000_000_000}),
        json!({"ask": "distribution", "target": "6", "algorithm": "interval", "source": "word:64"}),
        json!({"ask": "distribution", "target": "8", "algorithm": "fast-dice-roller"}),
        json!({"ask": "distribution", "target": "1:2", "algorithm": "fast-dice-roller"}),
        json!({"ask": "distribution", "target": "10007", "algorithm": "interval"}),
        json!({"ask": "export", "language": "prism", "target": "1:2", "algorithm": "fast-dice-roller"}),
        json!({"ask": "family", "to": 1}),
        json!({"ask": "family", "chosen": 20_000}),
        json!({"ask": "flowchart", "target": "10^30+57"}),
        json!({"ask": "flowchart", "target": 6}),
        json!({"ask": "flowchart", "target": 6, "source": "word:64"}),
        json!({"ask": "follow", "target": "6", "rolls": "HX"}),
        json!({"ask": "follow", "target": "6", "rolls": "H".repeat(20_000)}),
        json!({"ask": "follow", "target": "6", "rolls": "HTHHHTTT"}),
        json!({"ask": "follow", "target": "6", "rolls": ""}),
        json!({"ask": "follow", "target": "1:2", "rolls": "H", "algorithm": "fast-dice-roller"}),
        json!({"ask": "frontier", "target": "6", "to": 1_000_000}),
        json!({"ask": "frontier", "target": "1:2", "to": 4, "libraries": true}),
        json!({"ask": "import", "format": "drn", "file": "there-is-none.drn"}),
        json!({"ask": "import", "format": "drn", "file": "Cargo.toml"}),
        json!({"ask": "import", "format": "drn", "file": "Cargo.toml", "labels": "x"}),
        json!({"ask": "import", "format": "prism-explicit", "file": "Cargo.toml"}),
        json!({"ask": "import", "format": "prism-explicit", "file": "Cargo.toml", "reward": "x"}),
        json!({"ask": "import", "format": "prism-explicit", "file": "Cargo.toml", "labels": "none"}),
        json!({"ask": "import", "format": "drn", "file": "tests/coin.drn"}),
        json!({"ask": "law", "formula": "a+", "dice": "6,6"}),
        json!({"ask": "law", "formula": "a+b", "dice": "6,6"}),
        json!({"ask": "law", "formula": "a", "dice": "6"}),
        json!({"ask": "leaves", "target": "6", "rolls": 1_000_000}),
        json!({"ask": "leaves", "target": "2^70", "rolls": 3}),
        json!({"ask": "leaves", "target": "1:2", "rolls": 3, "algorithm": "fast-dice-roller"}),
        json!({"ask": "libraries", "word": "cobol"}),
        json!({"ask": "libraries", "target": "2^40", "word": "java"}),
        json!({"ask": "mr", "x": "1/3", "base": 1}),
        json!({"ask": "mr", "x": "e", "terms": 1_000_000}),
        json!({"ask": "mr", "x": "1/3^200000"}),
        json!({"ask": "mr", "x": "1/3", "terms": 1_100_000}),
        json!({"ask": "mr", "x": "1/29"}),
        json!({"ask": "oeis-check"}),
        json!({"ask": "oeis-check", "id": "A136043", "all": true}),
        json!({"ask": "oeis-check", "id": "A136043", "terms": 0}),
        json!({"ask": "oeis-check", "id": "A000001"}),
        json!({"ask": "oeis-check", "id": "period:source=7"}),
        json!({"ask": "oeis-check", "id": "period:base=7"}),
        json!({"ask": "oeis-check", "id": "A136043", "against": "there-is-none.txt"}),
        json!({"ask": "oeis-check", "all": true, "against": "there-is-none.txt"}),
        json!({"ask": "oeis-draft", "id": "A000001"}),
        json!({"ask": "oeis-draft", "id": "A136043", "terms": 0}),
        json!({"ask": "oeis-draft", "id": "A136043", "terms": 2_000_000_000}),
        json!({"ask": "oeis-draft", "id": "A136043", "date": "May"}),
        json!({"ask": "oeis-draft", "id": "period:source=7", "terms": 20}),
        json!({"ask": "oeis-identify"}),
        json!({"ask": "oeis-identify", "terms": "1,2,3", "sequence": "A136043"}),
        json!({"ask": "oeis-identify", "sequence": "A000001"}),
        json!({"ask": "oeis-identify", "terms": "1,2,3", "limit": 0}),
        json!({"ask": "oeis-identify", "terms": "1,2,3,7,9,31,5"}),
        json!({"ask": "oeis-identify", "terms": "1"}),
        json!({"ask": "oeis-identify", "terms": "1,2,3", "stripped": "there-is-none.gz"}),
        json!({"ask": "oeis-identify", "terms": "1,2,3", "names": "there-is-none.gz"}),
        json!({"ask": "plan", "target": "13"}),
        json!({"ask": "plan", "target": "13", "dice": "6", "throws": ["6,6"]}),
        json!({"ask": "plan", "target": "13", "throws": ["6,6"], "cost": ["6=2"]}),
        json!({"ask": "plan", "target": "13", "throws": ["6,6", "4,9"]}),
        json!({"ask": "plan", "target": "13", "dice": "6", "cost": ["4=2"]}),
        json!({"ask": "plan", "target": "13", "dice": "6", "cost": ["6=2", "6=3"]}),
        json!({"ask": "plan", "target": "13", "dice": "6", "effort": 3}),
        json!({"ask": "plan", "target": "10^9", "dice": "6"}),
        json!({"ask": "plan", "target": "1:10^9", "dice": "6"}),
        json!({"ask": "plan", "target": "10^9", "dice": "6", "optimal": true}),
        json!({"ask": "plan", "target": "1:10^9", "dice": "6", "optimal": true}),
        json!({"ask": "plan", "target": "13", "dice": "6", "optimal": true, "no_split": true}),
        json!({"ask": "plan", "target": "13", "dice": "6", "optimal": true, "effort": 0}),
        json!({"ask": "plan", "target": "13", "dice": "6,10", "optimal": true, "effort": 1}),
        json!({"ask": "plan", "target": "1:4", "dice": "2,6"}),
        json!({"ask": "recipe", "target": 0}),
        json!({"ask": "recipe", "target": "2^70"}),
        json!({"ask": "recipe", "target": "7"}),
        json!({"ask": "recipe", "target": "7", "dice": "4,6"}),
        json!({"ask": "recipe", "target": "7", "dice": "20000"}),
        json!({"ask": "roll", "target": "6", "seed": 1, "input": "HT"}),
        json!({"ask": "roll", "target": "6", "input": "HX"}),
        json!({"ask": "roll", "target": "6", "input": "HTT", "count": 3}),
        json!({"ask": "roll", "target": "6", "input": "HTTHHHHHH"}),
        json!({"ask": "roll", "target": "6", "trace": true, "seed": 1}),
        json!({"ask": "roll", "target": "2^199999", "trace": true}),
        json!({"ask": "roll", "target": "1:2", "algorithm": "fast-dice-roller"}),
        json!({"ask": "sequence", "id": "A000001"}),
        json!({"ask": "sequence", "id": "A136043", "terms": 3, "to": 9}),
        json!({"ask": "sequence", "id": "A136043", "terms": 0}),
        json!({"ask": "sequence", "id": "A136043", "from": 9, "to": 3}),
        json!({"ask": "sequence", "id": "A136043", "from": 1, "to": 1_000_000_000}),
        json!({"ask": "sequence", "id": "A136043", "from": 0, "to": 3}),
        json!({"ask": "sequence-list", "word": "nonesuch"}),
        json!({"ask": "shuffle", "cards": 0}),
        json!({"ask": "shuffle", "cards": 100_000}),
        json!({"ask": "shuffle", "cards": 60, "broken": true}),
        json!({"ask": "shuffle", "cards": 8, "draw": 9}),
        json!({"ask": "shuffle", "cards": 8, "libraries": true, "broken": true}),
        json!({"ask": "shuffle", "cards": 8, "libraries": true, "source": "6"}),
        json!({"ask": "shuffle", "cards": 8, "seed": 1}),
        json!({"ask": "shuffle", "cards": 8, "names": ["A"]}),
        json!({"ask": "shuffle", "cards": 8, "deal": true, "digits": 3}),
        json!({"ask": "shuffle", "cards": 8, "deal": true, "seed": 3, "input": "HT"}),
        json!({"ask": "shuffle", "cards": 2, "deal": true, "names": ["A", "B", "C"]}),
        json!({"ask": "shuffle", "cards": 8, "deal": true, "names": ["A", "B,C"]}),
        json!({"ask": "shuffle", "cards": 8, "deal": true, "names": ["A", "A"]}),
        json!({"ask": "shuffle", "cards": 8, "deal": true, "input": "HX"}),
        json!({"ask": "shuffle", "cards": 8, "deal": true, "input": "HT"}),
        json!({"ask": "shuffle", "cards": 2, "deal": true, "input": "HTH"}),
        json!({"ask": "shuffle", "cards": 2, "deal": true, "seed": 1}),
        json!({"ask": "shuffle", "cards": 8, "batches": true}),
        json!({"ask": "shuffle", "cards": 8, "batches": true, "source": "word:64"}),
        json!({"ask": "shuffle", "cards": 8, "broken": true}),
        json!({"ask": "shuffle", "cards": 8, "libraries": true}),
        json!({"ask": "shuffle", "cards": 8, "source": "6", "algorithm": "bit-recycler"}),
        json!({"ask": "simulate", "target": "6", "trials": 2_000_000_000_000u64}),
        json!({"ask": "simulate", "target": "6", "trials": 3}),
        json!({"ask": "simulate", "target": "1:2", "trials": 3, "algorithm": "fast-dice-roller"}),
        json!({"ask": "stream", "target": "6", "states": 1}),
        json!({"ask": "stream", "target": "6", "states": 100_000_000}),
        json!({"ask": "stream", "target": "6", "states": 8, "source": "2^40"}),
        json!({"ask": "stream", "target": "6", "states": 8, "source": "6", "class": "staged"}),
        json!({"ask": "stream", "target": "6", "states": 3, "class": "staged"}),
        json!({"ask": "stream", "target": "6/5", "states": 8, "class": "staged"}),
        json!({"ask": "stream", "target": "6", "states": 8, "class": "staged"}),
        json!({"ask": "stream", "target": "6", "states": 8, "trace": true, "results": 1_000_000}),
        json!({"ask": "stream", "target": "6", "states": 8, "trace": true, "input": "HX"}),
        json!({"ask": "stream", "target": "6", "states": 8, "trace": true, "input": "H"}),
        json!({"ask": "stream", "target": "6", "states": 8, "trace": true, "seed": 1}),
        json!({"ask": "sweep", "from": 0, "to": 3}),
        json!({"ask": "sweep", "from": 9, "to": 3}),
        json!({"ask": "sweep", "from": 1, "to": 3, "source": "6", "sources": "2,6"}),
        json!({"ask": "sweep", "from": 1, "to": 3, "sources": "1"}),
        json!({"ask": "sweep", "from": 1, "to": 3, "columns": ["n", "n"]}),
        json!({"ask": "sweep", "from": 100_003, "to": 100_004, "columns": ["n", "expected_exact"], "algorithms": ["fast-dice-roller"]}),
        json!({"ask": "sweep", "from": 1, "to": 3, "columns": ["log2(n-1)"], "algorithms": ["fast-dice-roller"]}),
        json!({"ask": "sweep-summary", "sweep": {"from": 1, "to": 9, "columns": ["algorithm"]}}),
        json!({"ask": "sweep-summary", "sweep": {"from": 1, "to": 9, "columns": ["n"]}}),
        json!({"ask": "sweep-summary", "sweep": {"from": 9, "to": 1}}),
        json!({"ask": "sweep-summary", "sweep": {"from": 1, "to": 9}, "quantiles": ["1/2", "1/2"]}),
        json!({"ask": "sweep-weights", "weights": []}),
        json!({"ask": "sweep-weights", "weights": ["1:2"], "columns": ["n", "n"]}),
        json!({"ask": "table", "target": "6", "algorithm": "knuth-yao"}),
        json!({"ask": "toll-distribution", "parts": 0}),
        json!({"ask": "toll-distribution", "at": ["e"]}),
        json!({"ask": "tree", "target": "6", "depth": 1_000_000}),
        json!({"ask": "tree", "target": "6", "depth": 1}),
        json!({"ask": "tree", "target": "6", "depth": 4}),
        json!({"ask": "tree", "target": "4"}),
        json!({"ask": "tree", "target": "1:2", "algorithm": "fast-dice-roller"}),
        json!({"ask": "verify", "claim": "largest-toll", "to": 0}),
        json!({"ask": "verify-that", "that": "toll <= 2", "from": 9, "to": 3}),
        json!({"ask": "verify-that", "that": "toll <= 2", "from": 1, "to": 3, "source": "6", "algorithms": ["bit-recycler"]}),
    ]
}

/// Keeps what is said of an answer.
#[derive(Default)]
struct Said(Foot);

impl Sink for Said {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, _: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.0 = foot;
        Ok(())
    }
}

/// A sentence at each door; one line if all say the same.
fn doors(name: &str, at: impl Fn(Door) -> String, page: &mut String) {
    let said = DOORS.map(|(door, _)| at(door));
    for (text, (door, place)) in said.iter().zip(DOORS) {
        let flag = text
            .match_indices("--")
            .any(|(at, _)| text[at + 2..].starts_with(|letter: char| letter.is_ascii_alphabetic()));
        let other = door != Door::Terminal && (flag || text.contains("`flipcost "));
        assert!(!other, "{place} names the command line: {text}");
    }
    match said.iter().all(|text| *text == said[0]) {
        true => writeln!(page, "{name}: {}", said[0]).unwrap(),
        false => {
            for (text, (_, place)) in said.iter().zip(DOORS) {
                writeln!(page, "{name} ({place}): {text}").unwrap();
            }
        }
    }
}

fn error(query: Option<&Query>, error: &QueryError, page: &mut String) {
    let QueryError::Input(wrong) = error else {
        panic!("{error}");
    };
    if let Some(field) = &wrong.field {
        let given = wrong.given.as_deref().unwrap_or("-");
        writeln!(page, "field: {field}, given: {given}").unwrap();
        if let Some(query) = query {
            assert!(
                has(query, field),
                "{} has no field {field}",
                query.to_json()
            );
        }
    }
    doors("error", |door| error.at(door), page);
}

/// Does a question of this kind have such a field?
fn has(query: &Query, field: &str) -> bool {
    let mut question: Value = serde_json::from_str(&query.to_json()).unwrap();
    question["no such field"] = json!(1);
    let known = Query::from_json(&question.to_string())
        .unwrap_err()
        .to_string();
    known.contains(&format!("`{field}`"))
}

/// A question of one line; what is long is cut.
fn shown(text: &str) -> String {
    match text.char_indices().nth(150) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

#[test]
fn every_sentence_at_every_door() {
    let mut page = String::new();
    for text in TEXTS {
        writeln!(page, "{text}").unwrap();
        error(None, &Query::from_json(text).unwrap_err(), &mut page);
        page.push('\n');
    }
    for question in questions() {
        let text = question.to_string();
        let query = Query::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        writeln!(page, "{}", shown(&query.to_json())).unwrap();
        let mut said = Said::default();
        let done = query.run(&Control::default(), &mut said);
        if let Err(wrong) = &done {
            error(Some(&query), wrong, &mut page);
        }
        for note in said.0.notes.iter().chain(&said.0.asides) {
            doors("note", |door| note.at(door), &mut page);
        }
        page.push('\n');
    }
    let batch = Query::from_json(r#"{"ask":"batch","targets":["6"]}"#);
    let Ok(Query::Batch(batch)) = batch else {
        panic!("a batch");
    };
    let no_curve = Batch::curve(&batch).unwrap_err();
    writeln!(page, "a chart of a batch").unwrap();
    error(None, &no_curve, &mut page);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sentences.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    for (kept, now) in kept.split("\n\n").zip(page.split("\n\n")) {
        assert_eq!(kept, now, "UPDATE=1 writes {path} again");
    }
    assert_eq!(kept.len(), page.len(), "UPDATE=1 writes {path} again");
}
