//! The class `Algorithm` of Python: an algorithm of the registry.

mod methods;
mod roll;

use crate::error::{self, FlipcostError, RefusedError};
use crate::rule::take_raised;
use crate::task::{Source, Target};
use flipcost::algorithms::{self, AlgorithmError};
use flipcost::task::Task;
use flipcost_question::AlgorithmId;
use pyo3::prelude::*;

/// An algorithm of the registry, or a function of a library.
///
/// >>> import flipcost
/// >>> flipcost.algorithms["fast-dice-roller"].law(6, "coin").mean
/// Fraction(11, 3)
#[pyclass(frozen, module = "flipcost")]
#[derive(Clone, Copy)]
pub struct Algorithm(pub AlgorithmId);

/// Returns the ids of the registry, in its order.
#[pyfunction]
pub fn algorithm_ids() -> Vec<&'static str> {
    algorithms::ids()
}

/// Converts an error of an algorithm to an exception.
pub fn algorithm_exception(algorithm: AlgorithmId, error: AlgorithmError) -> PyErr {
    if let Some(raised) = take_raised(None) {
        return raised;
    }
    match error {
        AlgorithmError::Refused(why) => RefusedError::new_err(format!("{algorithm}: {why}")),
        AlgorithmError::TooLarge(why) => {
            error::TooLargeError::new_err(format!("{algorithm}: {why}"))
        }
        AlgorithmError::Failed { error, .. } => algorithm_exception(algorithm, *error),
        other => FlipcostError::new_err(other.to_string()),
    }
}

/// Returns the task of making a target from a source.
pub fn task(source: &Source, target: &Target) -> Task {
    Task::new(target.0.target().clone(), source.0.0.clone())
}
