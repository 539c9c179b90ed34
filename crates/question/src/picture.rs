//! What pictures of answers share: why there is none, and the cells of an answer by the names of
//! their columns.

use crate::{FrontEnd, QueryError, Sentence, say};
use flipcost::table::{Cell, Integer};

/// Why an answer has no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The question has pictures of another kind, or none.
    #[error("{0}")]
    Kind(Sentence),
    /// It cannot be drawn as it stands.
    #[error("{0}")]
    Input(Sentence),
    /// What is drawn could not be computed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The drawing failed.
    #[error(transparent)]
    Figure(#[from] flipcost_figures::FigureError),
}

impl PictureError {
    /// The answer is of a question without this picture.
    pub fn kind(question: impl Into<Sentence>) -> PictureError {
        PictureError::Kind(say!(question, " has no such picture"))
    }

    /// Its sentence as it is said there.
    pub fn render(&self, door: FrontEnd) -> String {
        match self {
            PictureError::Kind(sentence) | PictureError::Input(sentence) => sentence.render(door),
            PictureError::Query(error) => error.render(door),
            PictureError::Figure(error) => error.to_string(),
        }
    }
}

/// A count of machine words; `None` for any other cell.
pub fn word(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(Integer::Word(word)) => Some(*word),
        _ => None,
    }
}

/// A double; NaN for any other cell.
pub fn double(cell: &Cell) -> f64 {
    match cell {
        Cell::Double(value) => *value,
        _ => f64::NAN,
    }
}
