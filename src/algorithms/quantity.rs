//! What an algorithm may offer besides the law of T: integers of its DDG tree and its flow chart,
//! and tables for many targets at once.
//!
//! The undecided nodes of some algorithms are periodic, and their flow chart closes a cycle: such
//! an algorithm offers [`Quantity`] values. And where many targets together are cheaper than one
//! after the other (orders by a sieve, fractions with factors in common), it offers `Tables`.
//! Both are capabilities that any [`Rule`](super::Rule) may have; a column asks for a quantity and
//! does not know whose it is.

use crate::roller::decimals::ExpectedDecimals;
use crate::roller::fractions::ExpectedFractions;
use crate::roller::narrow::Narrow;
use flipcost_number::{BigUint, Decimal};
use std::ops::Range;
use std::sync::Arc;

/// An integer that an algorithm may offer for a target.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Quantity};
/// use flipcost::algorithms::WorkLimit;
/// use flipcost::task::Task;
/// // 2^t mod 11 = 1, 2, 4, 8, 5, 10, 9, 7, 3, 6, 1, ...
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::dice(2u8, 11u8)?)?;
/// let period = prepared.quantity(Quantity::Period, WorkLimit::default())?;
/// assert_eq!(period, 10u8.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Rolls before the numbers of undecided nodes are periodic.
    Preperiod,
    /// Rolls in one period of the numbers of undecided nodes.
    Period,
    /// Rounds in the cycle of the flow chart, 1 if there is none.
    CycleRounds,
}

/// What may be requested of many targets at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableRequest {
    /// An integer.
    Quantity(Quantity),
    /// The double nearest to `E[T]`.
    MeanDouble,
    /// `E[T]` rounded to this many decimals.
    MeanDecimals(u32),
    /// `E[T]` enclosed by words.
    MeanNarrow,
    /// The variance enclosed by words.
    VarianceNarrow,
    /// `E[T]` as a reduced fraction, if none of the targets together needs more bits.
    MeanFraction {
        /// The most bits of a numerator or a denominator.
        most_bits: u128,
    },
}

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TableValue {
    /// A nearest double.
    Double(f64),
    /// Rounded decimals.
    Decimals(Decimal),
    /// Enclosed by words.
    Narrow(Narrow),
}

/// The values of consecutive targets, from the first of the range on.
pub(crate) enum TableValues {
    /// Quantities.
    Words(Vec<u64>),
    /// Reduced fractions.
    Fractions(ExpectedFractions),
    /// Decimals of the flips of the fast dice roller, each found when it is asked for.
    Decimals(Arc<ExpectedDecimals>),
}

/// Precomputed tables for many targets, made once and read by many threads.
pub(crate) trait Tables: Send + Sync {
    /// The values of all targets in a range, one list for each that is wanted; `None` leaves them
    /// to [`Tables::single_value`], and then to the law. The cost per target
    /// falls with the number of targets in the range.
    fn many(&self, wanted: &[TableRequest], targets: Range<u64>) -> Vec<Option<TableValues>>;

    /// The value of one target, where a whole range is no cheaper; `None` leaves it to the law.
    fn single_value(&self, wanted: TableRequest, target: u64) -> Option<TableValue>;
}

/// What the rows of a range ask for.
pub struct TablesWanted<'a>(pub(crate) &'a [TableRequest]);

/// What an algorithm of the engine offers for them.
pub struct OfferedTables(pub(crate) Box<dyn Tables>);

/// The work limit: how long an algorithm may compute to find a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkLimit {
    /// Rounds are counted by stepping up to this many rolls.
    pub(crate) most_rolls: u64,
}

impl Default for WorkLimit {
    fn default() -> Self {
        WorkLimit {
            most_rolls: 1 << 32,
        }
    }
}

/// Why a quantity is not known.
///
/// ```
/// use flipcost::algorithms::{NotKnown, Quantity, find};
/// use flipcost::task::Task;
/// use flipcost::algorithms::WorkLimit;
/// let rejection = find("rejection").unwrap().prepare(&Task::dice(2u8, 6u8).unwrap()).unwrap();
/// let period = rejection.quantity(Quantity::Period, WorkLimit::default());
/// assert_eq!(period, Err(NotKnown::NotOffered));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotKnown {
    /// The algorithm has no such quantity.
    #[error("the algorithm has no such quantity")]
    NotOffered,
    /// The target would have to be factored, and its factors were not found.
    #[error("its period needs the prime factors of n, which were not found")]
    NotFactored,
    /// Rolls that did not show whether there is a worst case.
    #[error("whether more rolls than some number are never needed did not show in {0} rolls")]
    Unsettled(u64),
    /// It takes more rolls of stepping than were allowed.
    #[error("{0}")]
    TooLong(String),
}

/// A quantity, or why it is not known.
pub(crate) type Known = Result<BigUint, NotKnown>;
