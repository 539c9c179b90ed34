//! Values as claims show them, and the comparison with what was published.

use super::error::{Mistake, StudyError};
use super::values::{Decimals, Fraction};
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

/// Is it this fraction, and does it round to these decimals? One of them is given.
///
/// # Errors
/// If neither is given, or the decimals cannot be decided.
pub fn same(
    value: &Real,
    is: Option<&Fraction>,
    decimals: Option<&Decimals>,
) -> Result<bool, StudyError> {
    if is.is_none() && decimals.is_none() {
        let what = "it must say what the value is, as is = \"11/3\" or decimals = \"3.6667\"";
        return Err(Mistake::new(what).field("is").into());
    }
    let exact = is.is_none_or(|is| value.exact() == Some(&is.0));
    let rounded = match decimals {
        Some(Decimals(text)) => {
            let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
            value.decimals(digits as u32)? == *text
        }
        None => true,
    };
    Ok(exact && rounded)
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
