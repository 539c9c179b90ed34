//! The trait of every kind of figure.

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
    /// If the figure cannot be drawn; the sentence says what would be right.
    fn draw(&self, work: &DrawContext) -> Result<DrawnFigure, StudyError>;
}

/// Where a figure is made.
pub struct DrawContext<'a> {
    /// The file for the rows of the figure. A figure that takes hours keeps its partial results in
    /// a journal next to this file; the journal is removed once the rows are written.
    pub file: &'a Path,
    /// Called after each part of a figure that takes long.
    pub told: &'a (dyn Fn() + Sync),
}

impl DrawContext<'_> {
    /// The path of the journal, which holds the partial results of this figure.
    pub fn journal(&self) -> PathBuf {
        self.file.with_extension("found")
    }
}

/// Headers that are the same for every figure of a kind.
pub fn headers<const K: usize>(names: [&str; K]) -> Vec<String> {
    names.map(String::from).to_vec()
}
