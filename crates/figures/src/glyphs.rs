//! Letters as outlines of the bundled font.
//!
//! Where a letter of a line stands and what it looks like comes from the whole font by a shaper
//! (feature `whole-font`), or else from a table of its letters of this subject, which has the same
//! places and outlines for them and a box for all others. All of it is arithmetic of whole numbers
//! in font units. A picture then holds every outline once and refers to it, which is far smaller
//! than an outline per letter. System fonts are never loaded.

mod drawn;
#[cfg(feature = "whole-font")]
mod font;
#[cfg(any(test, not(feature = "whole-font")))]
mod table;

#[cfg(feature = "whole-font")]
use font as letters;
#[cfg(not(feature = "whole-font"))]
use table as letters;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// Font units in one em. Outlines are whole numbers of these.
pub(super) const EM: f64 = 2048.0;

/// A text laid out on one line, in font units.
#[derive(Debug, Default)]
pub(super) struct Shaped {
    /// Each letter (or ligature) with its place from the start of the line.
    pub letters: Vec<(String, i32)>,
    /// Where the next letter would stand.
    pub width: i32,
}

static SHAPED: LazyLock<Mutex<HashMap<String, Arc<Shaped>>>> = LazyLock::new(Default::default);
static OUTLINES: LazyLock<Mutex<HashMap<String, Arc<str>>>> = LazyLock::new(Default::default);

/// The width of `text` at this font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    f64::from(shape(text).width) * size / EM
}

/// `text` cut in the middle (with an ellipsis) so that it has at most `limit` characters.
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

/// `text` broken at spaces, but for no-break spaces, into lines of at most `room` at this font
/// size.
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
pub(super) fn shape(text: &str) -> Arc<Shaped> {
    if text.is_empty() {
        return Arc::default();
    }
    if let Some(known) = SHAPED.lock().expect("no panic while locked").get(text) {
        return known.clone();
    }
    let mut shaped = Shaped::default();
    let mut before = None;
    for (bytes, advance) in letters::line(text) {
        // The glyphs of one letter are one outline.
        if before.as_ref() != Some(&bytes) {
            let letter = text[bytes.clone()].to_owned();
            shaped.letters.push((letter, shaped.width));
        }
        before = Some(bytes);
        shaped.width += advance;
    }
    let shaped = Arc::new(shaped);
    let mut cache = SHAPED.lock().expect("no panic while locked");
    if cache.len() > 50_000 {
        cache.clear();
    }
    cache.insert(text.to_owned(), shaped.clone());
    shaped
}

/// The outline of one letter as SVG path data in font units, baseline at 0, y downwards; empty for
/// a space.
pub(super) fn outline(letter: &str) -> Arc<str> {
    let mut known = OUTLINES.lock().expect("no panic while locked");
    if let Some(known) = known.get(letter) {
        return known.clone();
    }
    let data: Arc<str> = letters::outline(letter).into();
    known.insert(letter.to_owned(), data.clone());
    data
}

#[cfg(test)]
mod tests {
    use super::{width, wrap};

    #[test]
    fn a_no_break_space_is_no_place_to_break() {
        let room = width("Otherwise c = c - 5", 14.0);
        let text = "Otherwise c\u{a0}=\u{a0}c\u{a0}-\u{a0}50, go";
        assert_eq!(
            wrap(text, 14.0, room),
            ["Otherwise", "c\u{a0}=\u{a0}c\u{a0}-\u{a0}50, go"]
        );
        assert_eq!(wrap("a  b", 14.0, room), ["a b"]);
    }
}

/// The table beside the font.
#[cfg(all(test, feature = "whole-font"))]
mod against_the_font {
    use super::{font, table};
    use proptest::prelude::*;
    use std::fmt::Write;
    use std::ops::Range;

    /// The letters of the table: ASCII, and what the pictures of this subject write beside it.
    const LATIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZéöᵏⁿ";
    const GREEK: &str = "λμπ";
    const OTHERS: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~\u{a0}°±²³µ·¹¼½¾×÷\u{202f}\
        –—‘’“”…⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉←↑→↓↺∈∏∑−√∞≈≠≡≤≥⋮⌈⌉⌊⌋▶▼✓";

    fn letters() -> Vec<(String, &'static str)> {
        let of = |text: &'static str, script| text.chars().map(move |c| (c.to_string(), script));
        let others = of(OTHERS, table::NO_SCRIPT);
        others
            .chain(of(LATIN, "latin"))
            .chain(of(GREEK, "greek"))
            .collect()
    }

    fn line(text: &str) -> Vec<(Range<usize>, i32)> {
        font::line(text).collect()
    }

    /// The lines of the table, made from the font.
    fn made() -> String {
        let mut letters = letters();
        // A ligature is one letter of a text of several; it may begin a longer one.
        let mut begun: Vec<String> = letters.iter().map(|(letter, _)| letter.clone()).collect();
        while !begun.is_empty() {
            let longer = begun.iter().flat_map(|first| {
                let (singles, first) = (&letters, first.clone());
                (singles
                    .iter()
                    .filter(|(letter, _)| letter.chars().count() == 1))
                .map(move |(next, _)| format!("{first}{next}"))
            });
            begun = longer.filter(|text| line(text).len() == 1).collect();
            letters.extend(begun.iter().map(|text| (text.clone(), "latin")));
        }
        let mut made = String::new();
        let boxed = "\u{10ffff}";
        let advance = line(boxed)[0].1;
        writeln!(made, "\t-\t{advance}\t{}", font::outline(boxed)).unwrap();
        for (letter, script) in &letters {
            let advance = line(letter)[0].1;
            writeln!(
                made,
                "{letter}\t{script}\t{advance}\t{}",
                font::outline(letter)
            )
            .unwrap();
        }
        for (script, before) in [("latin", "x"), ("greek", "λ")] {
            for (first, own) in &letters {
                let alone = line(first)[0].1;
                let mut pairs = String::new();
                for (next, _) in &letters {
                    // What is before them decides the script.
                    let laid = line(&format!("{before}{first}{next}"));
                    let [_, (bytes, advance), (last, _)] = &laid[..] else {
                        continue; // another ligature
                    };
                    if bytes.len() == first.len() && last.len() == next.len() && *advance != alone {
                        write!(pairs, "\t{next}\t{}", advance - alone).unwrap();
                    }
                }
                let ligature = first.chars().count() > 1;
                if !(pairs.is_empty() || ligature && own != &script) {
                    writeln!(made, "kerning\t{script}\t{first}{pairs}").unwrap();
                }
            }
        }
        made
    }

    /// `FLIPCOST_LETTERS=write cargo test -p flipcost-figures the_table` writes it anew.
    #[test]
    fn the_table_is_made_from_the_font() {
        let made = made();
        if std::env::var("FLIPCOST_LETTERS").is_ok_and(|value| value == "write") {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/glyphs/letters.tsv");
            std::fs::write(file, &made).unwrap();
        } else {
            assert!(made == table::TABLE, "letters.tsv is not what the font has");
        }
        for (letter, _) in letters() {
            assert_eq!(table::outline(&letter), font::outline(&letter), "{letter}");
        }
        for unknown in ["日", "\u{10ffff}"] {
            assert_eq!(table::outline(unknown), font::outline("\u{10ffff}"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        /// Texts of any letters of the table, controls among them, stand as they do by the font.
        #[test]
        fn lines_are_those_of_the_font(
            letters in prop::collection::vec(prop::sample::select(letters()), 0..24),
            control in prop::option::of((0..24usize, prop::sample::select(vec!["\n", "\t", "\u{85}"]))),
            few in "[fijlt AVTo.]{0,12}",
        ) {
            let mut texts: Vec<&str> = letters.iter().map(|(letter, _)| letter.as_str()).collect();
            if let Some((at, control)) = control {
                texts.insert(at.min(texts.len()), control);
            }
            for text in [texts.concat(), few] {
                let known: Vec<_> = table::line(&text).collect();
                prop_assert_eq!(&known, &line(&text), "{:?}", &text);
                for (bytes, _) in known {
                    let letter = &text[bytes];
                    prop_assert_eq!(table::outline(letter), font::outline(letter));
                }
            }
        }
    }
}
