//! What an algorithm costs, for studies: exact where a study requests that, within a limit.

use super::error::{Mistake, StudyError};
use super::limits::{FACES, SLOW_TARGETS, TARGETS, at_most};
use super::values::task;
use flipcost::algorithms::Algorithm;
use flipcost::law::{Chain, FractionSize};
use flipcost::number::Rational;
use flipcost::number::Real;
use flipcost::task::Task;
use flipcost::unstable::number::short;
use flipcost::unstable::table::{EXACT_LIMIT, size_in_words};

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

/// The expected rolls as a reduced fraction.
///
/// # Errors
/// As [`costs`], and if the fraction would have more than [`EXACT_LIMIT`] bits.
pub fn exact_mean(algorithm: &dyn Algorithm, task: &Task) -> Result<Rational, StudyError> {
    let costs = costs(algorithm, task)?;
    costs.law().mean_up_to(EXACT_LIMIT).map_err(|size| {
        let (n, size) = (short(task.target().weight_sum()), size_in_words(size));
        let what = format!("the exact fraction for n = {n} {size}");
        Mistake::of("n", n, what).into()
    })
}

/// The expected rolls: exact up to [`EXACT_LIMIT`] bits, else enclosed.
///
/// # Errors
/// As [`costs`].
pub fn mean(algorithm: &dyn Algorithm, task: &Task) -> Result<Real, StudyError> {
    let costs = costs(algorithm, task)?;
    let exact = costs.law().mean_up_to(EXACT_LIMIT);
    Ok(exact.map_or_else(|_| costs.mean().clone(), Real::Exact))
}

/// The variance of the rolls: exact up to [`EXACT_LIMIT`] bits, else enclosed.
///
/// # Errors
/// As [`costs`].
pub fn variance(algorithm: &dyn Algorithm, task: &Task) -> Result<Real, StudyError> {
    let costs = costs(algorithm, task)?;
    let law = costs.law();
    // It has twice the bits of the mean.
    Ok(match law.size() {
        FractionSize::Bits(bits) if bits <= EXACT_LIMIT / 2 => Real::Exact(law.exact_variance()),
        _ => law.variance(),
    })
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

/// Refuses all n up to a limit, which a key gives, where that would take too long.
///
/// # Errors
/// If the limit is above [`TARGETS`], or [`SLOW_TARGETS`] for an algorithm without a closed form;
/// or if the source is no die.
pub fn all_n_up_to(
    field: &str,
    algorithm: &dyn Algorithm,
    source: u64,
    last: u64,
) -> Result<(), StudyError> {
    at_most(field, last, "n", TARGETS)?;
    let task = task(source, last)?;
    match algorithm.prepare(&task) {
        Ok(bound) if last > SLOW_TARGETS && bound.closed_law().is_none() => at_most(
            field,
            last,
            "n of an algorithm without a closed form",
            SLOW_TARGETS,
        ),
        _ => Ok(()),
    }
}
