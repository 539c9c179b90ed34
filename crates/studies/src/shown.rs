//! Formats values as the claims of a study show them.

use super::error::StudyError;
use flipcost_number::Rational;
use flipcost_number::Real;

/// Renders a value: its fraction, if that is short, and six decimals.
///
/// # Errors
/// If the decimals cannot be decided.
pub fn format_real(value: &Real) -> Result<String, StudyError> {
    let decimals = value.decimals(6)?;
    Ok(match value.exact().map(Rational::to_string) {
        Some(exact) if exact.len() <= 60 => format!("{exact} = {decimals}"),
        _ => decimals,
    })
}
