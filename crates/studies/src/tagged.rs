//! Kinds that a key in a file distinguishes: the enum of all kinds from a list, one line for each.
//!
//! ```text
//! tagged! {
//!     /// A figure.
//!     pub enum Figure: Draw {
//!         "chart" => Chart(chart::Chart),
//!         "grid" => Grid(grid::Grid),
//!     }
//! }
//! ```
//!
//! makes the enum, which dereferences to `dyn Draw`; its keys; and what reads it: from a table with
//! one key ([`serde::Deserialize`]), from the value of a key (`of_key`), or from the list that is
//! the value of a key (`list_of_key`), with the places of its items in the file.

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};
use std::fmt;

/// See the module.
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

        #[allow(dead_code)] // each list is read in one of the ways
        impl $name {
            /// The keys of all kinds, in the order of the list.
            pub const KEYS: &'static [&'static str] = &[$($key),*];

            /// What is to be said of the value of each key, in the order of the list.
            pub fn schemas(
                made: &mut schemars::SchemaGenerator,
            ) -> Vec<(&'static str, schemars::Schema)> {
                vec![$(($key, <$type as schemars::JsonSchema>::json_schema(made))),*]
            }

            /// Reads one from the value of its key.
            ///
            /// # Errors
            /// An unknown key, or a value that the kind refuses.
            pub fn of_key<'de, A: serde::de::MapAccess<'de>>(
                key: &str,
                map: &mut A,
            ) -> Result<Self, A::Error> {
                match key {
                    $($key => map.next_value().map($name::$kind),)*
                    _ => Err(serde::de::Error::unknown_field(key, Self::KEYS)),
                }
            }

            /// Reads a list of them, and the place of each, from the value of their key.
            ///
            /// # Errors
            /// An unknown key, or a value that the kind refuses.
            pub fn list_of_key(
                key: &str,
                list: $crate::place::Place,
            ) -> Result<Vec<(std::ops::Range<usize>, Self)>, $crate::place::Wrong> {
                let mut all = Vec::new();
                for item in list.items()? {
                    let one = match key {
                        $($key => item.read().map($name::$kind),)*
                        _ => Err(serde::de::Error::unknown_field(key, Self::KEYS)),
                    };
                    all.push((item.span(), one?));
                }
                Ok(all)
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
                $crate::schema::of_type(format!("a {name}"))
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

/// Reads a key that is one of these lists; another is a mistake at its place.
pub struct Key(pub &'static [&'static [&'static str]]);

impl Key {
    /// The key that a text is.
    ///
    /// # Errors
    /// If it is none of the lists.
    pub fn of<E: Error>(self, text: &str) -> Result<&'static str, E> {
        let known = || self.0.iter().copied().flatten().copied();
        known().find(|key| *key == text).ok_or_else(|| {
            let start: String = text.chars().take(60).collect();
            let known: Vec<&str> = known().collect();
            E::custom(format!(
                "unknown field `{}`, expected one of {}",
                start.escape_debug(),
                known.join(", ")
            ))
        })
    }
}

impl<'de> DeserializeSeed<'de> for Key {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<&'static str, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<&'static str, E> {
        self.of(text)
    }
}
