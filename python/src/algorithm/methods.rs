//! The methods of an algorithm: its description, a law, a roll.

use super::roll::results;
use super::{Algorithm, algorithm_exception, task};
use crate::answer::formula;
use crate::argument;
use crate::error::{FlipcostError, UnknownNameError};
use crate::fraction::Fraction;
use crate::law::Law;
use crate::run::run_quietly;
use crate::task::{source_or_coin, target_of};
use flipcost::algorithms::Fairness;
use flipcost_number::BigUint;
use flipcost_one_draw::questions::FORMULA_LIMIT;
use flipcost_question::{AlgorithmId, FrontEnd};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::BTreeMap;

#[pymethods]
impl Algorithm {
    #[new]
    fn new(id: &Bound<'_, PyAny>) -> PyResult<Algorithm> {
        let id = argument::text(id, "id", "a text such as 'interval'")?;
        let (name, rest) = id.split_at(id.find(':').unwrap_or(id.len()));
        let id = name.trim().replace('_', "-") + rest;
        let found = AlgorithmId::named(&id, flipcost_all::QUESTIONS.names());
        Ok(Algorithm(found.map_err(|error| {
            UnknownNameError::new_err(error.render(FrontEnd::Python))
        })?))
    }

    /// The algorithm's id, with its parameters.
    #[getter]
    fn id(&self) -> &'static str {
        self.0.id()
    }

    /// The algorithm's text in questions: its id, or for a user's rule its id and its text.
    #[getter]
    fn spelling(&self) -> &'static str {
        self.0.0.spelling()
    }

    /// The algorithm's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.0.about().name
    }

    /// The publication that describes the algorithm.
    #[getter]
    fn citation(&self) -> &'static str {
        self.0.0.about().citation
    }

    /// A description in a sentence or two.
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.0.about().rule
    }

    /// The condition under which the number of rolls is bounded.
    #[getter]
    fn bounded(&self) -> &'static str {
        self.0.0.about().bounded
    }

    /// Returns the exact law of the number of rolls.
    #[pyo3(signature = (target, source = None))]
    fn law(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyAny>,
        source: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Law> {
        Law::new(
            py,
            *self,
            source_or_coin(source)?,
            target_of(target, "target")?,
        )
    }

    /// Returns the exact probability of each outcome, as a dict of Fractions; outcomes are counted
    /// from 0.
    #[pyo3(signature = (target, source = None))]
    fn outcomes(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyAny>,
        source: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<BTreeMap<BigUint, Fraction>> {
        let check = self.check(py, target, source)?.probabilities.into_iter();
        Ok(check
            .map(|(outcome, share)| (outcome, Fraction(share)))
            .collect())
    }

    /// Returns the exact total variation distance of the outcomes from the target: 0 if the
    /// algorithm is fair. Running forever counts as a separate outcome.
    #[pyo3(signature = (target, source = None))]
    fn distance(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyAny>,
        source: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Fraction> {
        Ok(Fraction(self.check(py, target, source)?.total_variation))
    }

    /// Returns the expected rolls as a function of the probabilities of the faces, which may be
    /// unknown. With SymPy it is an expression of SymPy. Without SymPy it is a pair of the
    /// coefficients of the numerator and the denominator: for a coin two lists that begin with the
    /// constant, for a die two dicts by the exponents of p1, p2, ..., without trailing zeros. A
    /// formula that is not a rational function is a text.
    #[pyo3(signature = (target, source = None))]
    fn formula<'py>(
        &self,
        py: Python<'py>,
        target: &Bound<'py, PyAny>,
        source: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let task = task(&source_or_coin(source)?, &target_of(target, "target")?);
        let algorithm = self.0.0;
        let found = run_quietly(py, move || algorithm.formula(&task, FORMULA_LIMIT))?;
        formula(
            py,
            &found.map_err(|error| algorithm_exception(self.0, error))?,
        )
    }

    /// Rolls one outcome; returns the outcome and the number of rolls. With `count` it rolls many,
    /// and returns a list of the outcomes and a list of the numbers of rolls.
    ///
    /// `rng` gives the rolls: None for the operating system's randomness, a `random.Random`, a
    /// `numpy.random.Generator`, or any callable that takes the sides of the die and returns a face
    /// from 1 to this number. An unknown source needs such a callable or a generator; a generator
    /// makes its faces equally likely.
    #[pyo3(signature = (target, source = None, rng = None, *, count = None))]
    fn roll<'py>(
        &self,
        py: Python<'py>,
        target: &Bound<'py, PyAny>,
        source: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, PyAny>>,
        count: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (source, target) = (source_or_coin(source)?, target_of(target, "target")?);
        let expected = "a number of results from 0";
        let read =
            |count| argument::parse_integer(count, "count", expected, FlipcostError::new_err);
        let many: Option<usize> = count.map(read).transpose()?;
        let task = task(&source, &target);
        let found = results(py, *self, task, target, rng, many.unwrap_or(1))?;
        match many {
            Some(_) => Ok((found.outcomes.into_any(), found.rolls.into_any())),
            None => Ok((found.outcomes.get_item(0)?, found.rolls.get_item(0)?)),
        }
    }

    fn __repr__(&self) -> String {
        format!("algorithms[{:?}]", self.0.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Algorithm>()).is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        crate::task::hash(self.0.0.spelling())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str,)) {
        (py.get_type::<Algorithm>(), (self.spelling(),))
    }
}

impl Algorithm {
    /// Returns the law of the algorithm's outcomes, compared with the target.
    fn check(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyAny>,
        source: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Fairness> {
        let (algorithm, task) = (
            self.0,
            task(&source_or_coin(source)?, &target_of(target, "target")?),
        );
        run_quietly(py, move || algorithm.0.check(&task))?
            .map_err(|error| algorithm_exception(algorithm, error))
    }
}
