//! Checks whether a rule is fair: compares the exact law of its outcomes, computed from its chain,
//! with the target.

use crate::law::{Bias, Chain};
use crate::task::Target;
use flipcost_number::reduce::{minus, sum};
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// The exact law of the outcomes of a rule, compared with its target: the result of
/// [`Rule::check`](super::Rule::check).
///
/// ```
/// use flipcost::algorithms::Rule;
/// use flipcost::law::Step;
/// use flipcost::task::{Source, Task};
///
/// /// A d6 modulo 4.
/// struct Modulo;
///
/// impl Rule for Modulo {
///     type State = ();
///
///     fn start(&self) -> Step<()> {
///         Step::Roll(())
///     }
///
///     fn step(&self, _: &(), face: u64) -> Step<()> {
///         Step::Output((face % 4).into())
///     }
/// }
///
/// let check = Modulo.check(&Task::die(4u8, Source::die(6u8)?)?)?;
/// assert!(!check.is_fair());
/// assert_eq!(check.total_variation.to_string(), "1/6");
/// assert_eq!(check.probabilities[&0u8.into()].to_string(), "1/3"); // both 0 and 4 give 0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Fairness {
    /// The probability of every outcome that can occur, including outcomes that the target does not
    /// have.
    pub probabilities: BTreeMap<BigUint, Rational>,
    /// The probability that the rule ends with an outcome.
    pub ends: Rational,
    /// Outcomes that can occur although the target gives them no probability.
    pub outside: Vec<BigUint>,
    /// The total variation distance from the target; not ending counts as a further outcome.
    pub total_variation: Rational,
}

impl Fairness {
    /// Compares the outcomes of a chain with a target. Cost: one elimination of the chain.
    pub fn new(chain: &Chain, target: &Target) -> Fairness {
        let (probabilities, ends) = chain.ending();
        let (mut outside, mut above) = (Vec::new(), vec![minus(&Rational::one(), &ends)]);
        for (outcome, probability) in &probabilities {
            let wanted = target.probability(outcome);
            if wanted.is_zero() {
                outside.push(outcome.clone());
            }
            if *probability > wanted {
                above.push(minus(probability, &wanted));
            }
        }
        Fairness {
            probabilities,
            ends,
            outside,
            total_variation: sum(&above),
        }
    }

    /// Checks whether every outcome has exactly the probability that the target gives it. If so,
    /// the rule also ends with probability 1.
    pub fn is_fair(&self) -> bool {
        self.total_variation.is_zero()
    }

    /// The distance from the target; `None` if the rule is fair. The rule must end and have no
    /// outcome outside the target.
    pub(crate) fn bias(&self, target: &Target) -> Option<Bias> {
        (!self.is_fair()).then(|| Bias::from_probabilities(&self.probabilities, target))
    }
}
