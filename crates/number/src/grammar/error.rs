//! Errors about a text that cannot be parsed or evaluated: one sentence that points at a character.

use super::{AlgebraError, Vocabulary};
use std::fmt;

/// Why a text is not a valid number or formula: the position, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// The text, or its beginning.
    shown: String,
    noun: &'static str,
    place: Option<TextPosition>,
    what: String,
}

/// A position in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TextPosition {
    at: usize,
    /// The character there; `None` at the end.
    found: Option<char>,
}

/// The maximum number of letters of a text that an error repeats.
const MAX_SHOWN_LEN: usize = 60;

impl ExpressionError {
    /// Creates the error for a text that was parsed as `words.noun`.
    pub fn new(text: &str, words: &Vocabulary, refusal: AlgebraError) -> Self {
        let place = TextPosition {
            at: refusal.at,
            found: text.chars().nth(refusal.at),
        };
        ExpressionError {
            place: Some(place),
            ..ExpressionError::of_value(text, words, refusal.what)
        }
    }

    /// Creates an error about the value of a text, without a position.
    pub fn of_value(text: &str, words: &Vocabulary, what: String) -> Self {
        let long = text.chars().nth(MAX_SHOWN_LEN).is_some();
        let kept = if long {
            MAX_SHOWN_LEN - 3
        } else {
            MAX_SHOWN_LEN
        };
        let mut shown: String = text.chars().take(kept).collect();
        if long {
            shown.push_str("...");
        }
        ExpressionError {
            shown,
            noun: words.noun,
            place: None,
            what,
        }
    }

    /// Rewords the error for another kind of text, for example "a target" instead of "a number".
    pub fn of_noun(self, noun: &'static str) -> Self {
        ExpressionError { noun, ..self }
    }

    /// Whether the error points at a character.
    pub fn has_place(&self) -> bool {
        self.place.is_some()
    }

    /// The position of the character, counted from 0; at the end of the text, the length of the
    /// text.
    pub fn position(&self) -> usize {
        self.place.as_ref().map_or(0, |place| place.at)
    }

    /// The problem, without the text and the position.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl std::error::Error for ExpressionError {}

/// Writes control characters as escapes, so that no text can move a terminal's cursor.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (shown, noun, what) = (printable(&self.shown), self.noun, &self.what);
        write!(f, "\"{shown}\" is not {noun} that can be used: {what}")?;
        match &self.place {
            None => Ok(()),
            Some(TextPosition { at, found: Some(c) }) => {
                let c = printable(c.encode_utf8(&mut [0; 4]));
                write!(f, ", at character {} ('{c}')", at + 1)
            }
            Some(_) if shown.is_empty() => write!(f, ", but nothing is there"),
            Some(TextPosition { at, .. }) => write!(f, ", at its end (character {})", at + 1),
        }
    }
}
