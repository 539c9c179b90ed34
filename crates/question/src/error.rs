//! Errors of questions: each is a sentence, with the field that is wrong.

use crate::say;
use crate::sentence::{Sentence, SentencePart, field, json_text, make_printable};
use flipcost::algorithms::{Algorithm, FacesError};
use serde_json::Value;
use std::fmt;
use std::panic::Location;

/// The reason why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The question cannot be answered as it was asked.
    #[error("{0}")]
    Input(Box<InputError>),
    /// The run was stopped through its [`Control`](crate::Control).
    #[error("it was stopped before it was answered")]
    Stopped,
    /// The run reached the time limit of its [`Control`](crate::Control).
    #[error("it takes longer than the time limit")]
    Time,
    /// The run reached the memory limit of its [`Control`](crate::Control).
    #[error("it takes more memory than the limit")]
    Memory,
    /// The sink did not take the answer.
    #[error("the answer could not be written: {0}")]
    Sink(#[from] std::io::Error),
}

impl QueryError {
    /// Converts an error of the engine, which is one sentence.
    #[track_caller]
    pub fn input(error: impl std::fmt::Display) -> QueryError {
        Self::general(error.to_string())
    }

    /// Like [`QueryError::input`], for an error in this field.
    #[track_caller]
    pub fn for_field<E: std::fmt::Display>(field: &str) -> impl Fn(E) -> QueryError {
        let place = Location::caller();
        move |error| {
            let what = error.to_string().into();
            QueryError::Input(InputError::at_location(place, Some(field), what).into())
        }
    }

    /// The error for a task that an algorithm refuses. The id of the algorithm is added if the
    /// sentence does not contain it.
    #[track_caller]
    pub fn of_algorithm<E: std::fmt::Display>(
        field: &str,
        algorithm: &dyn Algorithm,
    ) -> impl Fn(E) -> QueryError {
        let (place, id) = (Location::caller(), algorithm.about().id);
        move |error| {
            let said = error.to_string();
            let what = if said.starts_with("it") || !said.contains(id) {
                format!("{id}: {said}")
            } else {
                said
            };
            QueryError::Input(InputError::at_location(place, Some(field), what.into()).into())
        }
    }

    /// The error for a wrong value of a field.
    #[track_caller]
    pub fn wrong(field: &str, what: impl Into<Sentence>) -> QueryError {
        let place = Location::caller();
        QueryError::Input(InputError::at_location(place, Some(field), what.into()).into())
    }

    /// Changes the field to which the error belongs.
    pub fn in_field(mut self, name: &str) -> QueryError {
        if let QueryError::Input(error) = &mut self {
            error.field = Some(name.to_string());
        }
        self
    }

    /// The error for a mistake that does not belong to a single field.
    #[track_caller]
    pub fn general(what: impl Into<Sentence>) -> QueryError {
        let place = Location::caller();
        QueryError::Input(InputError::at_location(place, None, what.into()).into())
    }

    /// The error for two fields that say the same thing.
    #[track_caller]
    pub fn both_given(one: &str, other: &str) -> QueryError {
        let what = say!(field(one), " and ", field(other), " were both given");
        Self::wrong(other, what).right("choose one of them")
    }

    /// The error for a list in a field that cannot be combined with `other`, because `other`
    /// requires a single value.
    #[track_caller]
    pub fn list_not_allowed(list: &str, other: &str) -> QueryError {
        let what = say!(
            field(list),
            " is a list, and ",
            field(other),
            " works with a single value only"
        );
        Self::wrong(list, what).right(say!("leave out ", field(other), ", or name one"))
    }

    /// The error for a range that ends before it begins; `called` names what the range lists.
    #[track_caller]
    pub fn reversed_range(from: u64, to: u64, called: &str) -> QueryError {
        let what = say!(
            field("from").is(from),
            " ",
            field("to").is(to),
            " is reversed"
        );
        Self::wrong("to", what).right(say!("the first {called} must not be above the last"))
    }

    /// Fails if there are more than `most` pairs of a source and a target.
    #[track_caller]
    pub fn check_pair_count(sources: usize, targets: usize, most: usize) -> Result<(), QueryError> {
        if sources.saturating_mul(targets) <= most {
            return Ok(());
        }
        let what = say!("{sources} sources and {targets} targets are too many pairs");
        Err(Self::general(what).right(say!("{most} is the most")))
    }

    /// The error for typed rolls that are not faces of the source.
    #[track_caller]
    pub fn not_faces(error: &FacesError) -> QueryError {
        Self::general(error.to_string())
    }

    /// Adds a hint that says how to correct the mistake.
    pub fn right(mut self, right: impl Into<Sentence>) -> QueryError {
        if let QueryError::Input(error) = &mut self {
            error.right = Some(right.into());
        }
        self
    }

    /// Adds the name of the question to the error.
    pub fn in_question(mut self, ask: &str) -> QueryError {
        if let QueryError::Input(error) = &mut self {
            error.ask.get_or_insert_with(|| ask.to_string());
        }
        self
    }

    /// The error as JSON: its sentence as `error`, and `field` and `given` if they are known.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = serde_json::json!({ "error": make_printable(&self.to_string()) });
        if let QueryError::Input(error) = self {
            for (name, value) in [("field", &error.field), ("given", &error.given)] {
                if let Some(value) = value {
                    json[name] = make_printable(value).into();
                }
            }
        }
        json
    }
}

/// An error in a question.
#[derive(Clone, Debug)]
pub struct InputError {
    /// The field that is wrong, by its name in the question's JSON.
    pub field: Option<String>,
    /// The value of that field, shortened if it is long.
    pub given: Option<String>,
    /// The description of the mistake.
    pub what: Sentence,
    /// The remedy, if a hint can be given.
    pub right: Option<Sentence>,
    /// The source line that created the error; a test checks that every such line was reached.
    pub place: &'static Location<'static>,
    /// The name of the question, which is `ask` in JSON.
    pub ask: Option<String>,
}

/// Values with more letters are shortened.
const MAX_QUOTED_LEN: usize = 80;

pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED_LEN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

impl InputError {
    #[track_caller]
    pub fn new(field: Option<&str>, what: impl Into<Sentence>) -> InputError {
        InputError::at_location(Location::caller(), field, what.into())
    }

    pub fn at_location(
        place: &'static Location<'static>,
        field: Option<&str>,
        what: Sentence,
    ) -> InputError {
        InputError {
            field: field.map(String::from),
            given: None,
            what,
            right: None,
            place,
            ask: None,
        }
    }

    /// The error for a value that cannot be parsed.
    #[track_caller]
    pub fn malformed(name: &str, value: &Value, said: impl Into<Sentence>) -> InputError {
        let mut what = Sentence(vec![SentencePart::Malformed(field(name).is(value.clone()))]);
        what.push(": ");
        what.push(said);
        InputError::at_location(Location::caller(), Some(name), what).with_value(value)
    }

    /// Adds the value of its field.
    pub fn with_value(mut self, value: &Value) -> InputError {
        self.given = Some(shortened(&json_text(value)));
        self
    }

    /// Adds the value of the error's field, if this field was given in the question.
    pub fn with_fields(mut self, fields: &Value) -> InputError {
        self.ask = fields["ask"].as_str().map(String::from);
        let value = self.field.as_ref().and_then(|name| fields.get(name));
        match (&self.given, value) {
            (None, Some(value)) => self.with_value(value),
            _ => self,
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.what.fmt(f)?;
        match &self.right {
            Some(right) => write!(f, ": {right}"),
            None => Ok(()),
        }
    }
}
