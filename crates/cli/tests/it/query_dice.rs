//! Questions about one law, several dice and several targets: as command lines, as JSON, and back.

use crate::support;

use flipcost_question::{Control, QueryError};
use serde_json::{Value, json};
use support::{flipcost, queries::*, stdout};

/// Commands that write rows.
const ROWS: [&str; 53] = [
    "distribution 6 -a fast-dice-roller",
    "distribution 6 -a fast-dice-roller -u 3",
    "distribution 6 --algorithm rejection --source 4 --upto 10",
    "distribution 10^6+3 -a fast-dice-roller --digits 30 --upto 2*10",
    "distribution 12 -a bounded -s 6",
    "distribution 1 -a interval",
    "distribution 7 -a interval --exact",
    "distribution 6 -a fast-dice-roller -q",
    "distribution 6 -a fast-dice-roller -s 10 -q 1/2,0.999,1",
    "distribution 12 -a factoring -s 6 --quantiles 0,1 --digits 3",
    "distribution 6 -a parity-bits -s word:8 -u 5",
    "distribution 6 -a rejection-ceil -s 2^32 -u 2",
    "batch 4 13 --source 6",
    "batch 4 13 --source 6 --best-order",
    "batch 2^10 3! 52 --digits 20",
    "batch 6 6 6 --best-order -s 10",
    "batch 4 13 -s 6 --capacity 100 --best-order",
    "batch 4 13 -s 6 --capacity 1,10,100",
    "batch 10^30+57 10^20+39 -s 10 -d 5",
    "batch 2 3 4 5 6 7 8 9 10 --best-order",
    "batch 1 -s 3",
    "batch 2 --source 6 --repeat",
    "batch 2 --source 6 --repeat --capacity 36",
    "batch 2 --source 6 --repeat --capacity 1,6,36",
    "batch 15 --repeat --capacity 147",
    "batch 13 -s 6 --repeat --capacity 10^15",
    "batch 13 -s 6 --repeat --capacity 10^15 --digits 3",
    "batch 13 -s 6 --repeat --capacity 10^12,10^15 --power 2",
    "batch 6 --power 3",
    "batch 1009 --repeat --power 5 --digits 10 -s 2^8",
    "batch (2+3)*4-1 --power 2",
    "shuffle 1",
    "shuffle 5",
    "shuffle 52 --digits 3",
    "shuffle 10 --source 6",
    "shuffle 20 -s 2^5 -d 0",
    "shuffle 10 --draw 4 --source 6",
    "shuffle 52 -a cpython-randbelow -s word:32 -d 3",
    "shuffle 20 --libraries",
    "shuffle 100 --batches --source word:64",
    "shuffle 4 --broken",
    "shuffle 10 --draw 4 --deal --seed 7",
    "shuffle 10 --deal --names Ann,Bob,Cy --seed 7",
    "shuffle 3 --deal --source 6 --input 4,1,1",
    "plan 13 --dice 6,10",
    "plan 17 --dice 6,10 --no-split",
    "plan 12 --dice 2,6 --cost 6=3/2",
    "plan 13 --dice 6,10 --cost 10=1.5,6=2 --no-split",
    "plan 100 --dice polyhedral",
    "plan 1 --dice 20",
    "plan 7 --dice word:3,2",
    "plan 5! --dice 6",
    "plan 13 --throw 6,6 --throw 10",
];

/// Commands that write a text.
const TEXTS: [&str; 10] = [
    "batch 4 13 --source 6 --trace --input 6,3,4,3",
    "batch 4 13 --source 6 --trace --input 6,3,4,3,1,1",
    "batch 6 6 --trace --input HTHHTTTHHTTH",
    "batch 4 13 52 --trace --seed 5",
    "batch 4 13 52 -t --seed 18446744073709551615 --capacity 1000 -s 2^10",
    "plan 13 --factoring",
    "plan 12 --dice 6 --factoring",
    "plan 13 --dice 6,10 --factoring",
    "plan 1 --dice 2 --factoring",
    "plan 3^4 --dice polyhedral --factoring",
];

/// Returns the notes of a run on stderr.
fn notes(line: &str) -> Vec<String> {
    let errors = flipcost(line).output().unwrap().stderr;
    let errors = String::from_utf8(errors).unwrap();
    let note = |line: &str| line.strip_prefix("note: ").unwrap().to_string();
    // on a busy machine the program may print a note about a long run
    let is_late = |note: &String| note.starts_with("this takes more than 2 s");
    errors
        .lines()
        .map(note)
        .filter(|note| !is_late(note))
        .collect()
}

#[test]
fn a_query_and_its_command_line_agree() {
    let lines: Vec<&str> = ROWS.into_iter().chain(TEXTS).collect();
    check_round_trip(&lines);
}

#[test]
fn an_answer_has_the_rows_and_notes_of_its_command() {
    check_rows_equal_csv(&ROWS);
    let queries: String = ROWS
        .iter()
        .map(|line| format!("{}\n", query(line)))
        .collect();
    let (answers, _) = ask(&queries);
    for (line, answer) in ROWS.iter().zip(answers) {
        assert_eq!(
            answer["notes"],
            json!(notes(&format!("{line} --format csv"))),
            "{line}"
        );
        let said = flipcost_all::from_json(&answer["query"].to_string())
            .unwrap()
            .estimate();
        assert!(
            said.output >= stdout(&format!("{line} --format csv")).len() as u128,
            "{line}: {said:?}",
        );
    }
}

#[test]
fn an_answer_has_the_text_of_its_command() {
    for line in TEXTS {
        let (answers, _) = ask(&query(line).to_string());
        assert_eq!(answers[0]["text"], stdout(line), "{line}");
        let said = answers[0]["notes"].as_array().unwrap();
        let told = notes(line);
        assert_eq!(said.len(), told.len(), "{line}");
        for (said, told) in said.iter().zip(told) {
            let said = said.as_str().unwrap();
            // The command line and JSON name fields and questions differently, so sentences with a
            // quoted name may differ.
            assert!(said == told || said.contains('`'), "{line}: {said}");
        }
    }
    for line in ROWS {
        let (answers, _) = ask(&query(line).to_string());
        let page = stdout(&format!("{line} --format table"));
        match answers[0].get("text").and_then(Value::as_str) {
            Some(text) if line.starts_with("plan") || line.contains("--deal") => {
                assert_eq!(page, text)
            }
            Some(text) => assert!(page.ends_with(text) && text.starts_with("mean "), "{page}"),
            None => assert!(
                !line.starts_with("plan") && !page.contains("mean"),
                "{page}"
            ),
        }
    }
}

#[test]
fn the_rows_of_a_recipe_and_of_a_trace_are_steps() {
    let (answers, _) = ask(&query("plan 13 --dice 6,10 --factoring").to_string());
    let rows = answers[0]["rows"].as_array().unwrap();
    let last = rows.last().unwrap();
    let last = last.as_array().unwrap();
    assert_eq!(
        last[2..],
        json!([13, "57/26", 2.1923076923076925]).as_array().unwrap()[..]
    );
    for (i, row) in rows.iter().enumerate() {
        let step = format!("{}. {}", i + 1, row[1].as_str().unwrap());
        assert!(
            stdout("plan 13 --dice 6,10 --factoring").contains(&step),
            "{step}"
        );
    }
    let (answers, _) = ask(&query(TEXTS[0]).to_string());
    assert_eq!(answers[0]["rows"][0], json!(["roll", 6, 6, 6, 5]));
    assert_eq!(answers[0]["rows"][1], json!(["reject", null, null, 2, 1]));
    let results = answers[0]["rows"].as_array().unwrap().iter();
    let results: Vec<_> = results.filter(|row| row[0] == "result").collect();
    assert_eq!(
        results,
        [
            &json!(["result", 4, 1, 3, 2]),
            &json!(["result", 13, 2, 2, 1])
        ]
    );
}

/// Each of these queries is refused in one sentence that contains the given words, and the valid
/// queries between them are answered.
#[test]
fn bad_queries_have_errors_of_one_line() {
    let bad = [
        (r#"{"ask":"shuffle"}"#, "cards"),
        (r#"{"ask":"shuffle","cards":0}"#, "at least 1"),
        (r#"{"ask":"shuffle","cards":10000001}"#, "too large"),
        (
            r#"{"ask":"shuffle","cards":9,"broken":true}"#,
            "to list its orders: 8 is the most",
        ),
        (
            r#"{"ask":"shuffle","cards":5,"broken":true,"libraries":true}"#,
            "`libraries` and `broken` do not go together",
        ),
        (
            r#"{"ask":"shuffle","cards":5,"batches":true}"#,
            "such as `source=word:64`",
        ),
        (r#"{"ask":"shuffle","cards":5,"source":1}"#, "2 to 2^64"),
        (
            r#"{"ask":"shuffle","cards":5,"source":"word:65"}"#,
            "1 to 64 bits",
        ),
        (
            r#"{"ask":"shuffle","cards":5,"source":2.5}"#,
            "the number 2.5",
        ),
        (
            r#"{"ask":"shuffle","cards":5,"digits":1000001}"#,
            "too many",
        ),
        (r#"{"ask":"shuffle","cards":5,"card":5}"#, "card"),
        (r#"{"ask":"distribution"}"#, "target"),
        (
            r#"{"ask":"distribution","target":"0","algorithm":"interval"}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"distribution","target":6,"algorithm":"intervall"}"#,
            "interval",
        ),
        (
            r#"{"ask":"distribution","target":6,"algorithm":"recycling"}"#,
            "batch",
        ),
        (
            r#"{"ask":"distribution","target":6,"algorithm":"interval","upto":20001}"#,
            "too many",
        ),
        (
            r#"{"ask":"distribution","target":5,"algorithm":"bounded"}"#,
            "divides no power",
        ),
        (
            r#"{"ask":"distribution","target":6,"algorithm":"interval","quantiles":["3/2"]}"#,
            "between 0 and 1",
        ),
        (r#"{"ask":"batch","targets":[]}"#, "at least one target"),
        (r#"{"ask":"batch","targets":[0,4]}"#, "at least 1"),
        (r#"{"ask":"batch","targets":[-4]}"#, "value is -4"),
        (
            r#"{"ask":"batch","targets":[4,13],"repeat":true}"#,
            "one target",
        ),
        (
            r#"{"ask":"batch","targets":["2^64"],"repeat":true}"#,
            "below 2^64",
        ),
        (r#"{"ask":"batch","targets":[4],"power":0}"#, "at least 1"),
        (r#"{"ask":"batch","targets":[4],"power":10001}"#, "too high"),
        (
            r#"{"ask":"batch","targets":[4],"capacity":0}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"batch","targets":[4],"capacity":"1..1001"}"#,
            "too many",
        ),
        (r#"{"ask":"batch","targets":[4],"input":"HT"}"#, "`trace`"),
        (
            r#"{"ask":"batch","targets":[4],"trace":true,"input":"HX"}"#,
            "roll 2",
        ),
        (
            r#"{"ask":"batch","targets":[4],"trace":true,"input":"H"}"#,
            "ran out",
        ),
        (
            r#"{"ask":"batch","targets":[4],"trace":true,"input":"H","seed":1}"#,
            "not from both",
        ),
        (
            r#"{"ask":"batch","targets":[4],"trace":true,"repeat":true}"#,
            "`repeat`",
        ),
        (
            r#"{"ask":"batch","targets":[4],"trace":true,"capacity":"1,2"}"#,
            "one `capacity`",
        ),
        (
            r#"{"ask":"batch","targets":[4],"best_order":true,"power":2}"#,
            "`best_order`",
        ),
        (
            r#"{"ask":"plan","target":13,"dice":"6","cost":["8=1"]}"#,
            "not among the dice",
        ),
        (
            r#"{"ask":"plan","target":13,"dice":"6","cost":["6=1","6=2"]}"#,
            "twice",
        ),
        (
            r#"{"ask":"plan","target":13,"dice":"6","cost":["6=0"]}"#,
            "not positive",
        ),
        (r#"{"ask":"plan","target":"10^6","dice":"6"}"#, "too large"),
        (
            r#"{"ask":"plan","factoring":true,"target":0}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"plan","factoring":true,"target":"10^9+7"}"#,
            "10000",
        ),
        (r#"{"ask":"plan","factoring":true,"target":"2^70"}"#, "2^64"),
        (r#"{"ask":"shuffel","cards":5}"#, "shuffle"),
        (r#"{"ask":"shuffle""#, "EOF"),
    ];
    let good = r#"{"ask":"shuffle","cards":3}"#;
    let lines: String = bad
        .iter()
        .map(|(line, _)| format!("{line}\n{good}\n"))
        .collect();
    let (answers, status) = ask(&lines);
    assert_eq!((answers.len(), status), (2 * bad.len(), 2));
    for (i, (line, names)) in bad.iter().enumerate() {
        let (wrong, right) = (&answers[2 * i], &answers[2 * i + 1]);
        assert_eq!(wrong["line"], 2 * i + 1);
        let sentence = wrong["error"].as_str().unwrap();
        assert!(sentence.contains(names), "{line}: {sentence}");
        assert!(
            !sentence.contains('\n') && wrong.get("rows").is_none(),
            "{line}"
        );
        assert_eq!(right["command"], "flipcost shuffle 3");
        assert_eq!(right["rows"].as_array().unwrap().len(), 12);
    }
}

#[test]
fn a_long_question_can_be_stopped_between_its_parts() {
    for line in [
        "distribution 6 -a fast-dice-roller --upto 2000",
        "batch 4 13 -s 6 --capacity 1..50",
        "batch 2 -s 6 --repeat --capacity 1..50",
        "batch 4 13 52 --trace --seed 5",
        "shuffle 5",
    ] {
        let query = flipcost_all::from_json(&query(line).to_string()).unwrap();
        let control = Control::default();
        let stop = control.clone();
        let control = control.with_progress(move |progress| {
            assert!(progress.done < progress.all);
            stop.stop();
        });
        let answered = query.answer(&control);
        assert!(matches!(answered, Err(QueryError::Stopped)), "{line}");
    }
    for line in ["plan 13 --dice 6,10", "plan 13 --factoring", "batch 4"] {
        let query = flipcost_all::from_json(&query(line).to_string()).unwrap();
        let control = Control::default();
        control.stop();
        let answered = query.answer(&control);
        assert!(matches!(answered, Err(QueryError::Stopped)), "{line}");
    }
}
