//! Exact numbers as objects of Python: decimals, and fractions in lowest terms. Fractions are made
//! without the greatest common divisor that Python would compute, which takes seconds for numbers
//! of millions of bits and holds the interpreter's lock.

use flipcost_number::{BigInt, Rational};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A rational number that becomes a `fractions.Fraction`.
pub struct Fraction(pub Rational);

impl<'py> IntoPyObject<'py> for Fraction {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (numerator, denominator) = self.0.into_raw();
        coprime_fraction(py, numerator, denominator)
    }
}

fn coprime_fraction(
    py: Python<'_>,
    numerator: BigInt,
    denominator: BigInt,
) -> PyResult<Bound<'_, PyAny>> {
    static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKER.get_or_try_init(py, || -> PyResult<Py<PyAny>> {
        let module = py.import("flipcost._fractions")?;
        Ok(module.getattr("coprime")?.unbind())
    })?;
    make.bind(py).call1((numerator, denominator))
}

/// Converts a decimal number to Python's `Decimal`, with all its digits.
pub fn decimal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("decimal")?.getattr("Decimal")?.call1((text,))
}
