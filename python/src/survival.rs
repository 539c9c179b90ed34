//! The iterator of P(T > t) of a law, term by term.

use crate::fraction::Fraction;
use crate::measured::Measured;
use crate::run::{run_quietly, run_with_control};
use flipcost_number::reduce::reduce;
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Zero};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An endless iterator of P(T > t) for t = 0, 1, 2, ...
#[pyclass(frozen, module = "flipcost")]
pub struct Survival {
    /// A description of the law.
    of: String,
    state: Mutex<ComputedTerms>,
}

/// The terms that were computed but not yet returned.
struct ComputedTerms {
    costs: Arc<Measured>,
    /// The number of terms that were computed, including those not yet returned.
    computed: usize,
    given: usize,
    base: BigUint,
    /// The power base^t of the first term that was not yet returned.
    scale: BigUint,
    ahead: VecDeque<BigUint>,
}

/// The maximum number of bits of a fraction that is reduced on this thread; longer ones are reduced
/// on a separate thread.
const LONG_FRACTION_BITS: u64 = 1 << 14;

impl ComputedTerms {
    /// Doubles the number of computed terms. The computation starts from t = 0 again, so that each
    /// term is computed twice on average.
    fn compute(&mut self, py: Python<'_>) -> PyResult<()> {
        let (costs, skipped) = (self.costs.clone(), self.computed);
        let more = skipped.max(32);
        self.ahead = run_with_control(py, move |control| {
            let (undecided, _) = costs.law.undecided_nodes();
            let heeded = undecided.take_while(|_| control.go_on().is_ok());
            heeded.skip(skipped).take(more).collect()
        })?;
        self.computed += self.ahead.len();
        Ok(())
    }

    fn next_term(&mut self, py: Python<'_>) -> PyResult<Fraction> {
        if self.ahead.is_empty() {
            self.compute(py)?;
        }
        let probability = match self.ahead.front().cloned() {
            None => Rational::zero(),
            Some(count) if self.scale.bits() <= LONG_FRACTION_BITS => reduce(&count, &self.scale),
            Some(count) => {
                let scale = self.scale.clone();
                run_quietly(py, move || reduce(&count, &scale))?
            }
        };
        if self.ahead.pop_front().is_some() {
            self.scale *= &self.base;
        }
        self.given += 1;
        Ok(Fraction(probability))
    }
}

#[pymethods]
impl Survival {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Fraction>> {
        let mut state = self.lock_attached(py);
        state.next_term(py).map(Some)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let next = self.lock_attached(py).given;
        format!("<P(T > t) of {}: t = {next} is next>", self.of)
    }
}

impl Survival {
    /// Returns the iterator of a law; `of` describes the law.
    pub fn new(costs: Arc<Measured>, of: String) -> Survival {
        let base = costs.law.undecided_nodes().1;
        Survival {
            of,
            state: Mutex::new(ComputedTerms {
                costs,
                computed: 0,
                given: 0,
                base,
                scale: BigUint::one(),
                ahead: VecDeque::new(),
            }),
        }
    }

    /// Locks the state; a thread that waits for it releases the interpreter's lock.
    fn lock_attached(&self, py: Python<'_>) -> MutexGuard<'_, ComputedTerms> {
        let state = self.state.lock_py_attached(py);
        state.unwrap_or_else(PoisonError::into_inner)
    }
}
