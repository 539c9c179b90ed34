//! Asks an algorithm for its law, its check or a roll, and names the algorithm and the task in an
//! error.

use super::faces::Faces;
use super::fairness::Fairness;
use super::prepared::{Algorithm, AlgorithmError, Prepared, Rolled};
use super::registry::suited_to;
use crate::law::Law;
use crate::task::Task;

impl dyn Algorithm + '_ {
    /// Returns the exact law of the number of rolls for a task. Cost: nothing for a closed form,
    /// otherwise the exploration of the chain, up to [`CHAIN_LIMIT`](super::CHAIN_LIMIT)
    /// transitions.
    ///
    /// # Errors
    /// [`AlgorithmError::Failed`] if the task is refused, or the chain is too large.
    pub fn law(&self, task: &Task) -> Result<Law, AlgorithmError> {
        self.with_prepared(task, |prepared| prepared.law())
    }

    /// Applies `ask` to the algorithm prepared for a task, and adds the algorithm and the task to
    /// an error.
    pub(super) fn with_prepared<T>(
        &self,
        task: &Task,
        ask: impl FnOnce(Box<dyn Prepared>) -> Result<T, AlgorithmError>,
    ) -> Result<T, AlgorithmError> {
        let asked = self.prepare(task).map_err(AlgorithmError::from);
        asked.and_then(ask).map_err(|error| {
            let takes = |other: &&'static dyn Algorithm| {
                other.about().id != self.about().id && other.prepare(task).is_ok()
            };
            let suited = suited_to(task).into_iter().filter(takes).take(3);
            AlgorithmError::Failed {
                algorithm: self.spelling().to_string(),
                task: Box::new(task.clone()),
                error: Box::new(error),
                suited: suited.map(|other| other.about().id).collect(),
            }
        })
    }

    /// Compares the exact law of the outcomes, computed from the chain of the steps, with the
    /// target. Cost: as [`Chain::probabilities`](crate::law::Chain::probabilities); memory: 8 bytes
    /// for each transition, and the states with their names.
    ///
    /// # Errors
    /// As [`Algorithm::prepare`], or if the chain has more than [`CHAIN_LIMIT`](super::CHAIN_LIMIT)
    /// transitions; for a target whose weights sum to 2^64 or more the limit is lower.
    pub fn check(&self, task: &Task) -> Result<Fairness, AlgorithmError> {
        self.with_prepared(task, |prepared| prepared.check())
    }

    /// Rolls one outcome, counted from 0, and returns it with the number of rolls.
    ///
    /// # Errors
    /// [`AlgorithmError::Failed`] if the task is refused, [`AlgorithmError::Faces`] if `faces`
    /// fails.
    pub fn roll(&self, task: &Task, faces: &mut Faces) -> Result<Rolled, AlgorithmError> {
        self.with_prepared(task, Ok)?.roll(faces)
    }
}
