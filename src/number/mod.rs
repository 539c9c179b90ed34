//! Integers and rationals: orders, residue streams, certified decimals. Below stands only
//! [`crate::grammar`], in whose expressions numbers are written.
//!
//! The public types are those of the num crates: [`BigUint`], [`BigInt`] and [`Rational`].

pub mod constant;
pub(crate) mod e_pi;
pub mod enclosure;
pub mod expression;
pub mod factor;
pub mod fixed;
pub(crate) mod gcd;
pub mod mr;
pub mod order;
pub mod rationals;
pub mod real;
pub mod reals;
pub mod reduce;
pub mod residues;
pub mod sieve;

pub use enclosure::Enclosure;
pub use num_bigint::{BigInt, BigUint};
pub use num_rational::BigRational as Rational;
pub use real::{Real, Undecided};
