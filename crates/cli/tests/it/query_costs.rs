//! Costs, sweeps, comparisons, figures and columns as questions.

use crate::support;

use support::queries::{ask, check_round_trip, check_rows_equal_csv, query};
use support::refusal;

/// Command lines that write rows as CSV.
const ROWS: [&str; 28] = [
    "cost 6",
    "cost 12 --source 6",
    "cost 1",
    "cost 10^18+9 -a fast-dice-roller --digits 50",
    "cost 52! -a fast-dice-roller,rejection -c expected,algorithm,toll",
    "cost 7 -s 2^32 -c algorithm,expected_exact",
    "cost 7 -s word:32 -c algorithm,expected_exact",
    "cost 1_000_003 -a fast-dice-roller -c variance,variance_exact,cycle_rounds",
    "cost 1009 -a fast-dice-roller --exact",
    "cost 5 -s 6 -a interval,bounded",
    "cost 1..40",
    "cost 5..7 -a fast-dice-roller,interval -c n,algorithm,expected_exact,toll",
    "cost 2^63..2^63+1 -a fast-dice-roller -c n,expected,preperiod",
    "cost 90..99 -s 10 --digits 12",
    "cost 90..99 -s 10 --summary --quantiles 1/10,0.9",
    "cost 1..3000 -a fast-dice-roller -c n,cycle_rounds,period",
    "cost 65000..65010 -a fast-dice-roller --exact -c expected_exact",
    "cost 2..12 --sources 2,6 --best",
    "cost 5,7 --sources 2..4,20 --best -a rejection,interval --digits 3",
    "cost 11 --sources 2,4,6,8,10,12,20 --best",
    "list columns",
    "cost 2..6 --sources 6 -a bounded -c source,n,possible,worst_case,missing_prime",
    "cost 1,8,100 --sources 2,10..12 -a bounded -c source,n,possible,worst_case,missing_prime",
    "cost 2^30 --sources 2^20 -a bounded -c source,n,possible,worst_case,missing_prime",
    "cost 2..12 -s 6,10 -a bounded -c source,n,possible,worst_case,missing_prime",
    "cost 6, -s 10 -c n,algorithm,toll",
    "cost 2,6,10..12 --sources 2,6 -a interval",
    "cost 6 --sources 2..5 --best",
];

#[test]
fn a_query_and_its_command_line_agree() {
    check_round_trip(&ROWS);
}

#[test]
fn an_answer_has_the_rows_of_its_command() {
    check_rows_equal_csv(&ROWS);
}

/// The query of `figure` is a sweep, which the figure draws.
#[test]
fn a_figure_asks_for_a_sweep() {
    let figure = query("figure toll --from 2 --to 9 -a interval -o x.svg");
    let sweep = query("cost 2..9 -a interval -c n,algorithm,toll");
    assert_eq!(figure, sweep);
}

/// For an unknown coin, the query of `figure` is for the costs at 99 probabilities of heads.
#[test]
fn a_figure_against_p_asks_for_costs() {
    let figure = query("figure --target 6 -s unknown:2 -a elias -o x.svg");
    let at: Vec<String> = (1..100).map(|heads| format!("{heads}/100")).collect();
    let cost = format!(
        "cost 6 -s unknown:2 -a elias -c algorithm,expected,entropy --at {}",
        at.join(",")
    );
    assert_eq!(figure, query(&cost));
    for (line, why) in [
        ("figure -s unknown:2 -o x.svg", "add --target"),
        (
            "figure --target 2 -o x.svg",
            "--source unknown:2 was expected",
        ),
        (
            "figure --target 2 -s unknown:6 -o x.svg",
            "the source is an unknown d6",
        ),
        (
            "figure --target 1:2 -s unknown:2 -o x.svg",
            "equally likely outcomes",
        ),
    ] {
        let said = refusal(line);
        assert!(said.contains(why), "{line}: {said}");
    }
}

#[test]
fn columns_have_kind_and_unit() {
    let (answers, _) = ask(&query("cost 6 -s 6 -c n,expected,expected_exact,variance").to_string());
    let columns = serde_json::json!([
        {"name": "n", "kind": "count"},
        {"name": "expected", "kind": "decimal", "unit": "rolls"},
        {"name": "expected_exact", "kind": "exact", "unit": "rolls"},
        {"name": "variance", "kind": "decimal", "unit": "rolls^2"},
    ]);
    assert_eq!(answers[0]["columns"], columns);
}

#[test]
fn bad_queries_have_errors_and_others_are_answered() {
    let lines = r#"{"ask":"cost","target":0}
{"ask":"cost","target":6,"source":1}
{"ask":"cost","target":6,"sides":1}

{"ask":"cost","target":"9..3"}
{"ask":"cost","target":"0..3"}
{"ask":"cost","target":6,"columns":["toll","n","toll"]}
{"ask":"cost","target":"6!!!!!!!!"}
{"ask":"cost","target":"1..100000","sources":"2..9","best":true}
{"ask":"cost","target":6,"digits":2000000}
nonsense
{"ask":"cost","target":6,"columns":["expected_exact"],"algorithms":["fast-dice-roller"]}
"#;
    let wanted = [
        (1, "at least 1"),
        (2, "2 to 2^64"),
        (3, "sides"),
        (5, "reversed"),
        (6, "at least 1"),
        (7, "toll twice"),
        (8, "6!!"),
        (9, "too many pairs"),
        (10, "too many"),
        (11, "expected"),
    ];
    let (answers, status) = ask(lines);
    assert_eq!((answers.len(), status), (wanted.len() + 1, 2));
    assert_eq!(
        (&answers[2]["field"], &answers[2]["given"]),
        (&"sides".into(), &"1".into())
    );
    for (answer, (line, what)) in answers.iter().zip(wanted) {
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(what), "{error}");
        assert_eq!(answer["line"], line, "{error}");
        assert!(answer.get("rows").is_none(), "{error}");
    }
    assert_eq!(
        answers.last().unwrap()["rows"],
        serde_json::json!([["11/3"]])
    );
}
