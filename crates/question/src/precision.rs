//! How the numbers of an answer are written: as doubles, or as decimals.

use crate::QueryError;
use crate::say;
use crate::spell::{DIGITS, near_integer};
use flipcost::table::{Cell, Precision, Unwritten};
use flipcost_number::{BigInt, Decimal, Enclosure, Rational, Real, Rounding};
use num_traits::Signed;

/// The most decimals that can be wanted.
const MAX_DIGITS: u32 = 1_000_000;

/// A fraction of more letters is not read in a sentence.
pub const READABLE: usize = 60;

/// The precision of a question: decimals, if it wants any, and whether exact fractions are written
/// however large they are.
///
/// # Errors
/// If it wants too many decimals.
pub fn precision(digits: Option<u32>, exact: bool) -> Result<Precision, QueryError> {
    if let Some(many) = digits.filter(|digits| *digits > MAX_DIGITS) {
        let what = say!("{many} decimals are too many");
        return Err(QueryError::wrong("digits", what).right(say!("{MAX_DIGITS} is the most")));
    }
    let limit = Precision::default().exact_limit;
    // beyond this, numerator and denominator would not fit in memory
    let exact_limit = if exact { 1 << 37 } else { limit };
    Ok(Precision {
        digits,
        exact_limit,
    })
}

/// A real as this precision writes it; where no double is near it, a cell without a value.
pub fn decimal(value: &Real, precision: Precision) -> Result<Cell, QueryError> {
    match precision.cell(value) {
        Ok(cell) => Ok(cell),
        Err(Unwritten::Undecided(error)) => Err(QueryError::input(error)),
        Err(_) => Ok(Cell::Undefined),
    }
}

/// A number from 0 as a decimal: where no double is near it, with 17 digits that are not 0, down to
/// 2^-65536.
pub fn small(real: &Real, precision: Precision) -> Result<Cell, QueryError> {
    if precision.digits.is_some() || real.to_f64() != Ok(0.0) || real.is_zero() {
        return decimal(real, precision);
    }
    let digits = near_zero(real).map(|ends| {
        let low = ends.low();
        // 2^-k is below 10^-(k 0.3)
        let zeros = (low.denom().bits() - low.numer().bits()) * 302 / 1000;
        zeros as u32 + 17
    });
    let precision = Precision {
        digits,
        ..precision
    };
    decimal(real, precision)
}

/// Where a number from 0 lies, by ends above 0 of which one is at most twice the other; `None` if
/// it may be below 2^-65536.
pub fn near_zero(real: &Real) -> Option<Enclosure> {
    let mut ends = (6..=16).map(|k| real.enclose(1 << k));
    ends.find(|ends| ends.low().is_positive() && ends.high() <= ends.low() * BigInt::from(2))
}

/// The exact fraction, where it is known.
pub fn exact(value: &Real) -> Cell {
    value.exact().map_or(Cell::Empty, Cell::from)
}

/// The cell of a value between two others: empty unless both are written alike.
pub fn common(low: &Cell, high: &Cell) -> Cell {
    match (low, high) {
        (Cell::Double(low), Cell::Double(high)) if low == high => Cell::Double(*low),
        (Cell::Decimal(low), Cell::Decimal(high)) => {
            Decimal::common(low, high).map_or(Cell::Empty, Cell::Decimal)
        }
        _ => Cell::Empty,
    }
}

/// An exact value in a sentence: a whole number as it is; a fraction with its decimal (six
/// significant digits, unless others are asked for), after `=` where that is all of it and after
/// `≈` where it is rounded; of a fraction of more than `longest` letters the decimal alone, after
/// `≈` if it is rounded.
///
/// # Errors
/// If the decimals cannot be decided.
pub fn spelled(
    value: &Rational,
    longest: usize,
    precision: Precision,
) -> Result<String, QueryError> {
    let text = value.to_string();
    if value.is_integer() {
        return Ok(text);
    }
    let (decimal, whole) = match precision.digits {
        None => near_integer(value, DIGITS),
        Some(_) => {
            let decimal = decimal(&Real::Exact(value.clone()), precision)?;
            let whole = is_value(&decimal);
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

/// Is what is written of a value all of it?
fn is_value(written: &Cell) -> bool {
    matches!(written, Cell::Decimal(decimal) if decimal.rounding() == Rounding::Exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_that_is_rounded_is_not_said_to_be_equal() {
        let said = |p: i64, q: u64, longest: usize| {
            let value = Rational::new(p.into(), q.into());
            spelled(&value, longest, Precision::default()).unwrap()
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
