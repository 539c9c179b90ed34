//! Laws without an end: what a draw costs in coin flips, and draws.
//!
//! The least number of flips for a law is the sum over its outcomes of t d_t / 2^t over the binary
//! digits d_t of their probabilities (Knuth & Yao 1976). [`Digits`](law::Digits) has the first
//! digits of all probabilities, and bounds what the others add.

#![warn(missing_docs)]

pub mod law;
pub mod laws;
pub mod measures;
pub mod questions;
pub mod samplers;
pub mod tables;
pub mod text;
pub mod walk;
