//! How a sentence names a number that may be long.

use super::BigUint;
use super::text::with_digits;

/// A number as a sentence names it.
pub fn short(n: &BigUint) -> String {
    with_digits(n, short_digits)
}

/// The same of a number that is written out.
pub fn short_digits(text: &str) -> String {
    match text.len() {
        0..=30 => text.to_string(),
        length => format!("{}...{} ({length} digits)", &text[..8], &text[length - 8..]),
    }
}
