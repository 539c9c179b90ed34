//! The Poisson law.

use super::{scale_weight, unit_weight};
use crate::law::{LawFamily, WeightBranch};
use flipcost_number::{BigInt, Rational};
use num_traits::ToPrimitive;

/// P(x) is proportional to mean^x / x!, for x = 0, 1, 2, ...
///
/// The weights are relative to the weight of the mode m = floor(mean). The ratio of the weights of
/// x+1 and x is mean / (x+1), which decreases with x. So the weights are log-concave both from m up
/// and from m down to 0.
#[derive(Clone, Debug)]
pub struct Poisson {
    /// The mean, above 0.
    pub mean: Rational,
}

impl LawFamily for Poisson {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        let mode = self.mean.floor().to_integer().to_i64().unwrap_or(i64::MAX);
        let (a, b) = (self.mean.numer(), self.mean.denom());
        let up = std::iter::successors(Some((mode, unit_weight(bits))), move |(x, weight)| {
            Some((x + 1, scale_weight(weight, a, &(b * BigInt::from(x + 1)))))
        });
        let down = std::iter::successors(Some((mode, unit_weight(bits))), move |(x, weight)| {
            (*x > 0).then(|| (x - 1, scale_weight(weight, &(b * BigInt::from(*x)), a)))
        });
        vec![
            WeightBranch {
                first: mode,
                step: 1,
                mirrored: false,
                weights: Box::new(up.map(|(_, weight)| weight)),
            },
            WeightBranch {
                first: mode - 1,
                step: -1,
                mirrored: false,
                weights: Box::new(down.skip(1).map(|(_, weight)| weight)),
            },
        ]
    }
}
