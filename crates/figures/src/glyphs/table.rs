//! The table of letters, `data/letters.tsv`, which the tests make from the font.
//!
//! A row of the table has a letter or a ligature, its script, its advance (how far it moves the
//! next letter), and its outline. Other rows have a script, a letter, and its kerning before other
//! letters. As in the font, Latin text has its own ligatures and kerning. A text is Latin if its
//! first letter that belongs to a script is Latin. The first row is a box, which is drawn for
//! letters that are not in the table.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// The text of the table.
pub(crate) const TABLE: &str = include_str!("../../data/letters.tsv");

/// The first field of a row that has kerning.
const KERNING: &str = "kerning";

/// The names of scripts in the table.
const LATIN: &str = "latin";
pub(crate) const NO_SCRIPT: &str = "-";

struct Letter {
    script: &'static str,
    advance: i32,
    outline: &'static str,
}

#[derive(Default)]
struct GlyphTable {
    known: HashMap<&'static str, Letter>,
    /// The kerning of two neighbouring letters in Latin or other text.
    kerning: HashMap<(bool, &'static str, &'static str), i32>,
    /// The largest number of characters of a ligature.
    longest: usize,
}

static LETTERS: LazyLock<GlyphTable> = LazyLock::new(|| {
    let number = |text: &str| text.parse().expect("the table has whole numbers");
    let mut letters = GlyphTable::default();
    for line in TABLE.lines() {
        let fields: Vec<&'static str> = line.split('\t').collect();
        match fields[..] {
            [KERNING, script, first, ref rest @ ..] => {
                for pair in rest.chunks_exact(2) {
                    let key = (script == LATIN, first, pair[0]);
                    letters.kerning.insert(key, number(pair[1]));
                }
            }
            [letter, script, advance, outline] => {
                letters.longest = letters.longest.max(letter.chars().count());
                let letter_of = Letter {
                    script,
                    advance: number(advance),
                    outline,
                };
                letters.known.insert(letter, letter_of);
            }
            _ => unreachable!("the table has no other lines"),
        }
    }
    letters
});

/// The entry that is drawn for a letter that is not in the table.
const MISSING_LETTER: &str = "";

impl GlyphTable {
    fn get(&self, letter: &str) -> &Letter {
        self.known
            .get(letter)
            .unwrap_or(&self.known[MISSING_LETTER])
    }

    /// Returns the letter or the ligature with which a text begins.
    fn first<'a>(&self, text: &'a str, latin: bool) -> &'a str {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let mut letters = ends.take(self.longest).map(|end| &text[..end]);
        let one = letters.next().unwrap_or_default();
        let ligature = |letters: &&str| latin && self.known.contains_key(letters);
        letters.filter(ligature).last().unwrap_or(one)
    }
}

/// Returns the character that is drawn for `c`: a space for line breaks and other control
/// characters, otherwise `c`. It has as many bytes as `c`, so that positions in the drawn line are
/// positions in the text.
pub(crate) fn drawn_letter(c: char) -> char {
    match c {
        c if c.is_ascii_control() => ' ',
        c if c.is_control() => '\u{a0}',
        c => c,
    }
}

/// Iterates over the letters of a line of text from left to right: the range of bytes of each
/// letter, and how far it moves the next one.
pub(crate) fn line(text: &str) -> impl Iterator<Item = (Range<usize>, i32)> {
    let line: String = text.chars().map(drawn_letter).collect();
    let script = |c: char| LETTERS.get(c.encode_utf8(&mut [0; 4])).script;
    let mut scripts = line.chars().map(script);
    let latin = scripts.find(|script| *script != NO_SCRIPT) == Some(LATIN);
    let mut letters = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let letter = LETTERS.first(&line[at..], latin);
        let next = LETTERS.first(&line[at + letter.len()..], latin);
        let kerning = LETTERS.kerning.get(&(latin, letter, next)).unwrap_or(&0);
        letters.push((at..at + letter.len(), LETTERS.get(letter).advance + kerning));
        at += letter.len();
    }
    letters.into_iter()
}

/// Returns the outline of one letter.
pub(crate) fn outline(letter: &str) -> String {
    let line: String = letter.chars().map(drawn_letter).collect();
    LETTERS.get(&line).outline.to_string()
}
