//! Numbers among the arguments, and why one cannot be used.

use flipcost_number::expression::{ExpressionError, parse_u64};

/// Why an argument cannot be used: the sentence that clap prints after the argument's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// It is not a number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// 0.
    #[error("it must be at least 1")]
    Zero,
}

/// A natural number that fits a machine word, as the ends of a range must.
pub fn word(text: &str) -> Result<u64, ArgumentError> {
    Ok(parse_u64(text)?)
}

/// A natural number above 0 that fits a machine word.
pub fn positive(text: &str) -> Result<u64, ArgumentError> {
    match word(text)? {
        0 => Err(ArgumentError::Zero),
        n => Ok(n),
    }
}
