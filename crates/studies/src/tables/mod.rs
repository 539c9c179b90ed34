//! Tables that no question answers: one file each, and one line of the list below beside its `mod`.

mod digit_bound;
mod fourier;
mod recipes;
mod recycling;
mod shuffles;

use super::error::StudyError;
use super::tagged::tagged;
use flipcost::table::Cell;

/// The heads of a table and its rows.
pub type Rows = (Vec<String>, Vec<Vec<Cell>>);

/// A kind of table.
pub trait Tabulate {
    /// Computes it.
    ///
    /// # Errors
    /// If it cannot be computed, in a sentence that says what would be right.
    fn rows(&self) -> Result<Rows, StudyError>;
}

tagged! {
    /// A table that no question answers.
    pub enum Table: Tabulate {
        "recipes" => Recipes(recipes::Recipes),
        "fourier" => Fourier(fourier::FourierSums),
        "digit-bound" => DigitBound(digit_bound::DigitBound),
        "recycling" => Recycling(recycling::Recycling),
        "shuffles" => Shuffles(shuffles::Shuffles),
    }
}
