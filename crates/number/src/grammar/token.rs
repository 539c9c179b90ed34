//! Splits a text into symbols: numbers, names, operators and brackets, each with its position.

use crate::named::NamedNumber;

/// A symbol and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(crate) kind: TokenKind,
    /// The first character, counted from 0.
    pub(crate) at: usize,
    /// The symbol's byte range.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Digits, with an optional decimal point and an optional exponent of ten, perhaps grouped by
    /// `_`; or hexadecimal after `0x`.
    Number,
    /// A number with a misplaced `_`: its offset in characters from the beginning of the number.
    Malformed(usize),
    /// A letter, then letters, digits and `_`; or a name with arguments in brackets that are not
    /// expressions: `cost(6, source: 10).expected`, `sum(n in 1..9, 1/n)`.
    Name,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
    Power,
    Factorial,
    Less,
    AtMost,
    Equal,
    NotEqual,
    AtLeast,
    Greater,
    And,
    Or,
    Open,
    Close,
    Comma,
    /// A character without a meaning.
    Unknown,
    /// The end of the text.
    End,
}

/// An iterator over the symbols of a text.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// Whether `and`, `or` and `!=` are operators.
    dice: bool,
    /// The position in bytes and the position in characters of the next symbol.
    byte: usize,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str, dice: bool) -> Self {
        Tokens {
            text,
            dice,
            byte: 0,
            at: 0,
        }
    }

    /// Moves to the position that is `bytes` bytes after the beginning of a symbol.
    pub(crate) fn skip(&mut self, token: Token, bytes: usize) {
        (self.byte, self.at) = (token.start + bytes, token.at + bytes);
    }

    /// Returns the next symbol; at the end of the text, always `End`.
    pub(crate) fn next(&mut self) -> Token {
        let blanks = self.text[self.byte..]
            .bytes()
            .take_while(|b| matches!(b, b' ' | b'\t'));
        let blanks = blanks.count();
        (self.byte, self.at) = (self.byte + blanks, self.at + blanks);
        let rest = &self.text.as_bytes()[self.byte..];
        // Every symbol except an unknown one is ASCII, so its length in bytes is its length in
        // characters.
        let (kind, characters, bytes) = match rest {
            [] => (TokenKind::End, 0, 0),
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => {
                let (kind, length) = number_token(rest);
                (kind, length, length)
            }
            [first, ..] if first.is_ascii_alphabetic() => {
                let part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
                let length = rest.iter().take_while(part).count();
                let length = hyphenated_name_length(&self.text[self.byte..]).unwrap_or(length);
                let length = length + call_length(&rest[..length], &rest[length..]).unwrap_or(0);
                let text = &self.text[self.byte..self.byte + length];
                let kind = match text {
                    "and" if self.dice => TokenKind::And,
                    "or" if self.dice => TokenKind::Or,
                    _ => TokenKind::Name,
                };
                (kind, text.chars().count(), length)
            }
            [b'!', b'=', ..] if self.dice => (TokenKind::NotEqual, 2, 2),
            [first, ..] => match sign_token(*first, rest.get(1)) {
                Some((kind, length)) => (kind, length, length),
                None => {
                    let c = self.text[self.byte..].chars().next();
                    (TokenKind::Unknown, 1, c.map_or(1, char::len_utf8))
                }
            },
        };
        let token = Token {
            kind,
            at: self.at,
            start: self.byte,
            end: self.byte + bytes,
        };
        (self.byte, self.at) = (self.byte + bytes, self.at + characters);
        token
    }
}

/// Returns the length in bytes of a name with hyphens, if it is the name of a number: `P-256`,
/// `BLS12-381`.
fn hyphenated_name_length(text: &str) -> Option<usize> {
    let part = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let length = text.find(|c| !part(c)).unwrap_or(text.len());
    let length = length.min(NamedNumber::max_name_len());
    let is_name = |end: &usize| NamedNumber::find(&text[..*end]).is_some();
    let hyphens = text[..length].match_indices('-').map(|(at, _)| at);
    // Take the longest name that matches: in ed25519-1 the hyphen is a minus sign.
    let ends = hyphens.chain([length]).skip(1);
    ends.filter(is_name).last()
}

/// Returns the length in bytes of a name's arguments: brackets with a column after them, or the
/// brackets of a sum.
fn call_length(name: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut length = bracket_length(bytes, b'(', b')')?;
    if let Some(row) = bracket_length(&bytes[length..], b'[', b']') {
        length += row;
    }
    match &bytes[length..] {
        [b'.', first, ..] if first.is_ascii_alphabetic() => {
            let part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
            Some(length + 1 + bytes[length + 1..].iter().take_while(part).count())
        }
        _ => (name == b"sum").then_some(length),
    }
}

/// The number of bytes from an opening bracket to the bracket that closes it.
fn bracket_length(bytes: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate() {
        depth += usize::from(*byte == open);
        depth = depth.checked_sub(usize::from(*byte == close))?;
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}

/// The number at the beginning of these bytes, and its length.
fn number_token(bytes: &[u8]) -> (TokenKind, usize) {
    if let [b'0', b'x' | b'X', first, ..] = bytes
        && first.is_ascii_hexdigit()
    {
        let digits = bytes[2..].iter();
        let digits = digits.take_while(|b| b.is_ascii_hexdigit() || **b == b'_');
        return (TokenKind::Number, 2 + digits.count());
    }
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let (mut length, mut point) = (0, false);
    loop {
        match bytes.get(length) {
            Some(b'0'..=b'9') => {}
            // Two points in a row are a range.
            Some(b'.') if !point && bytes.get(length + 1) != Some(&b'.') => point = true,
            Some(b'_') if length > 0 && digit(length - 1) && digit(length + 1) => {}
            Some(b'_') => return (TokenKind::Malformed(length), length + 1),
            _ => break,
        }
        length += 1;
    }
    // An `e` begins an exponent, unless it begins a name.
    if let Some(b'e' | b'E') = bytes.get(length) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let digits = (length + 1 + sign..).take_while(|&i| digit(i)).count();
        if digits > 0 {
            length += 1 + sign + digits;
        }
    }
    (TokenKind::Number, length)
}

fn sign_token(first: u8, second: Option<&u8>) -> Option<(TokenKind, usize)> {
    let kind = match (first, second) {
        (b'<', Some(b'=')) => return Some((TokenKind::AtMost, 2)),
        (b'>', Some(b'=')) => return Some((TokenKind::AtLeast, 2)),
        (b'=', Some(b'=')) => return Some((TokenKind::Equal, 2)),
        (b'<', _) => TokenKind::Less,
        (b'>', _) => TokenKind::Greater,
        (b'=', _) => TokenKind::Equal,
        (b'+', _) => TokenKind::Plus,
        (b'-', _) => TokenKind::Minus,
        (b'*', _) => TokenKind::Times,
        (b'/', _) => TokenKind::Over,
        (b'%', _) => TokenKind::Modulo,
        (b'^', _) => TokenKind::Power,
        (b'!', _) => TokenKind::Factorial,
        (b'(', _) => TokenKind::Open,
        (b')', _) => TokenKind::Close,
        (b',', _) => TokenKind::Comma,
        _ => return None,
    };
    Some((kind, 1))
}
