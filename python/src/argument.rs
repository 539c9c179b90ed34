//! Converts arguments that may have several Python types.

use crate::error::KindError;
use flipcost_number::BigInt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyList, PySequence, PyString};

/// The maximum length of a value that a sentence shows completely.
const MAX_SHOWN_LETTERS: usize = 60;

/// Describes a value in a sentence, by its representation, or by its type if the representation is
/// long.
pub fn describe(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map(|text| text.to_string());
    match text {
        Ok(text) if text.chars().count() <= MAX_SHOWN_LETTERS => text,
        _ => match value.get_type().name() {
            Ok(name) => format!("a long {name}"),
            Err(_) => "a long value".to_string(),
        },
    }
}

/// Converts an int, an integer of NumPy, or any other object that `operator.index` accepts. Returns
/// `None` for other values, and for a bool.
pub fn integer(value: &Bound<'_, PyAny>) -> Option<BigInt> {
    if value.is_instance_of::<PyBool>() {
        None
    } else {
        value.extract::<BigInt>().ok()
    }
}

/// The arguments of an exception about an argument of a function: a sentence, the argument's name
/// and the value that was given.
pub type Wrong = (String, String, String);

/// Returns what is wrong about an argument: its name, the given value and what was `expected`.
pub fn wrong(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> Wrong {
    let given = describe(value);
    let sentence = format!("{name} is {given}: {expected} was expected");
    (sentence, name.to_string(), given)
}

/// Returns the error for an argument of a wrong type.
pub fn kind_error(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    KindError::new_err(wrong(value, name, expected))
}

/// Converts an integer to the type `T`.
///
/// # Errors
/// For an integer that does not fit: the exception that `kind` makes from a sentence, which says
/// what was `expected`. For any other value: `KindError` with this sentence.
pub fn parse_integer<T: TryFrom<BigInt>>(
    value: &Bound<'_, PyAny>,
    name: &str,
    expected: &str,
    kind: impl Fn(Wrong) -> PyErr,
) -> PyResult<T> {
    let number = integer(value).ok_or_else(|| kind_error(value, name, expected))?;
    T::try_from(number).map_err(|_| kind(wrong(value, name, expected)))
}

/// Converts a text.
///
/// # Errors
/// For any other value: `KindError` with a sentence that says what was `expected`.
pub fn text(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyResult<String> {
    let found = value.cast::<PyString>();
    let text = found.map_err(|_| kind_error(value, name, expected))?;
    Ok(text.to_str()?.to_string())
}

/// A value, or the values of a list or an array.
pub struct OneOrSeveral<'py> {
    pub values: Vec<Bound<'py, PyAny>>,
    shape: ResultShape<'py>,
}

enum ResultShape<'py> {
    One,
    List,
    /// An array, whose shape the result gets.
    Array(Bound<'py, PyAny>),
}

impl<'py> OneOrSeveral<'py> {
    /// # Errors
    /// Those of Python.
    pub fn new(value: &Bound<'py, PyAny>) -> PyResult<OneOrSeveral<'py>> {
        let (py, one) = (value.py(), vec![value.clone()]);
        let text = value.is_instance_of::<PyString>()
            || value.is_instance_of::<PyBytes>()
            || value.is_instance_of::<PyByteArray>();
        if !text && value.hasattr("__array__")? {
            let array = py.import("numpy")?.call_method1("asarray", (value,))?;
            let shape = array.getattr("shape")?;
            if shape.len()? > 0 {
                let values = array.call_method0("ravel")?.call_method0("tolist")?;
                let values = values.try_iter()?.collect::<PyResult<_>>()?;
                let shape = ResultShape::Array(shape);
                return Ok(OneOrSeveral { values, shape });
            }
        } else if !text && value.cast::<PySequence>().is_ok() {
            let values = value.try_iter()?.collect::<PyResult<_>>()?;
            let shape = ResultShape::List;
            return Ok(OneOrSeveral { values, shape });
        }
        let (values, shape) = (one, ResultShape::One);
        Ok(OneOrSeveral { values, shape })
    }

    /// Arranges the results, one for each value, in the shape of the values.
    ///
    /// # Errors
    /// Those of Python.
    pub fn reshape<T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        computed: Vec<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::new(py, computed)?;
        match &self.shape {
            ResultShape::One => list.get_item(0),
            ResultShape::List => Ok(list.into_any()),
            ResultShape::Array(shape) => {
                let array = py.import("numpy")?.call_method1("array", (list,))?;
                array.call_method1("reshape", (shape,))
            }
        }
    }
}

/// Applies `compute` to a value, or to each value of a list or an array; the result has the same
/// shape.
///
/// # Errors
/// The errors of `compute`.
pub fn for_each<'py, T: IntoPyObject<'py>>(
    value: &Bound<'py, PyAny>,
    compute: impl FnMut(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let several = OneOrSeveral::new(value)?;
    let computed = several.values.iter().map(compute);
    let computed = computed.collect::<PyResult<Vec<T>>>()?;
    several.reshape(value.py(), computed)
}
