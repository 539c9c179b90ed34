//! An algorithm without the type of its rule, and what is prepared of it for one task.

use super::about::{About, Purpose};
use super::faces::{Faces, FacesError};
use super::fairness::Fairness;
use super::parameters::{Parameter, ParameterError};
use super::quantity::{Known, NotKnown, OfferedTables, Quantity, TablesWanted, WorkLimit};
use crate::law::{Bias, Chain, CostFormula, Law, TooLarge};
use crate::task::{Refusal, RollUnit, Source, Task};
use flipcost_number::{BigUint, Rational};

/// An algorithm without its type: what the registry holds.
///
/// ```
/// use flipcost::algorithms::REGISTRY;
/// use flipcost::task::Task;
/// // The mean number of flips for a d5, by each algorithm that can roll it with a coin.
/// let task = Task::dice(2u8, 5u8)?;
/// let laws = REGISTRY.iter().filter_map(|algorithm| algorithm.law(&task).ok());
/// let means: Vec<String> = laws.map(|law| law.mean_real().to_string()).collect();
/// assert_eq!(means[0], "18/5"); // the fast dice roller comes first
/// # Ok::<(), flipcost::task::TaskError>(())
/// ```
pub trait Algorithm: Send + Sync {
    /// Its description, for every list.
    fn about(&self) -> &About;
    /// How queries write it, so that [`find`](super::find) gives it back: the id, but for a rule of
    /// one's own, whose text is a part of it.
    fn spelling(&self) -> &str {
        self.about().id
    }
    /// The algorithm for these dice.
    ///
    /// # Errors
    /// [`Refusal`] if it does not work on this task.
    fn prepare(&self, dice: &Task) -> Result<Box<dyn Prepared>, Refusal>;
    /// The same to be played with given rolls alone, so that the probabilities need not be known.
    ///
    /// # Errors
    /// As [`Algorithm::prepare`].
    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        self.prepare(task)
    }
    /// `E[T]` for every probability of the faces of the source, which need not be known: a formula
    /// of p and 1 - p for a coin, of p1, p2, ... for a die. It is a rational function in lowest
    /// terms where the chain of the steps is finite, found by elimination over polynomials.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the task is refused, or the chain has more than `limit` transitions.
    fn formula(&self, task: &Task, limit: usize) -> Result<CostFormula, AlgorithmError> {
        self.prepare_to_play(task)?.formula(limit)
    }
    /// The same algorithm for a source whose probabilities are unknown: parameters that it would
    /// choose by them have the values that it takes without. Its costs at known probabilities are
    /// those of one rule then.
    ///
    /// # Errors
    /// [`Refusal`] if it does not work on this task.
    fn of_unknown(&'static self, task: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        Err(Refusal::UnknownSource(task.source().clone()))
    }
    /// The bits of a word of its own that it draws for this task, if it draws such words.
    fn word_bits(&self, _: &Task) -> Option<u32> {
        None
    }
    /// Does it take bits one by one from words, for weights?
    fn takes_bits(&self) -> bool {
        false
    }
    /// What one of its rolls of this source is called.
    fn unit(&self, source: &Source) -> RollUnit {
        source.unit()
    }
    /// The targets that it was made for.
    fn purpose(&self) -> Purpose {
        Purpose::FairDice
    }
    /// Is it proved that no algorithm costs less, for any of its targets from any fair source?
    fn is_optimal(&self) -> bool {
        false
    }
    /// The parameters that may stand after its id, as in `aldr:K=11`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }
    /// The algorithm with values of its parameters, as they are written after the id: `K=11`. It is
    /// made once and kept.
    ///
    /// # Errors
    /// [`ParameterError`] if it has no such parameters, or they no such values.
    fn with(&self, _parameters: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        Err(ParameterError::none(self.about().id))
    }
    /// Pseudocode, line by line, for a source of m sides and a target of n; empty if there is none.
    /// `roll()` is a face from 0 to m - 1.
    fn pseudocode(&self) -> &'static [&'static str] {
        &[]
    }
    /// The quantities that it offers.
    fn quantities(&self) -> &'static [Quantity] {
        &[]
    }
    /// Tables for a source of `_source` sides and all targets up to `_last`, where they are faster
    /// than one target at a time.
    fn tables(&self, _source: u64, _last: u64, _wanted: TablesWanted<'_>) -> Option<OfferedTables> {
        None
    }
}

/// Why an algorithm has no law for a task, or gave no outcome.
///
/// ```
/// use flipcost::algorithms::{AlgorithmError, find};
/// use flipcost::task::Task;
/// let bounded = find("bounded").unwrap();
/// let law = bounded.law(&Task::dice(2u8, 3u8).unwrap());
/// assert!(matches!(law, Err(AlgorithmError::Refused(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// It does not work on the task.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Its chain is too large to be explored.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// There is no face to go on with.
    #[error(transparent)]
    Faces(#[from] FacesError),
    /// From this state of its rule no outcome can be reached.
    #[error("it may never end: from state {0} no outcome is reached")]
    Endless(String),
    /// It gives this outcome, to which the target gives no probability.
    #[error("it gives the outcome {0}, which its target does not have: outcomes count from 0")]
    Outside(BigUint),
    /// What it was given is no face of the die that it rolls.
    #[error("a die of {sides} sides does not show face {face}: faces count from 0")]
    Face {
        /// What it was given.
        face: u64,
        /// The sides of the die.
        sides: u128,
    },
}

/// For what only says why there is no answer.
impl From<AlgorithmError> for Refusal {
    fn from(error: AlgorithmError) -> Refusal {
        match error {
            AlgorithmError::Refused(refusal) => refusal,
            error => Refusal::Rule(error.to_string()),
        }
    }
}

impl dyn Algorithm + '_ {
    /// The exact law of the number of rolls for a task. Cost: none for a closed form, else that of
    /// exploring the chain, up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the task is refused, or the chain is too large.
    pub fn law(&self, task: &Task) -> Result<Law, AlgorithmError> {
        self.prepare(task)?.law()
    }

    /// The exact law of its outcomes beside the target, from the chain of its steps. Cost: as
    /// [`Chain::probabilities`], up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// As `law`.
    pub fn check(&self, task: &Task) -> Result<Fairness, AlgorithmError> {
        self.prepare(task)?.check()
    }

    /// One outcome (from 0) and the rolls that it took.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the task is refused, or `faces` fails.
    pub fn roll(&self, task: &Task, faces: &mut Faces) -> Result<Rolled, AlgorithmError> {
        self.prepare(task)?.roll(faces)
    }
}

/// One roll of a sampler, as it is traced.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Traced};
/// use flipcost::task::Task;
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::dice(2u8, 2u8).unwrap()).unwrap();
/// let mut steps: Vec<Traced> = Vec::new();
/// prepared.play(&mut |_sides| Some(1), Some(&mut |step| steps.push(step))).unwrap().unwrap();
/// assert_eq!((steps.len(), steps[0].sides, steps[0].face), (1, 2, 1));
/// assert_eq!(steps[0].after, None); // that flip decided
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traced {
    /// The die that was rolled.
    pub sides: u128,
    /// The face that it showed, from 0.
    pub face: u64,
    /// The state before the roll, in the algorithm's own terms.
    pub before: String,
    /// The state after it, or `None` with an output.
    pub after: Option<String>,
}

impl Traced {
    /// A roll of a die of `sides` that showed `face`, from 0, with the states before and after it.
    pub fn new(sides: u128, face: u64, before: String, after: Option<String>) -> Traced {
        Traced {
            sides,
            face,
            before,
            after,
        }
    }
}

/// What a sampler returns: the outcome (from 0) and the rolls used.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Faces};
/// use flipcost::task::Task;
/// let task = Task::dice(2u8, 8u8)?;
/// let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::seeded(1))?;
/// assert!(rolled.outcome < 8u8.into());
/// assert_eq!(rolled.rolls, 3); // a d8 always takes three flips
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The face of the target, from 0.
    pub outcome: BigUint,
    /// Source rolls used.
    pub rolls: u64,
}

/// An algorithm that is bound to its dice.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::task::Task;
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::dice(2u8, 6u8)?)?;
/// let (chain, names) = prepared.chain(1000)?;
/// assert_eq!(chain.mean().to_string(), "11/3");
/// assert_eq!(names.len(), chain.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Prepared: Send + Sync {
    /// What it was prepared for.
    fn task(&self) -> &Task;
    /// The law of T: the closed form, or the chain solved. Cost: none for a closed form, else as
    /// [`Chain::explore`] with up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if there is no closed form and the chain has more than [`CHAIN_LIMIT`]
    /// transitions, if it may never end, or if an outcome is none of the target's.
    fn law(&self) -> Result<Law, AlgorithmError>;
    /// The closed form alone.
    fn closed_law(&self) -> Option<Law> {
        None
    }
    /// The exact law of the outcomes beside the target, from the chain. Cost: as
    /// [`Chain::probabilities`], up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain is too large.
    fn check(&self) -> Result<Fairness, AlgorithmError> {
        let (chain, _) = self.chain(CHAIN_LIMIT)?;
        Ok(Fairness::new(&chain, self.task().target()))
    }
    /// How far the outcomes are from the target; `None`: not at all. It is from [`Prepared::check`]
    /// unless the algorithm is of the registry, whose tests do that.
    ///
    /// # Errors
    /// As [`Prepared::law`], and never where that gives a law.
    fn bias(&self) -> Result<Option<Bias>, AlgorithmError> {
        self.law()?; // it ends, and has no outcome outside
        Ok(self.check()?.bias(self.task().target()))
    }
    /// Of the fast dice roller the sides of source and target, if both fit machine words.
    fn roller_sides(&self) -> Option<(u128, u64)> {
        None
    }
    /// The bits of the source that it looks at on average, where they are fewer than those of the
    /// words that it draws.
    fn bits_used(&self) -> Option<Rational> {
        None
    }
    /// The absorbing chain of the algorithm, and the names of its states. Cost: as
    /// [`Chain::explore`].
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain has more than `limit` transitions.
    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), AlgorithmError>;
    /// One of the quantities that the algorithm offers.
    ///
    /// # Errors
    /// [`NotKnown`], which says why it has no answer.
    fn quantity(&self, _quantity: Quantity, _limit: WorkLimit) -> Known {
        Err(NotKnown::NotOffered)
    }
    /// One outcome. `roll(m)` returns a face (from 0) of a die with m sides, or `None` when the
    /// rolls run out, and then there is no outcome; `trace`, if given, gets every roll.
    ///
    /// # Errors
    /// [`AlgorithmError`] if `roll` returns no face of the die, or the outcome is none of the
    /// target's.
    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError>;
}

impl dyn Prepared + '_ {
    /// One outcome (from 0) and the rolls that it took.
    ///
    /// # Errors
    /// [`AlgorithmError`] if `faces` fails, or the outcome is none of the target's.
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

/// The chain of a law without a closed form may have this many transitions.
pub const CHAIN_LIMIT: usize = 20_000_000;

/// The fault of a chain that has a state from which no outcome can be reached.
pub(super) fn endless(chain: &Chain, name: impl Fn(usize) -> String) -> Option<AlgorithmError> {
    let state = chain.endless().into_iter().position(|endless| endless)?;
    Some(AlgorithmError::Endless(name(state)))
}
