//! Results that only some algorithms offer besides the law of T: integers of the DDG tree and of
//! the flow chart, and tables for many targets at once.
//!
//! For some algorithms the numbers of undecided nodes are periodic, and the flow chart has a cycle:
//! such an algorithm offers [`Quantity`] values. If it is cheaper to compute many targets together
//! than one after the other (orders by a sieve, fractions with common factors), an algorithm offers
//! `Tables`. Any algorithm may offer these; a column requests a quantity without knowing which
//! algorithms provide it.

use crate::law::FractionSize;
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
/// use flipcost::task::{Source, Task};
/// // 2^t mod 11 = 1, 2, 4, 8, 5, 10, 9, 7, 3, 6, 1, ...
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::die(11u8, Source::COIN)?)?;
/// let period = prepared.quantity(Quantity::Period, WorkLimit::default())?;
/// assert_eq!(period, 10u8.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// The number of rolls before the numbers of undecided nodes become periodic.
    Preperiod,
    /// The number of rolls in one period of the numbers of undecided nodes.
    Period,
    /// The number of rounds in the cycle of the flow chart, 1 if there is no cycle.
    CycleRounds,
}

/// A value that can be requested for many targets at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableRequest {
    /// An integer.
    Quantity(Quantity),
    /// The double nearest to `E[T]`.
    MeanDouble,
    /// `E[T]` rounded to this many decimals.
    MeanDecimals(u32),
    /// `E[T]`, enclosed in machine words.
    MeanNarrow,
    /// The variance, enclosed in machine words.
    VarianceNarrow,
    /// The largest number of rolls that can be needed.
    WorstCase,
    /// Another exact fraction of the law, unless the fraction needs more bits than allowed.
    LawFraction {
        /// The maximum size of the law in bits.
        most_bits: u128,
    },
    /// `E[T]` as a reduced fraction, unless the fraction needs more bits than allowed.
    MeanFraction {
        /// The maximum number of bits of a numerator or a denominator.
        most_bits: u128,
    },
}

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TableValue {
    /// The nearest double.
    Double(f64),
    /// Rounded decimals.
    Decimals(Decimal),
    /// A value enclosed in machine words.
    Narrow(Narrow),
    /// The largest number of rolls that can be needed; `None` if there is no maximum.
    WorstCase(Option<u64>),
}

/// The values of consecutive targets, beginning with the first target of the range.
pub(crate) enum TableValues {
    /// Quantities.
    Words(Vec<u64>),
    /// Reduced fractions.
    Fractions(ExpectedFractions),
    /// The size of each fraction that is too large, and `None` for the others, which the law
    /// computes.
    TooLarge(Vec<Option<FractionSize>>),
    /// Decimals of the expected flips of the fast dice roller, each computed when requested.
    Decimals(Arc<ExpectedDecimals>),
}

/// Precomputed tables for many targets, created once and read by many threads.
pub(crate) trait Tables: Send + Sync {
    /// Returns the values of all targets in a range, one list for each request. If an entry is
    /// `None`, callers use [`Tables::single_value`], and if that is `None` too, the law. The cost
    /// per target falls with the number of targets in the range.
    fn many(&self, wanted: &[TableRequest], targets: Range<u64>) -> Vec<Option<TableValues>>;

    /// Returns the value of one target, or `None` if the table has no cheaper way than the law,
    /// which callers then use.
    fn single_value(&self, wanted: TableRequest, target: u64) -> Option<TableValue>;
}

/// The values that the rows of a range need.
pub struct TablesWanted<'a>(pub(crate) &'a [TableRequest]);

/// The tables that an algorithm of the engine offers for the requested values.
pub struct OfferedTables(pub(crate) Box<dyn Tables>);

/// The maximum amount of work that an algorithm may do to find a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkLimit {
    /// The maximum number of rolls that may be stepped through to count rounds.
    pub(crate) most_rolls: u64,
}

impl Default for WorkLimit {
    fn default() -> Self {
        WorkLimit {
            most_rolls: 1 << 32,
        }
    }
}

/// Why a quantity is unknown.
///
/// ```
/// use flipcost::algorithms::{NotKnown, Quantity, find};
/// use flipcost::task::{Source, Task};
/// use flipcost::algorithms::WorkLimit;
/// let rejection = find("rejection").unwrap().prepare(&Task::die(6u8, Source::COIN).unwrap()).unwrap();
/// let period = rejection.quantity(Quantity::Period, WorkLimit::default());
/// assert_eq!(period, Err(NotKnown::NotOffered));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotKnown {
    /// The algorithm has no such quantity.
    #[error("the algorithm has no such quantity")]
    NotOffered,
    /// The period requires the factors of the target, and they were not found.
    #[error("its period needs the prime factors of n, which were not found")]
    NotFactored,
    /// This number of rolls did not show whether there is a worst case.
    #[error("{0} rolls did not show whether the number of rolls is bounded")]
    Unsettled(u64),
    /// Counting would step through more rolls than allowed.
    #[error("{0}")]
    TooLong(String),
}

/// A quantity, or the reason why it is unknown.
pub(crate) type QuantityResult = Result<BigUint, NotKnown>;
