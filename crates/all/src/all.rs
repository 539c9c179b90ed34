//! The list of all questions.

use flipcost_question::{Query, QueryError, QuestionKind, register_questions, register_rows};
use serde_json::Value;

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

/// Registers the library functions and the questions, so that both are found by their names. A
/// program must call this function first, unless it uses the engine only through this package.
pub fn register() {
    flipcost::algorithms::register_others(|| {
        let all = flipcost_libraries::algorithms().into_iter();
        all.chain([flipcost_rules::RULES]).collect()
    });
    register_questions(|| KINDS.concat());
    register_rows(flipcost_libraries::questions::question_of_row);
}

/// Parses a question from one JSON object.
///
/// # Errors
/// [`QueryError::Input`] if the text is not JSON, is not a question, or has an unknown field.
pub fn from_json(text: &str) -> Result<Query, QueryError> {
    register();
    Query::from_json(text)
}

/// Parses the question with this name from its fields, each as in JSON.
///
/// # Errors
/// [`QueryError::Input`] if there is no such question, or a field is wrong or missing.
pub fn read(ask: &str, fields: Vec<(String, Value)>) -> Result<Query, QueryError> {
    register();
    Query::read(ask, fields)
}

/// Returns the descriptions of all questions, in the order of the program's help.
pub fn descriptions() -> &'static [flipcost_question::Description] {
    register();
    Query::descriptions()
}
