//! The information about a rule that lists of algorithms need.

use super::about::{About, Purpose};
use super::parameters::{Arguments, Parameter};
use super::prepared_rule::Rule;
use super::quantity::{NotKnown, Quantity, QuantityResult, TableRequest, Tables, WorkLimit};
use crate::law::{CostFormula, Law, OutcomeLaw};
use crate::task::{Refusal, Task};
use flipcost_number::Rational;

/// The information about a rule that lists of algorithms need. Callers rely on this information,
/// and the tests of the registry check it.
pub(crate) trait RuleInfo: Rule + Sized + 'static {
    /// The rule's description, for every list.
    const ABOUT: About;

    /// The targets that the algorithm was made for.
    const PURPOSE: Purpose = Purpose::FairDice;

    /// Whether no algorithm costs less, for any target from any fair source.
    const OPTIMAL: bool = false;

    /// Whether the algorithm takes single bits from words when the target has weights.
    const BITS: bool = false;

    /// Whether the law of the rule on whole words is also that of ceil(T / w), where T is the
    /// number of flips of the rule on the bits of the words.
    const SAME_IN_WORDS: bool = false;

    /// The parameters that may follow the id.
    const PARAMETERS: &'static [Parameter] = &[];

    /// Pseudocode, line by line, for a source of m sides and a target of n sides; empty if there is
    /// none. `roll()` returns a face from 0 to m - 1.
    const PSEUDOCODE: &'static [&'static str] = &[];

    /// The quantities that the algorithm offers.
    const QUANTITIES: &'static [Quantity] = &[];

    /// For the fast dice roller, the numbers of sides of source and target, if both fit in machine
    /// words.
    fn roller_sides(&self) -> Option<(u128, u64)> {
        None
    }

    /// Creates the rule for a task.
    ///
    /// # Errors
    /// [`Refusal`] if the algorithm does not work for this task.
    fn new(dice: &Task) -> Result<Self, Refusal>;

    /// Creates the rule for a task with values of its parameters, which are listed in
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

    /// The law of the outcomes, if the rule is biased and this law differs from the target.
    fn outcomes(&self) -> Option<OutcomeLaw> {
        None
    }

    /// The parameters as they are written after the id, if the rule has chosen one of them to suit
    /// its source.
    fn settled(&self) -> Option<String> {
        None
    }

    /// `E[T]` as a formula of the probabilities of the source; `None` if callers should derive it
    /// from the steps.
    fn formula(&self) -> Option<CostFormula> {
        None
    }

    /// The average number of source bits that the algorithm looks at, if it looks at fewer bits
    /// than it draws.
    fn bits_used(&self) -> Option<Rational> {
        None
    }

    /// Returns one of the rule's quantities for this task.
    ///
    /// # Errors
    /// [`NotKnown`], which says why there is no answer.
    fn quantity(&self, _quantity: Quantity, _limit: WorkLimit) -> QuantityResult {
        Err(NotKnown::NotOffered)
    }

    /// Tables for a source of `_source` sides and all targets up to `_last`, if they are faster
    /// than one target at a time; `_wanted` lists the requested values.
    fn tables(_source: u64, _last: u64, _wanted: &[TableRequest]) -> Option<Box<dyn Tables>> {
        None
    }
}
