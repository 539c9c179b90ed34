//! One error for all of the library, so that `?` works in a function that uses several parts of it.

use crate::algorithms::{
    AlgorithmError, BadRoll, FacesError, NotKnown, ParameterError, UnknownAlgorithm,
};
use crate::law::chain::ChainError;
use crate::law::{FractionSize, LevelError, OutcomeError, TooLarge, TooSmall};
use crate::sequences::SequenceError;
use crate::table::request::ValueError;
use crate::table::{RowError, Unwritten};
use crate::task::{Refusal, SourceError, TargetError, TaskError, WeightsError};
use flipcost_number::Undecided;
use flipcost_number::budget::Spent;
use flipcost_number::constant::ConstantError;
use flipcost_number::expression::ExpressionError;
use flipcost_number::mr::UndecidedTerm;
use std::sync::Arc;

/// Any error of this library, by its kind.
///
/// ```
/// use flipcost::prelude::*;
/// fn mean(target: &str, source: &str) -> Result<Rational, flipcost::Error> {
///     let task = Task::new(source.parse()?, target.parse()?);
///     Ok(find("interval")?.law(&task)?.mean()?)
/// }
/// assert_eq!(mean("d6", "coin")?.to_string(), "4");
/// assert!(matches!(mean("d6", "d1"), Err(flipcost::Error::Task(_))));
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum Error {
    /// A source, a target, or a text that is none.
    Task(#[from] TaskError),
    /// An algorithm that has no law for a task, or gave no outcome.
    Algorithm(#[from] AlgorithmError),
    /// A person's rolls that are none.
    Rolls(#[from] BadRoll),
    /// A text that is no fraction.
    Ratio(#[from] num_rational::ParseRatioError),
    /// No such algorithm.
    UnknownAlgorithm(#[from] UnknownAlgorithm),
    /// A parameter that an algorithm does not have, or a value that it does not take.
    Parameter(#[from] ParameterError),
    /// An exact quantity that is not known.
    NotKnown(#[from] NotKnown),
    /// A fraction that is too long, or not known.
    Fraction(#[from] FractionSize),
    /// A quantile or a tail of many draws.
    Level(#[from] LevelError),
    /// Probabilities that are none.
    Outcomes(#[from] OutcomeError),
    /// A chain that is none.
    Chain(#[from] ChainError),
    /// A row of a table.
    Row(#[from] RowError),
    /// A value of a column, an expression or a statement.
    Value(#[from] ValueError),
    /// A value that is not written.
    Unwritten(#[from] Unwritten),
    /// Terms of a sequence.
    Sequence(#[from] SequenceError),
    /// A text that is no number, or no expression.
    Number(#[from] ExpressionError),
    /// A rounding or comparison that no enclosure decided.
    Undecided(#[from] Undecided),
    /// A budget that is spent.
    Spent(#[from] Spent),
    /// A text that is no positive constant.
    Constant(#[from] ConstantError),
    /// A term of an expansion that no enclosure decided.
    Term(#[from] UndecidedTerm),
    /// A text that is no integer.
    Integer(#[from] num_bigint::ParseBigIntError),
    /// An error of a package that stands on this one, such as `PlanError` of flipcost-dice-set.
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// An error of another package, so that it has a `From` for its own.
    ///
    /// ```
    /// #[derive(Debug, thiserror::Error)]
    /// #[error("the deck has no cards")]
    /// struct NoCards;
    ///
    /// impl From<NoCards> for flipcost::Error {
    ///     fn from(error: NoCards) -> Self {
    ///         flipcost::Error::other(error)
    ///     }
    /// }
    ///
    /// assert_eq!(flipcost::Error::from(NoCards).to_string(), "the deck has no cards");
    /// ```
    pub fn other(error: impl std::error::Error + Send + Sync + 'static) -> Error {
        Error::Other(Arc::new(error))
    }
}

/// Errors that are those of a kind in part.
macro_rules! parts {
    ($($part:ident $kind:ident;)*) => {$(
        impl From<$part> for Error {
            fn from(error: $part) -> Error {
                Error::$kind(error.into())
            }
        }
    )*};
}

parts! {
    SourceError Task;
    TargetError Task;
    WeightsError Task;
    Refusal Algorithm;
    TooLarge Algorithm;
    FacesError Algorithm;
    TooSmall Level;
}
