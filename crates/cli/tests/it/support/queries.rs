//! Helpers that turn command lines into queries, get their answers, and check that the command line
//! of the answer asks the same question.

use super::{flipcost, stdout};
use assert_cmd::Command;
use serde_json::Value;

/// Returns the query of a command line.
pub fn query(line: &str) -> Value {
    let text = stdout(&format!("--query {line}"));
    assert_eq!(text.lines().count(), 1, "{line}");
    serde_json::from_str(&text).unwrap()
}

/// Returns the answers of `ask` to these lines, and its exit status.
pub fn ask(lines: &str) -> (Vec<Value>, i32) {
    let output = flipcost("ask -").write_stdin(lines).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (answers.collect(), output.status.code().unwrap())
}

/// Returns whether a cell is the same in JSON and in CSV.
pub fn same(json: &Value, csv: &str) -> bool {
    match json {
        Value::Null => csv.is_empty(),
        Value::String(text) => text == csv,
        Value::Bool(flag) => csv == flag.to_string(),
        Value::Number(number) => {
            let wide = number.as_u64().map(|number| number.to_string());
            wide.is_some_and(|wide| wide == csv) || csv.parse() == Ok(number.as_f64().unwrap())
        }
        _ => false,
    }
}

/// Checks that the question of each line is answered, and that the command line of the answer asks
/// the same question.
pub fn check_round_trip(lines: &[&str]) {
    let queries: Vec<Value> = lines.iter().map(|line| query(line)).collect();
    let text: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let (answers, status) = ask(&text);
    assert_eq!((answers.len(), status), (lines.len(), 0));
    for ((line, query), answer) in lines.iter().zip(&queries).zip(&answers) {
        assert_eq!(answer["query"], *query, "{line}");
        let read = flipcost_all::from_json(&query.to_string()).unwrap();
        let command = read.command();
        assert_eq!(answer["command"], command.to_string(), "{line}");
        let mut again = Command::cargo_bin("flipcost").unwrap();
        let again = again.arg("--query").args(command.words());
        let again = again.output().unwrap().stdout;
        let again = String::from_utf8(again).unwrap();
        assert_eq!(again, read.to_json() + "\n", "{line}: {command}");
        assert!(
            !again.contains("null") && !again.contains("false"),
            "{again}"
        );
    }
}

/// Checks that the answers have the same columns and rows as the CSV that the command lines write.
pub fn check_rows_equal_csv(lines: &[&str]) {
    let text: String = lines
        .iter()
        .map(|line| format!("{}\n", query(line)))
        .collect();
    let (answers, status) = ask(&text);
    assert_eq!((answers.len(), status), (lines.len(), 0));
    for (line, answer) in lines.iter().zip(&answers) {
        let csv = stdout(&format!("{line} --format csv"));
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let headers = reader.headers().unwrap().clone();
        let names = answer["columns"].as_array().unwrap().iter();
        let names: Vec<&str> = names
            .map(|column| column["name"].as_str().unwrap())
            .collect();
        assert_eq!(headers, names, "{line}");
        let rows = answer["rows"].as_array().unwrap();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), records.len(), "{line}");
        for (row, record) in rows.iter().zip(&records) {
            let row = row.as_array().unwrap();
            assert_eq!(
                (row.len(), record.len()),
                (headers.len(), headers.len()),
                "{line}"
            );
            for (json, csv) in row.iter().zip(record) {
                assert!(same(json, csv), "{line}: {json} and {csv}");
            }
        }
    }
}
