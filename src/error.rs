//! One error type for the whole library, so that `?` works in a function that uses several parts of
//! the library.

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

/// Any error of this library, with one variant for each kind.
///
/// ```
/// use flipcost::prelude::*;
/// fn mean(target: &str, source: &str) -> Result<Rational, flipcost::Error> {
///     let task = Task::new(target.parse()?, source.parse()?);
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
    /// The text of a source or target is invalid.
    Task(#[from] TaskError),
    /// The algorithm has no law for the task, or gave no outcome.
    Algorithm(#[from] AlgorithmError),
    /// A text of rolls contains an invalid entry.
    Rolls(#[from] BadRoll),
    /// The text is not a fraction.
    Ratio(#[from] num_rational::ParseRatioError),
    /// No algorithm has this id.
    UnknownAlgorithm(#[from] UnknownAlgorithm),
    /// The algorithm does not have this parameter, or the value is outside its range.
    Parameter(#[from] ParameterError),
    /// An exact quantity is unknown.
    NotKnown(#[from] NotKnown),
    /// A fraction is too long to be computed, or its length is unknown.
    Fraction(#[from] FractionSize),
    /// A quantile or a tail of many draws cannot be computed.
    Level(#[from] LevelError),
    /// The numbers are not the probabilities of outcomes.
    Outcomes(#[from] OutcomeError),
    /// The states do not form an absorbing chain.
    Chain(#[from] ChainError),
    /// A row of a table cannot be computed.
    Row(#[from] RowError),
    /// A column, an expression or a statement has no value.
    Value(#[from] ValueError),
    /// The value cannot be written in the requested form.
    Unwritten(#[from] Unwritten),
    /// The sequence does not have these terms.
    Sequence(#[from] SequenceError),
    /// The text is not a number or an expression.
    Number(#[from] ExpressionError),
    /// A rounding or a comparison stayed undecided at the highest precision that was tried.
    Undecided(#[from] Undecided),
    /// The budget of time or memory is spent.
    Spent(#[from] Spent),
    /// The text is not a positive constant.
    Constant(#[from] ConstantError),
    /// A term of an expansion stayed undecided at the highest precision that was tried.
    Term(#[from] UndecidedTerm),
    /// The text is not an integer.
    Integer(#[from] num_bigint::ParseBigIntError),
    /// An error of a package that is built on this one, for example `PlanError` of
    /// flipcost-dice-set.
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

/// Two errors are equal if they are of the same kind and have the same message.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.to_string() == other.to_string()
    }
}

// An error does not change after its creation.
impl std::panic::UnwindSafe for Error {}
impl std::panic::RefUnwindSafe for Error {}

impl Error {
    /// Wraps an error of another package, so that this package can implement `From` for its error.
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

/// Converts errors that have several kinds; each kind becomes its own variant.
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
