//! Tables that no question answers: one file each, and one line of the list below beside its `mod`.

mod digit_bound;
mod fourier;
mod recipes;
mod recycling;
mod shuffles;
mod tabulate;

pub use tabulate::{Rows, Tabulate};

use super::tagged::tagged;

tagged! {
    /// A table that no question answers.
    pub enum StudyTable: Tabulate {
        "recipes" => Recipes(recipes::Recipes),
        "fourier" => Fourier(fourier::FourierSums),
        "digit-bound" => DigitBound(digit_bound::DigitBound),
        "recycling" => Recycling(recycling::Recycling),
        "shuffles" => Shuffles(shuffles::Shuffles),
    }
}
