//! Integers, rationals, reals with certified enclosures; multiplicative orders, residues, factors.
//!
//! The public types are those of the num crates: [`BigUint`], [`BigInt`] and [`Rational`].

pub(crate) mod constant;
mod decimal;
pub(crate) mod disc;
pub(crate) mod e_pi;
pub(crate) mod enclosure;
pub(crate) mod exponential;
pub(crate) mod expression;
pub(crate) mod factor;
pub(crate) mod fixed;
pub(crate) mod functions;
pub(crate) mod gcd;
pub(crate) mod gcd_pairs;
pub(crate) mod long;
pub(crate) mod mr;
pub(crate) mod named;
pub(crate) mod narrow;
pub(crate) mod order;
mod order_tests;
pub(crate) mod places;
mod polynomial;
pub(crate) mod rationals;
pub(crate) mod real;
pub(crate) mod reals;
pub(crate) mod reduce;
pub(crate) mod residues;
pub(crate) mod scaled;
pub(crate) mod short;
pub(crate) mod sieve;
mod small_orders;
pub(crate) mod text;
pub(crate) mod total;
pub(crate) mod transform;
pub(crate) mod words;

pub use decimal::{Decimal, Rounding};
pub use enclosure::Enclosure;
pub use num_bigint::{BigInt, BigUint};
pub use num_rational::BigRational as Rational;
pub use polynomial::{Polynomial, RationalFunction};
pub use real::{Double, Real, Undecided};
