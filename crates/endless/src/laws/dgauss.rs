//! The discrete Gaussian law.

use super::{exp_enclosure, log2_e_times, unit_weight, weights_by_ratios};
use crate::law::{Exponents, LawFamily, WeightBranch};
use flipcost_number::{BigInt, Enclosure, Rational};

/// P(x) is proportional to e^(-x^2 / (2 sigma^2)), either for all integers x or for x = 0, 1, 2,
/// ...
///
/// With q = e^(-1/(2 sigma^2)), the ratio of the weights of x+1 and x is q^(2x+1), which decreases
/// with x: the weights are log-concave.
#[derive(Clone, Debug)]
pub struct DiscreteGaussian {
    /// The parameter sigma, above 0.
    pub sigma: Rational,
    /// Whether all integers are outcomes. Otherwise only those from 0 on are.
    pub both: bool,
}

impl DiscreteGaussian {
    /// 1 / (2 sigma^2).
    fn rate(&self) -> Rational {
        (&self.sigma * &self.sigma * BigInt::from(2)).recip()
    }

    /// Returns the weights of 0, 1, 2, ...
    pub(crate) fn weights(&self, bits: u64) -> impl Iterator<Item = Enclosure> + use<> {
        let ratio = exp_enclosure(&-self.rate(), bits);
        let change = ratio.times(&ratio);
        weights_by_ratios(unit_weight(bits), ratio, Some(change))
    }
}

impl LawFamily for DiscreteGaussian {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        vec![WeightBranch {
            first: 0,
            step: 1,
            mirrored: self.both,
            weights: Box::new(self.weights(bits)),
        }]
    }

    fn power(&self) -> Option<Exponents> {
        Some((log2_e_times(self.rate()), |x| {
            BigInt::from(x) * BigInt::from(x)
        }))
    }
}
