//! What every kind of figure can do.

use super::error::StudyError;
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use std::path::{Path, PathBuf};

/// A drawing, and the numbers that it shows.
pub struct DrawnFigure {
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
    fn draw(&self, work: &DrawContext) -> Result<DrawnFigure, StudyError>;
}

/// Where a figure is made.
pub struct DrawContext<'a> {
    /// The file that its rows are written to. One that takes hours keeps what it has found beside
    /// it, in a file that is removed when the rows are written.
    pub file: &'a Path,
    /// Is called for every part of one that takes long.
    pub told: &'a (dyn Fn() + Sync),
}

impl DrawContext<'_> {
    /// What is found of this figure before it is whole.
    pub fn journal(&self) -> PathBuf {
        self.file.with_extension("found")
    }
}

/// Headers that are the same for every figure of a kind.
pub fn headers<const K: usize>(names: [&str; K]) -> Vec<String> {
    names.map(String::from).to_vec()
}
