//! Code for all pictures of answers: the errors, and access to the cells by column names.

use crate::{FrontEnd, QueryError, Sentence, say};
use flipcost::table::{Cell, Integer};

/// The reason why an answer has no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The question has other kinds of pictures, or no pictures.
    #[error("{0}")]
    Kind(Sentence),
    /// This answer cannot be drawn.
    #[error("{0}")]
    Input(Sentence),
    /// The values to draw could not be computed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Drawing failed.
    #[error(transparent)]
    Figure(#[from] flipcost_figures::FigureError),
}

impl PictureError {
    /// The error for a question that does not have this kind of picture.
    pub fn kind(question: impl Into<Sentence>) -> PictureError {
        PictureError::Kind(say!(question, " has no such picture"))
    }

    /// Renders the error for this front end.
    pub fn render(&self, front_end: FrontEnd) -> String {
        match self {
            PictureError::Kind(sentence) | PictureError::Input(sentence) => {
                sentence.render(front_end)
            }
            PictureError::Query(error) => error.render(front_end),
            PictureError::Figure(error) => error.to_string(),
        }
    }
}

/// The value of a cell that is a machine word; `None` for any other cell.
pub fn word_of_cell(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(Integer::Word(word)) => Some(*word),
        _ => None,
    }
}

/// The value of a cell that is a double; NaN for any other cell.
pub fn double_of_cell(cell: &Cell) -> f64 {
    match cell {
        Cell::Double(value) => *value,
        _ => f64::NAN,
    }
}
