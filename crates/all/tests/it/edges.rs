//! Questions about numbers at the ends of machine words: each question is answered, or refused in
//! one sentence.

use flipcost::table::Cell;
use flipcost_question::{Control, Foot, FrontEnd, Head, QueryError, Sink};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

/// The memory limit of a question, in bytes.
const MAX_MEMORY: u64 = 3 << 30;

/// A sink that stops after some rows.
#[derive(Default)]
pub struct StopAfterRows(usize);

/// The number of rows after which a long answer is stopped.
const MAX_ANSWER_ROWS: usize = 2000;

impl Sink for StopAfterRows {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        assert!(head.columns.iter().all(|column| !column.name.is_empty()));
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.0 += rows.len();
        if self.0 < MAX_ANSWER_ROWS {
            Ok(())
        } else {
            Err(QueryError::Stopped)
        }
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        let notes = foot.render_notes(FrontEnd::Plain);
        assert!(
            notes.iter().all(|note| !note.contains(char::is_control)),
            "{notes:?}"
        );
        Ok(())
    }
}

/// Returns 0, 1, or a number at the end of a word of 8 to 128 bits.
fn edge() -> impl Strategy<Value = String> {
    let powers = prop::sample::select(vec![8u32, 16, 32, 53, 63, 64, 127, 128, 256, 20_000]);
    let near = (powers, -2i32..=2).prop_map(|(power, by)| match by {
        0.. => format!("2^{power}+{by}"),
        _ => format!("2^{power}-{}", -by),
    });
    prop_oneof![
        1 => (0u32..=12).prop_map(|n| n.to_string()),
        3 => near,
        1 => prop::sample::select(vec!["10^18+9", "52!", "3^81", "10^6000"]).prop_map(str::to_string),
    ]
}

fn source() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "1", "2", "3", "6", "2^16+1", "2^32-1", "2^32", "2^32+1", "2^64-1", "2^64",
    ])
}

fn algorithm() -> impl Strategy<Value = &'static str> {
    prop::sample::select(flipcost::algorithms::ids())
}

/// Returns a question of this kind about these numbers. Numbers for which the kind has no field are
/// left out.
fn question(ask: &str, n: &str, source: &str, algorithm: &str, small: u64) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_string(), value);
    put(
        "ask",
        json!(match ask {
            "simulate" => "roll",
            "recipe" => "plan",
            "tree" | "table" | "flowchart" => "show",
            "mr" => "sequence",
            "bounded" => "cost",
            ask => ask,
        }),
    );
    match ask {
        "simulate" => put("test", json!(true)),
        "recipe" => put("factoring", json!(true)),
        "tree" | "table" | "flowchart" => put("view", json!(ask)),
        _ => None,
    };
    match ask {
        "batch" | "supply" => put("targets", json!([n, "6"])),
        "mr" => put("id", json!(format!("mr:x=7/({n})"))),
        "verify" => put("claim", json!("half-period")),
        "sequence" => put("id", json!("A136043")),
        "shuffle" => put("cards", json!(small)),
        _ => put("target", json!(n)),
    };
    match ask {
        "cost" => put("digits", json!(small * 10)),
        "distribution" => put("upto", json!(small)),
        "tree" => put("depth", json!(small % 4)),
        "roll" => put("seed", json!(small)),
        "simulate" => put("count", json!(small * 7)),
        "mr" => put("terms", json!(small)),
        "plan" | "recipe" => put("dice", json!(source)),
        "bounded" => {
            put("algorithms", json!(["bounded"]));
            put(
                "columns",
                json!(["possible", "worst_case", "missing_prime"]),
            );
            put("sources", json!(source))
        }
        "export" => put(
            "language",
            json!(["prism", "drn", "dot"][small as usize % 3]),
        ),
        "supply" => put("count", json!(small * small)),
        "verify" => put("to", json!(small * 100)),
        "sequence" => put("from", json!(n)),
        _ => None,
    };
    if ask == "sequence" {
        put("terms", json!(small));
    }
    if matches!(
        ask,
        "cost"
            | "distribution"
            | "batch"
            | "supply"
            | "shuffle"
            | "roll"
            | "simulate"
            | "table"
            | "tree"
            | "flowchart"
            | "export"
    ) {
        put("source", json!(source));
    }
    match ask {
        "cost" => put("algorithms", json!([algorithm])),
        "distribution" | "supply" | "roll" | "simulate" | "table" | "tree" | "export" => {
            put("algorithm", json!(algorithm))
        }
        _ => None,
    };
    Value::Object(fields)
}

const KINDS: [&str; 17] = [
    "cost",
    "distribution",
    "batch",
    "shuffle",
    "recipe",
    "roll",
    "simulate",
    "table",
    "tree",
    "flowchart",
    "mr",
    "export",
    "bounded",
    "plan",
    "verify",
    "sequence",
    "supply",
];

proptest! {
    // The questions are the same in every run, since an exact chain of long numbers can take
    // minutes.
    #![proptest_config(ProptestConfig { cases: 100, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    #[test]
    fn every_edge_is_answered_or_refused(
        kind in prop::sample::select(KINDS.to_vec()),
        n in edge(), source in source(), algorithm in algorithm(), small in 0u64..=9,
    ) {
        // the search for a recipe takes seconds
        prop_assume!(algorithm != "factoring" && kind != "recipe" || n.len() == 1);
        // the tails of a draw from thousands of digits take half a minute
        prop_assume!(kind != "supply" || !algorithm.starts_with("base-conversion"));
        let text = question(kind, &n, source, algorithm, small).to_string();
        let refusal = match flipcost_all::from_json(&text) {
            Ok(query) => {
                let _ = query.estimate();
                prop_assert_eq!(&flipcost_all::from_json(&query.to_json()).unwrap(), &query);
                query.run(&Control::default().with_memory(MAX_MEMORY), &mut StopAfterRows::default()).err()
            }
            Err(error) => Some(error),
        };
        match refusal {
            None | Some(QueryError::Stopped) => {}
            Some(QueryError::Input(error)) => {
                let sentence = error.to_string();
                prop_assert!(!sentence.is_empty() && !sentence.contains(char::is_control), "{text}: {sentence}");
            }
            Some(error) => prop_assert!(false, "{text}: {error}"),
        }
    }
}
