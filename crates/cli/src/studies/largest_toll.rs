//! The largest toll of all weights of a sum, as a study asks for it.

use super::case::Case;
use super::error::StudyError;
use super::of_n::OfN;
use flipcost::number::BigUint;
use flipcost::unstable::algorithms::{LargestToll, LargestTolls, least_depth};
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
    let sum = sum.at(case.n)?.to_u64();
    let sum = sum.filter(|sum| (2..=LargestTolls::MOST).contains(sum));
    let sum = sum.ok_or_else(|| {
        let most = LargestTolls::MOST;
        StudyError::Input(format!("a sum of weights is 2 to {most} here"))
    })?;
    let depths = least_depth(sum)..=40;
    let depth = depth.at(case.n)?.to_u32();
    let depth = depth.filter(|depth| depths.contains(depth));
    let depth = depth.ok_or_else(|| {
        let (least, most) = depths.into_inner();
        StudyError::Input(format!(
            "the depth of a tree for weights of sum {sum} is {least} to {most} here"
        ))
    })?;
    Ok((sum, depth))
}

/// The largest toll of a sum and a depth from [`place`].
pub fn largest_toll(sum: u64, depth: u32) -> LargestToll {
    LargestTolls::up_to(sum).of(sum, depth)
}
