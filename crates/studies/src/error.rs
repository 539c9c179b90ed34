//! The errors of studies. This file is the lowest layer of the package and imports no other file of
//! it.

use flipcost::sequences::SequenceError;
use flipcost::table::RowError;
use flipcost::table::Unwritten;
use flipcost::task::{Refusal, SourceError, TaskError};
use flipcost_figures::FigureError;
use flipcost_number::Undecided;
use flipcost_terminal::rows::OutputError;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The reason why a study could not be run: a mistake in its file, or an output that failed.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file states something that cannot be computed or drawn.
    #[error(transparent)]
    Input(#[from] Mistake),
    /// A result could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Another error, with the place in the study where it occurred.
    #[error("{place}: {error}")]
    At {
        /// The place: a figure, a check, or an n.
        place: String,
        /// The error that occurred at the place.
        error: Box<StudyError>,
    },
}

impl StudyError {
    /// Adds the place in the study. An output error is returned as it is: it already names its
    /// file.
    pub fn with_place(self, place: impl Display) -> StudyError {
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
        let wrong = Mistake::new(&error).field("id");
        match &error {
            SequenceError::Unknown(id) => wrong
                .with_value(id)
                .right("`flipcost list sequences` names them all"),
            _ => wrong,
        }
        .into()
    }
}

impl From<TaskError> for StudyError {
    fn from(error: TaskError) -> Self {
        let mistake = Mistake::split(&error);
        match error {
            TaskError::Source(SourceError::Sides(m)) => mistake.field("source").with_value(m),
            _ => mistake,
        }
        .into()
    }
}

/// Implements the conversion from errors that are displayed as one sentence.
macro_rules! sentences {
    ($($error:ty),*) => {$(
        impl From<$error> for StudyError {
            fn from(error: $error) -> Self {
                Mistake::new(error).into()
            }
        }
    )*};
}

sentences!(RowError, Refusal, Undecided, Unwritten, FigureError);

/// A mistake in a study's file, with the key, the value and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// The key whose value is wrong.
    pub field: Option<String>,
    /// The wrong value, shortened if it is long, or the amount that the value requests.
    pub given: Option<String>,
    /// The description of the mistake.
    pub what: String,
    /// The remedy: a right value, or what to do.
    pub right: Option<String>,
}

/// The largest number of letters of a value that are stored in a mistake.
pub const MAX_VALUE_LEN: usize = 80;

impl Mistake {
    /// Creates a mistake from its description.
    pub fn new(what: impl Display) -> Mistake {
        Mistake {
            field: None,
            given: None,
            what: what.to_string(),
            right: None,
        }
    }

    /// Creates a mistake in the value of a key.
    pub fn in_field(field: &str, given: impl Display, what: impl Display) -> Mistake {
        Mistake::new(what).field(field).with_value(given)
    }

    /// Creates a mistake from an error. The part of the error's sentence after the last colon
    /// becomes the remedy.
    pub fn split(error: impl Display) -> Mistake {
        let whole = error.to_string();
        match whole.rsplit_once(": ") {
            Some((what, right)) => Mistake::new(what).right(right),
            None => Mistake::new(whole),
        }
    }

    /// Sets the key whose value is wrong.
    pub fn field(self, field: &str) -> Mistake {
        let field = Some(field.to_string());
        Mistake { field, ..self }
    }

    /// Sets the wrong value, shortened to [`MAX_VALUE_LEN`] letters.
    pub fn with_value(self, given: impl Display) -> Mistake {
        let given = Some(shortened(&given.to_string(), MAX_VALUE_LEN));
        Mistake { given, ..self }
    }

    /// Sets the remedy.
    pub fn right(self, right: impl Display) -> Mistake {
        let right = Some(right.to_string());
        Mistake { right, ..self }
    }
}

/// Creates the mistake for an unknown name; the remedy lists the known names.
pub fn one_of(what: impl Display, names: impl Display) -> Mistake {
    Mistake::new(what).right(format!("choose one of {names}"))
}

impl Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.right {
            Some(right) => write!(f, "{}: {right}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Mistake {}

/// Returns the first letters of a text, at most `longest`.
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A mistake as an error of serde. Serde's errors carry only a text, so the text is the mistake as
/// JSON.
pub struct SerializedMistake(pub Mistake);

impl SerializedMistake {
    /// Parses the mistake from the text of a serde error. A text that is not JSON becomes the
    /// description.
    pub fn read(message: &str) -> Mistake {
        serde_json::from_str(message).unwrap_or_else(|_| Mistake::new(message))
    }
}

impl From<Mistake> for SerializedMistake {
    fn from(wrong: Mistake) -> SerializedMistake {
        SerializedMistake(wrong)
    }
}

impl Display for SerializedMistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&serde_json::to_string(&self.0).map_err(|_| fmt::Error)?)
    }
}
