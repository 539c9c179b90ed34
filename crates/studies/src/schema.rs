//! The schemas of the types of a study's file, for the page on studies ([`super::page`]).
//!
//! The crate `schemars` makes them from the doc comments and from the attributes that serde reads.
//! `format` holds the type of a value in words, `x-choices` the names that it can be.

use super::values::FromText;
use schemars::{Schema, json_schema};

/// A key that is not a field of a struct.
pub struct PlainKey {
    /// The key.
    pub key: &'static str,
    /// The type of its value, in words.
    pub kind: &'static str,
    /// The key's meaning.
    pub meaning: &'static str,
}

/// The keys of a list.
pub const fn keys<const K: usize>(list: &[PlainKey; K]) -> [&'static str; K] {
    let mut keys = [""; K];
    let mut at = 0;
    while at < K {
        keys[at] = list[at].key;
        at += 1;
    }
    keys
}

/// The schema of a type that is described in words.
pub fn of_type(words: impl Into<String>) -> Schema {
    json_schema!({ "format": words.into() })
}

/// The schema of a type that is read from a text.
pub fn written<T: FromText>() -> Schema {
    let mut schema = of_type(T::WHAT);
    if let Some(names) = T::choices() {
        schema.insert("x-choices".to_string(), names.into());
    }
    schema
}
