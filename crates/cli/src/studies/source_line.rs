//! A mistake in a study's file, with its line and column.

use super::error::StudyError;
use std::ops::Range;

/// Letters of a message that are shown.
const LONGEST: usize = 600;

/// A mistake at a place of a text, in one sentence:
///
/// ```text
/// analysis/mine.toml, line 6, column 51: "four" is not a number that can be used: ...
/// ```
pub fn mistake(file: &str, text: &str, place: Option<Range<usize>>, message: &str) -> StudyError {
    let message = message.replace('\n', " ");
    let message = match message.chars().count() {
        0..=LONGEST => message,
        _ => message.chars().take(LONGEST).chain("...".chars()).collect(),
    };
    let Some(place) = place else {
        return StudyError::Input(format!("{file}: {message}"));
    };
    let before = &text[..floor(text, place.start)];
    let number = before.matches('\n').count() + 1;
    let line = before.rsplit('\n').next().unwrap_or("");
    let column = line.chars().count() + 1;
    StudyError::Input(format!("{file}, line {number}, column {column}: {message}"))
}

/// The last boundary of a letter at or before a place.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, place: Range<usize>) -> String {
        mistake("x.toml", text, Some(place), "no").to_string()
    }

    #[test]
    fn a_mistake_has_its_line_and_column() {
        // the é is one letter of two bytes
        let second = at("a = 1\nbé = 22\nc = 3\n", 12..14);
        assert_eq!(second, "x.toml, line 2, column 6: no");
        assert_eq!(at("\t a = 1", 2..3), "x.toml, line 1, column 3: no");
        assert_eq!(at("a =", 3..3), "x.toml, line 1, column 4: no");
        assert_eq!(at("a =\n", 9..99), "x.toml, line 2, column 1: no");
        assert_eq!(mistake("x.toml", "", None, "no").to_string(), "x.toml: no");
    }

    #[test]
    fn long_messages_are_cut() {
        let message = "m\n".repeat(10_000);
        assert!(mistake("x", "", None, &message).to_string().len() < 700);
    }
}
