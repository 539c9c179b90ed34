//! Converts the engine's errors to exceptions of Python.

use pyo3::PyErr;
use pyo3::import_exception;

import_exception!(flipcost._errors, FlipcostError);
import_exception!(flipcost._errors, KindError);
import_exception!(flipcost._errors, QuestionError);
import_exception!(flipcost._errors, RefusedError);
import_exception!(flipcost._errors, SourceError);
import_exception!(flipcost._errors, TargetError);
import_exception!(flipcost._errors, TooLargeError);
import_exception!(flipcost._errors, UnknownNameError);

/// Converts an error to the exception that `kind` makes from its sentence.
pub fn to_exception<E: std::fmt::Display>(kind: impl Fn(String) -> PyErr) -> impl Fn(E) -> PyErr {
    move |error| kind(error.to_string())
}

/// Returns the exception for a value that the engine could not decide: a bug of flipcost, or a
/// limit of its enclosures.
pub fn undecided_exception(error: flipcost_number::Undecided) -> PyErr {
    FlipcostError::new_err(error.to_string())
}
