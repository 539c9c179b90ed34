//! The list of all questions, and what is about any of them: statements, claims, advice, citations.

mod all;
mod asked;
mod claims;
pub mod questions;
mod renamed;

pub use all::{descriptions, from_json, read, register};
pub use asked::{Measure, replace_letters};
pub use claims::{ClaimName, UnknownClaim, claims};
pub use renamed::RENAMED;
