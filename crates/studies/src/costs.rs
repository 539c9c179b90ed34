//! The cost of an algorithm, for studies: exact if the study requests exact numbers, within a
//! limit.

use super::error::{Mistake, StudyError};
use super::limits::MAX_CHAIN_FACES;
use flipcost::algorithms::Algorithm;
use flipcost::law::Chain;
use flipcost::task::{Source, Task, TaskError};

pub use flipcost::table::Costs;

/// Returns the law, the mean and the entropy of the rolls of an algorithm.
///
/// # Errors
/// If the algorithm refuses the task, or its chain is too large.
pub fn costs(algorithm: &dyn Algorithm, task: &Task) -> Result<Costs, StudyError> {
    Ok(Costs::new(algorithm, task)?)
}

/// Returns the same values as [`costs`], for a fair die of n sides.
///
/// # Errors
/// The errors of [`costs`]; also if `source` or `n` is not the number of sides of a die.
pub fn dice_costs(algorithm: &dyn Algorithm, source: u64, n: u64) -> Result<Costs, StudyError> {
    costs(
        algorithm,
        &Task::die(n, Source::die(source).map_err(TaskError::from)?)?,
    )
}

/// Returns the chain of the states of an algorithm. All states together may have at most
/// [`MAX_CHAIN_FACES`] faces.
///
/// # Errors
/// If the algorithm refuses the task, or its chain is too large.
pub fn chain(algorithm: &dyn Algorithm, task: &Task) -> Result<Chain, StudyError> {
    let chain = algorithm.prepare(task)?.chain(MAX_CHAIN_FACES);
    chain
        .map(|(chain, _)| chain)
        .map_err(|error| Mistake::new(error).into())
}
