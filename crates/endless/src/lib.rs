//! Laws without an end, with infinitely many outcomes or irrational probabilities: the cost of a
//! draw in coin flips, and draws.
//!
//! The least number of flips for a law is the sum over its outcomes of t d_t / 2^t over the binary
//! digits d_t of their probabilities (Knuth & Yao 1976). [`Digits`](law::Digits) has the first
//! digits of all probabilities, and bounds the contribution of the others.

#![warn(missing_docs)]

pub mod law;
pub mod laws;
pub mod measures;
pub mod questions;
pub mod samplers;
pub mod tables;
pub mod text;
pub mod walk;
