//! The list of all questions, and what is about any of them: statements, claims, advice, citations.

mod all;
mod asked;
mod claims;
mod measure;
pub mod questions;
mod renamed;

pub use all::{descriptions, from_json, read, register};
pub use claims::{ClaimName, UnknownClaim, claims};
pub use measure::{Measure, replace_letters};
pub use renamed::RENAMED;
