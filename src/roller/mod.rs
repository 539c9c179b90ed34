//! Fast arithmetic for the costs of the fast dice roller; no other code depends on its internals.
//!
//! The cost of the fast dice roller depends on the residues m^t mod n and on the binary repetend of
//! 1/n. This module computes residues a word at a time, or for many periods at a time. From these
//! it computes exact means as fractions in lowest terms ([`numerator`], using the cyclotomic
//! factors of their denominators), and doubles and decimals from narrow enclosures ([`doubles`],
//! `decimals`; for any source, `moments`). It also computes the rounds of the flow chart's cycle,
//! which are the ones in the repetend ([`rounds`]): by theorems on class numbers (`class_number`)
//! and L-functions if they apply, otherwise by counting in vector lanes ([`lanes`]). The tests
//! compare every function with its definition.

mod characters;
pub(crate) mod class_number;
mod cyclotomic;
pub(crate) mod decimals;
mod divisors;
pub mod doubles;
pub mod fractions;
pub mod lanes;
pub(crate) mod moments;
pub(crate) mod narrow;
pub mod numerator;
mod residues;

pub use residues::ResidueSequence;
pub mod rounds;

/// Converts an inclusive range to a half-open range with the same numbers.
///
/// # Panics
/// If the range ends with 2^64 - 1.
fn half_open(range: std::ops::RangeInclusive<u64>) -> std::ops::Range<u64> {
    *range.start()..range.end().checked_add(1).expect("an end below 2^64 - 1")
}
