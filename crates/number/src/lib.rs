//! Exact and certified arithmetic: integers, fractions, enclosures of real numbers, prime factors
//! and multiplicative orders.
//!
//! The public types are those of the num crates: [`BigUint`], [`BigInt`] and [`Rational`].
#![deny(unsafe_code)] // the modules that allow it, transform, orders_of_two and gcd_pairs, say why
#![warn(unnameable_types)]

pub mod budget;
mod chunks;
pub mod collect;
pub mod constant;
mod decimal;
pub mod disc;
pub mod e_pi;
mod enclosure;
pub mod exponential;
pub mod expression;
pub mod factor;
pub mod fixed;
pub mod gcd;
pub mod gcd_pairs;
pub mod grammar;
pub mod long;
pub mod memory;
pub mod mr;
pub mod named;
pub mod near;
mod operators;
pub mod order;
mod orders_of_two;
mod polynomial;
pub mod rationals;
mod real;
pub mod reals;
pub mod reduce;
pub mod scaled;
pub mod short;
pub mod sieve;
mod small_orders;
pub mod text;
pub mod threads;
pub mod total;
pub mod transform;
pub mod words;

pub use decimal::{Decimal, Rounding};
pub use enclosure::{Enclosure, ln, log2};
pub use num_bigint::{BigInt, BigUint};
/// A fraction in lowest terms. Formatting it ignores a precision such as `{:.50}`: use
/// `Real::from(fraction)` for decimals.
pub use num_rational::BigRational as Rational;
pub use polynomial::{Polynomial, RationalFunction};
pub use real::{Real, Undecided, common_decimals, nearest_f64};
