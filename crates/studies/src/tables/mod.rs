//! Tables that the program's questions do not give. Each kind has its own file, a line in the list
//! below, and a `mod`.

mod digit_bound;
mod fourier;
mod recipes;
mod recycling;
mod shuffles;
mod tabulate;

pub use tabulate::{Rows, Tabulate};

use super::tagged::tagged;

tagged! {
    /// A table that the program's questions do not give.
    pub enum StudyTable: Tabulate {
        "recipes" => Recipes(recipes::Recipes),
        "fourier" => Fourier(fourier::FourierSums),
        "digit-bound" => DigitBound(digit_bound::DigitBound),
        "recycling" => Recycling(recycling::Recycling),
        "shuffles" => Shuffles(shuffles::Shuffles),
    }
}
