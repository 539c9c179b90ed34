//! Lays out text, and draws letters as outlines of the bundled font.
//!
//! A table gives the advance and the outline of each letter, in whole numbers of font units. A
//! letter that is not in the table is drawn as a box. A picture contains every outline once and
//! refers to it, which takes far less space than an outline for each letter. System fonts are never
//! loaded.

pub(super) mod table;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The number of font units in one em. Outlines are whole numbers of font units.
pub(super) const EM: f64 = 2048.0;

/// A text laid out on one line, in font units.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LaidOutText {
    /// The letters (or ligatures), each with its distance from the start of the line.
    pub letters: Vec<(String, i32)>,
    /// The distance from the start at which the next letter would be placed.
    pub width: i32,
}

static LAID_OUT_TEXTS: LazyLock<Mutex<HashMap<String, Arc<LaidOutText>>>> =
    LazyLock::new(Default::default);
static OUTLINES: LazyLock<Mutex<HashMap<String, Arc<str>>>> = LazyLock::new(Default::default);

/// Returns the width of `text` at this font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    f64::from(shape(text).width) * size / EM
}

/// Shortens `text` in the middle (with an ellipsis) to at most `limit` characters.
pub(super) fn ellipsize(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let tail = (limit - 1) / 2;
    let head = limit - 1 - tail;
    let mut short: String = text.chars().take(head).collect();
    short.push('…');
    short.extend(text.chars().skip(count - tail));
    short
}

/// Breaks `text` at spaces, except no-break spaces, into lines of at most `room` at this font size.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let breaks = |c: char| c.is_whitespace() && c != '\u{a0}';
    for word in text.split(breaks).filter(|word| !word.is_empty()) {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if width(&longer, size) <= room {
                *line = longer;
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    lines
}

/// Lays out one line of text.
pub(super) fn shape(text: &str) -> Arc<LaidOutText> {
    if text.is_empty() {
        return Arc::default();
    }
    if let Some(known) = LAID_OUT_TEXTS
        .lock()
        .expect("no panic while locked")
        .get(text)
    {
        return known.clone();
    }
    let mut shaped = LaidOutText::default();
    let mut before = None;
    for (bytes, advance) in table::line(text) {
        // all glyphs of one letter share one outline, so each letter is added once
        if before.as_ref() != Some(&bytes) {
            let letter = text[bytes.clone()].to_owned();
            shaped.letters.push((letter, shaped.width));
        }
        before = Some(bytes);
        shaped.width += advance;
    }
    let shaped = Arc::new(shaped);
    let mut cache = LAID_OUT_TEXTS.lock().expect("no panic while locked");
    if cache.len() > 50_000 {
        cache.clear();
    }
    cache.insert(text.to_owned(), shaped.clone());
    shaped
}

/// Returns the outline of one letter as SVG path data in font units. The baseline is at 0, and y
/// points downwards. A space has an empty outline.
pub(super) fn outline(letter: &str) -> Arc<str> {
    let mut known = OUTLINES.lock().expect("no panic while locked");
    if let Some(known) = known.get(letter) {
        return known.clone();
    }
    let data: Arc<str> = table::outline(letter).into();
    known.insert(letter.to_owned(), data.clone());
    data
}

#[cfg(test)]
mod tests {
    use super::{width, wrap};

    #[test]
    fn lines_do_not_break_at_a_no_break_space() {
        let room = width("Otherwise c = c - 5", 14.0);
        let text = "Otherwise c\u{a0}=\u{a0}c\u{a0}-\u{a0}50, go";
        assert_eq!(
            wrap(text, 14.0, room),
            ["Otherwise", "c\u{a0}=\u{a0}c\u{a0}-\u{a0}50, go"]
        );
        assert_eq!(wrap("a  b", 14.0, room), ["a b"]);
    }
}
