//! What is wanted: a fair die, or outcomes in proportion to integer weights (a loaded die).

use crate::number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::sync::Arc;

/// The required distribution of the outcome: uniform on 0, ..., n-1, or P(i) = a_i / M with integer
/// weights a_i of sum M.
///
/// Weights are divided by their greatest common divisor, and equal weights are a fair die:
///
/// ```
/// use flipcost::task::Target;
/// use flipcost::number::Rational;
/// let loaded = Target::weighted([2u8, 4, 6])?;
/// assert_eq!(loaded.to_string(), "1:2:3");
/// assert_eq!(loaded.probability(&2u8.into()), Rational::new(1.into(), 2.into()));
/// assert_eq!(Target::weighted([5u8, 5, 5])?, Target::uniform(3u8)?);
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target(Kind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Uniform(BigUint),
    /// At least two different ones, with greatest common divisor 1, and their sum.
    Weights(Arc<[BigUint]>, BigUint),
}

/// Not a distribution of outcomes.
///
/// ```
/// use flipcost::task::{Target, TargetError};
/// assert_eq!(Target::uniform(0u8), Err(TargetError::NoSides));
/// assert_eq!(Target::weighted([0u8, 0]), Err(TargetError::NoWeight));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A die without sides.
    #[error("a target of 0 sides has no outcome: n must be at least 1")]
    NoSides,
    /// No weight, or none above 0.
    #[error("weights that are all 0 give no outcome: at least one must be above 0")]
    NoWeight,
}

impl Target {
    /// A fair die of n >= 1 sides.
    ///
    /// # Errors
    /// [`TargetError::NoSides`] if n = 0.
    pub fn uniform(n: impl Into<BigUint>) -> Result<Target, TargetError> {
        let n = n.into();
        match n.is_zero() {
            true => Err(TargetError::NoSides),
            false => Ok(Target(Kind::Uniform(n))),
        }
    }

    /// Outcome i with a probability proportional to the i-th weight; a weight of 0 is an outcome
    /// that never comes. Cost: one gcd for each weight.
    ///
    /// # Errors
    /// [`TargetError::NoWeight`] if the sum of the weights is 0.
    pub fn weighted<W: Into<BigUint>>(
        weights: impl IntoIterator<Item = W>,
    ) -> Result<Target, TargetError> {
        let mut weights: Vec<BigUint> = weights.into_iter().map(Into::into).collect();
        let common = (weights.iter()).fold(BigUint::zero(), |common, weight| common.gcd(weight));
        if common.is_zero() {
            return Err(TargetError::NoWeight);
        }
        if !common.is_one() {
            weights.iter_mut().for_each(|weight| *weight /= &common);
        }
        let sum: BigUint = weights.iter().sum();
        if sum == BigUint::from(weights.len()) && weights.iter().all(One::is_one) {
            return Ok(Target(Kind::Uniform(sum)));
        }
        Ok(Target(Kind::Weights(weights.into(), sum)))
    }

    /// The number of outcomes, those of probability 0 included.
    pub fn outcomes(&self) -> BigUint {
        match &self.0 {
            Kind::Uniform(n) => n.clone(),
            Kind::Weights(weights, _) => weights.len().into(),
        }
    }

    /// The sides n of a fair die; `None` for a loaded one.
    pub fn sides(&self) -> Option<&BigUint> {
        match &self.0 {
            Kind::Uniform(n) => Some(n),
            Kind::Weights(..) => None,
        }
    }

    /// The weights of a loaded die, in lowest terms; `None` for a fair one, whose n weights are 1.
    pub fn weights(&self) -> Option<&[BigUint]> {
        match &self.0 {
            Kind::Uniform(_) => None,
            Kind::Weights(weights, _) => Some(weights),
        }
    }

    /// The sum M of the weights in lowest terms; n for a fair die.
    pub fn weight_sum(&self) -> &BigUint {
        match &self.0 {
            Kind::Uniform(n) => n,
            Kind::Weights(_, sum) => sum,
        }
    }

    /// The probability of outcome i, from 0; 0 beyond the last.
    pub fn probability(&self, outcome: &BigUint) -> Rational {
        let (weight, sum) = match &self.0 {
            Kind::Uniform(n) if outcome < n => (BigUint::one(), n),
            Kind::Uniform(n) => (BigUint::zero(), n),
            Kind::Weights(weights, sum) => {
                let weight = outcome.to_usize().and_then(|i| weights.get(i));
                (weight.cloned().unwrap_or_default(), sum)
            }
        };
        Rational::new(weight.into(), BigInt::from(sum.clone()))
    }
}

/// `6` for a fair die, `1:2:3` for weights.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Kind::Uniform(n) => write!(f, "{n}"),
            Kind::Weights(weights, _) => {
                for (i, weight) in weights.iter().enumerate() {
                    let mark = if i == 0 { "" } else { ":" };
                    write!(f, "{mark}{weight}")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_target() {
        assert_eq!(Target::uniform(0u8), Err(TargetError::NoSides));
        assert_eq!(Target::weighted([0u8, 0]), Err(TargetError::NoWeight));
        let none: [u8; 0] = [];
        assert_eq!(Target::weighted(none), Err(TargetError::NoWeight));
    }

    #[test]
    fn an_outcome_of_weight_0_is_no_fair_die() {
        let target = Target::weighted([3u8, 0, 3]).unwrap();
        assert_eq!(target.sides(), None);
        assert_eq!(target.to_string(), "1:0:1");
        assert_eq!(target.outcomes(), 3u8.into());
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_1_and_do_not_depend_on_a_factor(
            weights in prop::collection::vec(0u64..1000, 1..9), factor in 1u64..1000,
        ) {
            prop_assume!(weights.iter().any(|weight| *weight > 0));
            let target = Target::weighted(weights.clone()).unwrap();
            let all: Rational = (0..weights.len()).map(|i| target.probability(&i.into())).sum();
            prop_assert!(all.is_one());
            let larger = weights.iter().map(|weight| weight * factor);
            prop_assert_eq!(Target::weighted(larger).unwrap(), target.clone());
            let total: u64 = weights.iter().sum();
            for (i, weight) in weights.iter().enumerate() {
                let p = Rational::new((*weight).into(), total.into());
                prop_assert_eq!(target.probability(&i.into()), p);
            }
            prop_assert!(target.probability(&target.outcomes()).is_zero());
        }
    }
}
