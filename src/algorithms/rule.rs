//! The information about a rule that lists of algorithms need.

use super::about::{About, Purpose};
use super::parameters::{Arguments, Parameter};
use super::prepared_rule::Rule;
use super::quantity::{Known, NotKnown, Quantity, TableRequest, Tables, WorkLimit};
use crate::law::{CostFormula, Law, OutcomeLaw};
use crate::task::{Refusal, Task};
use flipcost_number::Rational;

/// The information about a rule that lists of algorithms need. Callers trust it, and the tests of
/// the registry prove it.
pub(crate) trait RuleInfo: Rule + Sized + 'static {
    /// The rule's description, for every list.
    const ABOUT: About;

    /// The targets that the algorithm was made for.
    const PURPOSE: Purpose = Purpose::FairDice;

    /// Whether no algorithm costs less, for any target from any fair source.
    const OPTIMAL: bool = false;

    /// Whether the algorithm takes single bits from words when the target has weights.
    const BITS: bool = false;

    /// Whether the rule on whole words has the law of ceil(T / w) words for T bits.
    const SAME_IN_WORDS: bool = false;

    /// The parameters that may stand after its id.
    const PARAMETERS: &'static [Parameter] = &[];

    /// Pseudocode, line by line, for a source of m sides and a target of n; empty if there is none.
    /// `roll()` is a face from 0 to m - 1.
    const PSEUDOCODE: &'static [&'static str] = &[];

    /// The quantities that the algorithm offers.
    const QUANTITIES: &'static [Quantity] = &[];

    /// For the fast dice roller, the sides of source and target, if both fit machine words.
    fn roller_sides(&self) -> Option<(u128, u64)> {
        None
    }

    /// Creates the rule for a task.
    ///
    /// # Errors
    /// [`Refusal`] if the algorithm does not work for this task.
    fn new(dice: &Task) -> Result<Self, Refusal>;

    /// Creates the rule for a task with values of its parameters, which are those in
    /// [`RuleInfo::PARAMETERS`].
    ///
    /// # Errors
    /// As [`RuleInfo::new`].
    fn with(dice: &Task, _arguments: &Arguments) -> Result<Self, Refusal> {
        Self::new(dice)
    }

    /// The closed form of the law of T, if there is one.
    fn closed_law(&self) -> Option<Law> {
        None
    }

    /// The law of the outcomes, if the rule is biased and it differs from the target.
    fn outcomes(&self) -> Option<OutcomeLaw> {
        None
    }

    /// The rule's parameters as they are written after the id, if the rule has chosen one of them
    /// for its source.
    fn settled(&self) -> Option<String> {
        None
    }

    /// `E[T]` for every probability of its source, if it is not a rational function that follows
    /// from the steps, or if it is known without computation.
    fn formula(&self) -> Option<CostFormula> {
        None
    }

    /// The average number of source bits that the algorithm looks at, if it looks at fewer bits
    /// than it draws.
    fn bits_used(&self) -> Option<Rational> {
        None
    }

    /// One of its quantities, for this task.
    ///
    /// # Errors
    /// [`NotKnown`], which says why there is no answer.
    fn quantity(&self, _quantity: Quantity, _limit: WorkLimit) -> Known {
        Err(NotKnown::NotOffered)
    }

    /// Tables for a source of `_source` sides and all targets up to `_last`, if they are faster
    /// than one target at a time; `_wanted` lists the requested values.
    fn tables(_source: u64, _last: u64, _wanted: &[TableRequest]) -> Option<Box<dyn Tables>> {
        None
    }
}
