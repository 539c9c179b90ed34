//! What every kind of quantity can do.

use super::case::Case;
use super::error::StudyError;
use flipcost::number::Real;
use serde_json::Value;

/// A kind of quantity: a number that a question of the engine has as its answer.
pub trait Measure: Sync {
    /// Does it speak of the n of `for-all`?
    fn of_n(&self) -> bool;

    /// The question of the program whose answer has it, in JSON, if it is one; for one case.
    fn question(&self) -> Option<Value> {
        None
    }

    /// Its value: exact where it can be, else enclosed.
    ///
    /// # Errors
    /// If it has none or it takes too long, in a sentence that says what would be right.
    fn value(&self, case: &Case) -> Result<Real, StudyError>;
}
