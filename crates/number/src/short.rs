//! Short forms of long numbers, for messages.

use super::BigUint;
use super::text::with_digits;

/// A number in short form, for messages.
pub fn short(n: &BigUint) -> String {
    with_digits(n, short_digits)
}

/// As [`short`], for a number given by its digits.
pub fn short_digits(text: &str) -> String {
    match text.len() {
        0..=30 => text.to_string(),
        length => format!("{}...{} ({length} digits)", &text[..8], &text[length - 8..]),
    }
}
