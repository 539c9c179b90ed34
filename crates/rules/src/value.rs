//! A value in a program, which can be compared, hashed and formatted.

use crate::integer::Integer;
use flipcost_number::BigInt;
use rhai::{Array, Dynamic, FnPtr, Map};
use std::collections::BTreeMap;
use std::fmt;

/// The largest depth of nested values.
const MAX_NESTED: usize = 64;

/// A value of a program. Equal values are the same state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The empty value.
    Unit,
    /// A truth value.
    Bool(bool),
    /// An integer that fits into a machine word.
    Small(i64),
    /// A larger integer.
    Large(BigInt),
    /// A text.
    Text(String),
    /// An array.
    Array(Vec<Value>),
    /// A map.
    Map(BTreeMap<String, Value>),
}

impl Value {
    /// Converts a value of a program; `Err` names a type that cannot be a state.
    pub(crate) fn from_dynamic(value: &Dynamic) -> Result<Value, String> {
        Value::nested(value, MAX_NESTED)
    }

    /// Converts a value with at most `most` levels of nesting.
    fn nested(value: &Dynamic, most: usize) -> Result<Value, String> {
        let Some(less) = most.checked_sub(1) else {
            return Err(format!("a value nested more than {MAX_NESTED} deep"));
        };
        let inner = |value: &Dynamic| Value::nested(value, less);
        if let Ok(number) = value.as_int() {
            return Ok(Value::Small(number));
        }
        if value.is_unit() {
            return Ok(Value::Unit);
        }
        if let Ok(truth) = value.as_bool() {
            return Ok(Value::Bool(truth));
        }
        if let Some(number) = value.read_lock::<Integer>() {
            return Ok(Value::Large(number.0.clone()));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Ok(Value::Text(text.to_string()));
        }
        if let Ok(letter) = value.as_char() {
            return Ok(Value::Text(letter.to_string()));
        }
        if let Some(items) = value.read_lock::<Array>() {
            let items: Result<Vec<Value>, String> = items.iter().map(inner).collect();
            return Ok(Value::Array(items?));
        }
        if let Some(map) = value.read_lock::<Map>() {
            let pair = |(name, value): (&_, &Dynamic)| -> Result<(String, Value), String> {
                let name: &rhai::Identifier = name;
                Ok((name.to_string(), inner(value)?))
            };
            let map: Result<BTreeMap<String, Value>, String> = map.iter().map(pair).collect();
            return Ok(Value::Map(map?));
        }
        if let Some(function) = value.read_lock::<FnPtr>() {
            let bound: Result<Vec<Value>, String> = function.curry().iter().map(inner).collect();
            let name = Value::Text(format!("fn {}", function.fn_name()));
            return Ok(Value::Array(vec![name, Value::Array(bound?)]));
        }
        let half_open = value.read_lock::<std::ops::Range<i64>>();
        let half_open = half_open.map(|range| (range.start, range.end));
        let closed = value.read_lock::<std::ops::RangeInclusive<i64>>();
        let closed = closed.map(|range| (*range.start(), range.end().saturating_add(1)));
        if let Some((start, end)) = half_open.or(closed) {
            return Ok(Value::Text(format!("{start}..{end}")));
        }
        Err(value.type_name().to_string())
    }

    /// Returns the approximate number of machine words that the value takes.
    pub(crate) fn size(&self) -> usize {
        1 + match self {
            Value::Array(items) => items.iter().map(Value::size).sum(),
            // the 4 words include the text of the name
            Value::Map(map) => map.values().map(|value| 4 + value.size()).sum(),
            Value::Large(number) => number.bits() as usize / 64,
            Value::Text(text) => text.len() / 8,
            _ => 0,
        }
    }

    pub(crate) fn to_dynamic(&self) -> Dynamic {
        match self {
            Value::Unit => Dynamic::UNIT,
            Value::Bool(truth) => Dynamic::from_bool(*truth),
            Value::Small(number) => Dynamic::from_int(*number),
            Value::Large(number) => Dynamic::from(Integer(number.clone())),
            Value::Text(text) => Dynamic::from(text.clone()),
            Value::Array(items) => {
                Dynamic::from_array(items.iter().map(Value::to_dynamic).collect())
            }
            Value::Map(map) => {
                let pair = |(name, value): (&String, &Value)| (name.into(), value.to_dynamic());
                Dynamic::from_map(map.iter().map(pair).collect())
            }
        }
    }
}

impl From<BigInt> for Value {
    fn from(number: BigInt) -> Value {
        i64::try_from(&number).map_or(Value::Large(number), Value::Small)
    }
}

/// Formats the value as the language writes it, except that a map has no `#`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut list = |open: &str, items: &mut dyn Iterator<Item = String>, close: &str| {
            write!(f, "{open}{}{close}", items.collect::<Vec<_>>().join(", "))
        };
        match self {
            Value::Array(items) => list("[", &mut items.iter().map(Value::to_string), "]"),
            Value::Map(map) => {
                let mut pairs = map.iter().map(|(name, value)| format!("{name}: {value}"));
                list("{", &mut pairs, "}")
            }
            Value::Unit => f.write_str("()"),
            Value::Bool(truth) => truth.fmt(f),
            Value::Small(number) => number.fmt(f),
            Value::Large(number) => number.fmt(f),
            Value::Text(text) => f.write_str(text),
        }
    }
}
