//! Rules that are functions of Python. The engine calls the functions for each face of each state.

use crate::argument;
use crate::error::FlipcostError;
use flipcost_number::BigUint;
use flipcost_number::budget::Budget;
use flipcost_question::Control;
use flipcost_rules::{Fault, Move, Program, Value, register_functions};
use num_traits::ToPrimitive;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// An outcome of a rule, counted from 0, as `out(x)` returns it.
#[pyclass(frozen, module = "flipcost")]
pub struct Out(BigUint);

#[pymethods]
impl Out {
    #[new]
    fn new(outcome: &Bound<'_, PyAny>) -> PyResult<Out> {
        let expected = "an outcome, an integer from 0,";
        argument::parse_integer(outcome, "x", expected, FlipcostError::new_err).map(Out)
    }

    /// The outcome.
    #[getter]
    fn outcome(&self) -> BigUint {
        self.0.clone()
    }

    fn __repr__(&self) -> String {
        format!("out({})", self.0)
    }
}

/// The value that `again()` returns: the rule begins again.
#[pyclass(frozen, module = "flipcost")]
pub struct Again;

#[pymethods]
impl Again {
    fn __repr__(&self) -> &'static str {
        "again()"
    }
}

/// Ends a step with the outcome x, from 0 to n - 1.
///
/// >>> import flipcost
/// >>> flipcost.out(2)
/// out(2)
#[pyfunction]
pub fn out(x: &Bound<'_, PyAny>) -> PyResult<Out> {
    Out::new(x)
}

/// Goes back to `start(n, m)`; the rolls so far are lost.
///
/// >>> import flipcost
/// >>> flipcost.again()
/// again()
#[pyfunction]
pub fn again() -> Again {
    Again
}

/// The exceptions that Python functions of rules have raised. Each exception is stored with the
/// budget of the computation that it ends.
static RAISED: Mutex<Vec<(Option<Budget>, PyErr)>> = Mutex::new(Vec::new());

/// The threads that are running a function of a rule: their ids in Python, each with the budget of
/// the thread's computation.
static RUNNING: Mutex<Vec<(Option<Budget>, u64)>> = Mutex::new(Vec::new());

/// Marks that this thread runs a function of a rule, until the value is dropped.
struct RunningFunction(u64);

impl RunningFunction {
    fn begin(py: Python<'_>) -> PyResult<RunningFunction> {
        thread_local!(static IDENT: Cell<Option<u64>> = const { Cell::new(None) });
        let ident = match IDENT.get() {
            Some(ident) => ident,
            None => py
                .import("threading")?
                .call_method0("get_ident")?
                .extract()?,
        };
        IDENT.set(Some(ident));
        let mut all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((Budget::outermost(), ident));
        Ok(RunningFunction(ident))
    }
}

impl Drop for RunningFunction {
    fn drop(&mut self) {
        let mut all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = all.iter().rposition(|(_, ident)| *ident == self.0) {
            all.swap_remove(place);
        }
    }
}

/// Raises `KeyboardInterrupt` in the functions of rules that a computation with this control runs.
pub fn interrupt(py: Python<'_>, control: &Control) -> PyResult<()> {
    let all = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let mine = all
        .iter()
        .filter(|(budget, _)| budget.as_ref().is_some_and(|b| control.has_budget(b)));
    let idents: Vec<u64> = mine.map(|(_, ident)| *ident).collect();
    drop(all);
    let ctypes = py.import("ctypes")?;
    for ident in idents {
        let thread = ctypes.getattr("c_ulong")?.call1((ident,))?;
        let error = ctypes
            .getattr("py_object")?
            .call1((py.get_type::<PyKeyboardInterrupt>(),))?;
        ctypes
            .getattr("pythonapi")?
            .call_method1("PyThreadState_SetAsyncExc", (thread, error))?;
    }
    Ok(())
}

/// Takes the exception that a function raised in a computation with this control; without a
/// control, an exception that was raised outside of any computation.
pub fn take_raised(control: Option<&Control>) -> Option<PyErr> {
    let mut all = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
    let here = |(budget, _): &mut (Option<Budget>, PyErr)| match (control, budget) {
        (Some(control), Some(budget)) => control.has_budget(budget),
        (None, None) => true,
        _ => false,
    };
    let mut mine = all.extract_if(.., here).collect::<Vec<_>>().into_iter();
    mine.next().map(|(_, error)| error)
}

/// The program made last, with the number of sides of its target and of its source.
type LastProgram = Mutex<Option<((BigUint, u64), Arc<PythonProgram>)>>;

/// Registers the rule of these functions and returns its text in a query; messages call it `name`.
/// At first only `few` states are explored; a rule with more states counts as endless if its later
/// states hardly matter.
#[pyfunction]
pub fn register_rule(name: &str, start: Py<PyAny>, step: Py<PyAny>, few: usize) -> String {
    let file = name.to_string();
    let last = LastProgram::default();
    let make = move |n: &BigUint, m: u64| {
        // this lock must not be held while this thread waits for Python's lock
        let last = || last.lock().unwrap_or_else(PoisonError::into_inner);
        let task = (n.clone(), m);
        if let Some((known, program)) = &*last()
            && *known == task
        {
            return Ok(program.clone() as Arc<dyn Program>);
        }
        let program = Python::attach(|py| {
            Ok::<_, PyErr>(Arc::new(PythonProgram {
                file: file.clone(),
                start: start.clone_ref(py),
                step: step.clone_ref(py),
                n: n.into_pyobject(py)?.into_any().unbind(),
                m,
                few,
                known: PyDict::new(py).unbind(),
                states: Mutex::default(),
                moves: Mutex::default(),
            }))
        });
        let program = program.map_err(|error| broken_program_fault(&file, error))?;
        *last() = Some((task, program.clone()));
        Ok(program as Arc<dyn Program>)
    };
    format!("rule:{name}\n{}", register_functions(Arc::new(make)))
}

/// Records the exception that a function raised, and returns the fault that ends the computation.
fn broken_program_fault(file: &str, error: PyErr) -> Fault {
    let what = error.to_string();
    let budget = Budget::outermost();
    if let Some(budget) = &budget {
        budget.cancel();
    }
    let mut all = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
    all.push((budget, error));
    Fault::Run {
        file: file.to_string(),
        line: None,
        what,
    }
}

/// The rule for one task.
struct PythonProgram {
    file: String,
    start: Py<PyAny>,
    step: Py<PyAny>,
    n: Py<PyAny>,
    m: u64,
    few: usize,
    /// The numbers of the states, by the objects that represent the states in Python.
    known: Py<PyDict>,
    states: Mutex<Vec<Py<PyAny>>>,
    moves: Mutex<HashMap<(i64, u64), Move>>,
}

/// The number of steps that are computed twice, to detect rules that depend on more than the state.
const ASKED_TWICE: usize = 2000;

impl PythonProgram {
    fn read(&self, py: Python<'_>, value: &Bound<'_, PyAny>, function: &str) -> PyResult<Move> {
        if let Ok(out) = value.cast::<Out>() {
            return Ok(Move::Output(out.get().0.clone()));
        }
        if value.is_instance_of::<Again>() {
            if function == "start" {
                return Err(FlipcostError::new_err(
                    "start(n, m) returns again(), which would begin at start(n, m) for ever",
                ));
            }
            return self.first(py);
        }
        if value.is_none() {
            return Err(FlipcostError::new_err(format!(
                "{function} returned None: a state, out(x) or again() was expected"
            )));
        }
        let mut states = (self.states.lock_py_attached(py)).unwrap_or_else(PoisonError::into_inner);
        let known = self.known.bind(py);
        let place = match known.get_item(value) {
            Ok(Some(place)) => place.extract::<i64>()?,
            Ok(None) => {
                let place = states.len() as i64;
                known.set_item(value, place)?;
                states.push(value.clone().unbind());
                place
            }
            Err(error) if error.is_instance_of::<PyTypeError>(py) && value.hash().is_err() => {
                return Err(FlipcostError::new_err(format!(
                    "{function} returned {}, which cannot be hashed: a state such as an integer or a tuple was expected",
                    argument::describe(value)
                )));
            }
            Err(error) => return Err(error),
        };
        Ok(Move::Roll(Value::Small(place)))
    }

    fn first(&self, py: Python<'_>) -> PyResult<Move> {
        let value = self.start.bind(py).call1((&self.n, self.m))?;
        self.read(py, &value, "start")
    }

    fn next(&self, py: Python<'_>, state: i64, face: u64) -> PyResult<Move> {
        let states = (self.states.lock_py_attached(py)).unwrap_or_else(PoisonError::into_inner);
        let held = states[state as usize].clone_ref(py);
        drop(states);
        let value = self
            .step
            .bind(py)
            .call1((held, face + 1, &self.n, self.m))?;
        self.read(py, &value, "step")
    }

    /// Computes a move; each of the first [`ASKED_TWICE`] moves is computed twice, and the results
    /// are compared.
    fn compute_checked_move(
        &self,
        of: impl Fn(Python<'_>) -> PyResult<Move>,
        twice: bool,
        place: impl Fn() -> String,
    ) -> Result<Move, Fault> {
        let moves = Python::attach(|py| {
            let _running = RunningFunction::begin(py)?;
            Ok((of(py)?, if twice { Some(of(py)?) } else { None }))
        });
        let (one, other) = moves.map_err(|error| broken_program_fault(&self.file, error))?;
        match other {
            Some(other) if other != one => Err(Fault::Unsteady {
                file: self.file.clone(),
                place: place(),
                leads: [self.name_of_move(&one), self.name_of_move(&other)],
            }),
            _ => Ok(one),
        }
    }

    fn name_of_move(&self, next: &Move) -> String {
        match next {
            Move::Output(outcome) => format!("out({outcome})"),
            Move::Roll(state) => self.state_name(state),
        }
    }
}

impl Program for PythonProgram {
    fn start(&self) -> Result<Move, Fault> {
        self.compute_checked_move(|py| self.first(py), true, || "start".to_string())
    }

    fn step(&self, state: &Value, face: u64) -> Result<Move, Fault> {
        let Value::Small(place) = *state else {
            unreachable!("states are numbers");
        };
        let known = || self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        let count = known().len();
        if let Some(next) = known().get(&(place, face)) {
            return Ok(next.clone());
        }
        let name = || format!("face {} of state {}", face + 1, self.state_name(state));
        let next = |py: Python<'_>| self.next(py, place, face);
        let next = self.compute_checked_move(next, count < ASKED_TWICE, name)?;
        known().insert((place, face), next.clone());
        Ok(next)
    }

    fn few_states(&self) -> usize {
        self.few
    }

    fn state_name(&self, state: &Value) -> String {
        Python::attach(|py| {
            let Value::Small(place) = state else {
                return String::new();
            };
            let states = (self.states.lock_py_attached(py)).unwrap_or_else(PoisonError::into_inner);
            let held = place.to_usize().and_then(|place| states.get(place));
            let held = held.map(|held| held.clone_ref(py));
            drop(states);
            // The first state of a function that rolls has no rolls to show.
            let shown = held.map(|held| argument::describe(held.bind(py)));
            let shown = shown.filter(|shown| !shown.is_empty());
            shown.unwrap_or_else(|| "the first".to_string())
        })
    }
}
