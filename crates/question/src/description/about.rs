//! The description of a question and its fields, as data.

use super::argument::{Argument, ArgumentKind};
use super::value::ValueAbout;
use serde_json::Value as Json;

/// The description of a question.
#[derive(Clone, Debug)]
pub struct Description {
    /// The question's name in JSON, for example `toll-extremes`.
    pub ask: &'static str,
    /// The question's command, which may have two words: `oeis check`.
    pub command: &'static str,
    /// The question in words, as paragraphs. The first paragraph is a short summary.
    pub about: Vec<String>,
    /// The question's fields, in the order in which they are printed.
    pub fields: Vec<FieldAbout>,
    /// The group in which help lists the question.
    pub purpose: QuestionPurpose,
    /// Whether the question's answer is assembled from places, so that parts of it can be computed
    /// separately.
    pub in_units: bool,
    /// Example command lines, without the program's name.
    pub examples: &'static [&'static str],
}

/// The groups in which help lists the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionPurpose {
    /// Rolling by hand.
    Table,
    /// Costs, laws and theorems.
    Numbers,
    /// Machine words, and what libraries do with them.
    Libraries,
    /// Integer sequences and the OEIS.
    Sequences,
    /// Pictures and studies.
    Pictures,
    /// Models for model checkers.
    Models,
    /// Reference: the literature, known results and other programs.
    Reference,
}

/// The description of a field.
#[derive(Clone, Debug)]
pub struct FieldAbout {
    /// The field's name in JSON.
    pub name: &'static str,
    /// The meaning of the field, as paragraphs.
    pub about: Vec<String>,
    /// The type of its values.
    pub value: ValueAbout,
    /// The field's default.
    pub usual: FieldDefault,
    /// How the field is written at the command line.
    pub argument: Argument,
}

/// The default of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldDefault {
    /// There is no default; the field is required.
    Required,
    /// There is no default; the field may be absent.
    Absent,
    /// The default is this value.
    Is(String),
    /// The default depends on other fields.
    Depends,
}

impl Description {
    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&FieldAbout> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl FieldAbout {
    /// The id of the field's argument within its command.
    pub fn id(&self) -> &'static str {
        self.argument.id.unwrap_or(self.name)
    }

    /// The name of the field's option without the dashes.
    pub fn flag(&self) -> String {
        match self.argument.name {
            Some(name) => name.to_string(),
            None => self.name.replace('_', "-"),
        }
    }

    /// The argument as help shows it: `--digits <D>`, `<N>`.
    pub fn help_notation(&self) -> String {
        let value = self.argument.value;
        match (self.argument.place, &self.usual) {
            (ArgumentKind::Option, _) => format!("--{} <{value}>", self.flag()),
            (ArgumentKind::Flag, _) => format!("--{}", self.flag()),
            (ArgumentKind::Word, FieldDefault::Required) => format!("<{value}>"),
            _ => format!("[{value}]"),
        }
    }
}

/// Python keywords that cannot be names. The list contains only those that are names of fields and
/// questions here.
const PYTHON_KEYWORDS: [&str; 8] = ["as", "class", "for", "from", "if", "import", "in", "with"];

/// Returns the name of a question or a field in Python.
pub fn python_name(name: &str) -> String {
    if PYTHON_KEYWORDS.contains(&name) {
        format!("{name}_")
    } else {
        name.replace('-', "_")
    }
}

/// A field of a question, with its value.
#[derive(Clone, Debug)]
pub struct GivenField {
    /// The field's name in JSON.
    pub name: &'static str,
    /// The field's value; `None` if it is left out.
    pub value: Option<Json>,
    /// Whether the value is the default.
    pub usual: bool,
}
