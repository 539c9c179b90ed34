//! The trait of every kind of table.

use crate::error::StudyError;
use flipcost::table::Cell;

/// The heads of a table and its rows.
pub type Rows = (Vec<String>, Vec<Vec<Cell>>);

/// A kind of table.
pub trait Tabulate {
    /// Computes the table.
    ///
    /// # Errors
    /// If the table cannot be computed, in a sentence that says what would be right.
    fn rows(&self) -> Result<Rows, StudyError>;
}
