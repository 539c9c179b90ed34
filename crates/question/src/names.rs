//! The names that the fields of a question can use.

use crate::sentence::Sentence;
use flipcost::algorithms::Catalogue;

/// Names that the fields of a question can use, in addition to those that the engine itself knows.
#[derive(Clone, Copy, Default)]
pub struct Names {
    /// The algorithms that are found by their ids.
    pub algorithms: Catalogue,
    /// Names the question whose answer has a row with this id, for errors about ids that are not
    /// algorithms.
    pub question_of_row: Option<fn(&str) -> Option<Sentence>>,
}
