//! Sources, targets, and tasks, which are pairs of a source and a target.
//!
//! A [`Source`] is what the algorithm rolls, and the cost is the number of these rolls: a fair die,
//! a loaded die or a word of bits. A [`Target`] is the required distribution of the outcome:
//! uniform on n outcomes, or proportional to integer weights. An algorithm is prepared for a
//! [`Task`], a pair of the two.

mod bounded;
mod entropy;
mod source;
mod target;
mod text;
mod weights;

pub use source::{RollUnit, Source, SourceError};
pub use target::{Target, TargetError};
pub use text::{coin_weights, several_dice, strip_die};
pub use weights::{
    DiceLaw, MAX_WEIGHTS, Weights, WeightsError, column_of_text, finite_double, has_dice,
    is_formula, roll_formula,
};

use flipcost_number::BigUint;

/// A task: a source and a target.
///
/// ```
/// use flipcost::task::{Source, Target, Task};
/// let task = Task::new(Target::uniform(6)?, Source::COIN);
/// assert_eq!(task.to_string(), "a d6 from a coin");
/// assert_eq!((Task::die(6, Source::COIN)?, "d6 from coin".parse()?), (task.clone(), task));
/// # Ok::<(), flipcost::task::TaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    source: Source,
    target: Target,
}

/// The sides of a fair source and of a fair target.
///
/// ```
/// let task: flipcost::task::Task = "d12 from d6".parse().unwrap();
/// let fair = task.fair().unwrap();
/// assert_eq!((fair.m, fair.n), (6, &12u8.into()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fair<'a> {
    /// The number of sides of the source, 2 <= m <= 2^64.
    pub m: u128,
    /// The number of sides of the target, n >= 1.
    pub n: &'a BigUint,
}

/// The error for an invalid source, an invalid target, or a text that is not a task.
///
/// ```
/// use flipcost::task::{Source, Task, TaskError};
/// assert!(matches!("d6 from d1".parse::<Task>(), Err(TaskError::Source(_))));
/// assert!(matches!(Task::die(0, Source::COIN), Err(TaskError::Target(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The source is invalid.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The target is invalid.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The text of a target is invalid.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The text is not a task.
    #[error("\"{0}\" is not a task: a target and a source were expected, as in \"d7 from d6\"")]
    Text(String),
}

/// The reason why an algorithm does not work for a task.
///
/// ```
/// use flipcost::task::{Refusal, Source, Target, Task};
/// let loaded = Task::new(Target::weighted([1, 2]).unwrap(), Source::COIN);
/// assert!(matches!(loaded.fair(), Err(Refusal::Weights(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The algorithm makes fair dice only.
    #[error("it makes fair dice only, and the target has the weights {0:#}")]
    Weights(Target),
    /// The source has more faces than the algorithm supports.
    #[error("the source must have 2 to {} sides (2 is a coin), and {} is too wide", if .0.in_a_word().is_some() { "2^32" } else { "2^64" }, .0.with_article())]
    WideSource(Source),
    /// The algorithm takes fair sources only.
    #[error("the source must be a fair die or a word, and {} is neither", .0.with_article())]
    LoadedSource(Source),
    /// The probabilities of the source are unknown, and the law depends on them.
    #[error("the cost is a number only if the probabilities are known, and those of {} are not", .0.with_article())]
    UnknownSource(Source),
    /// Another reason, which is specific to the algorithm.
    #[error("{0}")]
    Rule(String),
}

impl Task {
    /// The maximum number of sides of a source for algorithms that count its faces: 2^32.
    /// Algorithms that only compute with m as a number support 2^64.
    pub(crate) const MAX_COUNTED_FACES: u64 = 1 << 32;

    /// Creates the task of a target from a source.
    pub fn new(target: Target, source: Source) -> Task {
        Task { source, target }
    }

    /// Creates the task of a fair die of n >= 1 sides from a source; n may have any integer type.
    ///
    /// ```
    /// use flipcost::task::{Source, Task};
    /// assert_eq!(Task::die(7, Source::die(6)?)?.to_string(), "a d7 from a d6");
    /// # Ok::<(), flipcost::task::TaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`TaskError::Target`] if n < 1.
    pub fn die(n: impl TryInto<BigUint>, source: Source) -> Result<Task, TaskError> {
        Ok(Task::new(Target::uniform(n)?, source))
    }

    /// The source that is rolled.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The target that is wanted.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The number m of sides of the source, for algorithms that count its faces; there is no
    /// condition on the target.
    ///
    /// # Errors
    /// [`Refusal::WideSource`] if m > 2^32, [`Refusal::LoadedSource`] if the source is not fair.
    pub fn sides(&self) -> Result<u64, Refusal> {
        let m = self
            .source
            .small()
            .filter(|m| *m <= Task::MAX_COUNTED_FACES);
        m.ok_or_else(|| self.unequal_faces_refusal())
    }

    /// The number m of sides of the source, if a machine word can hold every face.
    ///
    /// # Errors
    /// [`Refusal::WideSource`] if m > 2^64, [`Refusal::LoadedSource`] if the source is not fair.
    pub fn words(&self) -> Result<u128, Refusal> {
        self.source
            .in_a_word()
            .ok_or_else(|| self.unequal_faces_refusal())
    }

    /// The number m of sides of the source, even of a wide word, and the number n of sides of a
    /// fair target.
    ///
    /// # Errors
    /// [`Refusal::LoadedSource`] if the source is not fair, [`Refusal::Weights`] if the target is
    /// not uniform.
    pub(crate) fn fair_of_any_width(&self) -> Result<(BigUint, &BigUint), Refusal> {
        if !self.source.is_fair() {
            return Err(self.unequal_faces_refusal());
        }
        let n = self.target.sides();
        let n = n.ok_or_else(|| Refusal::Weights(self.target.clone()))?;
        Ok((self.source.sides(), n))
    }

    /// The refusal for a source that is not fair or has too many faces.
    fn unequal_faces_refusal(&self) -> Refusal {
        if self.source.is_fair() {
            Refusal::WideSource(self.source.clone())
        } else {
            Refusal::LoadedSource(self.source.clone())
        }
    }

    /// The numbers m and n of sides of the source and of a fair target, for algorithms for fair
    /// dice.
    ///
    /// # Errors
    /// [`Refusal::Weights`] if the target is not uniform; also those of [`Task::words`].
    pub fn fair(&self) -> Result<Fair<'_>, Refusal> {
        let m = self.words()?;
        match self.target.sides() {
            Some(n) => Ok(Fair { m, n }),
            None => Err(Refusal::Weights(self.target.clone())),
        }
    }
}

/// Writes `a d6 from a coin`, which [`FromStr`](std::str::FromStr) parses; with `#`, as in `{:#}`,
/// long numbers and lists of weights are shortened.
impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (target, source) = if f.alternate() {
            (format!("{:#}", self.target), self.source.with_article())
        } else {
            let weights = self.source.to_string();
            (self.target.to_string(), self.source.describe(weights))
        };
        let a = self.target.sides().map_or("", |_| "a d");
        f.pad(&format!("{a}{target} from {source}"))
    }
}
