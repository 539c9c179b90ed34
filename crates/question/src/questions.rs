//! The list of all kinds of questions, which reads a question of any kind.

use crate::description::{
    ASK, Described, Description, FieldAbout, FieldPairs, NoFittingQuestion, choose_question,
};
use crate::query::Question;
use crate::sentence::field;
use crate::view::RowView;
use crate::{Names, Query, QueryError, say};
use serde_json::Value as Json;
use std::fmt::Debug;

/// A kind of question that can be read from JSON.
#[derive(Clone, Copy)]
pub struct QuestionKind {
    /// The name of the question.
    pub ask: &'static str,
    /// The command that asks it.
    pub command: &'static str,
    describe: fn() -> &'static Description,
    read: fn(FieldPairs, Names) -> Result<Query, QueryError>,
}

impl QuestionKind {
    /// The kind of the questions of type `Q`.
    pub const fn new<Q>() -> QuestionKind
    where
        Q: Question + Described + Debug + PartialEq + Send + Sync + 'static,
    {
        QuestionKind {
            ask: Q::ASK,
            command: Q::COMMAND,
            describe: Q::description,
            read: |pairs, names| Q::from_pairs(pairs, names).map(Query::from),
        }
    }

    /// The description of the questions, which is made at the first call.
    pub fn description(&self) -> &'static Description {
        (self.describe)()
    }
}

/// The kinds of questions that a program knows, and the names that their fields can use.
pub struct Questions {
    kinds: Vec<QuestionKind>,
    names: Names,
}

impl Questions {
    /// The questions of these kinds, in the order of the program's help.
    pub fn new(kinds: &[&[QuestionKind]], names: Names) -> Questions {
        let mut kinds = kinds.concat();
        // kinds with the same name are adjacent
        let asks: Vec<&str> = kinds.iter().map(|kind| kind.ask).collect();
        kinds.sort_by_key(|kind| asks.iter().position(|ask| *ask == kind.ask));
        Questions { kinds, names }
    }

    /// The kinds, in the order of the program's help.
    pub fn kinds(&self) -> &[QuestionKind] {
        &self.kinds
    }

    /// Finds a field by its name, in the question `ask`, or in the first question that has it.
    pub fn find_field(&self, ask: Option<&str>, name: &str) -> Option<&'static FieldAbout> {
        let mut asked = (self.kinds.iter()).filter(|kind| ask.is_none_or(|ask| kind.ask == ask));
        asked.find_map(|kind| kind.description().field(name))
    }

    /// The names that fields can use.
    pub fn names(&self) -> Names {
        self.names
    }

    /// Reads a query from one JSON object.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the text is not JSON, is not a query, or has an unknown field.
    pub fn from_json(&self, text: &str) -> Result<Query, QueryError> {
        self.read_pairs(FieldPairs::read(text)?)
    }

    /// Reads the question of this name from its fields, each as in JSON.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there is no such question, or a field is wrong or missing.
    pub fn read(&self, ask: &str, fields: Vec<(String, Json)>) -> Result<Query, QueryError> {
        let mut pairs = FieldPairs(fields);
        pairs.0.push((ASK.to_string(), ask.into()));
        self.read_pairs(pairs)
    }

    pub(crate) fn read_pairs(&self, mut pairs: FieldPairs) -> Result<Query, QueryError> {
        let ask = pairs.take_ask()?;
        let kinds = self.kinds.iter().filter(|kind| kind.ask == ask);
        let kinds: Vec<&QuestionKind> = kinds.collect();
        let named: Vec<&Description> = kinds.iter().map(|kind| kind.description()).collect();
        let is_own = |name: &str| {
            named.is_empty() || named.iter().any(|question| question.field(name).is_some())
        };
        let view =
            RowView::take_from(&mut pairs, is_own).map_err(|error| error.in_question(&ask))?;
        let kind = match kinds[..] {
            [] => {
                let mut known: Vec<&str> = self.kinds.iter().map(|one| one.ask).collect();
                known.dedup();
                return Err(FieldPairs::unknown_question_error(&ask, &known));
            }
            [kind] => kind,
            _ => {
                let place = choose_kind(&named, &mut pairs);
                kinds[place.map_err(|error| error.in_question(&ask))?]
            }
        };
        Ok((kind.read)(pairs, self.names)?.with_view(view))
    }
}

/// Among the questions that share a name, returns the index of the one that these fields ask.
/// Removes each field that is null or false if only the other questions have this field.
fn choose_kind(questions: &[&Description], pairs: &mut FieldPairs) -> Result<usize, QueryError> {
    // a field that is not set does not decide which question is meant
    let is_given = |(_, value): &(String, Json)| !matches!(value, Json::Null | Json::Bool(false));
    let given = pairs.0.iter().filter(|pair| is_given(pair));
    let given: Vec<(String, Json)> = given.cloned().collect();
    let place = choose_question(questions, &given).map_err(|unfit| match unfit {
        NoFittingQuestion::Choice { field, known } => {
            FieldPairs::unknown_choice_error(pairs, field, &known)
        }
        NoFittingQuestion::Apart(one, other) => QueryError::both_given(&one, &other),
        NoFittingQuestion::List(list, other) => QueryError::list_not_allowed(&list, &other),
        NoFittingQuestion::Endless(name) => {
            let value = given.iter().find(|(given, _)| *given == name);
            let value = value.map_or(Json::Null, |(_, value)| value.clone());
            let what = say!(
                field(&name).is(value),
                " does not apply to a law without an end, such as poisson:1 or bernoulli:exp(-1)"
            );
            QueryError::wrong(&name, what)
        }
    })?;
    pairs.0.retain(|pair| {
        let fits = |question: &&Description| question.field(&pair.0).is_some();
        is_given(pair) || fits(&questions[place]) || !questions.iter().any(fits)
    });
    Ok(place)
}
