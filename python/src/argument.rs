//! Arguments of any of Python's types.

use flipcost_number::BigInt;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// The longest value that a sentence shows whole.
const SHOWN: usize = 60;

/// A value as a sentence shows it: its representation, or its type where that is long.
pub fn describe(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map(|text| text.to_string());
    match text {
        Ok(text) if text.chars().count() <= SHOWN => text,
        _ => match value.get_type().name() {
            Ok(name) => format!("a long {name}"),
            Err(_) => "a long value".to_string(),
        },
    }
}

/// An integer: an int, NumPy's, or what else `operator.index` takes. A bool is none.
pub fn integer(value: &Bound<'_, PyAny>) -> Option<BigInt> {
    if value.is_instance_of::<PyBool>() {
        None
    } else {
        value.extract::<BigInt>().ok()
    }
}

/// An integer that fits the type `T`; the sentence of another value says what was `expected`.
///
/// # Errors
/// What `kind` makes of the sentence.
pub fn parse_integer<T: TryFrom<BigInt>>(
    value: &Bound<'_, PyAny>,
    name: &str,
    expected: &str,
    kind: impl Fn(String) -> PyErr,
) -> PyResult<T> {
    let found = integer(value).and_then(|number| T::try_from(number).ok());
    found.ok_or_else(|| {
        kind(format!(
            "{name} is {}: {expected} was expected",
            describe(value)
        ))
    })
}

/// A text; the sentence of another value says what was `expected`.
///
/// # Errors
/// What `kind` makes of the sentence.
pub fn text(
    value: &Bound<'_, PyAny>,
    name: &str,
    expected: &str,
    kind: impl Fn(String) -> PyErr,
) -> PyResult<String> {
    let found = value.extract::<String>();
    found.map_err(|_| {
        kind(format!(
            "{name} is {}: {expected} was expected",
            describe(value)
        ))
    })
}
