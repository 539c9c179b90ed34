//! What questions about one source and one target share.

use crate::{Natural, QueryError, Sides, TargetText};
use flipcost::task::{Target, Task};

/// The task of a fair target.
pub fn task(source: &Sides, n: &Natural) -> Result<Task, QueryError> {
    let target =
        Target::uniform(n.positive("target")?.clone()).map_err(QueryError::of("target"))?;
    let task = Task::new(source.0.clone(), target);
    task.fair().map_err(QueryError::of("source"))?;
    Ok(task)
}

/// About the source rolls of one target roll: log_m n and a few (for weights, n is their sum).
pub fn about_rolls(source: &Sides, n: &TargetText) -> u128 {
    u128::from(n.bits() / u64::from(source.get().ilog2()) + 4)
}

/// Machine words of a number of so many bits.
pub fn words(bits: u64) -> u128 {
    u128::from(bits / 64 + 1)
}
