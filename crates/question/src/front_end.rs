//! The front ends: each renders a sentence, with its fields and questions, in its own notation.

use crate::description::{ArgumentKind, FieldAbout, python_name};
use crate::error::{InputError, shortened};
use crate::sentence::{Field, SentencePart, json_text};
use crate::{Foot, QueryError, Sentence};
use serde_json::Value;

/// Finds a field by its name, in the question with this name; without a question, in the first one
/// that has the field.
pub type FieldFinder = fn(ask: Option<&str>, name: &str) -> Option<&'static FieldAbout>;

/// Where a sentence is shown.
#[derive(Clone, Copy)]
pub enum FrontEnd {
    /// The command line: `--digits 30`, `flipcost plan 7 --dice 4,6`. The function finds fields.
    Terminal(FieldFinder),
    /// Python: `digits=30`, `flipcost.ask('plan', dice='4,6', target='7')`.
    Python,
    /// Everywhere else: the names of fields and JSON, in backticks.
    Plain,
}

/// A field as an option at the command line of the question `ask`; without `ask`, of the first
/// question that has this field.
struct CommandLineField<'a> {
    field: &'a Field,
    about: Option<&'static FieldAbout>,
}

impl CommandLineField<'_> {
    fn of_field<'a>(
        field: &'a Field,
        ask: Option<&str>,
        find: FieldFinder,
    ) -> CommandLineField<'a> {
        let about = find(ask, &field.name);
        CommandLineField { field, about }
    }

    fn flag(&self) -> String {
        match self.about {
            Some(about) => format!("--{}", about.flag()),
            None => format!("--{}", self.field.name.replace('_', "-")),
        }
    }

    /// The argument as help shows it: `--digits <D>`, `<N>`.
    fn help_notation(&self) -> String {
        self.about
            .map_or_else(|| self.flag(), FieldAbout::help_notation)
    }

    /// The argument with its value: `--digits 30`, `6`.
    fn with_value(&self) -> String {
        let value = match &self.field.value {
            Value::Null => self.field.word.clone(),
            Value::Bool(_) => String::new(),
            value => json_text(value),
        };
        let argument = self.about.map(|about| about.argument);
        match argument.filter(|one| matches!(one.place, ArgumentKind::Word | ArgumentKind::Target))
        {
            Some(argument) if value.is_empty() => argument.value.to_string(),
            Some(_) => value,
            None if value.is_empty() => self.flag(),
            None => format!("{} {value}", self.flag()),
        }
    }
}

/// Writes a JSON value in Python's notation.
fn to_python_literal(value: &Value) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match value {
        Value::Null => "None".to_string(),
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains('\'') => format!("{text:?}"),
        Value::String(text) => format!("'{}'", text.escape_debug()),
        Value::Array(all) => format!("[{}]", list(all.iter().map(to_python_literal).collect())),
        Value::Object(all) => {
            let pair = |(name, value): (&String, &Value)| {
                format!("'{name}': {}", to_python_literal(value))
            };
            format!("{{{}}}", list(all.iter().map(pair).collect()))
        }
    }
}

/// Writes a question, given as JSON, as a call in Python.
fn to_python_call(question: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(question) else {
        return String::new();
    };
    let ask = fields.remove("ask").unwrap_or_default();
    let argument = |(name, value): (&String, &Value)| {
        format!(", {}={}", python_name(name), to_python_literal(value))
    };
    let arguments: String = fields.iter().map(argument).collect();
    format!("`flipcost.ask({}{arguments})`", to_python_literal(&ask))
}

impl SentencePart {
    fn render(&self, front_end: FrontEnd, ask: Option<&str>) -> String {
        match (self, front_end) {
            (SentencePart::Field(field), FrontEnd::Terminal(find)) => {
                CommandLineField::of_field(field, ask, find).with_value()
            }
            (SentencePart::Named(field), FrontEnd::Terminal(find)) => {
                CommandLineField::of_field(field, ask, find).help_notation()
            }
            (SentencePart::Malformed(field), FrontEnd::Terminal(find)) => {
                let (value, placed) = (
                    shortened(&json_text(&field.value)),
                    CommandLineField::of_field(field, ask, find),
                );
                format!("invalid value '{value}' for '{}'", placed.help_notation())
            }
            (SentencePart::Question(line, _), FrontEnd::Terminal(_)) => format!("`{line}`"),
            (SentencePart::Terminal(text), FrontEnd::Terminal(_)) => text.clone(),
            (SentencePart::Field(Field { name, value, .. }), FrontEnd::Python) => match value {
                Value::Null => python_name(name),
                value => format!("{}={}", python_name(name), to_python_literal(value)),
            },
            (SentencePart::Question(_, json), FrontEnd::Python) => to_python_call(json),
            (part, _) => part.to_string(),
        }
    }
}

impl Sentence {
    /// Renders the sentence for this front end.
    pub fn render(&self, front_end: FrontEnd) -> String {
        self.render_in(front_end, None)
    }

    /// Renders the sentence with the field names that the question `ask` uses.
    fn render_in(&self, front_end: FrontEnd, ask: Option<&str>) -> String {
        self.0
            .iter()
            .map(|part| part.render(front_end, ask))
            .collect()
    }
}

impl InputError {
    /// Renders the whole sentence for this front end.
    pub fn render(&self, front_end: FrontEnd) -> String {
        let ask = self.ask.as_deref();
        let what = self.what.render_in(front_end, ask);
        match &self.right {
            Some(right) => format!("{what}: {}", right.render_in(front_end, ask)),
            None => what,
        }
    }
}

impl QueryError {
    /// Renders the error for this front end.
    pub fn render(&self, front_end: FrontEnd) -> String {
        match self {
            QueryError::Input(error) => error.render(front_end),
            error => error.to_string(),
        }
    }
}

impl Foot {
    /// Renders the notes for this front end, including the notes on missing rows.
    pub fn render_notes(&self, front_end: FrontEnd) -> Vec<String> {
        let all = self.notes.iter().chain(&self.asides);
        all.map(|note| note.render(front_end)).collect()
    }
}
