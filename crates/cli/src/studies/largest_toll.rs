//! The largest toll of all weights of a sum, as a study asks for it.

use super::case::Case;
use super::error::{Mistake, StudyError};
use super::of_n::OfN;
use flipcost::number::BigUint;
use flipcost::unstable::algorithms::{LargestToll, LargestTolls, least_depth};
use flipcost::unstable::number::short;
use num_traits::ToPrimitive;

/// The sum of the weights, and the depth of the tree.
///
/// # Errors
/// If they are out of a study's reach.
pub fn place(
    sum: &OfN<BigUint>,
    depth: &OfN<BigUint>,
    case: &Case,
) -> Result<(u64, u32), StudyError> {
    let given = sum.at(case.n)?;
    let sum = given
        .to_u64()
        .filter(|sum| (2..=LargestTolls::MOST).contains(sum));
    let sum = sum.ok_or_else(|| {
        let most = LargestTolls::MOST;
        let what = format!("a sum of weights is 2 to {most} here");
        Mistake::of("sum", short(&given), what)
    })?;
    let depths = least_depth(sum)..=40;
    let given = depth.at(case.n)?;
    let depth = given.to_u32().filter(|depth| depths.contains(depth));
    let depth = depth.ok_or_else(|| {
        let (least, most) = depths.into_inner();
        let what =
            format!("the depth of a tree for weights of sum {sum} is {least} to {most} here");
        Mistake::of("depth", short(&given), what)
    })?;
    Ok((sum, depth))
}

/// The largest toll of a sum and a depth from [`place`].
pub fn largest_toll(sum: u64, depth: u32) -> LargestToll {
    LargestTolls::up_to(sum).of(sum, depth)
}
