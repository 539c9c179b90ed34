//! What a list of algorithms wants to know about a rule.

use super::about::{About, Purpose};
use super::parameters::{Arguments, Parameter};
use super::prepared_rule::Rule;
use super::quantity::{Known, NotKnown, Quantity, TableRequest, Tables, WorkLimit};
use crate::law::{CostFormula, Law, OutcomeLaw};
use crate::task::{Refusal, Task};
use flipcost_number::Rational;

/// What a list of algorithms wants to know about a rule. What it says is believed, and proved by
/// the tests of the registry.
pub(crate) trait RuleInfo: Rule + Sized + 'static {
    /// Its description, for every list.
    const ABOUT: About;

    /// The targets that it was made for.
    const PURPOSE: Purpose = Purpose::FairDice;

    /// Does no algorithm cost less, for any target from any fair source?
    const OPTIMAL: bool = false;

    /// Of weights from words, does it take their bits one by one?
    const BITS: bool = false;

    /// Has the rule on whole words the law of ceil(T / w) words for T bits?
    const SAME_IN_WORDS: bool = false;

    /// The parameters that may stand after its id.
    const PARAMETERS: &'static [Parameter] = &[];

    /// Pseudocode, line by line, for a source of m sides and a target of n; empty if there is none.
    /// `roll()` is a face from 0 to m - 1.
    const PSEUDOCODE: &'static [&'static str] = &[];

    /// The quantities that it offers.
    const QUANTITIES: &'static [Quantity] = &[];

    /// Of the fast dice roller the sides of source and target, if both fit machine words.
    fn roller_sides(&self) -> Option<(u128, u64)> {
        None
    }

    /// The algorithm for these dice.
    ///
    /// # Errors
    /// [`Refusal`] if it does not work on this task.
    fn new(dice: &Task) -> Result<Self, Refusal>;

    /// The algorithm for these dice with values of its parameters, those in
    /// [`RuleInfo::PARAMETERS`].
    ///
    /// # Errors
    /// As [`RuleInfo::new`].
    fn with(dice: &Task, _arguments: &Arguments) -> Result<Self, Refusal> {
        Self::new(dice)
    }

    /// The closed form of the law of T, where there is one.
    fn closed_law(&self) -> Option<Law> {
        None
    }

    /// The law of the outcomes, where it is not that of the target: the rule is biased.
    fn outcomes(&self) -> Option<OutcomeLaw> {
        None
    }

    /// Its parameters as they are written after the id, where it has chosen one of them for its
    /// source.
    fn settled(&self) -> Option<String> {
        None
    }

    /// `E[T]` for every probability of its source, where it is no rational function that follows
    /// from the steps, or one that is known at once.
    fn formula(&self) -> Option<CostFormula> {
        None
    }

    /// The bits of the source that it looks at on average, where they are fewer than those of the
    /// words that it draws.
    fn bits_used(&self) -> Option<Rational> {
        None
    }

    /// One of its quantities, for these dice.
    ///
    /// # Errors
    /// [`NotKnown`], which says why it has no answer.
    fn quantity(&self, _quantity: Quantity, _limit: WorkLimit) -> Known {
        Err(NotKnown::NotOffered)
    }

    /// Tables for a source of `_source` sides and all targets up to `_last`, where they are faster
    /// than one target at a time; `_wanted` lists what they will be used for.
    fn tables(_source: u64, _last: u64, _wanted: &[TableRequest]) -> Option<Box<dyn Tables>> {
        None
    }
}
