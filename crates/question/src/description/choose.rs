//! Decides which of several questions with the same name is meant.

use super::{Arity, Description, FieldAbout, FieldDefault};
use crate::endless::has_end;
use serde_json::Value as Json;

/// The reason why these fields fit no question with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoFittingQuestion {
    /// The value of a field is not among the choices of any of these questions.
    Choice {
        /// The name of the field.
        field: &'static str,
        /// The choices of all these questions.
        known: Vec<&'static str>,
    },
    /// No question accepts both of these fields together with the others.
    Apart(String, String),
    /// The first field is a list, which cannot be combined with the second field.
    List(String, String),
    /// The field cannot be combined with a law that has no end.
    Endless(String),
}

/// Among the questions that share a name, returns the index of the one that these fields ask: the
/// first that accepts all fields and lacks no required field; otherwise the first that accepts all
/// fields. Fields that no question knows are ignored.
///
/// # Errors
/// [`NoFittingQuestion`] if no question accepts all fields.
pub fn choose_question(
    questions: &[&Description],
    given: &[(String, Json)],
) -> Result<usize, NoFittingQuestion> {
    let fields = |name: &str| -> Vec<&FieldAbout> {
        (questions.iter().filter_map(|one| one.field(name))).collect()
    };
    for (name, value) in given {
        let fields = fields(name);
        let mut choices: Vec<&str> = Vec::new();
        for choice in fields.iter().flat_map(|field| (field.value.choices)()) {
            if !choices.contains(&choice.name) {
                choices.push(choice.name);
            }
        }
        if !choices.is_empty() && !fields.iter().any(|field| field.accepts_value(value)) {
            return Err(NoFittingQuestion::Choice {
                field: fields[0].name,
                known: choices,
            });
        }
    }
    let known: Vec<&(String, Json)> =
        (given.iter().filter(|(name, _)| !fields(name).is_empty())).collect();
    let takes = |question: &Description, (name, value): &(String, Json)| {
        let takes = |field: &FieldAbout| field.accepts_value(value);
        let here = question.field(name);
        // If no question accepts the value, the chosen question reports the error.
        here.is_some_and(|here| takes(here) || !fields(name).into_iter().any(takes))
    };
    let takes_all = |question: &Description| known.iter().all(|pair| takes(question, pair));
    let is_complete = |question: &Description| {
        let mut needed = (question.fields.iter()).filter(|field| field.is_needed());
        needed.all(|field| given.iter().any(|(name, _)| name == field.name))
    };
    let mut fitting = (0..questions.len()).filter(|i| takes_all(questions[*i]));
    let first = fitting.clone().next();
    if let Some(place) = fitting.find(|i| is_complete(questions[*i])).or(first) {
        return Ok(place);
    }
    // Every field is accepted by some question, so there are at least two fields here. If every two
    // of them fit together, the conflict is among three or more; then the error names the last two.
    let pairs = known.iter().enumerate();
    let mut pairs = pairs.flat_map(|(i, one)| known[..i].iter().map(move |other| (one, other)));
    let is_apart = |(one, other): &(&&(String, Json), &&(String, Json))| {
        let both = |question: &&Description| takes(question, one) && takes(question, other);
        !questions.iter().any(both)
    };
    let last = pairs.clone().last();
    let (one, other) = pairs.find(is_apart).or(last).expect("two fields");
    match (has_end(&one.1), has_end(&other.1)) {
        (false, true) => return Err(NoFittingQuestion::Endless(other.0.clone())),
        (true, false) => return Err(NoFittingQuestion::Endless(one.0.clone())),
        _ => {}
    }
    let is_list = |(name, value): &(String, Json)| {
        let has_several = |text: &str| text.contains(',') || text.contains("..");
        (value.is_array() || value.as_str().is_some_and(has_several))
            && fields(name).iter().any(|field| !(field.value.fits)(value))
    };
    Err(match (is_list(one), is_list(other)) {
        (false, false) => NoFittingQuestion::Apart(one.0.clone(), other.0.clone()),
        (true, _) => NoFittingQuestion::List(one.0.clone(), other.0.clone()),
        (false, true) => NoFittingQuestion::List(other.0.clone(), one.0.clone()),
    })
}

impl FieldAbout {
    /// Whether the field is required in a question that shares its name with others.
    fn is_needed(&self) -> bool {
        self.usual == FieldDefault::Required
    }

    /// Whether the field can have this value. If the field's list of choices is closed, the value
    /// must be in the list.
    fn accepts_value(&self, value: &Json) -> bool {
        let choices = (self.value.choices)();
        match value {
            Json::String(text) if self.value.closed && self.value.shape == Arity::One => {
                choices.is_empty() || choices.iter().any(|choice| choice.name == text)
            }
            value => (self.value.fits)(value),
        }
    }
}
