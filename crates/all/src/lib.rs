//! The list of all questions, and the questions that can be about any other question: statements,
//! claims, advice and citations.

mod all;
mod asked;
mod claims;
pub mod first_word;
mod letters;
mod measure;
pub mod questions;

pub use all::{QUESTIONS, algorithms, descriptions, from_json, read, terminal};
pub use claims::{ClaimName, UnknownClaim, claims};
pub use letters::substitute_variables;
pub use measure::Measure;
