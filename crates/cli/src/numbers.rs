//! Parses numbers in arguments, and explains why one cannot be used.

use flipcost_number::expression::{ExpressionError, parse_u64};

/// Why an argument cannot be used: clap prints this sentence after the argument's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// The text is not a number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// The number is 0.
    #[error("it must be at least 1")]
    Zero,
}

/// Parses a natural number that fits in a machine word, such as an end of a range.
pub fn parse_word(text: &str) -> Result<u64, ArgumentError> {
    Ok(parse_u64(text)?)
}

/// Parses a positive integer that fits in a machine word.
pub fn parse_positive(text: &str) -> Result<u64, ArgumentError> {
    match parse_word(text)? {
        0 => Err(ArgumentError::Zero),
        n => Ok(n),
    }
}
