//! The list of all questions.

use flipcost::algorithms::{Algorithm, Catalogue};
use flipcost_question::{Description, FrontEnd, Names, Query, QueryError, QuestionKind, Questions};
use serde_json::Value;
use std::sync::LazyLock;

/// The kinds of questions, one line for each package, in the order of the program's help.
const KINDS: &[&[QuestionKind]] = &[
    flipcost_one_draw::questions::KINDS,
    flipcost_toll::questions::KINDS,
    flipcost_dice_set::questions::KINDS,
    flipcost_streams::questions::KINDS,
    flipcost_extraction::questions::KINDS,
    flipcost_libraries::questions::KINDS,
    flipcost_models::questions::KINDS,
    flipcost_endless::questions::KINDS,
    flipcost_rules::questions::KINDS,
    flipcost_oeis::questions::KINDS,
    crate::questions::KINDS,
];

/// All questions. Their fields can name the functions of libraries and the user's own rules.
pub static QUESTIONS: LazyLock<Questions> = LazyLock::new(|| {
    let others = flipcost_libraries::algorithms().into_iter();
    let others: Vec<&dyn Algorithm> = others.chain([flipcost_rules::RULES]).collect();
    let names = Names {
        algorithms: Catalogue::with(others.leak()),
        question_of_row: Some(flipcost_libraries::questions::question_of_row),
    };
    Questions::new(KINDS, names)
});

/// Parses a question from one JSON object.
///
/// # Errors
/// The errors of [`Questions::from_json`].
pub fn from_json(text: &str) -> Result<Query, QueryError> {
    QUESTIONS.from_json(text)
}

/// Parses the question with this name from its fields, whose values are written as in JSON.
///
/// # Errors
/// The errors of [`Questions::read`].
pub fn read(ask: &str, fields: Vec<(String, Value)>) -> Result<Query, QueryError> {
    QUESTIONS.read(ask, fields)
}

/// The descriptions of all questions, in the order of the program's help.
pub fn descriptions() -> Vec<&'static Description> {
    let kinds = QUESTIONS.kinds().iter();
    kinds.map(QuestionKind::description).collect()
}

/// The algorithms that can be found by their ids.
pub fn algorithms() -> Catalogue {
    QUESTIONS.names().algorithms
}

/// The command line of all questions.
pub fn terminal() -> FrontEnd {
    FrontEnd::Terminal(|ask, name| QUESTIONS.find_field(ask, name))
}
