//! Helpers that turn command lines into queries and get their answers.

use super::{flipcost, output};
use assert_cmd::Command;
use serde_json::Value;

/// Returns the query of a command line, which is one line.
pub fn query_text(line: &str) -> String {
    let (text, notes) = output(&format!("--query {line}"));
    assert_eq!((text.lines().count(), &*notes), (1, ""), "{line}");
    text
}

pub fn query(line: &str) -> Value {
    serde_json::from_str(&query_text(line)).unwrap()
}

/// Returns the answers of `ask` to these lines, and its exit status.
pub fn ask(lines: &str) -> (Vec<Value>, i32) {
    let output = flipcost("ask -").write_stdin(lines).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (answers.collect(), output.status.code().unwrap())
}

/// Returns the only answer to a command line.
pub fn answer(line: &str) -> Value {
    let (mut answers, status) = ask(&query_text(line));
    assert_eq!((answers.len(), status), (1, 0), "{line}");
    answers.remove(0)
}

/// Returns the rows of an answer as lines of CSV without quotes.
pub fn lines_of(answer: &Value) -> Vec<String> {
    let shown = |cell: &Value| match cell {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        cell => cell.to_string(),
    };
    let rows = answer["rows"].as_array().unwrap().iter();
    let line = |row: &Value| -> Vec<String> { row.as_array().unwrap().iter().map(shown).collect() };
    rows.map(|row| line(row).join(",")).collect()
}

/// Returns whether a cell is the same in JSON and in CSV.
fn same(json: &Value, csv: &str) -> bool {
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

/// Checks that the question of each row is answered, and that the command line of the answer asks
/// the same question. After ` => ` a row may have this command line.
pub fn check_round_trip(table: &str) {
    let rows = table.lines().filter(|row| !row.is_empty());
    let rows: Vec<_> = rows
        .map(|row| row.split_once(" => ").unwrap_or((row, "")))
        .collect();
    let queries: Vec<String> = rows.iter().map(|(line, _)| query_text(line)).collect();
    let (answers, status) = ask(&queries.concat());
    assert_eq!((answers.len(), status), (rows.len(), 0));
    for (((line, shortest), query), answer) in rows.iter().zip(&queries).zip(&answers) {
        let asked: Value = serde_json::from_str(query).unwrap();
        assert_eq!(answer["query"], asked, "{line}");
        let command = answer["command"].as_str().unwrap();
        assert!(
            shortest.is_empty() || command == format!("flipcost {shortest}"),
            "{command}"
        );
        let read = flipcost_all::from_json(query).unwrap();
        assert_eq!(command, read.command().to_string(), "{line}");
        let mut again = Command::cargo_bin("flipcost").unwrap();
        let again = again.arg("--query").args(read.command().words());
        let again = String::from_utf8(again.output().unwrap().stdout).unwrap();
        assert_eq!(again, *query, "{line}: {command}");
        assert!(
            !again.contains("null") && !again.contains("false"),
            "{again}"
        );
        let columns = answer["columns"].as_array().unwrap().len();
        let rows = answer["rows"].as_array().unwrap();
        assert!(
            rows.iter()
                .all(|row| row.as_array().unwrap().len() == columns),
            "{line}"
        );
    }
}

/// Checks that the answers have the columns, the rows and the notes that the command lines write.
pub fn check_rows_equal_csv(table: &str) {
    let lines: Vec<&str> = table.lines().filter(|line| !line.is_empty()).collect();
    let queries: String = lines.iter().map(|line| query_text(line)).collect();
    let (answers, status) = ask(&queries);
    assert_eq!((answers.len(), status), (lines.len(), 0));
    for (line, answer) in lines.iter().zip(&answers) {
        let (csv, notes) = output(&format!("{line} --format csv"));
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
                (names.len(), names.len()),
                "{line}"
            );
            for (json, csv) in row.iter().zip(record) {
                assert!(same(json, csv), "{line}: {json} and {csv}");
            }
        }
        // notes about empty cells of costs and the verdict of a simulation are not written with CSV
        let is_whole = |notes: &[&str]| answer["notes"] == serde_json::json!(notes);
        let notes: Vec<&str> = notes.lines().map(|line| &line["note: ".len()..]).collect();
        assert!(
            is_whole(&notes) || line.starts_with("cost") || line.starts_with("roll"),
            "{line}: {notes:?}"
        );
        let estimated = ["distribution", "batch", "shuffle", "plan"];
        if estimated.iter().any(|command| line.starts_with(command)) {
            let query = flipcost_all::from_json(&answer["query"].to_string()).unwrap();
            let estimate = query.estimate();
            assert!(estimate.output >= csv.len() as u128, "{line}: {estimate:?}");
        }
    }
}
