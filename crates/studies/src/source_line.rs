//! A mistake in a study's file, with its line and column.

use super::error::{MAX_VALUE_LEN, SerializedMistake, StudyError, shortened};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest number of letters of a message that are shown.
const MAX_MESSAGE_LEN: usize = 600;

/// Describes a mistake at a place of a text, in one sentence:
///
/// ```text
/// analysis/mine.toml, line 6, column 51: "four" is not a number that can be used: ...
/// ```
pub fn mistake(file: &str, text: &str, place: Option<Range<usize>>, message: &str) -> StudyError {
    let mut wrong = SerializedMistake::read(message);
    let line = |text: &str, longest| shortened(&text.replace('\n', " "), longest);
    wrong.what = line(&wrong.what, MAX_MESSAGE_LEN);
    let left = MAX_MESSAGE_LEN.saturating_sub(wrong.what.chars().count() + 2);
    let right = wrong.right.filter(|_| left > 0);
    wrong.right = right.map(|right| line(&right, left));
    let Some(place) = place else {
        return StudyError::from(wrong).with_place(file);
    };
    let (root, _) = DeTable::parse_recoverable(text);
    if let Some((field, given)) = find_in_table(root.get_ref(), text, &place) {
        wrong.field.get_or_insert(field);
        wrong.given = wrong.given.or(given);
    }
    // the position of a missing key is that of its table
    if let Some((field, _)) = message
        .strip_prefix("missing field `")
        .and_then(|m| m.split_once('`'))
    {
        wrong.field = Some(field.to_string());
    }
    let before = &text[..floor_to_char_boundary(text, place.start)];
    let number = before.matches('\n').count() + 1;
    let line = before.rsplit('\n').next().unwrap_or("");
    let column = line.chars().count() + 1;
    StudyError::from(wrong).with_place(format!("{file}, line {number}, column {column}"))
}

/// Returns the key at a position of a text, or the key whose value is at this position. Also
/// returns the value, unless it is a table or a list.
fn find_in_table(
    table: &DeTable,
    text: &str,
    place: &Range<usize>,
) -> Option<(String, Option<String>)> {
    table.iter().find_map(|(key, value)| {
        if key.span() == *place {
            Some((key.get_ref().to_string(), None))
        } else {
            find_in_value(key.get_ref(), value, text, place)
        }
    })
}

fn find_in_value(
    key: &str,
    value: &Spanned<DeValue>,
    text: &str,
    place: &Range<usize>,
) -> Option<(String, Option<String>)> {
    let (inner, given) = match value.get_ref() {
        DeValue::Table(table) => (find_in_table(table, text, place), None),
        DeValue::Array(all) => (
            all.iter()
                .find_map(|one| find_in_value(key, one, text, place)),
            None,
        ),
        DeValue::String(given) => (None, Some(given.as_ref())),
        _ => (None, text.get(value.span())),
    };
    let given = given.map(|given| shortened(given, MAX_VALUE_LEN));
    inner.or_else(|| (value.span() == *place).then(|| (key.to_string(), given)))
}

/// Returns the last boundary between letters that is not after the position `at`.
fn floor_to_char_boundary(text: &str, mut at: usize) -> usize {
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
