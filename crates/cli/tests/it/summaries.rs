//! The first line of an answer: every question has one, and a person at a terminal reads it first.

use flipcost_question::{Answer, Control, Query};
use flipcost_terminal::question::query_of;
use serde_json::{Value, json};
use std::ffi::OsString;

/// The question of an example in a help.
fn example(line: &str) -> Option<Query> {
    let mut words = vec![OsString::from("flipcost")];
    for (place, part) in line.split('"').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(OsString::from)),
            _ => words.push(part.into()),
        }
    }
    query_of(words).ok()
}

fn answer(query: &Query) -> Option<Answer> {
    let is_short = query.estimate().work < 2_000_000_000;
    is_short.then(|| query.answer(&Control::default()).ok())?
}

/// A model for `import`, whose examples name files.
fn import() -> Query {
    let model = example("export drn 6").unwrap();
    let text = answer(&model).unwrap().foot.text.unwrap();
    let query = json!({ "ask": "import", "format": "drn", "file": text });
    flipcost_all::from_json(&query.to_string()).unwrap()
}

/// Every question of the registry has one plain sentence, which stands in a few lines of 80 letters.
#[test]
fn every_question_has_a_sentence() {
    let mut wrong = Vec::new();
    for description in flipcost_all::descriptions() {
        let mut queries: Vec<Query> = description
            .examples
            .iter()
            .copied()
            .filter_map(example)
            .collect();
        if description.ask == "import" {
            queries.push(import());
        }
        let answers: Vec<Answer> = queries.iter().filter_map(answer).collect();
        assert!(!answers.is_empty(), "{}", description.ask);
        for answer in answers {
            let (line, summary) = (answer.query.command(), answer.summary());
            println!("{line}\n    {summary}");
            let lines = textwrap::wrap(&summary, 80);
            let first = summary.split(' ').next().unwrap_or_default();
            let is_sentence = summary.ends_with('.')
                && (first.contains(['(', '-', '=']) || !first.starts_with(char::is_lowercase))
                && ["  ", " ,", " .", " ;", "{"]
                    .iter()
                    .all(|gap| !summary.contains(gap));
            let fits = lines.len() <= 4 && lines.iter().all(|line| line.chars().count() <= 80);
            if !is_sentence || !fits {
                wrong.push(format!("{line}: {summary}"));
            }
            let mut text = Vec::new();
            answer.write_json(&mut text).unwrap();
            let written: Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(written["summary"], summary);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What people ask, and the sentence that answers it.
#[test]
fn the_sentence_holds_the_value() {
    for (line, wanted) in [
        (
            "cost 6",
            "A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.",
        ),
        (
            "bias 100",
            "rand() % 100 from 32 bits: outcomes differ by 2.3 in 10^8; nobody notices before 7·10^17 results.",
        ),
        (
            "supply 3329 --source word:12 --count 256 --failure 2^-128",
            "467 words of 12 bits (701 bytes) suffice for 256 results of a d3329 from a word of 12 bits by words under a mask, except with probability 2^-128.8; 398 words of 12 bits (597 bytes) would do at the least cost, by the fast dice roller.",
        ),
        (
            "plan 365 --dice 6,10,20",
            "A d365 from a d6, a d10 and a d20 takes 156/73 ≈ 2.137 rolls on average by a simple recipe; the cheapest takes about 2.129 rolls.",
        ),
        (
            "cost 1:2:3",
            "Weights 1:2:3 from a coin take 2 flips on average by the interval algorithm; no method takes fewer.",
        ),
        (
            "cost 6 -a rejection",
            "A d6 from a coin takes 4 flips on average by rejection.",
        ),
    ] {
        let answer = answer(&example(line).unwrap()).unwrap();
        assert_eq!(answer.summary(), wanted, "{line}");
    }
}
