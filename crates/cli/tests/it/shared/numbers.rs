//! Every front end parses numbers in the same way: the texts in `numbers.tsv` have the same values
//! at the command line, in a study, on the page and (in python/tests) in Python.

use crate::support::{Folder, run, stdout};
use flipcost_page::{Form, reply};
use flipcost_question::Control;
use serde_json::{Value, json};

/// Returns the text, the value and the decimals of each number in the file.
fn numbers() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = include_str!("../../numbers.tsv").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        fields.try_into().expect("three fields")
    })
}

#[test]
fn the_command_line_reads_every_number() {
    for [text, value, decimals] in numbers() {
        let row: Value =
            serde_json::from_str(&stdout(&format!("decimals '{text}' -f jsonl"))).unwrap();
        assert_eq!(row["decimals"], decimals, "{text}");
        // as sides, as weights, as a probability
        let whole = !value.contains(['/', '-']) && value != "0";
        let asked = format!("cost -a knuth-yao -c weight_sum -- '{text}'");
        let (status, said, errors) = run(&asked);
        if whole {
            assert_eq!(said, format!("weight_sum\n{value}\n"), "{text}: {errors}")
        } else {
            assert_eq!((status, errors.lines().count()), (2, 1), "{text}: {errors}")
        }
        let (status, said, _) = run(&format!("cost '--weights={text}:1' -a knuth-yao -c target"));
        let (above, below) = value.split_once('/').unwrap_or((value, "1"));
        if value.starts_with('-') {
            assert_eq!(status, 2, "{text}");
        } else if value == "1" {
            // equal weights are a fair die
            assert_eq!(said, "target\n2\n", "{text}");
        } else {
            assert_eq!(said, format!("target\n{above}:{below}\n"), "{text}");
        }
    }
}

#[test]
fn the_page_reads_every_number() {
    for [text, _, decimals] in numbers() {
        let question = json!({ "ask": "decimals", "of": text }).to_string();
        let reply = reply(&question, Form::Answer, &Control::default());
        let answer: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(answer["rows"][0][1], decimals, "{text}: {answer}");
    }
}

#[test]
fn a_study_reads_every_number() {
    let folder = Folder::new();
    let check = |[text, value, _]: [&str; 3]| {
        format!(
            "\n[[check]]\nclaim = \"{text}\"\npublished = \"{value}\"\nsource = \"numbers.tsv\"\nthat = \"{text} = {value}\"\n"
        )
    };
    let checks: String = numbers().map(check).collect();
    let head = "title = \"Numbers\"\nquestion = \"Are numbers read as people write them?\"\n";
    let file = folder.write("numbers.toml", &format!("{head}{checks}"));
    stdout(&format!("reproduce --root {} {file}", folder.path("")));
}
