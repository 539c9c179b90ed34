//! The toll is the cost of the fast dice roller above the entropy. This package computes its
//! extremes and oscillations over all n, and the largest toll of loaded dice. It checks theorems on
//! tolls and rounds for every n of a range (`verify`).

pub mod claims;
pub mod digits;
pub mod extremes;
pub mod fourier;
pub mod largest_toll;
pub mod questions;
mod rounds_extremes;
pub mod toll;
pub mod verify;
