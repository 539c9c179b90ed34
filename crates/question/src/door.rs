//! The doors: how each writes a sentence, its fields and its questions, in its own terms.

use crate::description::{FieldAbout, Place, python_name};
use crate::error::{InputError, shortened};
use crate::sentence::{Field, Part, bare};
use crate::{Door, Foot, Query, QueryError, Sentence};
use serde_json::Value;

/// A field at the command line, of the question that JSON calls `ask`; without one, of the first that
/// has it.
struct Written<'a> {
    field: &'a Field,
    about: Option<&'static FieldAbout>,
}

impl Written<'_> {
    fn of<'a>(field: &'a Field, ask: Option<&str>) -> Written<'a> {
        let mut all = (Query::descriptions().iter())
            .filter(|description| ask.is_none_or(|ask| description.ask == ask));
        let about = all.find_map(|description| description.field(&field.name));
        Written { field, about }
    }

    fn flag(&self) -> String {
        match self.about {
            Some(about) => format!("--{}", about.flag()),
            None => format!("--{}", self.field.name.replace('_', "-")),
        }
    }

    /// As the help has it: `--digits <D>`, `<N>`.
    fn placed(&self) -> String {
        self.about.map_or_else(|| self.flag(), FieldAbout::placed)
    }

    /// With its value: `--digits 30`, `6`.
    fn with_value(&self) -> String {
        let value = match &self.field.value {
            Value::Null => self.field.word.clone(),
            Value::Bool(_) => String::new(),
            value => bare(value),
        };
        let argument = self.about.map(|about| about.argument);
        match argument.filter(|one| matches!(one.place, Place::Word | Place::Target)) {
            Some(argument) if value.is_empty() => argument.value.to_string(),
            Some(_) => value,
            None if value.is_empty() => self.flag(),
            None => format!("{} {value}", self.flag()),
        }
    }
}

/// A value of JSON as Python writes it.
fn python(value: &Value) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match value {
        Value::Null => "None".to_string(),
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains('\'') => format!("{text:?}"),
        Value::String(text) => format!("'{}'", text.escape_debug()),
        Value::Array(all) => format!("[{}]", list(all.iter().map(python).collect())),
        Value::Object(all) => {
            let pair = |(name, value): (&String, &Value)| format!("'{name}': {}", python(value));
            format!("{{{}}}", list(all.iter().map(pair).collect()))
        }
    }
}

/// A question, which is given as JSON, as Python asks it.
fn call(question: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(question) else {
        return String::new();
    };
    let ask = fields.remove("ask").unwrap_or_default();
    let argument =
        |(name, value): (&String, &Value)| format!(", {}={}", python_name(name), python(value));
    let arguments: String = fields.iter().map(argument).collect();
    format!("`flipcost.ask({}{arguments})`", python(&ask))
}

impl Part {
    fn at(&self, door: Door, ask: Option<&str>) -> String {
        match (self, door) {
            (Part::Field(field), Door::Terminal) => Written::of(field, ask).with_value(),
            (Part::Named(field), Door::Terminal) => Written::of(field, ask).placed(),
            (Part::Malformed(field), Door::Terminal) => {
                let (value, placed) = (shortened(&bare(&field.value)), Written::of(field, ask));
                format!("invalid value '{value}' for '{}'", placed.placed())
            }
            (Part::Question(line, _), Door::Terminal) => format!("`{line}`"),
            (Part::Terminal(text), Door::Terminal) => text.clone(),
            (Part::Field(Field { name, value, .. }), Door::Python) => match value {
                Value::Null => python_name(name),
                value => format!("{}={}", python_name(name), python(value)),
            },
            (Part::Question(_, json), Door::Python) => call(json),
            (part, _) => part.to_string(),
        }
    }
}

impl Sentence {
    /// As it is said there.
    pub fn at(&self, door: Door) -> String {
        self.of(door, None)
    }

    /// The same in a question that JSON calls `ask`.
    fn of(&self, door: Door, ask: Option<&str>) -> String {
        self.0.iter().map(|part| part.at(door, ask)).collect()
    }
}

impl InputError {
    /// The whole sentence as it is said there.
    pub fn at(&self, door: Door) -> String {
        let ask = self.ask.as_deref();
        let what = self.what.of(door, ask);
        match &self.right {
            Some(right) => format!("{what}: {}", right.of(door, ask)),
            None => what,
        }
    }
}

impl QueryError {
    /// Its sentence as it is said there.
    pub fn at(&self, door: Door) -> String {
        match self {
            QueryError::Input(error) => error.at(door),
            error => error.to_string(),
        }
    }
}

impl Foot {
    /// The notes and the asides as they are said there.
    pub fn said(&self, door: Door) -> Vec<String> {
        let all = self.notes.iter().chain(&self.asides);
        all.map(|note| note.at(door)).collect()
    }
}
