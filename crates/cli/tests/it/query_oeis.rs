//! The questions of the commands about sequences are printed, answered and parsed again.

use crate::support;

use assert_cmd::Command;
use serde_json::Value;
use std::collections::HashSet;

fn flipcost(words: &[impl AsRef<str>]) -> Command {
    let mut command = Command::cargo_bin("flipcost").unwrap();
    command.args(words.iter().map(AsRef::as_ref));
    command
}

/// Returns the output of `--query`: one line of JSON; the command is not run.
fn query(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let output = flipcost(&[&["--query"], &words[..]].concat())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && errors.is_empty(),
        "{words:?}: {errors}"
    );
    let line = String::from_utf8(output.stdout).unwrap();
    assert_eq!(line.lines().count(), 1, "{words:?}");
    line.trim_end().to_string()
}

/// Returns the exit status of `ask`, and its answers.
fn ask(lines: &[String]) -> (i32, Vec<Value>) {
    let output = flipcost(&["ask", "-"])
        .write_stdin(lines.join("\n"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (output.status.code().unwrap(), answers.collect())
}

/// Returns one answer.
fn answer(words: &[&str]) -> Value {
    let (status, mut answers) = ask(&[query(words)]);
    assert_eq!((status, answers.len()), (0, 1), "{words:?}");
    answers.remove(0)
}

const STRIPPED: &str = "# c\nA000045 ,0,1,1,2,3,5,8,13,21,34,\nA136043 ,1,1,1,1,2,1,1,1,3,\n";
const NAMES: &str = "A000045 Fibonacci numbers.\nA136043 Periods.\n";

/// Command lines; the tests replace `STRIPPED` and `NAMES` by the paths of files of the OEIS with
/// these names.
const COMMANDS: &[&str] = &[
    "sequence A136043",
    "sequence a136043 --terms 9",
    "sequence A136043 --from 5",
    "sequence A136043 --from 5 --to 7",
    "sequence A136043 --to 7",
    "sequence A007733 --from 10^12 --terms 3",
    "sequence mr-period:base=3 --terms 4",
    "sequence mr:x=sqrt(2) --terms 30",
    "sequence mr:x=e-2,base=3 -t 5 -f jsonl",
    "sequence bounded-exponent -t 20 --format internal",
    "sequence expected-numerator:algorithm=rejection,source=6 --terms 300 -f b-file",
    "sequence variance-denominator --terms 20 -o never-written",
    "sequence toll-records --terms 12",
    "list sequences",
    "list sequences -f jsonl -o never-written",
    "oeis check A136043",
    "oeis check A136043 --terms 20",
    "oeis check cycle-rounds:source=2",
    "oeis check first-v --against b-file",
    "oeis check --all",
    "oeis check --all --terms 40",
    "oeis identify 1,1,1,1,2,1,1,1,3",
    "oeis identify -1,-2,-3,-5,-8,-13 --stripped STRIPPED",
    "oeis identify [1,1,1,1,2,1,1,1,3] --limit 1",
    "oeis identify 3,5,8,13,21,34 --stripped STRIPPED --names NAMES -f csv",
    "oeis identify 7,-7,7,7,-7",
    "oeis identify --sequence largest-v",
    "oeis identify --sequence first-v --limit 2^4 -o never-written",
    "oeis identify 99999999999999999999999,1,2,3,4",
    "oeis draft first-v",
    "oeis draft A136043 --terms 300",
    "oeis draft total-flips --author Ann --terms 10",
    "oeis draft total-flips --date=Nov_21_2026 -t 10",
    "oeis draft mr-period:base=7 --author it's_-_me -o never-written",
    "verify layman --to 2000",
    "verify toll --to 10^3",
    "verify ceil-plus-one --to 10^3",
    "verify half-period --to 100",
    "verify half-period --to 50 --threads 1",
    "verify aldr-toll --sum 40",
    "verify aldr-toll-even --to 40",
    "list algorithms",
    "list algorithms -f table",
];

#[test]
fn every_query_is_answered_and_parsed_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let (stripped, names) = (place("a b", STRIPPED), place("names", NAMES));
    let b_file = place("b-file", "1 0\n2 0\n3 1\n4 0\n");
    let words = |line: &str| -> Vec<String> {
        let path = |word: &str| match word {
            "STRIPPED" => stripped.clone(),
            "NAMES" => names.clone(),
            "b-file" if line.contains("against") => b_file.clone(),
            word if word.starts_with("it's") || word.starts_with("--date") => {
                word.replace('_', " ")
            }
            word => word.to_string(),
        };
        line.split(' ').map(path).collect()
    };
    let queries: Vec<String> = COMMANDS.iter().map(|line| query(&words(line))).collect();
    let (status, answers) = ask(&queries);
    assert_eq!((status, answers.len()), (0, COMMANDS.len()));
    for ((line, query_line), answer) in COMMANDS.iter().zip(&queries).zip(&answers) {
        let asked: Value = serde_json::from_str(query_line).unwrap();
        assert_eq!(answer["query"], asked, "{line}");
        // The command line in the answer asks the same question.
        let command = flipcost_all::from_json(query_line).unwrap().command();
        assert_eq!(answer["command"], command.to_string(), "{line}");
        assert_eq!(&query(command.words()), query_line, "{line}");
        // The command in the answer leaves out options about how and where the answer is written.
        let text = command.to_string();
        assert!(
            !text.contains("never-written") && !text.contains("--format"),
            "{text}"
        );
        let columns = answer["columns"].as_array().unwrap();
        let kinds = ["text", "count"];
        assert!(
            columns
                .iter()
                .all(|c| kinds.contains(&c["kind"].as_str().unwrap()))
        );
        let rows = answer["rows"].as_array().unwrap();
        assert!(
            rows.iter()
                .all(|row| row.as_array().unwrap().len() == columns.len()),
            "{line}"
        );
        assert!(!rows.is_empty() || line.contains("identify"), "{line}");
    }
    // Defaults are left out.
    assert_eq!(queries[0], r#"{"ask":"sequence","id":"A136043"}"#);
    assert_eq!(answers[0]["command"], "flipcost sequence A136043");
    assert_eq!(queries[13], r#"{"ask":"list-sequences"}"#);
    let asked: HashSet<&str> = answers
        .iter()
        .filter_map(|a| a["query"]["ask"].as_str())
        .collect();
    assert_eq!(asked.len(), 7, "{asked:?}");
    assert!(!std::path::Path::new("never-written").exists());
}

#[test]
fn answers_contain_what_the_commands_print() {
    let said = answer(&["sequence", "bounded-exponent", "--terms", "9"]);
    let terms = said["rows"].as_array().unwrap().iter().map(|row| &row[1]);
    let plain = |term: &Value| term.as_str().map_or(term.to_string(), str::to_string);
    let listed: Vec<String> = terms.map(plain).collect();
    assert_eq!(
        listed.join(", ") + "\n",
        support::stdout("sequence bounded-exponent --terms 9")
    );
    assert_eq!(said["rows"][2], serde_json::json!([3, "-1"])); // exact numbers are strings

    let said = answer(&["oeis", "check", "--all"]);
    let printed = support::stdout("oeis check --all");
    assert_eq!(
        said["rows"].as_array().unwrap().len() + 2,
        printed.lines().count()
    );
    for (row, line) in said["rows"].as_array().unwrap().iter().zip(printed.lines()) {
        assert!(line.starts_with(row[1].as_str().unwrap()), "{line}");
        assert!(line.ends_with(row[12].as_str().unwrap()), "{line}");
        assert_eq!((&row[2], &row[3]), (&"agree".into(), &row[4]), "{line}");
    }
    let notes: Vec<&str> = said["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(printed.ends_with(&(notes.join("\n") + "\n")) && said["verdict"] == "holds");

    let said = answer(&["oeis", "draft", "first-v", "--terms", "60"]);
    assert_eq!(
        said["text"],
        support::stdout("oeis draft first-v --terms 60")
    );
    assert_eq!(said["rows"].as_array().unwrap().len(), 60);
    assert_eq!(
        said["notes"].as_array().unwrap().len(),
        2,
        "{}",
        said["notes"]
    );

    let said = answer(&["verify", "layman", "--to", "2000"]);
    let row = &said["rows"][0];
    assert_eq!(
        (&row[2], &row[3], &row[4]),
        (&3.into(), &2000.into(), &117.into())
    );
    assert_eq!((&row[6], &said["verdict"]), (&Value::Null, &"holds".into()));
}

/// A mismatch is reported as an answer with a failed verdict, for which the command exits with
/// status 1.
#[test]
fn a_mismatch_is_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong");
    std::fs::write(&file, "1 1\n2 1\n3 1\n4 1\n5 7\n6 1\n").unwrap();
    let said = answer(&[
        "oeis",
        "check",
        "A136043",
        "--against",
        file.to_str().unwrap(),
    ]);
    let row = said["rows"][0].as_array().unwrap();
    let wanted = serde_json::json!(["differ", 6, 5, 1, 1, 5, 2, 7]);
    assert_eq!(row[2..10], wanted.as_array().unwrap()[..]);
    let sentence = "the terms of A136043 differ from those of the file";
    assert_eq!(said["verdict"]["fails"], sentence);
}

#[test]
fn bad_queries_get_one_sentence_each() {
    let bad = [
        (r#"{"ask":"sequence"}"#, "id"),
        (
            r#"{"ask":"sequence","id":"A000001"}"#,
            "not a known sequence",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","term":5}"#,
            "there is no field `term`",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","terms":5,"to":9}"#,
            "give one of them",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","terms":0}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","terms":"six"}"#,
            "character 1",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","terms":-1}"#,
            "its value is -1",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","from":9,"to":3}"#,
            "reversed",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","from":0}"#,
            "begins at n = 1",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","terms":"10^10"}"#,
            "at once",
        ),
        (
            r#"{"ask":"sequence","id":"A136043","from":"2^63","to":"2^63"}"#,
            "2^53",
        ),
        (r#"{"ask":"sequence","id":"period:source=1"}"#, "2 to 2^32"),
        (
            r#"{"ask":"list-sequences","all":true}"#,
            "there is no field",
        ),
        (r#"{"ask":"oeis-check"}"#, "`all=true`"),
        (
            r#"{"ask":"oeis-check","id":"A136043","all":true}"#,
            "give one",
        ),
        (r#"{"ask":"oeis-check","id":"first-v"}"#, "`against`"),
        (
            r#"{"ask":"oeis-check","id":"A136043","terms":0}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"oeis-check","id":"A136043","against":"no-such-file"}"#,
            "no such file",
        ),
        (r#"{"ask":"oeis-identify"}"#, "give terms"),
        (r#"{"ask":"oeis-identify","terms":"1,2"}"#, "too few"),
        (
            r#"{"ask":"oeis-identify","terms":"1,x,3,4"}"#,
            "not an integer",
        ),
        (
            r#"{"ask":"oeis-identify","terms":"1,2,3,4","sequence":"first-v"}"#,
            "give one",
        ),
        (
            r#"{"ask":"oeis-identify","terms":"1,2,3,4","limit":0}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"oeis-identify","terms":"1,2,3,4","stripped":"no-such-file"}"#,
            "no such file",
        ),
        (
            r#"{"ask":"oeis-draft","id":"first-v","date":"soon"}"#,
            "Nov 21 2026",
        ),
        (
            r#"{"ask":"oeis-draft","id":"nothing"}"#,
            "not a known sequence",
        ),
        (
            r#"{"ask":"oeis-draft","id":"first-v","terms":0}"#,
            "at least 1",
        ),
        (r#"{"ask":"verify","claim":"layman"}"#, "`to`"),
        (
            r#"{"ask":"verify","claim":"goldbach","to":9}"#,
            "not a claim: choose one of layman",
        ),
        (
            r#"{"ask":"verify","claim":"layman","to":1}"#,
            "between n = 3",
        ),
        (
            r#"{"ask":"list-algorithms","id":"rejection"}"#,
            "there is no field",
        ),
        (
            r#"{"ask":"oeis-fetch","a_number":"A136043"}"#,
            "there is no question",
        ),
    ];
    let mut lines: Vec<String> = bad.iter().map(|(line, _)| line.to_string()).collect();
    lines.push(query(&["list", "algorithms"])); // the other queries are still answered
    let (status, answers) = ask(&lines);
    assert_eq!((status, answers.len()), (2, lines.len()));
    for (number, ((line, what), said)) in (1..).zip(bad.iter().zip(&answers)) {
        let sentence = said["error"].as_str().unwrap_or_default();
        assert!(sentence.contains(what), "{line}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{line}: {sentence}");
        assert_eq!(said["line"], number, "{line}");
    }
    assert_eq!(answers.last().unwrap()["columns"][0]["name"], "id");
    // A command that does not ask a question has no query.
    let fetch = support::refusal("--query oeis fetch A136043");
    assert!(fetch.contains("no query to print"), "{fetch}");
}
