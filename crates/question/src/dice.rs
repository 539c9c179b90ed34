//! Helpers for questions about one source and one target.

use crate::{Natural, QueryError, Sides, TargetText};
use flipcost::number::Real;
use flipcost::task::{Source, Target, Task};
use std::cmp::Ordering;

/// Creates the task of a fair target.
pub fn task(source: &Sides, n: &Natural) -> Result<Task, QueryError> {
    let target = Target::uniform(n.positive_value("target")?.clone())
        .map_err(QueryError::for_field("target"))?;
    let task = Task::new(target, source.0.clone());
    task.fair().map_err(QueryError::for_field("source"))?;
    Ok(task)
}

/// Estimates the number of source rolls for one target roll: log_m n and a few more (for weights, n
/// is their sum).
pub fn estimate_rolls(source: &Sides, n: &TargetText) -> u128 {
    u128::from(n.bits() / u64::from(source.get().ilog2()) + 4)
}

/// The number of machine words that hold this many bits.
pub fn words_for_bits(bits: u64) -> u128 {
    u128::from(bits / 64 + 1)
}

/// The maximum average number of rolls of one result; more rolls would take months.
const MAX_ROLLS: u64 = 1 << 50;

/// Refuses a target that takes more than 2^50 rolls on average with every algorithm, because the
/// source has far less entropy than the target.
pub fn check_entropy(task: &Task) -> Result<(), QueryError> {
    let source = task.source();
    if source.law().is_none() {
        return Ok(()); // a fair source has at least one bit a roll
    }
    let most = source.entropy().times(&Real::integer(MAX_ROLLS));
    let wanted = Task::new(task.target().clone(), Source::COIN).entropy();
    match most.compare(&wanted) {
        Ok(Ordering::Less) => {
            let what = format!(
                "with {} a result takes more than 2^50 rolls on average, whatever the algorithm",
                source.with_article()
            );
            let right = "a source with more entropy per roll was expected";
            Err(QueryError::wrong("source", what).right(right))
        }
        _ => Ok(()),
    }
}
