//! Makes an enum from a list of kinds, each with the key that selects it in a file.
//!
//! ```text
//! tagged! {
//!     /// A figure.
//!     pub enum Figure: Draw {
//!         "chart" => Chart(chart::Chart),
//!         "grid" => Grid(grid::GridFigure),
//!     }
//! }
//! ```
//!
//! defines the enum, which dereferences to `dyn Draw`, and the list of its keys. The enum can be
//! read from a table with one key ([`serde::Deserialize`]) or from the value of a key (`of_key`).

use super::place::SpannedError;
use serde::de::Error;

/// Defines the enum that the documentation of this module describes.
macro_rules! tagged {
    (
        $(#[$doc:meta])*
        pub enum $name:ident: $trait:ident {
            $($key:literal => $kind:ident($type:ty),)*
        }
    ) => {
        $(#[$doc])*
        #[derive(serde::Deserialize)]
        pub enum $name {
            $(#[doc = concat!("`", $key, "`")] #[serde(rename = $key)] $kind($type),)*
        }

        #[allow(dead_code)] // each list uses only one of the two ways to read a kind
        impl $name {
            /// The keys of all kinds, in the order of the list.
            pub const KEYS: &'static [&'static str] = &[$($key),*];

            /// The schema of the value of each key, in the order of the list.
            pub fn schemas(
                made: &mut schemars::SchemaGenerator,
            ) -> Vec<(&'static str, schemars::Schema)> {
                vec![$(($key, <$type as schemars::JsonSchema>::json_schema(made))),*]
            }

            /// Reads a kind from the value of its key.
            ///
            /// # Errors
            /// If the key is unknown, or the kind refuses the value.
            pub fn of_key(
                key: &str,
                value: $crate::place::SpannedValue,
            ) -> Result<Self, $crate::place::SpannedError> {
                match key {
                    $($key => value.read().map($name::$kind),)*
                    _ => Err(serde::de::Error::unknown_field(key, Self::KEYS)),
                }
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let name = stringify!($name).to_lowercase();
                $crate::schema::schema_in_words(format!("a {name}"))
            }
        }

        impl std::ops::Deref for $name {
            type Target = dyn $trait;

            fn deref(&self) -> &Self::Target {
                match self { $($name::$kind(kind) => kind,)* }
            }
        }
    };
}
pub(crate) use tagged;

/// Returns the known key that equals this text.
///
/// # Errors
/// If the text is not in any of the lists.
pub fn known_key(lists: &[&[&'static str]], text: &str) -> Result<&'static str, SpannedError> {
    let known = || lists.iter().copied().flatten().copied();
    known().find(|key| *key == text).ok_or_else(|| {
        let start: String = text.chars().take(60).collect();
        let known: Vec<&str> = known().collect();
        SpannedError::custom(format!(
            "unknown field `{}`, expected one of {}",
            start.escape_debug(),
            known.join(", ")
        ))
    })
}
