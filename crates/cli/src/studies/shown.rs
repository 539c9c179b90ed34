//! Values as claims show them, and the comparison with what was published.

use super::error::StudyError;
use flipcost::number::Rational;
use flipcost::number::Real;
use std::cmp::Ordering;

/// A value: the fraction, where it is short, and six decimals.
///
/// # Errors
/// If the decimals cannot be decided.
pub fn shown(value: &Real) -> Result<String, StudyError> {
    let decimals = value.decimals(6)?;
    Ok(match value.exact().map(Rational::to_string) {
        Some(exact) if exact.len() <= 60 => format!("{exact} = {decimals}"),
        _ => decimals,
    })
}

/// The larger of two values with their n; the earlier n of two that are equal.
///
/// # Errors
/// If they cannot be compared.
pub fn larger(a: Option<(u64, Real)>, b: (u64, Real)) -> Result<Option<(u64, Real)>, StudyError> {
    Ok(match a {
        Some(a) if b.1.compare(&a.1)? != Ordering::Greater => Some(a),
        _ => Some(b),
    })
}
