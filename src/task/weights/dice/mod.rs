//! Formulas of dice: `3d6 + 2`, `2d20kh1 >= 15`, `max(d6!, d8!)`, and `a + 6 * (b % 2)`, where
//! letters stand for dice.
//!
//! ```text
//! formula  = value ['given' value] ['where' name '=' value ('and' name '=' value)*]
//!                                                            count(r >= 8) - count(r = 1) where r = 5d10: one roll
//! dice     = [number] 'd' (sides | '%' | 'F') modifier*      3d6; d% is d100, dF shows -1, 0 or 1
//! modifier = 'ro' test                                       ones rolled again once: 4d6ro1, ro<=2
//!          | 'rr' test                                       until another face shows: 4d6rr1
//!          | '!'                                             the highest face is rolled on and added: d6!
//!          | ('kh' | 'kl' | 'dh' | 'dl') [number]            the highest or lowest kept or dropped: 4d6kh3
//!          | 'cs' test                                       how many: 5d10cs>=8; 5d10t8 is the same
//! test     = ['<' | '<=' | '=' | '>=' | '>'] number
//! ```
//!
//! Modifiers are written in this order, which is the order in which they apply; an exploding die
//! counts as one die, with its total. Formulas combine dice by `+ - * / %` (whole division and its
//! remainder, by Euclid), comparisons of values (1 if they hold, otherwise 0), `and`, `or`, and the
//! functions `max(a, b)`, `min(a, b)`, `count(5d10 >= 8, a = 1)`, `count_rolls(5d10! >= 8)`, which
//! counts every roll of exploding dice, and `total(3d6)`. A text with two possible meanings is
//! refused: `10d6 > 4` may mean `total(10d6) > 4` or `count(10d6 > 4)`. A named law can be used
//! like a number. All dice are independent, but a letter is the same roll wherever it occurs: if it
//! occurs several times, the formula is computed for each face of its die.

mod algebra;
mod endless;
mod finite;
mod law;
mod names;
mod pool;
mod readings;
mod rolled;
#[cfg(test)]
mod tests;
mod ways;
mod work;

pub use law::DiceLaw;
pub use readings::digit_die;
pub use rolled::roll_formula;

use flipcost_number::grammar::{dice_length, law_length};

/// Checks whether a text contains a die, for example 3d6 or d6.
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

/// Checks whether a text is a formula: it contains dice, or a named law that is not the whole text.
///
/// ```
/// use flipcost::task::is_formula;
/// assert!(is_formula("3d6") && is_formula("hypergeometric:N=60,K=4,n=7 >= 1"));
/// assert!(!is_formula("binomial:n=20,p=1/3") && !is_formula("1:2:3"));
/// ```
pub fn is_formula(text: &str) -> bool {
    let text = text.trim();
    let bytes = text.as_bytes();
    let begins = |i: usize| i == 0 || !bytes[i - 1].is_ascii_alphanumeric();
    let is_part = |i: usize| {
        let length = law_length(&bytes[i..]).filter(|_| begins(i));
        let name = || text[i..].split(':').next().unwrap_or_default();
        length.is_some_and(|length| length < bytes.len() && super::named::is_law(name()))
    };
    has_dice(text) && !text.starts_with('{')
        || (0..bytes.len()).any(|i| text.is_char_boundary(i) && is_part(i))
}
