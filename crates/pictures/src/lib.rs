//! Pictures of answers: what a question's columns and rows look like.
//!
//! An [`Answer`] says its own question and holds its numbers; each module here turns the answer of
//! one kind of question into a picture of `flipcost_figures`, or into text for a terminal.

#![warn(missing_docs)]

pub mod curves;
pub mod heat_map;
mod stream;

pub use stream::stream;

use flipcost_query::Answer;

/// Why an answer has no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The question has pictures of another kind, or none.
    #[error("`{0}` has no such picture")]
    Kind(String),
    /// It cannot be drawn as it stands: one sentence.
    #[error("{0}")]
    Input(String),
    /// The drawing failed.
    #[error(transparent)]
    Figure(#[from] flipcost_figures::FigureError),
}

impl PictureError {
    /// The answer is of a question without this picture.
    pub fn kind(answer: &Answer) -> PictureError {
        PictureError::Kind(answer.query.command().to_string())
    }
}
