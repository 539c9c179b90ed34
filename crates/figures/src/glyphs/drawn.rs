//! Controls in a line of text.

/// What is drawn for a character: a line break or another control is a space, as long as what it
/// replaces, so that places in the line are places in the text.
pub(crate) fn drawn(c: char) -> char {
    match c {
        c if c.is_ascii_control() => ' ',
        c if c.is_control() => '\u{a0}',
        c => c,
    }
}
