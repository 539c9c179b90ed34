//! How the numbers of an answer are written: as doubles or as decimals.

use crate::QueryError;
use crate::say;
use crate::spell::{SHOWN_DIGITS, round_near_integer};
use flipcost::table::{Cell, Precision, Unwritten};
use flipcost_number::{BigInt, Decimal, Enclosure, Rational, Real, Rounding};
use num_traits::Signed;

/// The largest number of decimals that can be requested.
const MAX_DIGITS: u32 = 1_000_000;

/// A fraction with more characters is not shown in a sentence.
pub const MAX_SENTENCE_FRACTION: usize = 60;

/// Creates the precision of a question: the number of decimals, if requested, and whether exact
/// fractions are written even if they are very large.
///
/// # Errors
/// If too many decimals were requested.
pub fn precision(digits: Option<u32>, exact: bool) -> Result<Precision, QueryError> {
    if let Some(many) = digits.filter(|digits| *digits > MAX_DIGITS) {
        let what = say!("{many} decimals are too many");
        return Err(QueryError::wrong("digits", what).right(say!("{MAX_DIGITS} is the most")));
    }
    let limit = Precision::default().exact_limit;
    // Larger numerators and denominators would not fit in memory.
    let exact_limit = if exact { 1 << 37 } else { limit };
    Ok(Precision {
        digits,
        exact_limit,
    })
}

/// The cell of a real number at this precision; empty if no double is near the value.
pub fn decimal(value: &Real, precision: Precision) -> Result<Cell, QueryError> {
    match precision.cell(value) {
        Ok(cell) => Ok(cell),
        Err(Unwritten::Undecided(error)) => Err(QueryError::input(error)),
        Err(_) => Ok(Cell::Undefined),
    }
}

/// The cell of a number that is 0 or more. If no double is near the number, the cell is a decimal
/// with 17 significant digits; this works down to 2^-65536.
pub fn nonnegative_decimal(real: &Real, precision: Precision) -> Result<Cell, QueryError> {
    if precision.digits.is_some() || real.to_f64() != Ok(0.0) || real.is_zero() {
        return decimal(real, precision);
    }
    let digits = near_zero(real).map(|ends| {
        let low = ends.low();
        // 2^-k is below 10^-(0.3 k).
        let zeros = (low.denom().bits() - low.numer().bits()) * 302 / 1000;
        zeros as u32 + 17
    });
    let precision = Precision {
        digits,
        ..precision
    };
    decimal(real, precision)
}

/// Encloses a number that is 0 or more between positive ends, one of which is at most twice the
/// other. Returns `None` if the number may be below 2^-65536.
pub fn near_zero(real: &Real) -> Option<Enclosure> {
    let mut ends = (6..=16).map(|k| real.enclose(1 << k));
    ends.find(|ends| ends.low().is_positive() && ends.high() <= ends.low() * BigInt::from(2))
}

/// The cell of the exact fraction; empty if the fraction is unknown.
pub fn exact_cell(value: &Real) -> Cell {
    value.exact().map_or(Cell::Empty, Cell::from)
}

/// The cell of a value between two bounds; empty unless both bounds are written in the same way.
pub fn cell_between_bounds(low: &Cell, high: &Cell) -> Cell {
    match (low, high) {
        (Cell::Double(low), Cell::Double(high)) if low == high => Cell::Double(*low),
        (Cell::Decimal(low), Cell::Decimal(high)) => {
            Decimal::common(low, high).map_or(Cell::Empty, Cell::Decimal)
        }
        _ => Cell::Empty,
    }
}

/// Writes an exact value in a sentence. A whole number is written as it is. A fraction is followed
/// by its decimal (with `digits` decimals, or otherwise six significant digits), after `=` if the
/// decimal is exact and after `≈` if it is rounded. For a fraction with more than `longest`
/// characters only the decimal is written, after `≈` if it is rounded.
///
/// # Errors
/// If the decimals cannot be determined.
pub fn fraction_with_decimal(
    value: &Rational,
    longest: usize,
    precision: Precision,
) -> Result<String, QueryError> {
    let text = value.to_string();
    if value.is_integer() {
        return Ok(text);
    }
    let (decimal, whole) = match precision.digits {
        None => round_near_integer(value, SHOWN_DIGITS),
        Some(_) => {
            let decimal = decimal(&Real::Exact(value.clone()), precision)?;
            let whole = is_exact_decimal(&decimal);
            (decimal.to_string(), whole)
        }
    };
    let readable = text.len() <= longest;
    Ok(match (whole, readable) {
        (true, true) => format!("{text} = {decimal}"),
        (false, true) => format!("{text} ≈ {decimal}"),
        (true, false) => decimal,
        (false, false) => format!("≈ {decimal}"),
    })
}

/// Whether the written decimal is the exact value.
fn is_exact_decimal(written: &Cell) -> bool {
    matches!(written, Cell::Decimal(decimal) if decimal.rounding() == Rounding::Exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_decimals_have_no_equals_sign() {
        let said = |p: i64, q: u64, longest: usize| {
            let value = Rational::new(p.into(), q.into());
            fraction_with_decimal(&value, longest, Precision::default()).unwrap()
        };
        assert_eq!(said(8, 4, 60), "2");
        assert_eq!(said(11, 5, 60), "11/5 = 2.2");
        assert_eq!(said(-35, 4, 60), "-35/4 = -8.75");
        assert_eq!(said(72, 35, 60), "72/35 ≈ 2.05714");
        assert_eq!(said(72, 35, 4), "≈ 2.05714");
        assert_eq!(said(72, 64, 2), "1.125");
        assert_eq!(said(1, 1 << 60, 60), "1/1152921504606846976 ≈ 8.67362e-19");
        let near = said(1 << 60, (1 << 60) - 1, 60);
        assert_eq!(
            near,
            "1152921504606846976/1152921504606846975 ≈ 1 + 8.67362e-19"
        );
    }
}
