//! How the numbers of an answer are written: as doubles, or as decimals.

use crate::QueryError;
use flipcost::number::Real;
use flipcost::table::{Cell, Precision};
use flipcost::unstable::table::fraction;

/// The most decimals that can be wanted.
const MOST_DIGITS: u32 = 1_000_000;

/// The precision of a question: decimals, if it wants any, and whether exact fractions are written
/// however large they are.
///
/// # Errors
/// If it wants too many decimals.
pub(crate) fn precision(digits: Option<u32>, exact: bool) -> Result<Precision, QueryError> {
    if let Some(many) = digits.filter(|digits| *digits > MOST_DIGITS) {
        return Err(QueryError::Input(format!(
            "{many} decimals are too many: {MOST_DIGITS} is the most"
        )));
    }
    let limit = Precision::default().exact_limit;
    // beyond this, numerator and denominator would not fit in memory
    let exact_limit = if exact { 1 << 37 } else { limit };
    Ok(Precision {
        digits,
        exact_limit,
    })
}

/// A real as this precision writes it.
pub(crate) fn decimal(value: &Real, precision: Precision) -> Result<Cell, QueryError> {
    precision.cell(value).map_err(QueryError::input)
}

/// The exact fraction, where it is known.
pub(crate) fn exact(value: &Real) -> Cell {
    let fraction = value.exact().map(fraction);
    fraction.map_or(Cell::Empty, Cell::Exact)
}
