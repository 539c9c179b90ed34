//! The rounded Gaussian law: a normal variable, rounded to an integer.

use super::{DiscreteGaussian, scale_weight, unit_weight};
use crate::law::{LawFamily, WeightBranch};
use flipcost_number::exponential::erf;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_traits::Zero;

/// P(x) is the probability of the interval from x - 1/2 to x + 1/2 under the normal law with
/// standard deviation sigma.
///
/// The weight of x is erf((x + 1/2) / (sigma sqrt 2)) - erf((x - 1/2) / (sigma sqrt 2)). From
/// sigma = 4 on it is instead the integral of e^(-u^2 / (2 sigma^2)), computed by [`Taylor`]. The
/// weights are proportional to the values at the integers of the density of the sum of a normal
/// variable and a uniform variable between -1/2 and 1/2. This density is log-concave (Prekopa
/// 1973), so the weights are too.
#[derive(Clone, Debug)]
pub struct RoundedGaussian {
    /// The parameter sigma, above 0.
    pub sigma: Rational,
}

/// The Taylor series of the integral of e^(-u^2 / (2 sigma^2)) from x - 1/2 to x + 1/2, divided by
/// e^(-x^2 / (2 sigma^2)).
///
/// Its terms are He_2k(x / sigma) / ((2k + 1)! (2 sigma)^2k) with Hermite's polynomials He_n, for
/// which He_(n+2)(z) = (z^2 - 2n - 1) He_n(z) - n (n - 1) He_(n-2)(z). As |He_n(z)| e^(-z^2 / 2) <=
/// 1.0865 sqrt(n!) (Abramowitz & Stegun 22.14.17), term k >= 1 times e^(-x^2 / (2 sigma^2)) is at
/// most (2 sigma)^-2k.
struct Taylor {
    /// The squares of the numerator and the denominator of sigma.
    square: (BigInt, BigInt),
    /// The number of terms.
    terms: u64,
    bits: u64,
}

impl Taylor {
    /// Prepares the series for sigma >= 4. The omitted terms add up to less than a unit.
    fn new(sigma: &Rational, bits: u64) -> Taylor {
        let bits_of_a_term = 2 * ((sigma * BigInt::from(2)).to_integer().bits() - 1);
        Taylor {
            square: (sigma.numer() * sigma.numer(), sigma.denom() * sigma.denom()),
            terms: bits / bits_of_a_term + 2,
            bits,
        }
    }

    fn sum(&self, x: u64) -> Enclosure {
        let (p, q) = &self.square;
        let (place, p_square, q_square) = (BigInt::from(x).pow(2) * q, p * p, q * q);
        let mut before = Enclosure::of_rational(&Rational::zero(), self.bits);
        let mut term = unit_weight(self.bits);
        let mut sum = term.clone();
        for k in 0..self.terms {
            let third = BigInt::from((2 * k + 2) * (2 * k + 3)) * &p_square * 4;
            let first = (&place - p * BigInt::from(4 * k + 1)) * q;
            let second = &q_square * BigInt::from((2 * k).saturating_sub(1));
            let fourth = &third * BigInt::from(4 * (2 * k + 1));
            let next =
                scale_weight(&term, &first, &third).minus(&scale_weight(&before, &second, &fourth));
            before = std::mem::replace(&mut term, next);
            sum = sum.plus(&term);
        }
        sum
    }
}

impl RoundedGaussian {
    /// Returns the weights of 0, 1, 2, ... for sigma >= 4.
    fn by_series(&self, bits: u64) -> Box<dyn Iterator<Item = Enclosure> + '_> {
        let work = bits + 16;
        let taylor = Taylor::new(&self.sigma, work);
        let heights = DiscreteGaussian {
            sigma: self.sigma.clone(),
            both: true,
        };
        let heights = heights.weights(work);
        Box::new((0..).zip(heights).map(move |(x, height)| {
            let mut weight = height.times(&taylor.sum(x));
            weight.low -= 1;
            weight.high += 1;
            weight.coarsen(bits)
        }))
    }

    /// Returns the weights of 0, 1, 2, ...
    fn by_erf(&self, bits: u64) -> Box<dyn Iterator<Item = Enclosure> + '_> {
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
        Box::new((0..).map(move |x| {
            let above = at(x);
            let weight = above.minus(&below).coarsen(bits);
            below = above;
            weight
        }))
    }
}

impl LawFamily for RoundedGaussian {
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>> {
        let weights = if self.sigma >= Rational::from(BigInt::from(4)) {
            self.by_series(bits)
        } else {
            self.by_erf(bits)
        };
        vec![WeightBranch {
            first: 0,
            step: 1,
            mirrored: true,
            weights,
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights computed by the series and by erf are in the same ratios to the weight of 0.
    #[test]
    fn series_and_erf_agree() {
        for (p, q) in [(4, 1), (17, 3), (100, 1)] {
            let law = RoundedGaussian {
                sigma: Rational::new(p.into(), q.into()),
            };
            let ratios = |weights: Box<dyn Iterator<Item = Enclosure> + '_>| {
                let weights: Vec<Enclosure> = weights.take(40).collect();
                let ratio = |weight: &Enclosure| weight.over(&weights[0]).unwrap();
                weights.iter().map(ratio).collect::<Vec<_>>()
            };
            let (series, erf) = (ratios(law.by_series(200)), ratios(law.by_erf(200)));
            for (a, b) in series.iter().zip(&erf) {
                assert!(a.low <= b.high && b.low <= a.high, "sigma = {p}/{q}");
                assert!(a.is_within(180) && b.is_within(180), "sigma = {p}/{q}");
            }
        }
    }
}
