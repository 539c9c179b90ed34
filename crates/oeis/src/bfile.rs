//! The b-file: `n a(n)`, one term a line.
//!
//! The OEIS's rules, which [`write()`] keeps and [`check_strict`] demands: ASCII; each line is an
//! index, one space and the term, nothing else; each index is the one before plus one, the first is
//! the offset of the sequence; lines that begin with `#` are comments, empty lines are allowed;
//! every line, the last one too, ends with a line feed. The OEIS asks for terms of at most 1000
//! digits ([`RECOMMENDED_DIGITS`]). [`parse`] is more lenient, because not all existing files keep
//! to this: it accepts CRLF, several blanks or tabs, blanks at the end of a line and a last line
//! without a line feed.

use std::borrow::Borrow;
use std::io::{self, Write};

use num_bigint::BigInt;

use super::text::{self, integer, quoted};
use super::{LineError, OeisFileError};

/// The OEIS asks that a term of a b-file have no more decimal digits than this.
pub const RECOMMENDED_DIGITS: usize = 1000;

/// What a b-file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BFile {
    /// The index of the first term, which is the offset of the sequence.
    pub first: i64,
    /// The terms a(first), a(first + 1), ...; at least one.
    pub terms: Vec<BigInt>,
    /// The comments, without the `#` and the blanks around them.
    pub comments: Vec<String>,
}

/// Reads a b-file, leniently; `file` is its name in error messages.
///
/// # Errors
/// An [`OeisFileError`] that names the first line that is no comment, no empty line and no pair of
/// integers, or whose index is not the one before plus one; or if there are no terms.
pub fn parse(file: &str, bytes: &[u8]) -> Result<BFile, OeisFileError> {
    let right = "a line of a b-file is an index, one space and a term, such as \"5 2\"";
    let mut first = None;
    let mut terms = Vec::new();
    let mut comments = Vec::new();
    for line in text::lines(file, bytes)? {
        let refuse = |wrong: String| OeisFileError::at_line(file, line.number, wrong, right);
        let content = line.text.trim_matches([' ', '\t', '\r']);
        if content.is_empty() {
            continue;
        }
        if let Some(comment) = content.strip_prefix('#') {
            comments.push(comment.trim().to_owned());
            continue;
        }
        let mut words = content.split([' ', '\t']).filter(|word| !word.is_empty());
        let (Some(index), Some(term)) = (words.next(), words.next()) else {
            return Err(refuse(format!("{} is not a pair", quoted(content))));
        };
        if words.next().is_some() {
            return Err(refuse(format!(
                "{} has more than two words",
                quoted(content)
            )));
        }
        let index = self::index(index).map_err(|wrong| refuse(wrong.into()))?;
        let term = integer(term).map_err(|wrong| refuse(wrong.into()))?;
        let first = *first.get_or_insert(index);
        let expected = first as i128 + terms.len() as i128;
        if i128::from(index) != expected {
            return Err(OeisFileError::at_line(
                file,
                line.number,
                format!("the index is {index}"),
                format!("indices are consecutive, so {expected} comes here"),
            ));
        }
        terms.push(term);
    }
    match first {
        Some(first) => Ok(BFile {
            first,
            terms,
            comments,
        }),
        None => Err(OeisFileError::whole_file(file, "it holds no terms", right)),
    }
}

fn index(word: &str) -> Result<i64, LineError> {
    let value = integer(word)?;
    i64::try_from(value).map_err(|_| format!("the index {} is too large", quoted(word)).into())
}

/// Reads a b-file that keeps the OEIS's own rules, byte for byte; `file` is its name in error
/// messages.
///
/// # Errors
/// As [`parse`], and for whatever the rules do not allow: a byte that is not printable ASCII or a
/// line feed, a last line without its line feed, anything but one space in a line of two numbers.
pub fn check_strict(file: &str, bytes: &[u8]) -> Result<BFile, OeisFileError> {
    let line_of = |at: usize| bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    if let Some(at) = bytes
        .iter()
        .position(|&byte| byte != b'\n' && !(b' '..=b'~').contains(&byte))
    {
        return Err(OeisFileError::at_line(
            file,
            line_of(at),
            format!("it holds the byte {:#04x}", bytes[at]),
            "a b-file is printable ASCII with line feeds",
        ));
    }
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        return Err(OeisFileError::at_line(
            file,
            line_of(bytes.len()),
            "the last line has no end",
            "a b-file ends with a line feed",
        ));
    }
    for line in text::lines(file, bytes)? {
        if line.text.is_empty() || line.text.starts_with('#') {
            continue;
        }
        let blanks = line.text.bytes().filter(|&byte| byte == b' ').count();
        if blanks != 1 || line.text.trim() != line.text {
            return Err(OeisFileError::at_line(
                file,
                line.number,
                format!("{} is not a pair with one space", quoted(line.text)),
                "a line of a b-file is an index, one space and a term, such as \"5 2\"",
            ));
        }
    }
    parse(file, bytes)
}

/// Writes a b-file: comments first, then the terms from the index `first` on.
///
/// Line breaks inside a comment start another comment; characters outside printable ASCII are left
/// out, because a b-file holds none.
///
/// # Errors
/// Those of the writer.
pub fn write<T: Borrow<BigInt>>(
    out: &mut impl Write,
    comments: &[&str],
    first: i64,
    terms: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    for comment in comments.iter().flat_map(|comment| comment.lines()) {
        let ascii: String = comment.chars().filter(|c| matches!(c, ' '..='~')).collect();
        writeln!(out, "{}", format!("# {ascii}").trim_end())?;
    }
    for (index, term) in (i128::from(first)..).zip(terms) {
        writeln!(out, "{index} {}", term.borrow())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(values: &[i64]) -> Vec<BigInt> {
        values.iter().map(|&value| value.into()).collect()
    }

    #[test]
    fn what_is_written_is_a_valid_b_file() {
        let mut out = Vec::new();
        write(&mut out, &["A1\nby us"], -1, big(&[3, -5, 0])).unwrap();
        assert_eq!(out, b"# A1\n# by us\n-1 3\n0 -5\n1 0\n");
        let read = check_strict("b", &out).unwrap();
        assert_eq!((read.first, read.terms), (-1, big(&[3, -5, 0])));
        assert_eq!(read.comments, ["A1", "by us"]);
    }

    #[test]
    fn untidy_files_are_read_but_are_not_valid() {
        for untidy in [
            &b"1 2\r\n2 3\r\n"[..],
            b"1 2\n2 3",
            b"1  2\n2 3\n",
            b"1\t2\n2 3\n",
            b"1 2 \n2 3\n",
            b"\xef\xbb\xbf1 2\n2 3\n",
        ] {
            assert_eq!(parse("b", untidy).unwrap().terms, big(&[2, 3]));
            assert!(check_strict("b", untidy).is_err());
        }
    }

    #[test]
    fn refusals_name_the_line() {
        for (text, line) in [
            (&b"1 2\n3 4\n"[..], 2),
            (b"# x\n\n1\n", 3),
            (b"1 2 3\n", 1),
            (b"1 2\n2 x\n", 2),
            (b"1 2\n2 03\n", 2),
            (b"1 2\n1 3\n", 2),
            (b"99999999999999999999 1\n", 1),
            (b"1 2\n2 \0\n", 2),
            (b"1 2\n2 \xe9\n", 2),
        ] {
            assert_eq!(parse("b", text).unwrap_err().line, Some(line), "{text:?}");
        }
        assert_eq!(parse("b", b"# nothing\n").unwrap_err().line, None);
        assert_eq!(
            parse("b1.txt", b"1 2\n3 4\n").unwrap_err().to_string(),
            "b1.txt, line 2: the index is 3; indices are consecutive, so 2 comes here."
        );
        // The largest index has no successor.
        assert!(parse("b", b"9223372036854775807 1\n9223372036854775808 1\n").is_err());
    }
}
