//! Stores objects as the bytes of a pickle.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The result of `__reduce__`: the function that loads the object, and the bytes of the object,
/// which protocol 5 may pass out of band.
pub type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>,));

/// Returns the bytes of an object of a class whose `_load` reads them.
///
/// # Errors
/// If Python raises an exception.
pub fn to_pickle<'py, T: PyTypeInfo>(
    py: Python<'py>,
    protocol: u8,
    bytes: &[u8],
) -> PyResult<Pickled<'py>> {
    let load = py.get_type::<T>().getattr("_load")?;
    let bytes = PyBytes::new(py, bytes).into_any();
    if protocol < 5 {
        return Ok((load, (bytes,)));
    }
    let buffer = py
        .import("pickle")?
        .getattr("PickleBuffer")?
        .call1((bytes,))?;
    Ok((load, (buffer,)))
}
