//! The list of all questions.

use flipcost_question::{Query, QueryError, QuestionKind, register_questions, register_rows};
use serde_json::Value;

/// The kinds of questions of each package, in the order of the program's help: one line each.
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

/// Lets the engine know the functions of libraries by their ids, and questions be read by their
/// names: for programs that do so before they call another function of this package.
pub fn register() {
    flipcost::algorithms::register_others(|| {
        let all = flipcost_libraries::algorithms().into_iter();
        all.chain([flipcost_rules::RULES]).collect()
    });
    register_questions(|| KINDS.concat());
    register_rows(flipcost_libraries::questions::question_of_row);
}

/// Reads a query from one JSON object.
///
/// # Errors
/// [`QueryError::Input`] if it is no JSON, no query, or has a field that the query does not know.
pub fn from_json(text: &str) -> Result<Query, QueryError> {
    register();
    Query::from_json(text)
}

/// The question of this name with these fields, each as in JSON.
///
/// # Errors
/// [`QueryError::Input`] if there is no such question, or a field is wrong or missing.
pub fn read(ask: &str, fields: Vec<(String, Value)>) -> Result<Query, QueryError> {
    register();
    Query::read(ask, fields)
}

/// What every question is, in the order of the program's help.
pub fn descriptions() -> &'static [flipcost_question::Description] {
    register();
    Query::descriptions()
}
