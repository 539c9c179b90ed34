//! What questions about one source and one target share.

use crate::{Natural, QueryError, Sides, TargetText};
use flipcost::number::Real;
use flipcost::task::{Source, Target, Task};
use std::cmp::Ordering;

/// The task of a fair target.
pub fn task(source: &Sides, n: &Natural) -> Result<Task, QueryError> {
    let target =
        Target::uniform(n.positive("target")?.clone()).map_err(QueryError::for_field("target"))?;
    let task = Task::new(source.0.clone(), target);
    task.fair().map_err(QueryError::for_field("source"))?;
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

/// A result of more rolls on average is not waited for: they take months.
const MAX_ROLLS: u64 = 1 << 50;

/// Refuses to roll what takes more than 2^50 rolls on average by every algorithm, since the source
/// has so much less entropy than the target.
pub fn check_entropy(task: &Task) -> Result<(), QueryError> {
    let source = task.source();
    if source.law().is_none() {
        return Ok(()); // a fair source has a bit a roll at least
    }
    let most = source.entropy().times(&Real::integer(MAX_ROLLS));
    let wanted = Task::new(Source::COIN, task.target().clone()).entropy();
    match most.compare(&wanted) {
        Ok(Ordering::Less) => {
            let what = format!(
                "with {} a result takes more than 2^50 rolls on average, whatever the algorithm",
                source.with_article()
            );
            let right = "a source of more entropy was expected";
            Err(QueryError::wrong("source", what).right(right))
        }
        _ => Ok(()),
    }
}
