//! Why an answer has no picture.

use flipcost_query::{Answer, Door, QueryError, Sentence, say};

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
    pub fn kind(answer: &Answer) -> PictureError {
        PictureError::Kind(say!(answer.query.clone(), " has no such picture"))
    }

    /// Its sentence as it is said there.
    pub fn at(&self, door: Door) -> String {
        match self {
            PictureError::Kind(sentence) | PictureError::Input(sentence) => sentence.at(door),
            PictureError::Query(error) => error.at(door),
            PictureError::Figure(error) => error.to_string(),
        }
    }
}
