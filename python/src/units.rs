//! The classes `Unit` and `Part` of Python: a question that executors compute in units.

use crate::answer::{Answer, failure, question};
use crate::error::QuestionError;
use crate::pickled::{Pickled, to_pickle};
use crate::run::{run, run_quietly, run_with_control};
use flipcost_question::{Control, JoinedUnits as Joined, QueryError, Unit as Cut};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A part of a question, to be computed anywhere: see `flipcost.units`.
#[pyclass(frozen, module = "flipcost")]
pub struct Unit(Cut);

#[pymethods]
impl Unit {
    /// The question to which this object belongs, as JSON.
    #[getter]
    fn query(&self) -> String {
        self.0.query().to_json()
    }

    /// The SHA-256 of the question and of the version of flipcost. Results with the same digest can
    /// be merged.
    #[getter]
    fn digest(&self) -> String {
        self.0.query_digest()
    }

    /// The places of the answer that the unit computes, as (first, last + 1): rows, or n of the
    /// range, counted from 0.
    #[getter]
    fn places(&self) -> (u64, u64) {
        let places = self.0.places();
        (places.start, places.end)
    }

    /// The predicted seconds on one core.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds()
    }

    /// Computes the unit on this number of threads. The result depends only on the unit.
    #[pyo3(signature = (threads = 1))]
    fn run(&self, py: Python<'_>, threads: usize) -> PyResult<Part> {
        let unit = self.0.clone();
        let control = Control::default().with_threads(threads);
        let held = control.clone();
        let part = run(py, control, || Ok(()), move || unit.run(&held))?;
        Ok(Part(part.map_err(failure)?))
    }

    /// Splits the places of the unit into k units of about equal work, or into fewer if there are
    /// fewer than k places.
    fn split(&self, k: u64) -> Vec<Unit> {
        self.0.split(k).into_iter().map(Unit).collect()
    }

    fn __repr__(&self) -> String {
        let (start, end) = self.places();
        format!(
            "<Unit of `{}`: places {start} to {}, about {:.3} s>",
            self.0.query().command(),
            end - 1,
            self.seconds()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Unit>()).is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.digest(), self.places()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.get_type::<Unit>().getattr("_load")?;
        Ok((load, (self.0.to_json(),)))
    }

    /// Returns a unit from what `__reduce__` wrote.
    #[classmethod]
    fn _load(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Unit> {
        let broken =
            || QuestionError::new_err("the pickled unit is damaged, or of another version");
        Cut::from_json(text, &flipcost_all::QUESTIONS)
            .map(Unit)
            .ok_or_else(broken)
    }
}

/// The results of units of one question: see `flipcost.merge`.
#[pyclass(frozen, module = "flipcost")]
pub struct Part(pub Joined);

#[pymethods]
impl Part {
    /// The question to which this object belongs, as JSON.
    #[getter]
    fn query(&self) -> String {
        self.0.query().to_json()
    }

    /// The SHA-256 of the question and of the version of flipcost. Results with the same digest can
    /// be merged.
    #[getter]
    fn digest(&self) -> String {
        self.0.query_digest()
    }

    /// The SHA-256 of the contents of the part.
    #[getter]
    fn sha256(&self, py: Python<'_>) -> PyResult<String> {
        let part = self.0.clone();
        run_quietly(py, move || part.sha256())
    }

    /// The places that the part contains, as ranges (first, last + 1).
    #[getter]
    fn places(&self) -> Vec<(u64, u64)> {
        self.0
            .places()
            .map(|places| (places.start, places.end))
            .collect()
    }

    /// Whether the part contains all places.
    #[getter]
    fn is_whole(&self) -> bool {
        self.0.covers_all_places()
    }

    fn __repr__(&self) -> String {
        let (query, known, count) = (self.0.query(), self.0.known_places(), self.0.count());
        format!("<Part of `{}`: {known} of {count} places>", query.command())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Part>()).is_ok_and(|other| other.get().0 == self.0)
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> PyResult<Pickled<'py>> {
        to_pickle::<Part>(py, protocol, &self.0.to_bytes())
    }

    /// Returns a part from what `__reduce_ex__` wrote.
    #[classmethod]
    fn _load(class: &Bound<'_, PyType>, state: PyBuffer<u8>) -> PyResult<Part> {
        let part = Joined::from_bytes(&state.to_vec(class.py())?, &flipcost_all::QUESTIONS);
        Ok(Part(part.map_err(failure)?))
    }
}

/// Splits a question into units whose predicted time is at most this number of seconds.
#[pyfunction]
pub fn units(py: Python<'_>, query: &str, seconds: f64) -> PyResult<Vec<Unit>> {
    let query = question(query)?;
    let units = run_quietly(py, move || query.units(seconds))?.map_err(failure)?;
    Ok(units.into_iter().map(Unit).collect())
}

/// Joins parts of one question.
#[pyfunction]
pub fn join(py: Python<'_>, parts: Vec<PyRef<'_, Part>>) -> PyResult<Part> {
    let parts: Vec<Joined> = parts.iter().map(|part| part.0.clone()).collect();
    let joined = run_quietly(py, move || Joined::merge(parts))?;
    Ok(Part(joined.map_err(failure)?))
}

/// Returns the answer of a complete part.
#[pyfunction]
pub fn answered(py: Python<'_>, part: PyRef<'_, Part>) -> PyResult<Answer> {
    let part = part.0.clone();
    let answer = run_with_control(py, move |control| -> Result<_, QueryError> {
        part.answer(control)
    })?;
    Ok(Answer::new(answer.map_err(failure)?))
}
