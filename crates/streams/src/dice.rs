//! The numbers of sides of fair sources and fair targets in a stream.

use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_number::BigUint;
use num_traits::ToPrimitive;

/// The number of sides of a fair source, at most 2^64.
pub(crate) fn sides(source: &Source) -> Result<u128, Refusal> {
    Task::new(Target::uniform(1).expect("a side"), source.clone()).words()
}

/// The number of sides of a fair target.
fn target_sides(target: &Target) -> Result<&BigUint, Refusal> {
    let sides = target.sides();
    sides.ok_or_else(|| Refusal::Weights(target.clone()))
}

/// The numbers of sides of fair targets.
pub(crate) fn all_sides(targets: &[Target]) -> Result<Vec<BigUint>, Refusal> {
    targets
        .iter()
        .map(|target| target_sides(target).cloned())
        .collect()
}

/// The number of sides of a fair target, below 2^64.
pub(crate) fn word_sides(target: &Target) -> Result<u64, Refusal> {
    let sides = target_sides(target)?.to_u64();
    sides.ok_or_else(|| {
        Refusal::Rule(format!(
            "its targets have less than 2^64 sides, not {target:#}"
        ))
    })
}

/// Creates targets that are fair dice with these numbers of sides.
pub(crate) fn targets(sides: &[BigUint]) -> Vec<Target> {
    let target = |n: &BigUint| Target::uniform(n.clone()).expect("n >= 1");
    sides.iter().map(target).collect()
}

#[cfg(test)]
pub(crate) fn die(sides: impl TryInto<BigUint>) -> Source {
    Source::die(sides).unwrap()
}
