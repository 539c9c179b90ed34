//! The trait of every kind of document.

use super::error::StudyError;
use flipcost::table::Cell;

/// A document: a text to read, and, if it is a table, its numbers.
pub struct Composed {
    /// The text below the title, in Markdown.
    pub text: String,
    /// Headers and rows.
    pub table: Option<(Vec<String>, Vec<Vec<Cell>>)>,
}

/// A kind of document.
pub trait Compose {
    /// The name of its files.
    fn name(&self) -> &str;

    /// The heading above the document.
    fn title(&self) -> &str;

    /// Computes and writes it.
    ///
    /// # Errors
    /// If the document cannot be computed, in a sentence that says what would be right.
    fn compose(&self) -> Result<Composed, StudyError>;
}
