//! Tests questions of all packages that are parsed from JSON.

use flipcost::table::Cell;
use flipcost_question::{Answer, Control, PictureError, Sentence};
use flipcost_streams::pictures::stream::stream;

fn answer(json: &str) -> Answer {
    let query = flipcost_all::from_json(json).unwrap();
    query.answer(&Control::default()).unwrap()
}

#[test]
fn a_shell_parses_the_command_line_of_a_question() {
    for (query, line) in [
        (
            r#"{"ask":"oeis-check","id":"it's","against":"-x"}"#,
            r"flipcost oeis check 'it'\''s' --against=-x",
        ),
        (
            r#"{"ask":"decimals","of":"-2^2","digits":3}"#,
            "flipcost decimals --digits 3 -- -2^2",
        ),
        (
            r#"{"ask":"shuffle","cards":4,"deal":true,"names":["-a","b"]}"#,
            "flipcost shuffle 4 --deal --names=-a,b",
        ),
    ] {
        let query = flipcost_all::from_json(query).unwrap();
        assert_eq!(query.command().to_string(), line);
    }
}

/// The fast dice roller for n = 10007 from a coin has a period of 10006 flips, so its cost is a
/// long fraction.
#[test]
fn a_long_fraction_is_written_on_request() {
    let cost = |rest: &str| {
        let of = r#""target":"10007","algorithms":["fast-dice-roller"]"#;
        let query = flipcost_all::from_json(&format!(r#"{{"ask":"cost",{of}{rest}}}"#));
        query.unwrap().answer(&Control::default()).unwrap()
    };
    let left_out = |answer: &Answer| {
        let cell = answer.column("expected_exact").unwrap().next().cloned();
        let mut notes = answer.foot.notes.iter().map(Sentence::to_string);
        let of = |note: &String| note.starts_with("expected_exact is left out of 1 row");
        (cell == Some(Cell::Empty), notes.find(of))
    };
    let (is_empty, note) = left_out(&cost(""));
    let note = note.unwrap();
    assert!(
        is_empty
            && note.ends_with("`columns=expected_exact` or `exact=true` asks for it all the same")
    );
    assert!(note.contains("a denominator of "), "{note}");
    for rest in [r#","exact":true"#, r#","columns":["expected_exact"]"#] {
        assert_eq!(left_out(&cost(rest)), (false, None), "{rest}");
    }
}

#[test]
fn a_note_converts_flips_of_a_library_to_words() {
    let query = |source: &str| {
        let of = r#""target":"6","algorithms":["cpython-randbelow"]"#;
        flipcost_all::from_json(&format!(r#"{{"ask":"cost",{of},"source":"{source}"}}"#)).unwrap()
    };
    let notes = |source| {
        let answer = query(source).answer(&Control::default()).unwrap();
        let notes = answer.foot.notes.iter().map(Sentence::to_string);
        notes.collect::<Vec<String>>()
    };
    let note = "cpython-randbelow reads words of 32 bits: 128/3 flips are 4/3 words";
    assert_eq!(notes("2"), [note]);
    assert!(!notes("word:32").iter().any(|note| note.contains("flips")));
}

#[test]
fn an_enclosed_cost_is_drawn_in_the_middle_of_its_bounds() {
    let of = r#""targets":["13"],"source":"6","repeat":true"#;
    let chart = |rest: &str| {
        let answer = answer(&format!(r#"{{"ask":"batch",{of},{rest}}}"#));
        (stream(&answer).unwrap(), answer)
    };
    let (one, answer) = chart(r#""capacity":"10^15","digits":30"#);
    let cell = |name: &str| answer.column(name).unwrap().nth(1).unwrap().to_string();
    let end = |name: &str| cell(name).parse::<f64>().unwrap();
    assert_eq!(cell("expected"), ""); // this many decimals cannot be decided
    let points = &one.series.last().unwrap().points;
    assert_eq!(points[..], [(1e15, (end("low") + end("high")) / 2.0)]);
}

#[test]
fn answers_of_other_questions_have_no_curve() {
    for json in [
        r#"{"ask":"cost","target":"2","sources":"2..20","algorithms":["bounded"],"columns":["source","n","possible","worst_case","missing_prime"]}"#,
        r#"{"ask":"batch","targets":["6"]}"#,
        r#"{"ask":"batch","targets":["6","7"],"capacity":"9"}"#,
        r#"{"ask":"batch","targets":["6"],"repeat":true}"#,
    ] {
        let refused = stream(&answer(json));
        assert!(matches!(refused, Err(PictureError::Kind(_))), "{json}");
    }
}

/// For the fast dice roller, the units of a range are divided so that they take about the same
/// time.
#[test]
fn units_take_about_the_same_time() {
    let ends = |to: u64, k, column| {
        let fields = serde_json::json!({
            "ask": "cost", "target": format!("1..{to}"), "algorithms": ["fast-dice-roller"], "columns": ["n", column],
        });
        let query = flipcost_all::from_json(&fields.to_string()).unwrap();
        let units = query.unit().unwrap().split(k);
        units
            .iter()
            .map(|unit| unit.places().end)
            .collect::<Vec<_>>()
    };
    assert_eq!(ends(10, 5, "expected"), [2, 4, 6, 8, 10]);
    assert_eq!(ends(2, 5, "expected"), [1, 2]);
    // in a long range, about 2^(-2/3) of all n take half of the time
    assert_eq!(ends(1 << 40, 2, "cycle_rounds")[0], 692_621_316_485);
}
