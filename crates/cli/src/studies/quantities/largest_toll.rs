//! The quantity `largest-toll`: see [`LargestTollOfSum`].

use crate::studies::case::Case;
use crate::studies::costs;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::largest_toll::{largest_toll, place};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::{AlgorithmName, Written};
use flipcost::number::{BigUint, Real};
use flipcost::task::{Source, Target, Task};
use schemars::JsonSchema;
use serde::Deserialize;

/// The toll, in flips, of the weights of a sum that have the largest toll of all: no others have a
/// toll that is larger by 2^-40 or more. The algorithm is the amplified loaded dice roller.
///
/// ```toml
/// largest-toll = { sum = 24, depth = 10 }
/// # or: largest-toll = { sum = "n", depth = "2*k-1" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LargestTollOfSum {
    /// The sum of the weights, which have no common divisor.
    sum: OfN<BigUint>,
    /// The depth K of the tree.
    depth: OfN<BigUint>,
}

impl Measure for LargestTollOfSum {
    fn of_n(&self) -> bool {
        self.sum.of_n() || self.depth.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let (sum, depth) = place(&self.sum, &self.depth, case)?;
        let largest = largest_toll(sum, depth);
        if largest.high - largest.low > 1 << 16 {
            let what = format!("the largest toll of the sum {sum} is not known to 2^-40");
            return Err(Mistake::of("sum", sum, what).into());
        }
        let target = Target::weighted(largest.weights).map_err(Mistake::new)?;
        let task = Task::new(Source::COIN, target);
        let aldr = AlgorithmName::read(&format!("aldr:K={depth}")).map_err(Mistake::new)?;
        Ok(costs::mean(aldr.0, &task)?.minus(&task.entropy()))
    }
}
