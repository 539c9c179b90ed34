//! The types of fields, each with its conversion from and to JSON.

use crate::{InputError, Names, QueryError, Sentence, nearest};
use flipcost_number::expression::parse_u64;
use flipcost_number::grammar::items;
use serde_json::Value as Json;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// How many values a field can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// True or false.
    Flag,
    /// Exactly one value.
    One,
    /// Any number of values.
    Several,
}

/// One of the texts that a field accepts, if it accepts only a few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The text.
    pub name: &'static str,
    /// The meaning of the choice, if it has an explanation.
    pub about: Vec<String>,
}

/// The error for a text that is not one of the choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{given}\" is not one of {}{}", known.join(", "), nearest(given, known.iter().copied()).map_or(String::new(), |near| format!(": did you mean {near}?")))]
pub struct ChoiceError {
    pub given: String,
    pub known: Vec<&'static str>,
}

impl ChoiceError {
    /// The error for a text that is not one of the known names.
    pub fn new(text: &str, known: Vec<&'static str>) -> ChoiceError {
        ChoiceError {
            given: text.chars().take(40).flat_map(char::escape_debug).collect(),
            known,
        }
    }
}

/// Converts the text of a file to the text of a value; the second argument is the requested column.
pub type FileConverter = fn(&str, Option<&str>) -> Result<String, String>;

/// Describes the values of a type.
#[derive(Clone, Copy, Debug)]
pub struct ValueAbout {
    /// A flag, one value, or several.
    pub shape: Arity,
    /// The name of the type in Python.
    pub python: &'static str,
    /// The possible texts, if there are only a few.
    pub choices: fn() -> Vec<Choice>,
    /// Whether no other values are possible.
    pub closed: bool,
    /// If `@FILE` can replace a value at the command line: the function that converts the text of
    /// the file to a value as a user would type it.
    pub file: Option<FileConverter>,
    /// Whether a value is a list; then commas separate files from other items.
    pub list: bool,
    /// Checks whether JSON of this form can be a value. It distinguishes questions that share a
    /// name.
    pub fits: fn(&Json) -> bool,
}

impl ValueAbout {
    /// Any text.
    pub const TEXT: ValueAbout = ValueAbout {
        shape: Arity::One,
        python: "str",
        choices: Vec::new,
        closed: false,
        file: None,
        list: false,
        fits: |_| true,
    };

    /// Values of a type with this name in Python.
    pub const fn python(python: &'static str) -> ValueAbout {
        ValueAbout {
            python,
            ..ValueAbout::TEXT
        }
    }

    /// Exactly these texts.
    pub const fn one_of(choices: fn() -> Vec<Choice>) -> ValueAbout {
        ValueAbout {
            choices,
            closed: true,
            ..ValueAbout::TEXT
        }
    }

    pub const fn several(self) -> ValueAbout {
        let shape = Arity::Several;
        ValueAbout { shape, ..self }
    }
}

/// Choices without explanations.
pub fn plain_choices(names: impl IntoIterator<Item = &'static str>) -> Vec<Choice> {
    let choice = |name| Choice {
        name,
        about: Vec::new(),
    };
    names.into_iter().map(choice).collect()
}

/// A type that a field of a question can have.
pub trait FieldValue: Sized {
    const ABOUT: ValueAbout = ValueAbout::TEXT;

    /// The value if the field is left out; `None` if the field is required.
    fn value_if_absent() -> Option<Self> {
        None
    }

    /// Reads a value; the error is one sentence.
    fn of_json(json: &Json, names: Names) -> Result<Self, Sentence>;

    /// Does the same as [`FieldValue::of_json`], and adds the name of the field to the error.
    fn of_field(field: &str, json: &Json, names: Names) -> Result<Self, QueryError> {
        Self::of_json(json, names)
            .map_err(|said| QueryError::Input(InputError::malformed(field, json, said).into()))
    }

    /// The value in JSON; `None` if the field is left out.
    fn json(&self) -> Option<Json>;

    /// Whether this item of a list continues the item before it, for example as a second parameter
    /// of an algorithm.
    fn continues_list_item(_: &str) -> bool {
        false
    }

    /// A note on how the value was understood, if a reader could misunderstand it.
    fn reading(&self) -> Option<String> {
        None
    }
}

/// Converts the error of a parser to one sentence.
pub fn to_sentence<E: std::fmt::Display>(error: E) -> Sentence {
    error.to_string().into()
}

/// Names the type of a JSON value in a sentence.
pub fn json_type_name(json: &Json) -> String {
    match json {
        Json::Null => "null".to_string(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(_) => "a text".to_string(),
        Json::Array(_) => "a list".to_string(),
        Json::Object(_) => "an object".to_string(),
    }
}

/// Implements the trait for types that are parsed from a text and displayed as one.
#[macro_export]
macro_rules! texts {
    ($($type:ty $(, $python:literal)?);* $(;)?) => {$(
        impl $crate::description::FieldValue for $type {
            $(const ABOUT: $crate::description::ValueAbout =
                $crate::description::ValueAbout::python($python);)?

            fn of_json(json: &$crate::serde_json::Value, _: $crate::Names) -> Result<Self, $crate::Sentence> {
                let text = $crate::description::text_from_json(json)?;
                text.parse::<$type>().map_err($crate::description::to_sentence)
            }

            fn json(&self) -> Option<$crate::serde_json::Value> {
                Some(self.to_string().into())
            }
        }
    )*};
}

/// The text of a value in JSON, which may be a string in the notation of the program, or a whole
/// number.
pub fn text_from_json(json: &Json) -> Result<String, Sentence> {
    match json {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) if !number.is_f64() => Ok(number.to_string()),
        json => Err(format!(
            "it is {}: a whole number, or a text such as \"10^18+9\", was expected",
            json_type_name(json)
        )
        .into()),
    }
}

/// Returns a JSON value as a text; numbers are refused.
pub fn plain_text(json: &Json) -> Result<&str, Sentence> {
    let text = json.as_str();
    text.ok_or_else(|| format!("it is {}: a text was expected", json_type_name(json)).into())
}

impl FieldValue for String {
    fn of_json(json: &Json, _: Names) -> Result<String, Sentence> {
        plain_text(json).map(String::from)
    }

    fn json(&self) -> Option<Json> {
        (!self.is_empty()).then(|| self.as_str().into())
    }
}

impl FieldValue for PathBuf {
    const ABOUT: ValueAbout = ValueAbout::python("PathLike");

    fn of_json(json: &Json, _: Names) -> Result<PathBuf, Sentence> {
        plain_text(json).map(PathBuf::from)
    }

    // In a path that is not UTF-8, replacement characters appear here.
    fn json(&self) -> Option<Json> {
        Some(self.display().to_string().into())
    }
}

impl FieldValue for u64 {
    const ABOUT: ValueAbout = ValueAbout::python("SupportsIndex");

    fn of_json(json: &Json, _: Names) -> Result<u64, Sentence> {
        parse_u64(&text_from_json(json)?).map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some((*self).into())
    }
}

/// A positive integer.
impl FieldValue for NonZeroU64 {
    const ABOUT: ValueAbout = ValueAbout::python("SupportsIndex");

    fn of_json(json: &Json, names: Names) -> Result<NonZeroU64, Sentence> {
        NonZeroU64::new(u64::of_json(json, names)?).ok_or_else(|| "it must be at least 1".into())
    }

    fn json(&self) -> Option<Json> {
        Some(self.get().into())
    }
}

impl FieldValue for u32 {
    const ABOUT: ValueAbout = ValueAbout::python("SupportsIndex");

    fn of_json(json: &Json, names: Names) -> Result<u32, Sentence> {
        let number = u64::of_json(json, names)?;
        let large = |_| format!("{number} is too large: {} is the most", u32::MAX).into();
        number.try_into().map_err(large)
    }

    fn json(&self) -> Option<Json> {
        Some((*self).into())
    }
}

impl FieldValue for bool {
    const ABOUT: ValueAbout = ValueAbout {
        shape: Arity::Flag,
        ..ValueAbout::python("bool")
    };

    fn value_if_absent() -> Option<bool> {
        Some(false)
    }

    fn of_json(json: &Json, _: Names) -> Result<bool, Sentence> {
        let wrong = || format!("it is {}: true or false was expected", json_type_name(json)).into();
        json.as_bool().ok_or_else(wrong)
    }

    fn json(&self) -> Option<Json> {
        self.then_some(true.into())
    }
}

/// A flag that selects one of the questions of a command. It is always set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Always;

impl FieldValue for Always {
    const ABOUT: ValueAbout = bool::ABOUT;

    fn value_if_absent() -> Option<Always> {
        Some(Always)
    }

    fn of_json(json: &Json, names: Names) -> Result<Always, Sentence> {
        if bool::of_json(json, names)? {
            Ok(Always)
        } else {
            Err("this field only selects the question: true was expected".into())
        }
    }

    fn json(&self) -> Option<Json> {
        Some(true.into())
    }
}

impl<T: FieldValue> FieldValue for Option<T> {
    const ABOUT: ValueAbout = T::ABOUT;

    fn value_if_absent() -> Option<Option<T>> {
        Some(None)
    }

    fn of_json(json: &Json, names: Names) -> Result<Option<T>, Sentence> {
        match json {
            Json::Null => Ok(None),
            json => T::of_json(json, names).map(Some),
        }
    }

    fn json(&self) -> Option<Json> {
        self.as_ref().and_then(FieldValue::json)
    }

    fn reading(&self) -> Option<String> {
        self.as_ref().and_then(FieldValue::reading)
    }
}

/// In JSON, a list of values is a list, or a text with commas between the items.
impl<T: FieldValue> FieldValue for Vec<T> {
    const ABOUT: ValueAbout = T::ABOUT.several();

    fn value_if_absent() -> Option<Vec<T>> {
        Some(Vec::new())
    }

    fn of_json(json: &Json, names: Names) -> Result<Vec<T>, Sentence> {
        match json {
            Json::Array(all) => all.iter().map(|one| T::of_json(one, names)).collect(),
            Json::String(text) => {
                let mut all: Vec<String> = Vec::new();
                for item in items(text) {
                    match all.last_mut() {
                        Some(last) if T::continues_list_item(item) => {
                            *last = format!("{last},{item}")
                        }
                        _ => all.push(item.to_string()),
                    }
                }
                all.into_iter()
                    .map(|item| T::of_json(&item.into(), names))
                    .collect()
            }
            Json::Number(_) => Ok(vec![T::of_json(json, names)?]),
            json => Err(format!("it is {}: a list was expected", json_type_name(json)).into()),
        }
    }

    fn json(&self) -> Option<Json> {
        let all = self.iter().filter_map(FieldValue::json);
        (!self.is_empty()).then(|| all.collect())
    }

    fn reading(&self) -> Option<String> {
        self.iter().find_map(FieldValue::reading)
    }
}

/// Defines a type that has only a few values.
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $about:literal])*
        pub enum $name:ident {
            $($(#[doc = $doc:literal])* $variant:ident = $text:literal),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $doc])* $variant,)*
        }

        impl $name {
            /// All values.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The name of the value in JSON and at the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::description::ChoiceError;

            fn from_str(text: &str) -> Result<$name, $crate::description::ChoiceError> {
                let named = $name::ALL.iter().find(|one| one.name() == text);
                named.copied().ok_or_else(|| {
                    let known = $name::ALL.iter().map(|one| one.name());
                    $crate::description::ChoiceError::new(text, known.collect())
                })
            }
        }

        impl $crate::description::FieldValue for $name {
            const ABOUT: $crate::description::ValueAbout =
                $crate::description::ValueAbout::one_of(|| vec![$($crate::description::Choice {
                    name: $text,
                    about: $crate::description::join_paragraphs(&[$($doc),*]),
                }),*]);

            fn of_json(json: &$crate::serde_json::Value, _: $crate::Names) -> Result<Self, $crate::Sentence> {
                let text = $crate::description::text_from_json(json)?;
                text.parse().map_err($crate::description::to_sentence::<$crate::description::ChoiceError>)
            }

            fn json(&self) -> Option<$crate::serde_json::Value> {
                Some(self.name().into())
            }
        }
    };
}
