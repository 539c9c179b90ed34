//! The discrete Laplace law, which is a two-sided geometric law.

use super::{exp_enclosure, log2_e_times, unit_weight, weights_by_ratios};
use crate::law::{Exponents, LawFamily, WeightBranch};
use flipcost_number::{BigInt, Rational};

/// P(x) is proportional to e^(-|x| / scale), for all integers x.
///
/// The ratio of neighbours is always e^(-1/scale), so the weights are log-concave.
#[derive(Clone, Debug)]
pub struct DiscreteLaplace {
    /// The scale, above 0.
    pub scale: Rational,
}

impl LawFamily for DiscreteLaplace {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        let ratio = exp_enclosure(&-self.scale.recip(), bits);
        vec![WeightBranch {
            first: 0,
            step: 1,
            mirrored: true,
            weights: Box::new(weights_by_ratios(unit_weight(bits), ratio, None)),
        }]
    }

    fn power(&self) -> Option<Exponents> {
        Some((log2_e_times(self.scale.recip()), |x| BigInt::from(x.abs())))
    }
}
