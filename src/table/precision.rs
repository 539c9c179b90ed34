//! How numbers are written, and how large an exact fraction may become.

use super::Cell;
use crate::law::FractionSize;
use flipcost_number::real::{Double, Real, Undecided};

/// Exact fractions above this many bits are left out unless they are requested explicitly.
pub const EXACT_LIMIT: u128 = 100_000;

/// How numbers are written, and how large an exact fraction may become.
///
/// ```
/// use flipcost_number::Real;
/// use flipcost::table::{Cell, Precision};
/// let log = Real::log(&6u8.into(), 2);
/// let decimals = Precision { digits: Some(10), ..Precision::default() };
/// assert_eq!(decimals.cell(&log)?.to_string(), "2.5849625007");
/// assert_eq!(Precision::default().cell(&log)?, Cell::Double(2.584962500721156));
/// # Ok::<(), flipcost::table::Unwritten>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Decimals; without them, the nearest double.
    pub digits: Option<u32>,
    /// The most bits of an exact fraction.
    pub exact_limit: u128,
}

/// Why a value is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritten {
    /// Enclosures leave two answers.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// Decimals would write it.
    #[error("it is nearer to 0 than any double")]
    TooSmall,
    /// Decimals would write it.
    #[error("it is beyond the largest double")]
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
    /// A real as this precision writes it.
    ///
    /// # Errors
    /// [`Unwritten`] if no enclosure that was tried leaves one answer, or no double is near it.
    pub fn cell(&self, value: &Real) -> Result<Cell, Unwritten> {
        Ok(match self.digits {
            Some(digits) => Cell::Decimal(value.decimal(digits)?),
            None => match value.double()? {
                Double::Is(double) => Cell::Double(double),
                Double::TooSmall => return Err(Unwritten::TooSmall),
                Double::TooLarge => return Err(Unwritten::TooLarge),
            },
        })
    }
}

/// How large a fraction would be, as a clause of a sentence.
pub fn size_in_words(size: FractionSize) -> String {
    match size {
        FractionSize::Unknown => {
            "would have one denominator of an unknown number of bits: its period needs the prime \
             factors of n, which were not found"
                .to_string()
        }
        FractionSize::Sum => "is an infinite sum, and no fraction is known".to_string(),
        FractionSize::Product => {
            "is an infinite product or a limit, and no fraction is known".to_string()
        }
        FractionSize::Bits(u128::MAX) => "would have more than 2^128 bits".to_string(),
        FractionSize::Bits(bits) => {
            // log10 2 = 0.30102999566...
            const SCALE: u128 = 100_000_000_000;
            const LOG: u128 = 30_102_999_566;
            let digits = bits / SCALE * LOG + bits % SCALE * LOG / SCALE;
            format!(
                "would have about {bits} bits ({digits} digits) in numerator and denominator each"
            )
        }
    }
}
