//! Why a study could not be run: the lowest file of the studies, which imports none of the others.

use crate::rows::OutputError;
use flipcost::number::Undecided;
use flipcost::sequences::SequenceError;
use flipcost::table::RowError;
use flipcost::task::{Refusal, TaskError};
use flipcost_figures::FigureError;
use std::fmt::Display;

/// Why a study could not be run.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file states something that cannot be computed or drawn: one sentence.
    #[error("{0}")]
    Input(String),
    /// A value could not be computed.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A rounding or comparison could not be decided.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// A figure could not be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A result could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// One of these, and where in the study.
    #[error("{place}: {error}")]
    At {
        /// The figure, the check, the n.
        place: String,
        /// What is wrong there.
        error: Box<StudyError>,
    },
}

impl StudyError {
    /// An error that is one sentence, as that of a study.
    pub fn input(error: impl Display) -> StudyError {
        StudyError::Input(error.to_string())
    }

    /// The same, with its place in the study. An output that failed has a place of its own: its
    /// file.
    pub fn at(self, place: impl Display) -> StudyError {
        match self {
            StudyError::Output(_) => self,
            error => StudyError::At {
                place: place.to_string(),
                error: error.into(),
            },
        }
    }
}

impl From<SequenceError> for StudyError {
    fn from(error: SequenceError) -> Self {
        match error {
            SequenceError::Unknown(_) => {
                StudyError::Input(format!("{error}: `flipcost sequence list` names them all"))
            }
            error => StudyError::input(error),
        }
    }
}

impl From<TaskError> for StudyError {
    fn from(error: TaskError) -> Self {
        StudyError::input(error)
    }
}

impl From<Refusal> for StudyError {
    fn from(error: Refusal) -> Self {
        StudyError::Row(error.into())
    }
}

/// A value of a study's file that cannot be used: one sentence that says what is wrong and what
/// would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongValue(String);

impl WrongValue {
    /// The sentence of another error, or one of its own.
    pub fn new(sentence: impl Display) -> WrongValue {
        WrongValue(sentence.to_string())
    }
}

impl From<String> for WrongValue {
    fn from(sentence: String) -> Self {
        WrongValue(sentence)
    }
}

impl From<&str> for WrongValue {
    fn from(sentence: &str) -> Self {
        WrongValue(sentence.to_string())
    }
}
