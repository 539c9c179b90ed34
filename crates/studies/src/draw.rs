//! The trait that every kind of figure implements.

use super::error::StudyError;
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use std::path::{Path, PathBuf};

/// A drawing, and the numbers that the drawing shows.
pub struct DrawnFigure {
    /// The picture.
    pub drawing: Drawing,
    /// The headers of the columns of numbers.
    pub headers: Vec<String>,
    /// The rows of numbers.
    pub rows: Vec<Vec<Cell>>,
}

/// A kind of figure.
pub trait Draw {
    /// Returns the name of the figure's files, without their endings.
    fn name(&self) -> &str;

    /// Computes and draws the figure.
    ///
    /// # Errors
    /// If the figure cannot be drawn. The error says what to change.
    fn draw(&self, work: &DrawContext) -> Result<DrawnFigure, StudyError>;
}

/// The context in which a figure is drawn: the file for its rows, and a function that reports
/// progress.
pub struct DrawContext<'a> {
    /// The file for the rows of the figure. A figure that takes hours keeps its partial results in
    /// a journal next to this file. The journal is removed when the rows have been written.
    pub file: &'a Path,
    /// Called after each part of a figure that takes a long time.
    pub on_part_done: &'a (dyn Fn() + Sync),
}

impl DrawContext<'_> {
    /// The path of the journal, which holds the partial results of this figure.
    pub fn journal(&self) -> PathBuf {
        self.file.with_extension("found")
    }
}

/// Converts a fixed list of headers to the headers of a figure.
pub fn headers<const K: usize>(names: [&str; K]) -> Vec<String> {
    names.map(String::from).to_vec()
}
