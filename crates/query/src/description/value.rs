//! The types that fields of questions have: how each is read from JSON and written there.

use crate::value::text_of;
use crate::{
    AlgorithmId, ColumnId, Dice, Fraction, InputError, Letters, Natural, Number, Numbers,
    NumbersError, Positive, Price, QueryError, Sides, TargetText, Targets, TargetsInTurn, Terms,
    That, Throw,
};
use flipcost::unstable::grammar::items;
use flipcost::unstable::number::expression::parse_u64;
use flipcost::unstable::sequences::verify::Claim;
use serde_json::Value as Json;
use std::path::PathBuf;

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// True or false.
    Flag,
    /// One.
    One,
    /// Several.
    Several,
}

/// A text that is a value of a field with few of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The text.
    pub name: &'static str,
    /// What it stands for, if that is said.
    pub about: Vec<String>,
}

/// Not one of the choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{given}\" is none of {}", known.join(", "))]
pub struct ChoiceError {
    pub(crate) given: String,
    pub(crate) known: Vec<&'static str>,
}

/// The type of a field.
pub(crate) trait Value: Sized {
    const SHAPE: Shape = Shape::One;
    const PYTHON: &'static str = "str";

    /// The texts that are values, where they are few.
    fn choices() -> Vec<Choice> {
        Vec::new()
    }

    /// What stands for it where it is left out; `None` if it has to be given.
    fn absent() -> Option<Self> {
        None
    }

    /// Reads it; the error is a sentence.
    fn of_json(json: &Json) -> Result<Self, String>;

    /// The same as the value of this field.
    fn of_field(field: &str, json: &Json) -> Result<Self, QueryError> {
        Self::of_json(json)
            .map_err(|said| QueryError::Input(InputError::malformed(field, json, said).into()))
    }

    /// Its JSON; `None` if it is left out.
    fn json(&self) -> Option<Json>;
}

/// What a value of JSON is, in a sentence.
pub(crate) fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_string(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(_) => "a text".to_string(),
        Json::Array(_) => "a list".to_string(),
        Json::Object(_) => "an object".to_string(),
    }
}

/// Types that are read from a text and written as one.
macro_rules! texts {
    ($($type:ty $(, $python:literal)?);* $(;)?) => {$(
        impl $crate::description::Value for $type {
            $(const PYTHON: &'static str = $python;)?

            fn of_json(json: &serde_json::Value) -> Result<Self, String> {
                let text = $crate::value::text_of(json)?;
                text.parse::<$type>().map_err(|error| error.to_string())
            }

            fn json(&self) -> Option<serde_json::Value> {
                Some(self.to_string().into())
            }
        }
    )*};
}

texts! {
    TargetText, "TargetLike";
    Sides, "SourceLike";
    Natural, "int | str";
    AlgorithmId;
    ColumnId;
    Fraction, "Fraction | int | str";
    Letters;
    Number, "Fraction | int | str";
    Positive, "Fraction | int | str";
    Terms;
    Dice;
    Price;
    Throw;
    TargetsInTurn;
    That;
}

impl Value for Numbers {
    fn of_json(json: &Json) -> Result<Numbers, String> {
        text_of(json)?
            .parse()
            .map_err(|error: NumbersError| error.to_string())
    }

    fn json(&self) -> Option<Json> {
        (!self.is_empty()).then(|| self.to_string().into())
    }
}

/// A text of JSON that is no number.
fn plain_text(json: &Json) -> Result<&str, String> {
    let text = json.as_str();
    text.ok_or_else(|| format!("it is {}: a text was expected", kind(json)))
}

impl Value for String {
    fn of_json(json: &Json) -> Result<String, String> {
        plain_text(json).map(String::from)
    }

    fn json(&self) -> Option<Json> {
        (!self.is_empty()).then(|| self.as_str().into())
    }
}

impl Value for PathBuf {
    const PYTHON: &'static str = "str | os.PathLike[str]";

    fn of_json(json: &Json) -> Result<PathBuf, String> {
        plain_text(json).map(PathBuf::from)
    }

    // one that is not UTF-8 has replacement characters there
    fn json(&self) -> Option<Json> {
        Some(self.display().to_string().into())
    }
}

impl Value for Claim {
    fn of_json(json: &Json) -> Result<Claim, String> {
        plain_text(json)?
            .parse()
            .map_err(|error: <Claim as std::str::FromStr>::Err| error.to_string())
    }

    fn json(&self) -> Option<Json> {
        Some(self.id().into())
    }

    fn choices() -> Vec<Choice> {
        let choice = |claim: Claim| Choice {
            name: claim.id(),
            about: Vec::new(),
        };
        Claim::ALL.into_iter().map(choice).collect()
    }
}

impl Value for u64 {
    const PYTHON: &'static str = "int";

    fn of_json(json: &Json) -> Result<u64, String> {
        parse_u64(&text_of(json)?).map_err(|error| error.to_string())
    }

    fn json(&self) -> Option<Json> {
        Some((*self).into())
    }
}

impl Value for u32 {
    const PYTHON: &'static str = "int";

    fn of_json(json: &Json) -> Result<u32, String> {
        let number = u64::of_json(json)?;
        let large = |_| format!("{number} is too large: {} is the most", u32::MAX);
        number.try_into().map_err(large)
    }

    fn json(&self) -> Option<Json> {
        Some((*self).into())
    }
}

impl Value for bool {
    const SHAPE: Shape = Shape::Flag;
    const PYTHON: &'static str = "bool";

    fn absent() -> Option<bool> {
        Some(false)
    }

    fn of_json(json: &Json) -> Result<bool, String> {
        let said = || format!("it is {}: true or false was expected", kind(json));
        json.as_bool().ok_or_else(said)
    }

    fn json(&self) -> Option<Json> {
        self.then_some(true.into())
    }
}

impl<T: Value> Value for Option<T> {
    const SHAPE: Shape = T::SHAPE;
    const PYTHON: &'static str = T::PYTHON;

    fn choices() -> Vec<Choice> {
        T::choices()
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }

    fn of_json(json: &Json) -> Result<Option<T>, String> {
        match json {
            Json::Null => Ok(None),
            json => T::of_json(json).map(Some),
        }
    }

    fn json(&self) -> Option<Json> {
        self.as_ref().and_then(Value::json)
    }
}

/// In JSON a list, or its items in one text with commas between them.
impl<T: Value> Value for Vec<T> {
    const SHAPE: Shape = Shape::Several;
    const PYTHON: &'static str = T::PYTHON;

    fn choices() -> Vec<Choice> {
        T::choices()
    }

    fn absent() -> Option<Vec<T>> {
        Some(Vec::new())
    }

    fn of_json(json: &Json) -> Result<Vec<T>, String> {
        match json {
            Json::Array(all) => all.iter().map(T::of_json).collect(),
            Json::String(text) => items(text)
                .into_iter()
                .map(|item| T::of_json(&item.into()))
                .collect(),
            json => Err(format!("it is {}: a list was expected", kind(json))),
        }
    }

    fn json(&self) -> Option<Json> {
        let all = self.iter().filter_map(Value::json);
        (!self.is_empty()).then(|| all.collect())
    }
}

impl Value for Targets {
    const SHAPE: Shape = Shape::Several;
    const PYTHON: &'static str = "TargetLike";

    fn of_json(json: &Json) -> Result<Targets, String> {
        let read = |json: &Json| {
            let text = text_of(json)?;
            text.parse::<Targets>().map_err(|error| error.to_string())
        };
        match json {
            Json::Array(all) => all.iter().map(read).collect(),
            json => read(json),
        }
    }

    fn json(&self) -> Option<Json> {
        let items = self.get().iter().map(|target| target.as_item().into());
        Some(Json::Array(items.collect()))
    }
}

/// Describes a type that has few values.
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
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its name, as JSON and the command line have it.
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
                named.copied().ok_or_else(|| $crate::description::ChoiceError {
                    given: text.chars().take(40).flat_map(char::escape_debug).collect(),
                    known: $name::ALL.iter().map(|one| one.name()).collect(),
                })
            }
        }

        impl $crate::description::Value for $name {
            fn choices() -> Vec<$crate::description::Choice> {
                vec![$($crate::description::Choice {
                    name: $text,
                    about: $crate::description::paragraphs(&[$($doc),*]),
                }),*]
            }

            fn of_json(json: &serde_json::Value) -> Result<Self, String> {
                let text = $crate::value::text_of(json)?;
                text.parse().map_err(|error: $crate::description::ChoiceError| error.to_string())
            }

            fn json(&self) -> Option<serde_json::Value> {
                Some(self.name().into())
            }
        }
    };
}

pub(crate) use choices;
