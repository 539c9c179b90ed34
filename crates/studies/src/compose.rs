//! The trait that every kind of document implements.

use super::error::StudyError;
use flipcost::table::Cell;

/// The contents of a document: a text, and, if the document is a table, its numbers.
pub struct DocumentContents {
    /// The text below the title, in Markdown.
    pub text: String,
    /// The headers and the rows of the table.
    pub table: Option<(Vec<String>, Vec<Vec<Cell>>)>,
}

/// A kind of document.
pub trait Compose {
    /// Returns the name of the document's files, without their endings.
    fn name(&self) -> &str;

    /// Returns the heading above the document.
    fn title(&self) -> &str;

    /// Computes and writes the document.
    ///
    /// # Errors
    /// If the document cannot be computed. The error says what to change.
    fn compose(&self) -> Result<DocumentContents, StudyError>;
}
