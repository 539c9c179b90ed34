//! The target: a fair die, or outcomes in proportion to integer weights (a loaded die).

use flipcost_number::reduce::gcd;
use flipcost_number::short::short;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::sync::Arc;

/// The required distribution of the outcome: uniform on 0, ..., n-1, or P(i) = a_i / M with integer
/// weights a_i of sum M.
///
/// Weights are divided by their greatest common divisor, and equal weights become a fair die:
///
/// ```
/// use flipcost::task::Target;
/// use flipcost::number::Rational;
/// let loaded = Target::weighted([2, 4, 6])?;
/// assert_eq!(loaded.to_string(), "1:2:3");
/// assert_eq!(loaded.probability(&2u8.into()), Rational::new(1.into(), 2.into()));
/// assert_eq!(Target::weighted([5, 5, 5])?, Target::uniform(3)?);
/// assert_eq!("1:2:3".parse(), Ok(loaded)); // as every command reads it
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target(TargetKind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum TargetKind {
    Uniform(BigUint),
    /// Weights with greatest common divisor 1, not all equal, and their sum.
    Weights(Arc<[BigUint]>, BigUint),
}

/// The error for numbers that do not form a target.
///
/// ```
/// use flipcost::task::{Target, TargetError};
/// assert_eq!(Target::uniform(0), Err(TargetError::NoSides));
/// assert_eq!(Target::uniform(-6), Err(TargetError::Negative));
/// assert_eq!(Target::weighted([0, 0]), Err(TargetError::NoWeight));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A die has no sides.
    #[error("a target of 0 sides has no outcome: n must be at least 1")]
    NoSides,
    /// A number of sides, or a weight, is below 0.
    #[error(
        "a number of sides or a weight is below 0: a target has whole numbers from 0, and n from 1"
    )]
    Negative,
    /// No weight is above 0.
    #[error("weights that are all 0 give no outcome: at least one must be above 0")]
    NoWeight,
}

impl Target {
    /// A fair die of n >= 1 sides; n may have any integer type.
    ///
    /// # Errors
    /// [`TargetError::NoSides`] if n = 0, [`TargetError::Negative`] if n < 0.
    pub fn uniform(n: impl TryInto<BigUint>) -> Result<Target, TargetError> {
        let n = n.try_into().map_err(|_| TargetError::Negative)?;
        if n.is_zero() {
            Err(TargetError::NoSides)
        } else {
            Ok(Target(TargetKind::Uniform(n)))
        }
    }

    /// A target whose outcome i has a probability proportional to the i-th weight; an outcome of
    /// weight 0 never occurs. The weights are an array, a slice or a `Vec` of any integer type. A
    /// range is not accepted:
    ///
    /// ```compile_fail,E0277
    /// flipcost::task::Target::weighted(1..=6);
    /// ```
    ///
    /// Cost: one gcd for each weight.
    ///
    /// # Errors
    /// [`TargetError::NoWeight`] if the sum of the weights is 0, [`TargetError::Negative`] if a
    /// weight is below 0.
    pub fn weighted<T: Clone + TryInto<BigUint>>(
        weights: impl AsRef<[T]>,
    ) -> Result<Target, TargetError> {
        let weights = weights.as_ref().iter().cloned().map(TryInto::try_into);
        let weights: Result<Vec<BigUint>, _> = weights.collect();
        let mut weights = weights.map_err(|_| TargetError::Negative)?;
        let common = (weights.iter()).fold(BigUint::zero(), |common, weight| gcd(&common, weight));
        if common.is_zero() {
            return Err(TargetError::NoWeight);
        }
        if !common.is_one() {
            weights.iter_mut().for_each(|weight| *weight /= &common);
        }
        let sum: BigUint = weights.iter().sum();
        if sum == BigUint::from(weights.len()) && weights.iter().all(One::is_one) {
            return Ok(Target(TargetKind::Uniform(sum)));
        }
        Ok(Target(TargetKind::Weights(weights.into(), sum)))
    }

    /// The number of outcomes, including those of probability 0.
    pub fn outcomes(&self) -> BigUint {
        match &self.0 {
            TargetKind::Uniform(n) => n.clone(),
            TargetKind::Weights(weights, _) => weights.len().into(),
        }
    }

    /// The number n of sides of a fair die; `None` for a loaded die.
    pub fn sides(&self) -> Option<&BigUint> {
        match &self.0 {
            TargetKind::Uniform(n) => Some(n),
            TargetKind::Weights(..) => None,
        }
    }

    /// The weights of a loaded die, in lowest terms; `None` for a fair die, whose n weights are all
    /// 1.
    pub fn weights(&self) -> Option<&[BigUint]> {
        match &self.0 {
            TargetKind::Uniform(_) => None,
            TargetKind::Weights(weights, _) => Some(weights),
        }
    }

    /// The sum M of the weights in lowest terms; n for a fair die.
    pub fn weight_sum(&self) -> &BigUint {
        match &self.0 {
            TargetKind::Uniform(n) => n,
            TargetKind::Weights(_, sum) => sum,
        }
    }

    /// The weight of outcome i in lowest terms; 0 beyond the last outcome.
    pub fn weight(&self, outcome: &BigUint) -> BigUint {
        match &self.0 {
            TargetKind::Uniform(n) => u8::from(outcome < n).into(),
            TargetKind::Weights(weights, _) => {
                let weight = outcome.to_usize().and_then(|i| weights.get(i));
                weight.cloned().unwrap_or_default()
            }
        }
    }

    /// The probability of outcome i, counted from 0; 0 beyond the last outcome.
    pub fn probability(&self, outcome: &BigUint) -> Rational {
        let sum = BigInt::from(self.weight_sum().clone());
        Rational::new(self.weight(outcome).into(), sum)
    }

    /// Whether the target has this outcome, even if its weight is 0.
    pub(crate) fn has(&self, outcome: &BigUint) -> bool {
        match &self.0 {
            TargetKind::Uniform(n) => outcome < n,
            TargetKind::Weights(weights, _) => {
                outcome.to_usize().is_some_and(|i| i < weights.len())
            }
        }
    }

    /// All outcomes with their weights in lowest terms, in order, including those of weight 0.
    ///
    /// ```
    /// use flipcost::task::Target;
    /// let target = Target::weighted([4, 0, 6])?;
    /// let all: Vec<String> = target.iter().map(|(i, weight)| format!("{i}: {weight}")).collect();
    /// assert_eq!(all, ["0: 2", "1: 0", "2: 3"]);
    /// # Ok::<(), flipcost::task::TargetError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (BigUint, BigUint)> + '_ {
        let last = self.outcomes();
        std::iter::successors(Some(BigUint::zero()), |i| Some(i + 1u8))
            .take_while(move |i| *i < last)
            .map(|i| {
                let weight = self.weight(&i);
                (i, weight)
            })
    }

    /// The distinct weights above 0 in lowest terms, in increasing order, each with the number of
    /// outcomes that have it. Cost: one sort of the weights.
    ///
    /// ```
    /// use flipcost::task::Target;
    /// let target = Target::weighted([1, 2, 0, 1])?;
    /// assert_eq!(target.groups(), [(1u8.into(), 2u8.into()), (2u8.into(), 1u8.into())]);
    /// # Ok::<(), flipcost::task::TargetError>(())
    /// ```
    pub fn groups(&self) -> Vec<(BigUint, BigUint)> {
        let weights = match &self.0 {
            TargetKind::Uniform(n) => return vec![(BigUint::one(), n.clone())],
            TargetKind::Weights(weights, _) => weights,
        };
        let mut sorted: Vec<&BigUint> = weights.iter().filter(|weight| !weight.is_zero()).collect();
        sorted.sort_unstable();
        let same = sorted.chunk_by(|a, b| a == b);
        same.map(|same| (same[0].clone(), same.len().into()))
            .collect()
    }

    /// The number of outcomes with a weight above 0.
    pub fn possible(&self) -> BigUint {
        match &self.0 {
            TargetKind::Uniform(n) => n.clone(),
            TargetKind::Weights(weights, _) => {
                let above = weights.iter().filter(|weight| !weight.is_zero());
                above.count().into()
            }
        }
    }
}

/// The number of weights that the short form of a target shows at each end.
const MAX_SHOWN: usize = 3;

/// Writes `6` for a fair die, `1:2:3` for weights; with `#`, as in `{:#}`, long lists are
/// shortened.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            TargetKind::Uniform(n) if f.alternate() => f.pad(&short(n)),
            TargetKind::Uniform(n) => f.pad(&n.to_string()),
            TargetKind::Weights(weights, _) if f.alternate() => {
                let shown = |weights: &[BigUint]| {
                    let weights: Vec<String> = weights.iter().map(short).collect();
                    weights.join(":")
                };
                let count = weights.len();
                if count <= 3 * MAX_SHOWN {
                    return f.pad(&shown(weights));
                }
                let (first, last) = (&weights[..MAX_SHOWN], &weights[count - MAX_SHOWN..]);
                let (first, last) = (shown(first), shown(last));
                f.pad(&format!("{first}:...:{last} ({count} weights)"))
            }
            TargetKind::Weights(weights, _) => {
                let weights: Vec<String> = weights.iter().map(BigUint::to_string).collect();
                f.pad(&weights.join(":"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invalid_targets() {
        assert_eq!(Target::uniform(0u8), Err(TargetError::NoSides));
        assert_eq!(Target::weighted([0u8, 0]), Err(TargetError::NoWeight));
        let none: [u8; 0] = [];
        assert_eq!(Target::weighted(none), Err(TargetError::NoWeight));
    }

    #[test]
    fn outcomes_of_weight_0_are_not_faces_of_a_fair_die() {
        let target = Target::weighted([3u8, 0, 3]).unwrap();
        assert_eq!(target.sides(), None);
        assert_eq!(target.to_string(), "1:0:1");
        assert_eq!(target.outcomes(), 3u8.into());
    }

    #[test]
    fn one_outcome_and_a_short_form() {
        // The outcome is certain, but keeps its index.
        let certain = Target::weighted([0u8, 7, 0]).unwrap();
        assert_eq!(
            (certain.to_string().as_str(), certain.weight_sum()),
            ("0:1:0", &1u8.into())
        );
        assert_eq!(certain.possible(), 1u8.into());
        assert_eq!(
            Target::weighted([7u8]).unwrap(),
            Target::uniform(1u8).unwrap()
        );
        let many = Target::weighted((1..=1000).collect::<Vec<u32>>()).unwrap();
        assert_eq!(format!("{many:#}"), "1:2:3:...:998:999:1000 (1000 weights)");
        let few = Target::weighted([BigUint::from(10u8).pow(40), 7u8.into()]).unwrap();
        assert_eq!(format!("{few:#}"), "10000000...00000000 (41 digits):7");
    }

    proptest! {
        #[test]
        fn groups_are_the_weights(weights in prop::collection::vec(0u64..6, 1..40)) {
            prop_assume!(weights.iter().any(|weight| *weight > 0));
            let target = Target::weighted(weights).unwrap();
            let groups = target.groups();
            prop_assert!(groups.is_sorted_by(|a, b| a.0 < b.0));
            let count: BigUint = groups.iter().map(|(_, count)| count).sum();
            prop_assert_eq!(count, target.possible());
            for (weight, count) in &groups {
                let all = target.iter().filter(|(_, other)| other == weight).count();
                prop_assert_eq!(BigUint::from(all), count.clone());
            }
            let sum: BigUint = target.iter().map(|(_, weight)| weight).sum();
            prop_assert_eq!(&sum, target.weight_sum());
        }

        #[test]
        fn probabilities_sum_to_1_and_do_not_depend_on_a_factor(
            weights in prop::collection::vec(0u64..1000, 1..9), factor in 1u64..1000,
        ) {
            prop_assume!(weights.iter().any(|weight| *weight > 0));
            let target = Target::weighted(weights.clone()).unwrap();
            let all: Rational = (0..weights.len()).map(|i| target.probability(&i.into())).sum();
            prop_assert!(all.is_one());
            let larger: Vec<u64> = weights.iter().map(|weight| weight * factor).collect();
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
