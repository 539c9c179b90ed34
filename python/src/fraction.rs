//! Fractions in lowest terms as Python's, without the greatest common divisor that Python would look
//! for: of numbers of millions of bits that takes seconds, with the interpreter's lock.

use flipcost::number::{BigInt, Rational};
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
        coprime(py, numerator, denominator)
    }
}

fn coprime(py: Python<'_>, numerator: BigInt, denominator: BigInt) -> PyResult<Bound<'_, PyAny>> {
    static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKER.get_or_try_init(py, || -> PyResult<Py<PyAny>> {
        let module = py.import("flipcost._fractions")?;
        Ok(module.getattr("coprime")?.unbind())
    })?;
    make.bind(py).call1((numerator, denominator))
}

/// The longest text whose fraction is reduced again.
const SHORT: usize = 1000;

/// A fraction as the program writes it, in lowest terms; `None` if the text is none.
///
/// # Errors
/// Those of Python.
pub fn read<'py>(py: Python<'py>, text: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    if text.len() <= SHORT {
        let value = text.parse::<Rational>().ok();
        return value
            .map(|value| Fraction(value).into_pyobject(py))
            .transpose();
    }
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    match (numerator.parse::<BigInt>(), denominator.parse::<BigInt>()) {
        (Ok(numerator), Ok(denominator)) => coprime(py, numerator, denominator).map(Some),
        _ => Ok(None),
    }
}
