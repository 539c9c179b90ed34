//! Questions described as data: their fields with meaning, types and defaults, and how each field
//! is written at the command line.
//!
//! Each question is described once, by `question!`. From this description come the struct, its
//! JSON, the command line with its help, the command line that is printed back, and the functions
//! of Python (written by `crates/all/tests/it/python.rs`).

mod about;
mod argument;
mod choose;
mod json;
mod line;
mod value;

pub use about::{Description, FieldAbout, FieldDefault, GivenField, QuestionPurpose, python_name};
pub use argument::arguments;
pub use argument::{Argument, ArgumentKind};
pub use choose::{NoFittingQuestion, choose_question};
pub use json::{ASK, FieldPairs, Fields, serialize_question};
pub use value::{Always, Arity, Choice, ChoiceError, ValueAbout};
pub use value::{FieldValue, plain_choices, plain_text, text_from_json, to_sentence};

use crate::chunked::Chunked;
use crate::sentence::{Sentence, SentencePart};
use crate::{CommandLine, Names, QueryError};

/// The trait that [`crate::question!`] implements for a question.
pub trait Described: Sized {
    const ASK: &'static str;
    const COMMAND: &'static str;
    const FIELDS: &'static [&'static str];
    fn description() -> &'static Description;
    fn read(fields: &Fields) -> Result<Self, QueryError>;
    /// Reads the question from the fields of an object.
    fn from_pairs(pairs: FieldPairs, names: Names) -> Result<Self, QueryError> {
        Self::read(&Fields::new(Self::ASK, Self::FIELDS, pairs, names)?)
    }
    /// Creates the question with these fields and the defaults of all others.
    fn with_defaults<const N: usize>(given: [(&str, Option<serde_json::Value>); N]) -> Self {
        let pairs = given.into_iter();
        let pairs = pairs.filter_map(|(name, value)| Some((name.to_string(), value?)));
        Self::from_pairs(FieldPairs(pairs.collect()), Names::default())
            .expect("every required field has a value")
    }
    fn given_fields(&self) -> Vec<GivenField>;
    /// Returns the places of the question, if its answer is assembled from places.
    fn places(&self) -> Option<&dyn Chunked> {
        None
    }
    /// Notes on how fields were understood, for values that a reader could misunderstand.
    fn readings(&self) -> Vec<String> {
        Vec::new()
    }
    /// The command line that asks this question.
    fn line(&self) -> CommandLine {
        line::command_line(Self::description(), &self.given_fields())
    }
}

impl<Q: Described> From<Q> for Sentence {
    fn from(question: Q) -> Sentence {
        SentencePart::Question(
            question.line().to_string(),
            json::question_to_json(Q::ASK, question.given_fields()),
        )
        .into()
    }
}

/// Joins the lines of doc comments to paragraphs, each on one line.
pub fn join_paragraphs(lines: &[&str]) -> Vec<String> {
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

/// Describes a question. The name of the struct is followed by the question's `ask`, and by its
/// command if the command has another name. The type of a field is followed by its default: `=
/// value`, or `=> value` if the default depends on other fields, which must be written above this
/// field. A field that is required or may be absent has no default. The [`Argument`] of the field
/// comes last. A question that implements [`Chunked`] has `in units` after its purpose. Several
/// questions may share an `ask` and a command. Then [`choose_question`] finds the question that is
/// meant from the given fields, for example from the flag of [`Always`] or from a choice that only
/// one of these questions has.
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
#[macro_export]
macro_rules! question {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident: $ask:literal $(, $command:literal)? {
            $(
                $(#[doc = $doc:literal])*
                $field:ident: $type:ty $(= $usual:expr)? $(=> $depends:expr)?; $argument:expr
            ),* $(,)?
        }
        purpose: $purpose:ident $(in $units:ident)?
        examples: [$($example:literal),* $(,)?]
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $crate::description::Described for $name {
            const ASK: &'static str = $ask;
            const COMMAND: &'static str = [$($command,)? $ask][0];
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn description() -> &'static $crate::description::Description {
                #[allow(unused_imports)] // of a question without fields
                use $crate::description::arguments::*;
                static DESCRIPTION: std::sync::LazyLock<$crate::description::Description> =
                    std::sync::LazyLock::new(|| $crate::description::Description {
                        ask: $ask,
                        command: <$name as $crate::description::Described>::COMMAND,
                        about: $crate::description::join_paragraphs(&[$($about),*]),
                        fields: vec![$($crate::description::FieldAbout {
                            name: stringify!($field),
                            about: $crate::description::join_paragraphs(&[$($doc),*]),
                            value: <$type as $crate::description::FieldValue>::ABOUT,
                            usual: $crate::question!(@about $type; $($usual)?; $($depends)?),
                            argument: $argument,
                        }),*],
                        purpose: $crate::description::QuestionPurpose::$purpose,
                        in_units: !matches!([$(stringify!($units),)? ""][0], ""),
                        examples: &[$($example),*],
                    });
                &DESCRIPTION
            }

            #[allow(unused_variables)] // of a question without fields
            fn read(
                fields: &$crate::description::Fields,
            ) -> Result<Self, $crate::QueryError> {
                $($crate::question!(@read fields, $field: $type; $($usual)?; $($depends)?);)*
                $($crate::question!(@late fields, $field: $type; $($depends)?);)*
                Ok($name { $($field),* })
            }

            fn readings(&self) -> Vec<String> {
                let all: &[Option<String>] =
                    &[$($crate::description::FieldValue::reading(&self.$field)),*];
                all.iter().flatten().cloned().collect()
            }

            $(
                fn places(&self) -> Option<&dyn $crate::chunked::Chunked> {
                    let $units = self;
                    Some($units)
                }
            )?

            #[allow(clippy::needless_borrow)] // fields are references here, and values where it is read
            fn given_fields(&self) -> Vec<$crate::description::GivenField> {
                let $name { $($field),* } = self;
                vec![$($crate::description::GivenField {
                    name: stringify!($field),
                    value: $crate::description::FieldValue::json($field),
                    usual: $crate::question!(@usual $type; $($usual)? $($depends)?)
                        .is_some_and(|usual| usual == *$field),
                }),*]
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::description::serialize_question(None, $crate::description::Described::given_fields(self), to)
            }
        }
    };
    (@read $fields:ident, $field:ident: $type:ty; $($usual:expr)?;) => {
        let $field: $type =
            $fields.take(stringify!($field), &|| $crate::question!(@usual $type; $($usual)?))?;
    };
    (@read $fields:ident, $field:ident: $type:ty; ; $depends:expr) => {};
    (@late $fields:ident, $field:ident: $type:ty;) => {};
    (@late $fields:ident, $field:ident: $type:ty; $depends:expr) => {
        let $field: $type =
            $fields.take(stringify!($field), &|| $crate::question!(@usual $type; $depends))?;
    };
    (@usual $type:ty;) => { <$type as $crate::description::FieldValue>::value_if_absent() };
    (@usual $type:ty; $usual:expr) => {{
        let usual: $type = $usual;
        Some(usual)
    }};
    (@about $type:ty; ;) => {
        match <$type as $crate::description::FieldValue>::value_if_absent() {
            None => $crate::description::FieldDefault::Required,
            Some(_) => $crate::description::FieldDefault::Absent,
        }
    };
    (@about $type:ty; $usual:expr;) => {{
        let usual: $type = $usual;
        match $crate::description::FieldValue::json(&usual) {
            None => $crate::description::FieldDefault::Absent,
            Some(json) => $crate::description::FieldDefault::Is($crate::sentence::json_text(&json)),
        }
    }};
    (@about $type:ty; ; $depends:expr) => { $crate::description::FieldDefault::Depends };
}
