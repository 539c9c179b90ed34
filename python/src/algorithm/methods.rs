//! The methods of an algorithm: its description, a law, a roll.

use super::{Algorithm, algorithm_exception, task};
use crate::answer::formula;
use crate::argument;
use crate::error::{FlipcostError, RefusedError, UnknownNameError};
use crate::fraction::Fraction;
use crate::law::Law;
use crate::run::run_quietly;
use crate::task::{source_or_coin, target_of};
use flipcost::algorithms::{AlgorithmError, Faces, FacesError, Fairness};
use flipcost::task::Source;
use flipcost_number::BigUint;
use flipcost_one_draw::questions::FORMULA_LIMIT;
use flipcost_question::{AlgorithmId, FrontEnd};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use std::collections::BTreeMap;

#[pymethods]
impl Algorithm {
    #[new]
    fn new(id: &Bound<'_, PyAny>) -> PyResult<Algorithm> {
        let expected = "a text such as 'interval'";
        let id = argument::text(
            id,
            "the id of an algorithm",
            expected,
            UnknownNameError::new_err,
        )?;
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
        Law::new(py, *self, source_or_coin(source)?, target_of(target)?)
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
        let task = task(&source_or_coin(source)?, &target_of(target)?);
        let algorithm = self.0.0;
        let found = run_quietly(py, move || algorithm.formula(&task, FORMULA_LIMIT))?;
        formula(
            py,
            &found.map_err(|error| algorithm_exception(self.0, error))?,
        )
    }

    /// Rolls one outcome; returns the outcome and the number of rolls.
    ///
    /// `rng` gives the rolls: None for the operating system's randomness, a `random.Random`, a
    /// `numpy.random.Generator`, or any callable that takes the sides of the die and returns a face
    /// from 1 to this number. An unknown source needs such a callable or a generator; a generator
    /// makes its faces equally likely.
    #[pyo3(signature = (target, source = None, rng = None))]
    fn roll<'py>(
        &self,
        py: Python<'py>,
        target: &Bound<'py, PyAny>,
        source: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, u64)> {
        let (source, target) = (source_or_coin(source)?, target_of(target)?);
        let task = task(&source, &target);
        let algorithm = self.0.0;
        let refuse = |error: AlgorithmError| algorithm_exception(self.0, error);
        let prepare = || {
            let prepared = algorithm.prepare_to_play(&task);
            prepared.map_err(|why| refuse(why.into()))
        };
        let Some(rng) = rng else {
            if source.0.0.is_unknown() {
                prepare()?;
                let name = source.0.0.with_article();
                return Err(RefusedError::new_err(format!(
                    "{name} cannot be rolled here, since its probabilities are unknown: pass your own rolls as rng, a callable that returns a face from 1, or give a source with known probabilities, such as '1:2' or 'p=1/3'"
                )));
            }
            let rolled = run_quietly(py, move || algorithm.roll(&task, &mut Faces::system()))?;
            let rolled = rolled.map_err(refuse)?;
            return Ok((target.label(py, &rolled.outcome)?, rolled.rolls));
        };
        let roller = FaceSource::new(rng)?;
        let prepared = prepare()?;
        let (mut raised, mut count) = (None, 0u32);
        let mut roll = |sides: u128| {
            count = count.wrapping_add(1);
            let signals = match count % 1024 {
                0 => py.check_signals(),
                _ => Ok(()),
            };
            match signals.and_then(|()| roller.roll_of(&source.0.0, sides)) {
                Ok(face) => Some(face),
                Err(error) => {
                    raised = Some(error);
                    None
                }
            }
        };
        let rolled = prepared.play(&mut roll, None);
        match (rolled, raised) {
            (_, Some(error)) => Err(error),
            (Ok(Some(rolled)), None) => Ok((target.label(py, &rolled.outcome)?, rolled.rolls)),
            (Ok(None), None) => Err(refuse(AlgorithmError::Faces(FacesError::RanOut))),
            (Err(error), None) => Err(refuse(error)),
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
        let (algorithm, task) = (self.0, task(&source_or_coin(source)?, &target_of(target)?));
        run_quietly(py, move || algorithm.0.check(&task))?
            .map_err(|error| algorithm_exception(algorithm, error))
    }
}

/// The source of the faces of the rolls.
enum FaceSource<'py> {
    /// The method `randrange` of a `random.Random`, which counts from 0.
    Random(Bound<'py, PyAny>),
    /// The method `integers` of a `numpy.random.Generator`, which counts from 0.
    Generator(Bound<'py, PyAny>),
    /// A callable, which returns faces counted from 1.
    Callable(Bound<'py, PyAny>),
}

impl<'py> FaceSource<'py> {
    fn new(rng: &Bound<'py, PyAny>) -> PyResult<FaceSource<'py>> {
        if rng.hasattr("randrange")? {
            return Ok(FaceSource::Random(rng.getattr("randrange")?));
        }
        if rng.hasattr("integers")? {
            return Ok(FaceSource::Generator(rng.getattr("integers")?));
        }
        if rng.is_callable() {
            Ok(FaceSource::Callable(rng.clone()))
        } else {
            Err(PyTypeError::new_err(format!(
                "rng is None, a random.Random, a numpy.random.Generator, or a callable that takes the sides of a die and returns a face from 1, and not a {}",
                rng.get_type().name()?
            )))
        }
    }

    /// Rolls a face of a source, counted from 0. A callable is the source itself, loaded or not.
    fn roll_of(&self, source: &Source, sides: u128) -> PyResult<u64> {
        let sum = source.weights().and_then(|_| source.weight_sum());
        let sum = sum.filter(|_| !matches!(self, FaceSource::Callable(_)));
        let Some(sum) = sum else {
            return self.roll(sides);
        };
        loop {
            let mut place = BigUint::ZERO;
            for _ in 0..sum.bits().div_ceil(64) {
                place = (place << 64u8) + self.roll(1 << 64)?;
            }
            let place = place >> ((64 - sum.bits() % 64) % 64);
            if place < sum {
                return Ok(source.face_at(place).expect("it has weights"));
            }
        }
    }

    /// Rolls a face, counted from 0.
    fn roll(&self, sides: u128) -> PyResult<u64> {
        let (face, from) = match self {
            FaceSource::Random(draw) => (draw.call1((sides,))?, 0),
            FaceSource::Generator(draw) => {
                // the range includes its end, since an excluded end of 2^64 would not fit in a
                // uint64
                let kind = PyDict::new(draw.py());
                kind.set_item("dtype", "uint64")?;
                kind.set_item("endpoint", true)?;
                (draw.call((0, sides - 1), Some(&kind))?, 0)
            }
            FaceSource::Callable(draw) => (draw.call1((sides,))?, 1),
        };
        let number = face.extract::<u128>().ok().and_then(|face| {
            let face = face.checked_sub(from)?;
            (face < sides).then_some(face)
        });
        number.and_then(|face| u64::try_from(face).ok()).ok_or_else(|| {
            let least = from;
            let most = sides - 1 + from;
            FlipcostError::new_err(format!(
                "the callable returned {face}, which is not a face of a die of {sides} sides: {least} to {most} was expected"
            ))
        })
    }
}
