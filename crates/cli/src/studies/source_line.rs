//! A mistake in a study's file, with its line and a caret under it.

use super::error::StudyError;
use std::ops::Range;

/// Letters of a line that are shown.
const WIDTH: usize = 100;
/// Letters of a message that are shown.
const LONGEST: usize = 600;

/// A mistake at a place of a text:
///
/// ```text
/// analysis/mine.toml, line 6: "four" is not a number that can be used: ...
///   |
/// 6 | expected = { algorithm = "rejection", n = 6, is = "four" }
///   |                                                   ^^^^^^
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
    let start = floor(text, place.start);
    let end = floor(text, place.end).max(start);
    let number = text[..start].matches('\n').count() + 1;
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[first..].lines().next().unwrap_or("");
    // A column of the caret is a letter of the line; tabs and the like take one, too.
    let before = text[first..start].chars().count();
    let marked = text[start..end]
        .lines()
        .next()
        .unwrap_or("")
        .chars()
        .count();
    let skipped = (before + 20).saturating_sub(WIDTH);
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = line
        .chars()
        .skip(skipped)
        .take(WIDTH)
        .map(visible)
        .collect();
    let blank = " ".repeat(number.to_string().len());
    let indent = " ".repeat(before - skipped);
    let carets = "^".repeat(marked.clamp(1, (WIDTH + skipped - before).max(1)));
    StudyError::Input(format!(
        "{file}, line {number}: {message}\n{blank} |\n{number} | {}\n{blank} | {indent}{carets}",
        shown.trim_end()
    ))
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
    fn the_caret_is_under_the_mistake() {
        assert_eq!(
            at("a = 1\nbé = 22\nc = 3\n", 12..14),
            "x.toml, line 2: no\n  |\n2 | bé = 22\n  |      ^^"
        );
        assert_eq!(
            at("\t a = 1", 2..3),
            "x.toml, line 1: no\n  |\n1 |   a = 1\n  |   ^"
        );
        // Up to the end of the line only, and at the end of the file.
        assert_eq!(
            at("a = 1\nb = 2", 4..9),
            "x.toml, line 1: no\n  |\n1 | a = 1\n  |     ^"
        );
        assert_eq!(
            at("a =", 3..3),
            "x.toml, line 1: no\n  |\n1 | a =\n  |    ^"
        );
        assert_eq!(at("a =\n", 9..99), "x.toml, line 2: no\n  |\n2 | \n  | ^");
        assert_eq!(mistake("x.toml", "", None, "no").to_string(), "x.toml: no");
    }

    #[test]
    fn long_lines_and_messages_are_cut() {
        let long = format!("a = {}b{}", "x".repeat(100_000), "y".repeat(100_000));
        let shown = at(&long, 100_004..100_005);
        assert!(shown.len() < 400, "{}", shown.len());
        let lines: Vec<&str> = shown.lines().collect();
        let column = lines[3].find('^').unwrap();
        assert_eq!(&lines[2][column..=column], "b");
        let all = at(&long, 0..200_000);
        assert!(all.len() < 400, "{}", all.len());
        let message = "m\n".repeat(10_000);
        assert!(mistake("x", "", None, &message).to_string().len() < 700);
    }
}
