//! How a sentence names a number that may be long.

use super::BigUint;

/// A number as a sentence names it.
pub fn short(n: &BigUint) -> String {
    let text = n.to_string();
    match text.len() {
        0..=30 => text,
        length => format!("{}...{} ({length} digits)", &text[..8], &text[length - 8..]),
    }
}
