//! One grammar for all formulas: numbers, constants and rules for dice.
//!
//! A text, for example `10^18 + 9`, `(1 + sqrt(5)) / 2` or `6 * (a - 1) + b <= 12`, is parsed once,
//! into an [`Expr`]. An [`Algebra`] decides the meaning of its operators and names: rationals have
//! powers and factorials, reals also `pi` and `sqrt`, and in a [`Formula`] `/` is whole division
//! and `<` compares. An algebra rejects unknown operations with a message that points at the
//! character.
//!
//! ```text
//! expression = all ('or' all)*
//! all        = comparison ('and' comparison)*
//! comparison = sum (('<' | '<=' | '=' | '==' | '!=' | '>=' | '>') sum)*
//! sum        = product (('+' | '-') product)*
//! product    = signed (('*' | '/' | '%') signed)*
//! signed     = '-' signed | power
//! power      = factorial ['^' signed]
//! factorial  = primary ('!' | '%')*
//! primary    = number | dice | name | name '(' expression (',' expression)* ')'
//!            | '(' expression ')'
//! number     = (digits ['.' [digits]] | '.' digits) ['e' ['+' | '-'] digits]
//!            | '0x' hexadecimal digits
//! dice       = [digits] 'd' (digits | '%' | 'F') (a letter, a digit or '!')*
//!            | word ':' fields
//! name       = a letter, then letters, digits and '_'; or the name of a number, such as P-256
//! ```
//!
//! Operators of equal strength group from the left, except powers: 2^3^2 = 2^9. A `%` is a percent
//! sign if no value follows it. Digits may be grouped by `_`. Only algebras with dice accept `or`,
//! `and`, `!=` and dice; they do not allow chained comparisons such as `a < b < c`. A group of
//! dice, for example `3d6`, `4d6kh3`, `d6!` or `5d10cs>=8`, is one word that the algebra
//! interprets, and so is a law with its name, for example `binomial:n=20,p=1/3`.
//!
//! Blanks are allowed between all symbols. A text has at most 50 nesting levels (brackets, powers
//! of powers, and signs of signs) and at most 10,000 symbols. The tree is stored as one list in
//! postfix order, so that neither evaluating nor dropping it needs the stack.
//!
//! Numbers are the rationals of [`crate::rationals`], which refuses a result that would be too long
//! before computing it.

mod algebra;
mod dice;
pub(crate) mod error;
mod formula;
mod list;
mod parse;
#[cfg(test)]
mod tests;
mod token;
mod tree;
#[cfg(test)]
pub(crate) mod trees;

pub use algebra::{Algebra, AlgebraError, Literal, Vocabulary, decimal};
pub use dice::{dice_length, law_length};
pub(crate) use error::ExpressionError;
pub use formula::Formula;
pub use list::{is_comment, items, unbracketed};
pub use tree::{Expr, Operator};
