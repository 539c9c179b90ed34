//! A Gaussian that is rounded to integers.

use crate::law::{LawFamily, WeightBranch};
use flipcost_number::exponential::erf;
use flipcost_number::{BigInt, Enclosure, Rational, Real};

/// P(x) is the probability of the interval from x - 1/2 to x + 1/2 under the normal law of standard
/// deviation sigma.
///
/// The weight of x is erf((x + 1/2) / (sigma sqrt 2)) - erf((x - 1/2) / (sigma sqrt 2)); the sum of
/// all weights is 2. They are log-concave: the sum of a normal variable and one that is uniform
/// between -1/2 and 1/2 has a log-concave density (Prekopa 1973), and the weights are proportional
/// to its values at the integers.
#[derive(Clone, Debug)]
pub struct RoundedGaussian {
    /// sigma, above 0.
    pub sigma: Rational,
}

impl LawFamily for RoundedGaussian {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        let work = bits + 16;
        let unit = Real::integer(2)
            .sqrt()
            .times(&Real::Exact(self.sigma.clone()));
        let unit = unit.enclose(work);
        let at = move |x: i64| {
            let x = Rational::new(BigInt::from(2 * x + 1), 2.into());
            let x = Enclosure::of_rational(&x, work);
            erf(&x.over(&unit).expect("sigma is above 0"))
        };
        let mut below = at(0).negated();
        let weights = (0..).map(move |x| {
            let above = at(x);
            let weight = above.minus(&below).coarsen(bits);
            below = above;
            weight
        });
        vec![WeightBranch {
            first: 0,
            step: 1,
            mirrored: true,
            weights: Box::new(weights),
        }]
    }
}
