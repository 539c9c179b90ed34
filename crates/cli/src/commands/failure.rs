//! Why a run did not succeed, and sentences on stderr.

use flipcost_terminal::rows::OutputError;
use flipcost_terminal::{screen, terminal};

/// Why a run did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Bad input or output: one sentence, exit status 2.
    #[error("{0}")]
    Input(String),
    /// Output could not be written: exit status 2, or a quiet end if the reader went away.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A check found a mismatch: exit status 1.
    #[error("{0}")]
    Mismatch(String),
}

impl Failure {
    pub fn input(error: impl std::fmt::Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// `--query` of a command without one.
    pub fn no_question() -> Failure {
        let what = "this command asks no question of the engine, so there is no query to print";
        Failure::Input(what.to_string())
    }
}

/// A sentence on stderr; a reader who left does not matter.
pub fn complain(sentence: &str) {
    say("error:", "\x1b[1;31m", sentence);
}

/// A remark on stderr about a run that goes on.
pub fn remark(sentence: &str) {
    say("note:", "\x1b[1m", sentence);
}

/// A sentence on stderr under a name in this style: one line, folded where a terminal shows it.
fn say(name: &str, style: &str, sentence: &str) {
    use std::io::Write;
    let line = format!("{name} {}", shown(sentence));
    let line = match terminal::error_width() {
        Some(width) => screen::fold(&line, width, 2),
        None => line,
    };
    let rest = &line[name.len()..];
    let _ = writeln!(anstream::stderr().lock(), "{style}{name}\x1b[0m{rest}");
}

/// A sentence as a terminal may get it. It can quote what was typed, or what stands in a file:
/// control characters, and those that turn the direction of writing, are written as escapes, and of
/// what is very long the middle is left out.
fn shown(sentence: &str) -> String {
    const LONGEST: usize = 2000; // a sentence
    const WORD: usize = 300; // what stands between blanks
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends_line = |c| matches!(c, '\u{2028}' | '\u{2029}');
    let mut plain = String::new();
    for c in sentence.chars() {
        match c.is_control() || turns(c) || ends_line(c) {
            true => plain.extend(c.escape_default()),
            false => plain.push(c),
        }
    }
    let words: Vec<String> = plain.split(' ').map(|word| shortened(word, WORD)).collect();
    shortened(&words.join(" "), LONGEST)
}

/// A text with its middle left out where it has more than `most` characters.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_string();
    }
    let (head, tail) = (most * 2 / 3, most / 6);
    let begin: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{begin}... ({count} characters) ...{end}")
}
