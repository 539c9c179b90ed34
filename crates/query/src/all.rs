//! The list of all questions: one line each.

use crate::questions::*;
use crate::{Query, QueryError, QuestionKind, register_questions};
use serde_json::Value;

/// All kinds of questions, in the order of the program's help.
fn questions() -> Vec<QuestionKind> {
    vec![
        QuestionKind::new::<Cost>(),
        QuestionKind::new::<Why>(),
        QuestionKind::new::<Compare>(),
        QuestionKind::new::<Sweep>(),
        QuestionKind::new::<SweepSummary>(),
        QuestionKind::new::<SweepWeights>(),
        QuestionKind::new::<Band>(),
        QuestionKind::new::<TollDistribution>(),
        QuestionKind::new::<TollOscillations>(),
        QuestionKind::new::<LargestToll>(),
        QuestionKind::new::<Riffle>(),
        QuestionKind::new::<RoundingUp>(),
        QuestionKind::new::<Bounded>(),
        QuestionKind::new::<Columns>(),
        QuestionKind::new::<Constants>(),
        QuestionKind::new::<Distribution>(),
        QuestionKind::new::<Plan>(),
        QuestionKind::new::<Batch>(),
        QuestionKind::new::<Stream>(),
        QuestionKind::new::<Shuffle>(),
        QuestionKind::new::<Recipe>(),
        QuestionKind::new::<Law>(),
        QuestionKind::new::<Advise>(),
        QuestionKind::new::<Extract>(),
        QuestionKind::new::<Bias>(),
        QuestionKind::new::<TestDie>(),
        QuestionKind::new::<Supply>(),
        QuestionKind::new::<Libraries>(),
        QuestionKind::new::<Frontier>(),
        QuestionKind::new::<Roll>(),
        QuestionKind::new::<Follow>(),
        QuestionKind::new::<Simulate>(),
        QuestionKind::new::<Table>(),
        QuestionKind::new::<Tree>(),
        QuestionKind::new::<Leaves>(),
        QuestionKind::new::<Flowchart>(),
        QuestionKind::new::<Mr>(),
        QuestionKind::new::<Export>(),
        QuestionKind::new::<Family>(),
        QuestionKind::new::<Import>(),
        QuestionKind::new::<Sequence>(),
        QuestionKind::new::<SequenceList>(),
        QuestionKind::new::<OeisCheck>(),
        QuestionKind::new::<OeisIdentify>(),
        QuestionKind::new::<OeisDraft>(),
        QuestionKind::new::<Verify>(),
        QuestionKind::new::<VerifyThat>(),
        QuestionKind::new::<Claims>(),
        QuestionKind::new::<Decimals>(),
        QuestionKind::new::<Algorithms>(),
        QuestionKind::new::<Cite>(),
    ]
}

/// Lets the engine know the functions of libraries by their ids, and questions be read by their names: for programs that
/// do so before they call another function of this package.
pub fn register() {
    flipcost::algorithms::find_beyond(flipcost_libraries::find);
    register_questions(questions);
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
pub fn descriptions() -> &'static [crate::Description] {
    register();
    Query::descriptions()
}
