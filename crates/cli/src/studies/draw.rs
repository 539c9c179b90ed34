//! What every kind of figure can do.

use super::error::StudyError;
use flipcost::table::Cell;
use flipcost_figures::Drawing;

/// A drawing, and the numbers that it shows.
pub struct Drawn {
    /// The picture.
    pub drawing: Drawing,
    /// The headers of the numbers.
    pub headers: Vec<String>,
    /// Their rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A kind of figure.
pub trait Draw {
    /// The name of its files.
    fn name(&self) -> &str;

    /// Computes and draws it.
    ///
    /// # Errors
    /// If it cannot be drawn, in a sentence that says what would be right.
    fn draw(&self) -> Result<Drawn, StudyError>;
}

/// Headers that are the same for every figure of a kind.
pub fn headers<const K: usize>(names: [&str; K]) -> Vec<String> {
    names.map(String::from).to_vec()
}
