//! An algorithm as a rule that consumes one roll of its source at a time.

use super::faces::Faces;
use super::fairness::Fairness;
use super::parameters::{Arguments, Parameter};
use super::prepared::{AlgorithmError, Prepared, Rolled};
use super::prepared_rule::{BorrowedRule, PreparedRule};
use super::quantity::{Known, NotKnown, Quantity, TableRequest, Tables, WorkLimit};
use crate::law::{CostFormula, Law, OutcomeLaw, Step};
use crate::task::{Refusal, RollUnit, Task};
use flipcost_number::Rational;
use std::fmt::Debug;
use std::hash::Hash;

/// The description of an algorithm, for every list.
///
/// ```
/// use flipcost::algorithms::find;
/// let about = find("interval")?.about();
/// assert_eq!((about.name, about.citation), ("Interval algorithm", "Han & Hoshi 1997"));
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The id, as it is written on the command line and in queries.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    /// What it remembers from one roll to the next.
    pub memory: Memory,
    /// For which dice the number of rolls is bounded.
    pub bounded: &'static str,
    /// How it works, in one sentence.
    pub rule: &'static str,
    /// The law of T and its mean E, as formulas of the sides m of the source and n of the target.
    pub law: &'static str,
}

impl About {
    /// Of a rule of one's own; nothing is said of it but its id.
    pub const fn new(id: &'static str) -> About {
        About {
            id,
            name: id,
            citation: "",
            memory: Memory::State,
            bounded: "see the column worst_case",
            rule: "",
            law: "solved from its steps",
        }
    }
}

/// What an algorithm remembers from one roll to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Memory {
    /// Nothing but the rolls of one attempt, which is all or nothing.
    OneAttempt {
        /// Where it stands among these by what there is to do for an attempt, 1 the least.
        effort: u8,
    },
    /// Two numbers, in place of which a person writes two.
    TwoNumbers,
    /// A state of its own.
    State,
}

/// The tasks that an algorithm was made for. For them it is listed; it may work for others too,
/// where it is asked for by name.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Purpose, find};
/// assert_eq!(FAST_DICE_ROLLER.purpose(), Purpose::FairDice);
/// // For a fair die it is the fast dice roller: asked for by name only.
/// assert_eq!(find("knuth-yao")?.purpose(), Purpose::Weights);
/// assert_eq!(find("interval")?.purpose(), Purpose::Both);
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Fair dice.
    FairDice,
    /// Weights that are not all equal.
    Weights,
    /// Fair dice and weights alike.
    Both,
    /// Fair dice from machine words.
    Words,
    /// Fair dice from sources whose probabilities are unknown, or known and not equal.
    UnknownSources,
    /// Fair dice and weights from sources whose probabilities are known, and not equal.
    LoadedSources,
    /// Nothing that it would be listed for: it is asked for by name only.
    Nothing,
}

impl Purpose {
    /// Was it made for such a task?
    pub(crate) fn lists(self, task: &Task) -> bool {
        let (fair, source) = (task.target().sides().is_some(), task.source());
        match self {
            Purpose::FairDice => fair && source.is_fair(),
            Purpose::Weights => !fair && source.is_fair(),
            Purpose::Both => !source.is_unknown(),
            Purpose::Words => fair && source.is_fair() && source.unit() == RollUnit::Words,
            Purpose::UnknownSources => fair && !source.is_fair(),
            Purpose::LoadedSources => !source.is_fair() && !source.is_unknown(),
            Purpose::Nothing => false,
        }
    }

    /// Are fair dice among what it makes? (All others are made for weights alone.)
    pub fn makes_fair_dice(self) -> bool {
        self != Purpose::Weights
    }

    /// Are weights among what it makes?
    pub fn makes_weights(self) -> bool {
        matches!(
            self,
            Purpose::Weights | Purpose::Both | Purpose::LoadedSources
        )
    }
}

/// A rule that consumes one source roll at a time. Its values are known where it is made, as a struct with fields;
/// the law of its rolls, whether it is fair and its rolls follow from the steps.
///
/// ```
/// use flipcost::algorithms::{Faces, Rule};
/// use flipcost::law::Step;
/// use flipcost::task::Task;
///
/// /// A die of n sides from one of m: roll again while it shows more than n.
/// struct AgainAbove {
///     n: u64,
/// }
///
/// impl Rule for AgainAbove {
///     type State = (); // one state only
///
///     fn start(&self) -> Step<()> {
///         Step::Roll(())
///     }
///
///     fn step(&self, _: &(), face: u64) -> Step<()> {
///         if face < self.n { Step::Output(face.into()) } else { Step::Roll(()) }
///     }
/// }
///
/// let (rule, task) = (AgainAbove { n: 5 }, Task::dice(6u8, 5u8)?);
/// assert_eq!(rule.law(&task)?.mean()?.to_string(), "6/5"); // rolls, exactly
/// assert!(rule.check(&task)?.is_fair()); // each outcome has the probability 1/5, exactly
/// let rolled = rule.roll(&task, &mut Faces::from_rolls("6 3"))?;
/// assert_eq!((rolled.outcome, rolled.rolls), (2u8.into(), 2)); // outcomes count from 0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rule: Send + Sync {
    /// What it remembers between two rolls. Equal states have the same future, whatever led to them.
    type State: Clone + Debug + Eq + Hash + Send + Sync;

    /// Before any roll.
    fn start(&self) -> Step<Self::State>;

    /// After one more roll, which showed `face` (from 0). It depends on nothing but the state and the face.
    fn step(&self, state: &Self::State, face: u64) -> Step<Self::State>;

    /// The sides of the die that is rolled in this state, at least 1; `None`: the source.
    fn sides(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// A state as trees and traces show it.
    fn state_name(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// The exact law of the number of rolls, solved from the chain of the steps. Cost: see [`Chain::explore`], up to
    /// [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain is too large, if it may never end, or if an outcome is none of the target's.
    ///
    /// [`Chain::explore`]: crate::law::Chain::explore
    /// [`CHAIN_LIMIT`]: super::CHAIN_LIMIT
    fn law(&self, task: &Task) -> Result<Law, AlgorithmError>
    where
        Self: Sized,
    {
        PreparedRule::new(BorrowedRule(self), task).law()
    }

    /// The exact law of its outcomes, beside the target. Cost: as [`Rule::law`].
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain is too large.
    fn check(&self, task: &Task) -> Result<Fairness, AlgorithmError>
    where
        Self: Sized,
    {
        PreparedRule::new(BorrowedRule(self), task).check()
    }

    /// One outcome (from 0) and the rolls that it took.
    ///
    /// # Errors
    /// [`AlgorithmError`] if `faces` fails, or the outcome is none of the target's.
    fn roll(&self, task: &Task, faces: &mut Faces) -> Result<Rolled, AlgorithmError>
    where
        Self: Sized,
    {
        (&PreparedRule::new(BorrowedRule(self), task) as &dyn Prepared).roll(faces)
    }
}

/// What a list of algorithms wants to know about a rule. What it says is believed, and proved by the tests of the
/// registry.
pub(crate) trait RuleInfo: Rule + Sized + 'static {
    /// Its description, for every list.
    const ABOUT: About;

    /// The targets that it was made for.
    const PURPOSE: Purpose = Purpose::FairDice;

    /// The parameters that may stand after its id.
    const PARAMETERS: &'static [Parameter] = &[];

    /// Pseudocode, line by line, for a source of m sides and a target of n; empty if there is none.
    /// `roll()` is a face from 0 to m - 1.
    const PSEUDOCODE: &'static [&'static str] = &[];

    /// The quantities that it offers.
    const QUANTITIES: &'static [Quantity] = &[];

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

    /// Its parameters as they are written after the id, where it has chosen one of them for its source.
    fn settled(&self) -> Option<String> {
        None
    }

    /// `E[T]` for every probability of its source, where it is no rational function that follows from
    /// the steps, or one that is known at once.
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
