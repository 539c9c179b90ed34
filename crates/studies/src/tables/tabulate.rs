//! The trait that every kind of table implements.

use crate::error::StudyError;
use flipcost::table::Cell;

/// The headers and the rows of a table.
pub type Rows = (Vec<String>, Vec<Vec<Cell>>);

/// A kind of table.
pub trait Tabulate {
    /// Computes the table.
    ///
    /// # Errors
    /// If the table cannot be computed. The error says what to change.
    fn rows(&self) -> Result<Rows, StudyError>;
}
