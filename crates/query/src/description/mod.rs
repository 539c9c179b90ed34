//! What a question is, as data: its fields with their meaning, types and defaults, and how each is
//! written at the command line.
//!
//! A question is described once, by `question!`: the struct, its JSON, the command line with its
//! help, the command line that is printed back, and the functions of Python are made of that.

mod argument;
mod json;
mod value;

pub(crate) use argument::arguments;
pub use argument::{Argument, Place};
pub(crate) use json::{Fields, Pairs, write};
pub use value::{Choice, ChoiceError, Shape};
pub(crate) use value::{Value, choices, kind, said};

use crate::{CommandLine, QueryError};
use serde_json::Value as Json;

/// What a question is.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its name in JSON, as in `toll-distribution`.
    pub ask: &'static str,
    /// Its command, which may have two words: `oeis check`.
    pub command: &'static str,
    /// What it asks; the first line says it in short.
    pub about: Vec<String>,
    /// Its fields, in the order in which they are written.
    pub fields: Vec<FieldAbout>,
    /// Among which it is listed.
    pub purpose: Purpose,
    /// Command lines for a start, without the program's name.
    pub examples: &'static [&'static str],
}

/// What a question is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
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
    /// A flag, one value, or several.
    pub shape: Shape,
    /// What its text may be, where only few texts are values.
    pub choices: Vec<Choice>,
    /// Are these all that there are?
    pub closed: bool,
    /// Is `@FILE` what stands in a file, at the command line?
    pub files: bool,
    /// What stands for it where it is not given.
    pub usual: Usual,
    /// Its place at the command line.
    pub argument: Argument,
    /// How a value of it is shown, as Python's types.
    pub python: &'static str,
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

/// What [`question!`] makes of a question.
pub(crate) trait Described: Sized {
    const ASK: &'static str;
    const FIELDS: &'static [&'static str];
    fn description() -> Description;
    fn read(fields: &Fields) -> Result<Self, QueryError>;
    fn given(&self) -> Vec<Given>;
    /// How its fields were read, where that is worth a word.
    fn readings(&self) -> Vec<String> {
        Vec::new()
    }
    /// The command line that asks it.
    fn line(&self) -> CommandLine {
        CommandLine::of(&Self::description(), &self.given())
    }
}

/// The paragraphs of doc comments, each on one line.
pub(crate) fn paragraphs(lines: &[&str]) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in lines.iter().map(|line| line.trim()) {
        match (line.is_empty(), paragraphs.last_mut()) {
            (true, _) => paragraphs.push(String::new()),
            (false, Some(last)) if last.is_empty() => last.push_str(line),
            (false, Some(last)) => {
                last.push(' ');
                last.push_str(line);
            }
            (false, None) => {}
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// Describes a question. After its name stands its `ask`, and its command where that is another.
/// After the type of a field stand what it is where it is not given (`= value`, or `=> value` if
/// that depends on the fields above it; nothing for a field that has to be given or may be absent)
/// and its [`Argument`].
///
/// ```text
/// question! {
///     /// The MR-expansion of a positive number
///     pub struct Mr: "mr" {
///         /// The number, such as 1/29, e or pi
///         x: Positive; word("X"),
///         /// The base
///         base: u64 = 2; option("M").short('b'),
///     }
///     purpose: Numbers
///     examples: ["mr 1/29", "mr e --terms 12"]
/// }
/// ```
macro_rules! question {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident: $ask:literal $(, $command:literal)? {
            $(
                $(#[doc = $doc:literal])*
                $field:ident: $type:ty $(= $usual:expr)? $(=> $depends:expr)?; $argument:expr
            ),* $(,)?
        }
        purpose: $purpose:ident
        examples: [$($example:literal),* $(,)?]
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $crate::description::Described for $name {
            const ASK: &'static str = $ask;
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn description() -> $crate::description::Description {
                #[allow(unused_imports)] // of a question without fields
                use $crate::description::arguments::*;
                $crate::description::Description {
                    ask: $ask,
                    command: [$($command,)? $ask][0],
                    about: $crate::description::paragraphs(&[$($about),*]),
                    fields: vec![$($crate::description::FieldAbout {
                        name: stringify!($field),
                        about: $crate::description::paragraphs(&[$($doc),*]),
                        shape: <$type as $crate::description::Value>::SHAPE,
                        choices: <$type as $crate::description::Value>::choices(),
                        closed: <$type as $crate::description::Value>::CLOSED,
                        files: <$type as $crate::description::Value>::FILES,
                        usual: question!(@about $type; $($usual)?; $($depends)?),
                        argument: $argument,
                        python: <$type as $crate::description::Value>::PYTHON,
                    }),*],
                    purpose: $crate::description::Purpose::$purpose,
                    examples: &[$($example),*],
                }
            }

            #[allow(unused_variables)] // of a question without fields
            fn read(
                fields: &$crate::description::Fields,
            ) -> Result<Self, $crate::QueryError> {
                $(let $field: $type = fields.take(
                    stringify!($field),
                    || question!(@usual $type; $($usual)? $($depends)?),
                )?;)*
                Ok($name { $($field),* })
            }

            fn readings(&self) -> Vec<String> {
                let all: &[Option<String>] =
                    &[$($crate::description::Value::reading(&self.$field)),*];
                all.iter().flatten().cloned().collect()
            }

            fn given(&self) -> Vec<$crate::description::Given> {
                let $name { $($field),* } = self;
                vec![$($crate::description::Given {
                    name: stringify!($field),
                    value: $crate::description::Value::json($field),
                    usual: question!(@usual $type; $($usual)? $($depends)?)
                        .is_some_and(|usual| usual == *$field),
                }),*]
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::description::write(None, $crate::description::Described::given(self), to)
            }
        }
    };
    (@usual $type:ty;) => { <$type as $crate::description::Value>::absent() };
    (@usual $type:ty; $usual:expr) => {{
        let usual: $type = $usual;
        Some(usual)
    }};
    (@about $type:ty; ;) => {
        match <$type as $crate::description::Value>::absent() {
            None => $crate::description::Usual::Required,
            Some(_) => $crate::description::Usual::Absent,
        }
    };
    (@about $type:ty; $usual:expr;) => {{
        let usual: $type = $usual;
        let json = $crate::description::Value::json(&usual).unwrap_or_default();
        $crate::description::Usual::Is($crate::sentence::bare(&json))
    }};
    (@about $type:ty; ; $depends:expr) => { $crate::description::Usual::Depends };
}

pub(crate) use question;
