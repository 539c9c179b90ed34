//! A single error type for the library, so that `?` works in a function that uses several parts of
//! it.

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
    /// An invalid source or target, or a text that is neither.
    Task(#[from] TaskError),
    /// An algorithm has no law for a task, or gave no outcome.
    Algorithm(#[from] AlgorithmError),
    /// A person's rolls are invalid.
    Rolls(#[from] BadRoll),
    /// A text is not a fraction.
    Ratio(#[from] num_rational::ParseRatioError),
    /// There is no such algorithm.
    UnknownAlgorithm(#[from] UnknownAlgorithm),
    /// A parameter that an algorithm does not have, or a value outside its range.
    Parameter(#[from] ParameterError),
    /// An exact quantity is unknown.
    NotKnown(#[from] NotKnown),
    /// A fraction is too long, or unknown.
    Fraction(#[from] FractionSize),
    /// A quantile or a tail of many draws cannot be computed.
    Level(#[from] LevelError),
    /// Numbers are not the probabilities of outcomes.
    Outcomes(#[from] OutcomeError),
    /// States do not form an absorbing chain.
    Chain(#[from] ChainError),
    /// A row of a table cannot be computed.
    Row(#[from] RowError),
    /// A column, an expression or a statement has no value.
    Value(#[from] ValueError),
    /// A value cannot be written.
    Unwritten(#[from] Unwritten),
    /// A sequence has no such terms.
    Sequence(#[from] SequenceError),
    /// A text is not a number or an expression.
    Number(#[from] ExpressionError),
    /// No enclosure decided a rounding or a comparison.
    Undecided(#[from] Undecided),
    /// A budget is spent.
    Spent(#[from] Spent),
    /// A text is not a positive constant.
    Constant(#[from] ConstantError),
    /// No enclosure decided a term of an expansion.
    Term(#[from] UndecidedTerm),
    /// A text is not an integer.
    Integer(#[from] num_bigint::ParseBigIntError),
    /// An error of a package built on this one, such as `PlanError` of flipcost-dice-set.
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Wraps an error of another package, so that the package can implement `From` for its error.
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

/// Converts errors that belong to several kinds, each part to its kind.
macro_rules! convert_part_errors {
    ($($part:ident $kind:ident;)*) => {$(
        impl From<$part> for Error {
            fn from(error: $part) -> Error {
                Error::$kind(error.into())
            }
        }
    )*};
}

convert_part_errors! {
    SourceError Task;
    TargetError Task;
    WeightsError Task;
    Refusal Algorithm;
    TooLarge Algorithm;
    FacesError Algorithm;
    TooSmall Level;
}
