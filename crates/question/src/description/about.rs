//! What a question and its fields are, as data.

use super::argument::{Argument, ArgumentKind};
use super::value::ValueAbout;
use serde_json::Value as Json;

/// What a question is.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its name in JSON, as in `toll-extremes`.
    pub ask: &'static str,
    /// Its command, which may have two words: `oeis check`.
    pub command: &'static str,
    /// What it asks; the first line says it in short.
    pub about: Vec<String>,
    /// Its fields, in the order in which they are written.
    pub fields: Vec<FieldAbout>,
    /// Among which it is listed.
    pub purpose: QuestionPurpose,
    /// Is its answer put together from places, so that units of it can be computed apart?
    pub in_units: bool,
    /// Command lines for a start, without the program's name.
    pub examples: &'static [&'static str],
}

/// What a question is good for.
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
    /// What is known, and other programs.
    Reference,
}

/// What a field of a question is.
#[derive(Clone, Debug)]
pub struct FieldAbout {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it means.
    pub about: Vec<String>,
    /// What its values are.
    pub value: ValueAbout,
    /// What stands for it where it is not given.
    pub usual: Usual,
    /// Its place at the command line.
    pub argument: Argument,
}

/// What stands for a field that is not given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Usual {
    /// Nothing: it has to be given.
    Required,
    /// Nothing: it may be left out.
    Absent,
    /// This value.
    Is(String),
    /// A value that depends on other fields.
    Depends,
}

impl Description {
    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&FieldAbout> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl FieldAbout {
    /// Its name among the arguments of its command.
    pub fn id(&self) -> &'static str {
        self.argument.id.unwrap_or(self.name)
    }

    /// Its option at the command line, without the dashes.
    pub fn flag(&self) -> String {
        match self.argument.name {
            Some(name) => name.to_string(),
            None => self.name.replace('_', "-"),
        }
    }

    /// As the help has it: `--digits <D>`, `<N>`.
    pub fn placed(&self) -> String {
        let value = self.argument.value;
        match (self.argument.place, &self.usual) {
            (ArgumentKind::Option, _) => format!("--{} <{value}>", self.flag()),
            (ArgumentKind::Flag, _) => format!("--{}", self.flag()),
            (ArgumentKind::Word, Usual::Required) => format!("<{value}>"),
            _ => format!("[{value}]"),
        }
    }
}

/// The words of Python that no name can be, among those that fields and questions have.
const RESERVED: [&str; 8] = ["as", "class", "for", "from", "if", "import", "in", "with"];

/// The name of a question or a field in Python.
pub fn python_name(name: &str) -> String {
    if RESERVED.contains(&name) {
        format!("{name}_")
    } else {
        name.replace('-', "_")
    }
}

/// A field of a question that was asked.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its value; `None` if it is left out.
    pub value: Option<Json>,
    /// Is it what stands for it where it is not given?
    pub usual: bool,
}
