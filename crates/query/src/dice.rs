//! What questions about one source and one target share.

use crate::{AlgorithmId, Natural, QueryError, Sides};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::task::{Target, Task};

/// The task of a fair target and a source of up to 2^32 sides.
pub(crate) fn task(source: Sides, n: &Natural) -> Result<Task, QueryError> {
    let target = Target::uniform(n.positive()?.clone()).map_err(QueryError::input)?;
    let task = Task::new(source.0, target);
    task.fair().map_err(QueryError::input)?;
    Ok(task)
}

/// The algorithm of the questions that name none.
pub(crate) fn fast_dice_roller() -> AlgorithmId {
    AlgorithmId(FAST_DICE_ROLLER)
}

/// A value, unless it is the one that is meant without it.
pub(crate) fn unless<T: PartialEq>(value: T, default: T) -> Option<T> {
    (value != default).then_some(value)
}

/// About the source rolls of one target roll: log_m n and a few.
pub(crate) fn about_rolls(source: Sides, n: &Natural) -> u128 {
    u128::from(n.value().bits() / u64::from(source.get().ilog2()) + 4)
}

/// Machine words of a number.
pub(crate) fn words(n: &Natural) -> u128 {
    u128::from(n.value().bits() / 64 + 1)
}
