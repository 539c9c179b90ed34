//! How numbers are written, and the maximum size of an exact fraction.

use super::Cell;
use flipcost_number::{Real, Undecided};

/// The maximum number of bits of an exact fraction that is shown without an explicit request.
pub const EXACT_LIMIT: u128 = 100_000;

/// How numbers are written, and the maximum size of an exact fraction.
///
/// ```
/// use flipcost::number::Real;
/// use flipcost::table::{Cell, Precision};
/// let log = Real::log(6, 2);
/// let decimals = Precision { digits: Some(10), ..Precision::default() };
/// assert_eq!(decimals.cell(&log)?.to_string(), "2.5849625007");
/// assert_eq!(Precision::default().cell(&log)?, Cell::Double(2.584962500721156));
/// # Ok::<(), flipcost::table::Unwritten>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// The number of decimals; `None` means the nearest double.
    pub digits: Option<u32>,
    /// The maximum number of bits of an exact fraction.
    pub exact_limit: u128,
}

/// The reason why a value is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritten {
    /// Enclosures leave two possible roundings.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The value rounds to 0 as a double, but decimals can be written.
    #[error("it is nearer to 0 than any double")]
    TooSmall,
    /// The value overflows a double, but decimals can be written.
    #[error("it is larger than the largest double")]
    TooLarge,
}

impl Default for Precision {
    fn default() -> Self {
        Precision {
            digits: None,
            exact_limit: EXACT_LIMIT,
        }
    }
}

impl Precision {
    /// Formats a real number with this precision.
    ///
    /// # Errors
    /// [`Unwritten`] if no enclosure that was tried determines the rounding, or if no double is
    /// near the value.
    pub fn cell(&self, value: &Real) -> Result<Cell, Unwritten> {
        Ok(match self.digits {
            Some(digits) => Cell::Decimal(value.decimal(digits)?),
            None => match value.to_f64()? {
                0.0 if !value.is_zero() => return Err(Unwritten::TooSmall),
                double if double.is_infinite() => return Err(Unwritten::TooLarge),
                double => Cell::Double(double),
            },
        })
    }
}
