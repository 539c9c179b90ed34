//! Tests every count of every question near the ends of signed and unsigned words. The result must
//! be an answer, an error, or a limit that was reached, but never a number that overflowed. The
//! packages above the engine are compiled with overflow checks.

use crate::edges::StopAfterRows;
use flipcost_question::{Control, QueryError};
use serde_json::{Value, json};
use std::time::Duration;

/// The questions, each with the names of those of its fields that are counts.
const QUESTIONS: &str = r#"
{"ask":"bias","target":"3","words":1} => samples words double digits
{"ask":"bias","target":"2^64","from":"2^64-1"} => samples
{"ask":"bias","target":"p256","within":"2^-64"} => digits
{"ask":"supply","targets":["6"],"failure":["1/2"]} => count block offset at
{"ask":"supply","targets":["6","7"],"failure":["1/2"]} => count block offset at
{"ask":"supply","accept":["3329/4096"],"failure":["1/2"]} => count block offset each at
{"ask":"supply","accept":["2^-1000"],"block":1000000} => count offset each at
{"ask":"roll","test":true,"target":"6"} => trials seed
{"ask":"roll","target":"6","seed":1} => count seed
{"ask":"shuffle","cards":3} => cards
{"ask":"subset","items":5,"chosen":2} => items chosen
{"ask":"batch","targets":["6"],"repeat":true} => capacity
{"ask":"stream","target":"6","states":2} => states
{"ask":"extract","source":"1:2","length":"8"} => length digits
{"ask":"extract","source":"unknown:2","length":"8"} => length
{"ask":"distribution","target":"6"} => upto digits
{"ask":"show","view":"leaves","target":"6","upto":3} => rolls
{"ask":"show","view":"tree","target":"6"} => depth
{"ask":"sequence","id":"A136043","terms":3} => terms from
{"ask":"cost","target":"2..3"} => FROM TO digits
{"ask":"cost","target":"2..3","summary":true} => FROM TO
{"ask":"toll-extremes","to":"64"} => to parts
{"ask":"verify","claim":"toll","to":100} => from to
{"ask":"verify-that","that":"n < n + 1","from":1,"to":2} => from to
{"ask":"toll-oscillations"} => upto digits
{"ask":"toll-loaded","sum":7} => sum
{"ask":"cost","target":"6","sources":"2","best":true} => sources target
{"ask":"plan","target":"6","dice":"6"} => target effort
"#;

const EDGES: [u64; 9] = [
    0,
    (1 << 32) - 1,
    1 << 32,
    1 << 58,
    (1 << 63) - 1,
    1 << 63,
    (1 << 63) + 1,
    u64::MAX - 1,
    u64::MAX,
];

#[test]
fn every_count_is_answered_or_refused() {
    let mut answered = 0;
    for (text, fields) in QUESTIONS.lines().filter_map(|row| row.split_once(" => ")) {
        flipcost_all::from_json(text).unwrap();
        for (field, edge) in fields
            .split(' ')
            .flat_map(|field| EDGES.map(|edge| (field, edge)))
        {
            let mut question: Value = serde_json::from_str(text).unwrap();
            // a field accepts a number, a text, or a list of them
            let forms = [json!(edge), json!(edge.to_string()), json!([edge])];
            let query = forms.into_iter().find_map(|form| {
                match field {
                    "FROM" => question["target"] = json!(format!("{edge}..{}", u64::MAX)),
                    "TO" => question["target"] = json!(format!("2..{edge}")),
                    field => question[field] = form,
                }
                flipcost_all::from_json(&question.to_string()).ok()
            });
            let Some(query) = query else { continue };
            let _ = query.estimate();
            assert_eq!(flipcost_all::from_json(&query.to_json()).unwrap(), query);
            let control = Control::default()
                .with_time(Duration::from_millis(200))
                .with_memory(3 << 30);
            match query.run(&control, &mut StopAfterRows::default()) {
                Err(QueryError::Sink(error)) => panic!("{}: {error}", query.to_json()),
                Err(QueryError::Input(error)) => assert!(!error.to_string().is_empty()),
                _ => answered += 1,
            }
        }
    }
    assert!(answered > 100, "{answered}");
}
