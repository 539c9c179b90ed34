//! The question whose answer has the row of a given library function.

use crate::bernoulli::BERNOULLIS;
use crate::doubles::DOUBLES;
use crate::weights::WEIGHTS;
use crate::{SAMPLES, SHUFFLES};
use flipcost_question::Sentence;

/// Returns the question whose answer has a row with this id, if the function does not draw for a
/// single die.
pub fn question_of_row(id: &str) -> Option<Sentence> {
    let (line, json) = if SHUFFLES.iter().any(|line| line.id == id) {
        (
            "flipcost shuffle 52 --libraries",
            r#"{"ask":"shuffle","cards":52,"libraries":true}"#,
        )
    } else if SAMPLES.iter().any(|line| line.id == id) {
        (
            "flipcost subset 52 5",
            r#"{"ask":"subset","items":52,"chosen":5}"#,
        )
    } else if WEIGHTS.iter().any(|line| line.id == id) {
        (
            "flipcost libraries --target 1:2:3",
            r#"{"ask":"libraries","target":"1:2:3"}"#,
        )
    } else if BERNOULLIS.iter().any(|line| line.id == id) {
        (
            "flipcost libraries bernoulli --target 0.1",
            r#"{"ask":"libraries-bernoulli","target":"0.1"}"#,
        )
    } else if DOUBLES.iter().any(|line| line.id == id) {
        (
            "flipcost libraries doubles --target 0,1",
            r#"{"ask":"libraries-doubles","target":"0,1"}"#,
        )
    } else {
        return None;
    };
    Some(Sentence::question(line, json))
}
