//! A coin with an irrational probability.

use super::unit_weight;
use crate::law::{LawFamily, WeightBranch};
use flipcost_number::Real;

/// The law of a coin: 1 with probability p, otherwise 0. There is no tail.
#[derive(Clone)]
pub struct Bernoulli {
    /// The probability, between 0 and 1.
    pub p: Real,
}

impl LawFamily for Bernoulli {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        let p = self.p.enclose(bits).coarsen(bits);
        let rest = unit_weight(bits).minus(&p);
        let alone = |first, weight| WeightBranch {
            first,
            step: 1,
            mirrored: false,
            weights: Box::new(std::iter::once(weight)),
        };
        vec![alone(1, p), alone(0, rest)]
    }
}
