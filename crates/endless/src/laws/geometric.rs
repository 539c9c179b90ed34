//! The geometric law: the number of trials up to the first success.

use super::{unit_weight, weights_by_ratios};
use crate::law::{Exponents, LawFamily, WeightBranch};
use flipcost_number::{BigInt, BigUint, Enclosure, Rational, Real, ln};
use num_traits::{One, Pow};

/// P(x) = p (1-p)^(x-1) for x = 1, 2, ...
///
/// The weights are (1-p)^(x-1). The ratio of neighbours is always 1-p, so the weights are
/// log-concave. For p = a/b in lowest terms P(x) has the denominator b^x. It is a multiple of
/// 2^-depth only if b = 2^k and k x <= depth; in this case it is computed exactly.
#[derive(Clone, Debug)]
pub struct Geometric {
    /// The probability of success, between 0 and 1.
    pub p: Rational,
}

impl LawFamily for Geometric {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        let ratio = Enclosure::of_rational(&(Rational::one() - &self.p), bits);
        vec![WeightBranch {
            first: 1,
            step: 1,
            mirrored: false,
            weights: Box::new(weights_by_ratios(unit_weight(bits), ratio, None)),
        }]
    }

    fn dyadic(&self, x: i64, depth: u64) -> Option<BigUint> {
        let (a, b) = (self.p.numer().magnitude(), self.p.denom().magnitude());
        let k = b.bits() - 1;
        let (x, is_power) = (x as u64, b.trailing_zeros() == Some(k));
        (is_power && k * x <= depth).then(|| (a * Pow::pow(b - a, x - 1)) << (depth - k * x))
    }

    fn power(&self) -> Option<Exponents> {
        let inverse = (Rational::one() - &self.p).recip();
        let log = Real::enclosed(move |bits| ln(&inverse, bits));
        let ln2 = Real::enclosed(|bits| ln(&Rational::from(BigInt::from(2)), bits));
        Some((log.over(&ln2), |x| BigInt::from(x - 1)))
    }
}
