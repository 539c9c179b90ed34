//! The cost of an algorithm, for studies: exact if the study requests it, within a limit.

use super::error::{Mistake, StudyError};
use super::limits::FACES;
use flipcost::algorithms::Algorithm;
use flipcost::law::Chain;
use flipcost::task::{Source, Task, TaskError};

pub use flipcost::table::Costs;

/// The law, the mean and the entropy.
///
/// # Errors
/// If the algorithm refuses the task, or its chain is too large.
pub fn costs(algorithm: &dyn Algorithm, task: &Task) -> Result<Costs, StudyError> {
    Ok(Costs::new(algorithm, task)?)
}

/// As [`costs`], for a fair die of n sides.
///
/// # Errors
/// As [`costs`], and if `source` or `n` is not a die.
pub fn dice_costs(algorithm: &dyn Algorithm, source: u64, n: u64) -> Result<Costs, StudyError> {
    costs(
        algorithm,
        &Task::die(n, Source::die(source).map_err(TaskError::from)?)?,
    )
}

/// The chain of an algorithm, of up to [`FACES`] faces.
///
/// # Errors
/// If the algorithm refuses the task, or its chain is too large.
pub fn chain(algorithm: &dyn Algorithm, task: &Task) -> Result<Chain, StudyError> {
    let chain = algorithm.prepare(task)?.chain(FACES);
    chain
        .map(|(chain, _)| chain)
        .map_err(|error| Mistake::new(error).into())
}
