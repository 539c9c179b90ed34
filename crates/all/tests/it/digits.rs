//! A column of doubles contains the nearest doubles, and a column of exact values says in its name
//! that it is exact.

use flipcost::table::Cell;
use flipcost_question::{Answer, CellKind, Control};
use serde_json::{Value, json};

fn answer(question: Value) -> Answer {
    let query = flipcost_all::from_json(&question.to_string()).expect("a question");
    query.answer(&Control::default()).expect("an answer")
}

fn cells(answer: &Answer, column: &str) -> Vec<Cell> {
    let cells = answer.column(column).expect("a column of this name");
    cells.cloned().collect()
}

/// The extremes that parts of a range report are the same doubles that `cost` gives for the same n.
#[test]
fn scanned_parts_have_the_nearest_doubles() {
    for column in ["toll", "expected"] {
        let band = answer(json!({"ask": "toll-extremes", "to": 64, "parts": 3, "of": column}));
        for end in ["least", "greatest"] {
            let values = cells(&band, end);
            for (n, value) in cells(&band, &format!("{end}_n")).iter().zip(values) {
                let Cell::Integer(n) = n else { panic!("{n:?}") };
                let cost = answer(json!({
                    "ask": "cost", "target": n.to_string(), "algorithms": ["fast-dice-roller"], "columns": [column],
                }));
                assert_eq!(cells(&cost, column), [value], "{column} {end} {n}");
            }
        }
    }
}

#[test]
fn chi_square_is_shown_as_a_fraction_and_a_decimal() {
    let counts = [17, 12, 20, 15, 18, 18];
    let spelled = |answer: &Answer| {
        ["chi_square_exact", "chi_square"].map(|name| {
            let column = answer
                .head
                .columns
                .iter()
                .find(|column| column.name == name);
            let kind = column.expect("a column of this name").kind;
            (
                kind,
                flipcost_question::format_cell(&cells(answer, name)[0], kind),
            )
        })
    };
    for (question, decimals) in [
        (json!({"ask": "test-die", "counts": counts}), "2.36"),
        (
            json!({"ask": "test-die", "counts": counts, "digits": 3}),
            "2.360",
        ),
    ] {
        let found = spelled(&answer(question));
        let expected = [(CellKind::Exact, "59/25"), (CellKind::Decimal, decimals)];
        assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_string())));
    }
}
