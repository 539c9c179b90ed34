//! The class `Sequence` of Python: a named sequence.

use crate::answer::failure;
use crate::argument;
use crate::error::{self, FlipcostError, UnknownNameError};
use crate::run::run;
use flipcost::sequences::{self, SequenceError};
use flipcost::table::Cell;
use flipcost_number::BigInt;
use flipcost_oeis::questions::NamedSequence as Asked;
use flipcost_question::{Control, Query};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A named sequence of the engine. Its index is that of the OEIS: `s[1:10]` are the terms
/// a(1), ..., a(9).
///
/// >>> import flipcost
/// >>> flipcost.sequence("A136043")[1:10]
/// [1, 1, 1, 1, 2, 1, 1, 1, 3]
#[pyclass(frozen, module = "flipcost")]
pub struct Sequence(sequences::Sequence);

/// Returns the ids of the sequences that need no parameters.
#[pyfunction]
pub fn sequence_ids() -> Vec<String> {
    let all = sequences::all();
    all.iter()
        .map(|sequence| sequence.id().to_string())
        .collect()
}

#[pymethods]
impl Sequence {
    #[new]
    fn new(id: &Bound<'_, PyAny>) -> PyResult<Sequence> {
        let expected = "a number in the OEIS, such as 'A136043', or an id";
        let id = argument::text(id, "name", expected)?;
        let found = sequences::find_with(&id, flipcost_all::algorithms());
        let found = found.map_err(|error| {
            UnknownNameError::new_err(match error {
                SequenceError::Unknown(_) => {
                    format!("{error}: flipcost.sequences() lists those without parameters")
                }
                error => error.to_string(),
            })
        });
        Ok(Sequence(found?))
    }

    /// The sequence's id, with its parameters.
    #[getter]
    fn id(&self) -> &str {
        self.0.id()
    }

    /// The sequence's number in the OEIS, if it has one.
    #[getter]
    fn a_number(&self) -> Option<&'static str> {
        self.0.a_number()
    }

    /// The sequence's name: its number in the OEIS, or a description of its terms.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The index of the sequence's first term.
    #[getter]
    fn offset(&self) -> u64 {
        self.0.offset()
    }

    /// Returns the terms a(first), ..., a(last). After Ctrl-C, terms that are computed together are
    /// still computed in the background, and dropped.
    fn terms(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        last: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<BigInt>> {
        self.terms_between(py, index_of("first", first)?, index_of("last", last)?)
    }

    fn __repr__(&self) -> String {
        let id = self.0.id();
        let title = match self.0.a_number() {
            Some(number) if number != self.0.name() => format!("{number}: {}", self.0.name()),
            _ => self.0.name().to_string(),
        };
        format!("sequence({id:?})  # {title}")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Sequence>()).is_ok_and(|other| other.get().0.id() == self.0.id())
    }

    fn __hash__(&self) -> u64 {
        crate::task::hash(self.0.id())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(slice) = index.cast::<pyo3::types::PySlice>() else {
            let n = index_of("the index", index)?;
            let mut terms = self.terms_between(py, n, n)?;
            return Ok(terms.remove(0).into_pyobject(py)?.into_any());
        };
        let end = |name: &str| -> PyResult<Option<u64>> {
            let end = slice.getattr(name)?;
            (!end.is_none()).then(|| index_of(name, &end)).transpose()
        };
        let (start, stop, step) = (end("start")?, end("stop")?, end("step")?);
        let start = start.unwrap_or(self.0.offset());
        let Some(stop) = stop else {
            return Err(error::FlipcostError::new_err(
                "a sequence has no last term: s[first:end] was expected",
            ));
        };
        let terms = if stop > start {
            self.terms_between(py, start, stop - 1)?
        } else {
            Vec::new()
        };
        let step = usize::try_from(step.unwrap_or(1))
            .ok()
            .filter(|step| *step > 0);
        let step = step.ok_or_else(|| error::FlipcostError::new_err("the step is 1 or more"))?;
        let terms: Vec<BigInt> = terms.into_iter().step_by(step).collect();
        terms.into_pyobject(py)
    }

    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        Err(self.has_no_end())
    }

    fn __contains__(&self, _term: &Bound<'_, PyAny>) -> PyResult<bool> {
        Err(self.has_no_end())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Sequence>(), (self.0.id().to_string(),))
    }
}

/// Converts an index of a sequence; negative indices, which count from the end, are refused.
fn index_of(name: &str, index: &Bound<'_, PyAny>) -> PyResult<u64> {
    let expected = "an index from the sequence's offset to below 2^64";
    argument::parse_integer(index, name, expected, FlipcostError::new_err)
}

impl Sequence {
    fn has_no_end(&self) -> PyErr {
        PyTypeError::new_err(format!(
            "the sequence {} has no end: a slice of it such as s[{}:100] was expected",
            self.0.id(),
            self.0.offset()
        ))
    }

    /// Returns the terms a(first), ..., a(last).
    fn terms_between(&self, py: Python<'_>, first: u64, last: u64) -> PyResult<Vec<BigInt>> {
        let mut asked = Asked::new(self.0.id());
        (asked.from, asked.to) = (Some(first), Some(last));
        let control = Control::default();
        let held = control.clone();
        let answered = run(
            py,
            control,
            || Ok(()),
            move || {
                let answer = Query::from(asked).answer(&held)?;
                let term = |row: &Vec<Cell>| row.last()?.to_integer();
                Ok(answer
                    .rows
                    .iter()
                    .map(term)
                    .collect::<Option<Vec<BigInt>>>())
            },
        )?;
        let terms = answered.map_err(failure)?;
        terms.ok_or_else(|| error::FlipcostError::new_err("a term is not an integer"))
    }
}
