//! The schemas of the types in a study's file, for the page about studies ([`super::page`]).
//!
//! The crate `schemars` makes the schemas from the doc comments and from the attributes that serde
//! reads. `format` contains the type of a value in words, `x-choices` the possible names.

use super::values::FromText;
use schemars::{Schema, json_schema};

/// A key that is not a field of a struct.
pub struct PlainKey {
    /// The key.
    pub key: &'static str,
    /// The type of the key's value, in words.
    pub kind: &'static str,
    /// The key's meaning.
    pub meaning: &'static str,
}

/// Returns the keys of a list.
pub const fn keys<const K: usize>(list: &[PlainKey; K]) -> [&'static str; K] {
    let mut keys = [""; K];
    let mut at = 0;
    while at < K {
        keys[at] = list[at].key;
        at += 1;
    }
    keys
}

/// Returns the schema of a type that is described in words.
pub fn schema_in_words(words: impl Into<String>) -> Schema {
    json_schema!({ "format": words.into() })
}

/// Returns the schema of a type that is parsed from a text.
pub fn text_schema<T: FromText>() -> Schema {
    let mut schema = schema_in_words(T::WHAT);
    if let Some(names) = T::choices() {
        schema.insert("x-choices".to_string(), names.into());
    }
    schema
}
