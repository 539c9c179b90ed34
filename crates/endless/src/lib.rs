//! Laws without an end, which have infinitely many outcomes or irrational probabilities: the cost
//! of a draw in coin flips, and draws from these laws.
//!
//! The least expected number of flips for a law is the sum of t d_t / 2^t over its outcomes and
//! over the binary digits d_t of their probabilities (Knuth & Yao 1976). [`Digits`](law::Digits)
//! contains the first digits of all probabilities, and bounds what the other digits contribute.

#![warn(missing_docs)]

pub mod law;
pub mod laws;
pub mod measures;
pub mod questions;
pub mod samplers;
pub mod tables;
pub mod text;
pub mod walk;
