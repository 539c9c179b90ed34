//! The toll of the fast dice roller, its cost above the entropy, over all n: its extremes and its
//! oscillations; and the largest toll of loaded dice. Theorems on tolls and rounds are checked for
//! every n of a range (`verify`).

pub mod band;
pub mod claims;
pub mod digits;
pub mod fourier;
pub mod largest_toll;
pub mod questions;
mod rounds_extremes;
pub mod toll;
pub mod verify;
