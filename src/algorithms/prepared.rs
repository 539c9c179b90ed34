//! Two traits: an algorithm, whatever the type of its rule, and an algorithm prepared for one task.

use super::about::{About, Purpose};
use super::faces::{Faces, FacesError};
use super::fairness::Fairness;
use super::parameters::{Parameter, ParameterError};
use super::quantity::{NotKnown, OfferedTables, Quantity, QuantityResult, TablesWanted, WorkLimit};
use crate::law::{Bias, Chain, CostFormula, Law, TooLarge};
use crate::task::{Refusal, RollUnit, Source, Task};
use flipcost_number::{BigUint, Rational};
use std::fmt;
use std::panic::RefUnwindSafe;

/// An algorithm whose rule can have any type: an entry of the registry.
///
/// ```
/// use flipcost::algorithms::REGISTRY;
/// use flipcost::task::{Source, Task};
/// // The mean number of flips for a d5, by each algorithm that can roll it with a coin.
/// let task = Task::die(5u8, Source::COIN)?;
/// let laws = REGISTRY.iter().filter_map(|algorithm| algorithm.law(&task).ok());
/// let means: Vec<String> = laws.map(|law| law.mean_real().to_string()).collect();
/// assert_eq!(means[0], "18/5"); // the fast dice roller comes first
/// # Ok::<(), flipcost::task::TaskError>(())
/// ```
pub trait Algorithm: Send + Sync + RefUnwindSafe {
    /// The algorithm's description, which every list shows.
    fn about(&self) -> &About;
    /// The text that names the algorithm in queries: the id, as [`find`](super::find) accepts it,
    /// and for a user's own rule also the text of the rule.
    fn spelling(&self) -> &str {
        self.about().id
    }
    /// Prepares the algorithm for a task.
    ///
    /// # Errors
    /// [`Refusal`] if the algorithm does not work for this task.
    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal>;
    /// Prepares the algorithm only for playing it with given rolls, so that the probabilities of
    /// the source may be unknown.
    ///
    /// # Errors
    /// As [`Algorithm::prepare`].
    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        self.prepare(task)
    }
    /// Returns `E[T]` as a formula of the probabilities of the faces, which may be unknown: of p
    /// and 1 - p for a coin, of p1, p2, ... for a die. If the chain of the steps is finite, the
    /// formula is a rational function in lowest terms, found by elimination over polynomials.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the task is refused, or the chain has more than `limit` transitions.
    fn formula(&self, task: &Task, limit: usize) -> Result<CostFormula, AlgorithmError> {
        self.prepare_to_play(task)?.formula(limit)
    }
    /// Returns the same algorithm for a source with unknown probabilities. Parameters that the
    /// algorithm would choose to suit the probabilities get their defaults, so that costs at
    /// different probabilities are costs of the same rule.
    ///
    /// # Errors
    /// [`Refusal`] if the algorithm does not work for this task.
    fn of_unknown(&'static self, task: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        Err(Refusal::UnknownSource(task.source().clone()))
    }
    /// The length in bits of the words that the algorithm draws for this task, if that length is
    /// fixed.
    #[expect(unused_variables, reason = "named for the documentation")]
    fn word_bits(&self, task: &Task) -> Option<u32> {
        None
    }
    /// Whether the algorithm takes single bits from words when the target has weights.
    fn takes_bits(&self) -> bool {
        false
    }
    /// The name of one roll of this source in this algorithm.
    fn unit(&self, source: &Source) -> RollUnit {
        source.unit()
    }
    /// The targets that the algorithm was made for.
    fn purpose(&self) -> Purpose {
        Purpose::FairDice
    }
    /// Whether a proof shows that no algorithm costs less, for each target of this algorithm and
    /// every fair source.
    fn is_optimal(&self) -> bool {
        false
    }
    /// The parameters that may follow the algorithm's id, as in `aldr:K=11`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }
    /// Returns the algorithm with the given values of its parameters, written as they are after the
    /// id: `K=11`. The algorithm with these values is created once and kept.
    ///
    /// # Errors
    /// [`ParameterError`] if the algorithm has no such parameters, or if the values are out of
    /// range.
    #[expect(unused_variables, reason = "named for the documentation")]
    fn with(&self, parameters: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        Err(ParameterError::none(self.about().id))
    }
    /// Pseudocode, line by line, for a source of m sides and a target of n sides; empty if there is
    /// none. `roll()` returns a face from 0 to m - 1.
    fn pseudocode(&self) -> &'static [&'static str] {
        &[]
    }
    /// The quantities that the algorithm offers.
    fn quantities(&self) -> &'static [Quantity] {
        &[]
    }
    /// Tables for a source of `source` sides and all targets up to `last`, if they are faster than
    /// one target at a time.
    #[expect(unused_variables, reason = "named for the documentation")]
    fn tables(&self, source: u64, last: u64, wanted: TablesWanted<'_>) -> Option<OfferedTables> {
        None
    }
}

/// The reason why an algorithm has no law for a task, or gave no outcome.
///
/// ```
/// use flipcost::algorithms::{AlgorithmError, find};
/// use flipcost::task::{Source, Task};
/// let bounded = find("bounded").unwrap();
/// let law = bounded.law(&Task::die(3u8, Source::COIN).unwrap());
/// let Err(AlgorithmError::Failed { error, .. }) = law else { panic!("it makes no d3 from flips") };
/// assert!(matches!(*error, AlgorithmError::Refused(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// The named algorithm fails for the named task.
    #[error("{algorithm} for {task}: {error}{}", other_algorithms(.suited))]
    Failed {
        /// The algorithm, as queries name it.
        algorithm: String,
        /// The task.
        task: Box<Task>,
        /// What is wrong.
        error: Box<AlgorithmError>,
        /// Up to three other algorithms that take the task.
        suited: Vec<&'static str>,
    },
    /// The algorithm does not work for the task.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The algorithm's chain is too large to be explored.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The faces ran out or failed.
    #[error(transparent)]
    Faces(#[from] FacesError),
    /// No outcome can be reached from this state of the rule.
    #[error("it may never end: from state {0} no outcome is reached")]
    Endless(String),
    /// The rule gives this outcome, to which the target gives no probability.
    #[error("it gives the outcome {0}, which its target does not have: outcomes count from 0")]
    Outside(BigUint),
    /// A closure returned a number that is not a face of the die rolled.
    #[error("a die of {sides} sides does not show face {face}: faces count from 0")]
    Face {
        /// The number returned.
        face: u64,
        /// The sides of the die.
        sides: u128,
    },
}

/// Names the algorithms that take a task which another algorithm does not take.
fn other_algorithms(suited: &[&str]) -> String {
    match suited {
        [] => String::new(),
        ids => format!("; algorithms that take this task: {}", ids.join(", ")),
    }
}

/// Converts the error for callers that report only a refusal.
impl From<AlgorithmError> for Refusal {
    fn from(error: AlgorithmError) -> Refusal {
        match error {
            AlgorithmError::Refused(refusal) => refusal,
            AlgorithmError::Failed { error, .. } => (*error).into(),
            error => Refusal::Rule(error.to_string()),
        }
    }
}

/// Shows the id, and the text of a user's own rule.
impl fmt::Debug for dyn Algorithm + '_ {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Algorithm({})", self.spelling())
    }
}

/// One roll of a sampler in a trace.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Traced};
/// use flipcost::task::{Source, Task};
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::die(2u8, Source::COIN).unwrap()).unwrap();
/// let mut steps: Vec<Traced> = Vec::new();
/// prepared.play(&mut |_sides| Some(1), Some(&mut |step| steps.push(step))).unwrap().unwrap();
/// assert_eq!((steps.len(), steps[0].sides, steps[0].face), (1, 2, 1));
/// assert_eq!(steps[0].after, None); // this flip decided
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traced {
    /// The die that was rolled.
    pub sides: u128,
    /// The face that the roll showed, from 0.
    pub face: u64,
    /// The state before the roll, in the algorithm's own terms.
    pub before: String,
    /// The state after the roll, or `None` if the roll decided the outcome.
    pub after: Option<String>,
}

impl Traced {
    /// Describes a roll of a die of `sides` that showed `face`, from 0, with the states before and
    /// after it.
    pub fn new(sides: u128, face: u64, before: String, after: Option<String>) -> Traced {
        Traced {
            sides,
            face,
            before,
            after,
        }
    }
}

/// The result of a sampler: the outcome (from 0) and the rolls used.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Faces};
/// use flipcost::task::{Source, Task};
/// let task = Task::die(8u8, Source::COIN)?;
/// let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::seeded(1))?;
/// assert!(rolled.outcome < 8u8.into());
/// assert_eq!(rolled.rolls, 3); // a d8 always takes three flips
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The outcome of the target, counted from 0.
    pub outcome: BigUint,
    /// The number of source rolls that were used.
    pub rolls: u64,
}

/// An algorithm that is prepared for a task.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::task::{Source, Task};
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::die(6u8, Source::COIN)?)?;
/// let (chain, names) = prepared.chain(1000)?;
/// assert_eq!(chain.mean().to_string(), "11/3");
/// assert_eq!(names.len(), chain.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Prepared: Send + Sync {
    /// The task that the algorithm was prepared for.
    fn task(&self) -> &Task;
    /// Returns the law of T, from the closed form or from the chain. Cost: nothing for a closed
    /// form, otherwise as [`Chain::explore`] with up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if there is no closed form and the chain has more than [`CHAIN_LIMIT`]
    /// transitions, if it may never end, or if the target does not have an outcome.
    fn law(&self) -> Result<Law, AlgorithmError>;
    /// The closed form of the law, if there is one.
    fn closed_law(&self) -> Option<Law> {
        None
    }
    /// Compares the exact law of the outcomes with the target, from the chain. Cost: as
    /// [`Chain::probabilities`], up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain is too large.
    fn check(&self) -> Result<Fairness, AlgorithmError> {
        let (chain, _) = self.chain(CHAIN_LIMIT)?;
        Ok(Fairness::new(&chain, self.task().target()))
    }
    /// The distance of the outcomes from the target; `None` if they are exactly fair. It is
    /// computed by [`Prepared::check`]. The algorithms of the registry state it themselves, and the
    /// tests check it.
    ///
    /// # Errors
    /// As [`Prepared::law`]; this method succeeds whenever that one returns a law.
    fn bias(&self) -> Result<Option<Bias>, AlgorithmError> {
        self.law()?; // it ends, and the target has all its outcomes
        Ok(self.check()?.bias(self.task().target()))
    }
    /// For the fast dice roller, the numbers of sides of source and target, if both fit in machine
    /// words.
    fn roller_sides(&self) -> Option<(u128, u64)> {
        None
    }
    /// The average number of source bits that the algorithm looks at, if it looks at fewer bits
    /// than it draws.
    fn bits_used(&self) -> Option<Rational> {
        None
    }
    /// Returns the absorbing chain of the algorithm, and the names of its states. Cost: as
    /// [`Chain::explore`].
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain has more than `limit` transitions.
    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), AlgorithmError>;
    /// Returns one of the quantities that the algorithm offers.
    ///
    /// # Errors
    /// [`NotKnown`], which says why there is no answer.
    #[expect(unused_variables, reason = "named for the documentation")]
    fn quantity(&self, quantity: Quantity, limit: WorkLimit) -> QuantityResult {
        Err(NotKnown::NotOffered)
    }
    /// Plays until there is an outcome. `roll(m)` returns a face (from 0) of a die with m sides, or
    /// `None` when the rolls run out; the result is then `None`. `trace`, if given, receives every
    /// roll.
    ///
    /// # Errors
    /// [`AlgorithmError`] if `roll` returns a number that is not a face of the die, or if the rule
    /// returns an outcome that the target does not have.
    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError>;
}

impl dyn Prepared + '_ {
    /// Rolls one outcome (from 0), and returns it with the number of rolls.
    ///
    /// # Errors
    /// [`AlgorithmError`] if `faces` fails, or if the rule returns an outcome that the target does
    /// not have.
    pub fn roll(&self, faces: &mut Faces) -> Result<Rolled, AlgorithmError> {
        let source = self.task().source();
        let mut failed = FacesError::RanOut;
        let mut roll = |sides| match faces.roll_of(source, sides) {
            Ok(face) => Some(face),
            Err(error) => {
                failed = error;
                None
            }
        };
        let rolled = self.play(&mut roll, None)?;
        Ok(rolled.ok_or(failed)?)
    }

    /// See [`Algorithm::formula`].
    pub(crate) fn formula(&self, limit: usize) -> Result<CostFormula, AlgorithmError> {
        let (chain, names) = self.chain(limit)?;
        if let Some(endless) = endless(&chain, |state| names[state].clone()) {
            return Err(endless);
        }
        let law = chain.of_unknown_source().ok_or(TooLarge { limit })?;
        Ok(CostFormula::Rational(law.mean()))
    }
}

/// The maximum number of transitions of a chain that is solved for a law without a closed form.
pub const CHAIN_LIMIT: usize = 20_000_000;

/// The error for a chain with a state from which no outcome can be reached.
pub(super) fn endless(chain: &Chain, name: impl Fn(usize) -> String) -> Option<AlgorithmError> {
    let state = chain.endless().into_iter().position(|endless| endless)?;
    Some(AlgorithmError::Endless(name(state)))
}
