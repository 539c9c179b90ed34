//! Rolls of an algorithm: from the operating system's randomness, from a generator of Python, or
//! from a callable that is the source itself.

use super::{Algorithm, algorithm_exception};
use crate::argument;
use crate::error::{FlipcostError, RefusedError};
use crate::run::run_quietly;
use crate::task::Target;
use flipcost::algorithms::{Faces, FacesError, Prepared, Rolled};
use flipcost::task::{Source, Task};
use flipcost_number::BigUint;
use flipcost_question::AlgorithmId;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of results that are rolled before other threads of Python may go on.
const CHUNK: usize = 4096;
/// The most bytes that a generator is asked for at once.
const MAX_BYTES: usize = 8192;
/// The number of prepared samplers that are kept.
const MAX_KEPT: usize = 8;

type Sampler = (AlgorithmId, Arc<dyn Prepared>);

/// The samplers that were used last, the latest at the end.
static KEPT: Mutex<Vec<Sampler>> = Mutex::new(Vec::new());

/// Returns the algorithm prepared for a task, by a look at those that were used last.
pub fn sampler(py: Python<'_>, algorithm: AlgorithmId, task: Task) -> PyResult<Arc<dyn Prepared>> {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |(id, prepared): &Sampler| *id == algorithm && *prepared.task() == task;
    let known = kept().iter().find(|one| same(one)).cloned();
    if let Some((_, prepared)) = known {
        return Ok(prepared);
    }
    let prepared = run_quietly(py, move || algorithm.0.prepare_to_play(&task))?;
    let prepared = prepared.map_err(|why| algorithm_exception(algorithm, why.into()))?;
    let prepared: Arc<dyn Prepared> = prepared.into();
    let mut all = kept();
    let oldest = (all.len() == MAX_KEPT).then(|| all.remove(0));
    all.push((algorithm, prepared.clone()));
    drop(all); // dropping the oldest may run code of Python, which may roll
    drop(oldest);
    Ok(prepared)
}

/// Plays results one by one. Python handles signals every now and then; an exception ends the play.
fn play(
    algorithm: AlgorithmId,
    prepared: &dyn Prepared,
    count: usize,
    mut roll: impl FnMut(u128) -> PyResult<u64>,
) -> PyResult<Vec<Rolled>> {
    let (mut raised, mut rolls) = (None, 0u32);
    let mut face = |sides: u128| {
        rolls = rolls.wrapping_add(1);
        let signals = match rolls % 1024 {
            0 => Python::attach(|py| py.check_signals()),
            _ => Ok(()),
        };
        match signals.and_then(|()| roll(sides)) {
            Ok(face) => Some(face),
            Err(error) => {
                raised = Some(error);
                None
            }
        }
    };
    let mut rolled = Vec::with_capacity(count);
    while rolled.len() < count {
        match prepared.play(&mut face, None) {
            Ok(Some(one)) => rolled.push(one),
            Ok(None) => {
                let ran_out = || algorithm_exception(algorithm, FacesError::RanOut.into());
                return Err(raised.unwrap_or_else(ran_out));
            }
            Err(error) => return Err(algorithm_exception(algorithm, error)),
        }
    }
    Ok(rolled)
}

/// Outcomes of a target and the rolls that they took.
pub struct Results<'py> {
    target: Target,
    labels: HashMap<BigUint, Bound<'py, PyAny>>,
    pub outcomes: Bound<'py, PyList>,
    pub rolls: Bound<'py, PyList>,
}

impl<'py> Results<'py> {
    fn extend(&mut self, rolled: Vec<Rolled>) -> PyResult<()> {
        for Rolled { outcome, rolls } in rolled {
            let py = self.outcomes.py();
            if !self.labels.contains_key(&outcome) {
                if self.labels.len() == CHUNK {
                    self.labels.clear();
                }
                let label = self.target.label(py, &outcome)?;
                self.labels.insert(outcome.clone(), label);
            }
            self.outcomes.append(&self.labels[&outcome])?;
            self.rolls.append(rolls)?;
        }
        Ok(())
    }
}

/// Rolls `count` results.
pub fn results<'py>(
    py: Python<'py>,
    algorithm: Algorithm,
    task: Task,
    target: Target,
    rng: Option<&Bound<'py, PyAny>>,
    count: usize,
) -> PyResult<Results<'py>> {
    let (algorithm, source) = (algorithm.0, task.source().clone());
    let rng = rng.map(|rng| Origin::new(rng, count)).transpose()?;
    let prepared = sampler(py, algorithm, task)?;
    if rng.is_none() && source.is_unknown() {
        let name = source.with_article();
        return Err(RefusedError::new_err(format!(
            "{name} cannot be rolled here, since its probabilities are unknown: pass your own rolls as rng, a callable that returns a face from 1, or give a source with known probabilities, such as '1:2' or 'p=1/3'"
        )));
    }
    let mut results = Results {
        target,
        labels: HashMap::new(),
        outcomes: PyList::empty(py),
        rolls: PyList::empty(py),
    };
    let mut origin = rng;
    let mut left = count;
    while left > 0 {
        let many = left.min(CHUNK);
        left -= many;
        let rolled = match &mut origin {
            Some(origin) => play(algorithm, &*prepared, many, |m| origin.roll(&source, m)),
            None => py.detach(|| {
                let mut faces = Faces::system();
                let refuse = |error: FacesError| algorithm_exception(algorithm, error.into());
                play(algorithm, &*prepared, many, |m| {
                    faces.roll_of(&source, m).map_err(refuse)
                })
            }),
        };
        results.extend(rolled?)?;
    }
    Ok(results)
}

/// Random bytes of a generator of Python.
struct Bytes<'py> {
    draw: Bound<'py, PyAny>,
    /// The exception that it raised.
    raised: std::rc::Rc<RefCell<Option<PyErr>>>,
}

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let drawn =
            (self.draw.call1((buffer.len(),))).and_then(|drawn| Ok(drawn.cast_into::<PyBytes>()?));
        let drawn = drawn.map_err(|error| {
            *self.raised.borrow_mut() = Some(error);
            std::io::Error::other("an exception")
        })?;
        let many = drawn.as_bytes().len().min(buffer.len());
        buffer[..many].copy_from_slice(&drawn.as_bytes()[..many]);
        Ok(many)
    }
}

/// The origin of rolls in Python.
enum Origin<'py> {
    /// The method of a generator that returns random bytes: `randbytes` of a `random.Random`,
    /// `bytes` of a `numpy.random.Generator`.
    Generator(Faces<'py>, std::rc::Rc<RefCell<Option<PyErr>>>),
    /// A callable, which returns faces counted from 1. It is the source itself, loaded or not.
    Callable(Bound<'py, PyAny>),
}

impl<'py> Origin<'py> {
    /// Reads the argument `rng`. A generator gives a word for a single result, and for many results
    /// many words at once.
    fn new(rng: &Bound<'py, PyAny>, count: usize) -> PyResult<Origin<'py>> {
        for name in ["randbytes", "bytes"] {
            if let Some(draw) = rng.getattr_opt(name)? {
                let raised = std::rc::Rc::<RefCell<Option<PyErr>>>::default();
                let bytes = Bytes {
                    draw,
                    raised: raised.clone(),
                };
                let most = count.saturating_mul(8).clamp(8, MAX_BYTES);
                let faces = Faces::from_reader(BufReader::with_capacity(most, bytes));
                return Ok(Origin::Generator(faces, raised));
            }
        }
        if rng.is_callable() {
            return Ok(Origin::Callable(rng.clone()));
        }
        let expected = "None, a random.Random, a numpy.random.Generator, or a callable that takes the sides of a die and returns a face from 1,";
        Err(argument::kind_error(rng, "rng", expected))
    }

    /// Rolls a face of a source, or of a fair die with this many sides, counted from 0. A generator
    /// shows the faces of an unknown source equally likely.
    fn roll(&mut self, source: &Source, sides: u128) -> PyResult<u64> {
        let rng = match self {
            Origin::Callable(rng) => rng,
            Origin::Generator(faces, raised) => {
                let face = if source.is_unknown() {
                    faces.roll(sides)
                } else {
                    faces.roll_of(source, sides)
                };
                return face.map_err(|error| {
                    let raised = raised.take();
                    raised.unwrap_or_else(|| FlipcostError::new_err(error.to_string()))
                });
            }
        };
        let face = rng.call1((sides,))?;
        let number = face
            .extract::<u128>()
            .ok()
            .filter(|face| (1..=sides).contains(face));
        number.and_then(|face| u64::try_from(face - 1).ok()).ok_or_else(|| {
            FlipcostError::new_err(format!(
                "the callable returned {}, which is not a face of a die of {sides} sides: 1 to {sides} was expected",
                argument::describe(&face)
            ))
        })
    }
}
