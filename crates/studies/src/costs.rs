//! What an algorithm costs, for studies: exact where a study requests that, within a limit.

use super::error::{Mistake, StudyError};
use super::limits::FACES;
use flipcost::algorithms::Algorithm;
use flipcost::law::Chain;
use flipcost::task::Task;

pub use flipcost::table::Costs;

/// The law, the mean and the entropy.
///
/// # Errors
/// If the algorithm refuses the task, or its chain is too large.
pub fn costs(algorithm: &dyn Algorithm, task: &Task) -> Result<Costs, StudyError> {
    Ok(Costs::new(algorithm, task)?)
}

/// The same for a fair die of n sides.
///
/// # Errors
/// As [`costs`], and if source and n are no dice.
pub fn dice_costs(algorithm: &dyn Algorithm, source: u64, n: u64) -> Result<Costs, StudyError> {
    costs(algorithm, &Task::dice(source, n)?)
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
