//! Formulas of dice: `3d6 + 2`, `2d20kh1 >= 15`, `max(d6!, d8!)`, and `a + 6 * (b % 2)` where letters are dice.
//!
//! ```text
//! dice     = [number] 'd' (sides | '%' | 'F') modifier*      3d6; d% is d100, dF shows -1, 0 or 1
//! modifier = 'ro' test                                       ones rolled again once: 4d6ro1, ro<=2
//!          | '!'                                             the highest face is rolled on and added: d6!
//!          | ('kh' | 'kl' | 'dh' | 'dl') [number]            the highest or lowest kept or dropped: 4d6kh3
//!          | 'cs' test                                       how many: 5d10cs>=8
//! test     = ['<' | '<=' | '=' | '>=' | '>'] number
//! ```
//!
//! They are written in this order, which is the order in which it is done; an exploding die counts as one die, with all
//! that it shows. Between them stand `+ - * / %` (whole division and its remainder, by Euclid), comparisons of values
//! (1 where they hold, else 0), `and`, `or`, and around them `max(a, b)`, `min(a, b)`, `count(5d10 >= 8, a = 1)`. All dice
//! are independent, but a letter is the same roll wherever it stands: the formula is computed for each of its faces where
//! it comes twice.

mod algebra;
mod endless;
mod finite;
mod law;
mod pool;
mod rolled;
#[cfg(test)]
mod tests;
mod work;

pub use law::DiceLaw;
pub use rolled::roll_formula;

use flipcost_number::grammar::dice_length;

/// Is there a die such as 3d6 or d6 in a text?
///
/// ```
/// use flipcost::task::has_dice;
/// assert!(has_dice("2 + 4d6kh3") && !has_dice("0x3d6"));
/// ```
pub fn has_dice(text: &str) -> bool {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let begins = |i: usize| i == 0 || !part(bytes[i - 1]);
    (0..bytes.len()).any(|i| begins(i) && dice_length(&bytes[i..]).is_some())
}
