//! The b-file format of the OEIS: a line `n a(n)` for each term.
//!
//! The OEIS has these rules. The file is ASCII. Each line is an index, one space and the term. The
//! first index is the offset of the sequence, and each further index is larger by one than the
//! index before it. Lines that begin with `#` are comments, and empty lines are allowed. Every line
//! ends with a line feed. Some existing files break these rules. So [`parse`] also accepts CRLF,
//! several blanks or tabs, blanks at the end of a line, and a last line without a line feed.

use num_bigint::BigInt;

use super::OeisFileError;
use super::text::{self, integer, quote_excerpt};

/// The contents of a b-file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BFile {
    /// The index of the first term, which is the offset of the sequence.
    pub first: i64,
    /// The terms a(first), a(first + 1), ...; at least one.
    pub terms: Vec<BigInt>,
    /// The number of comment lines.
    pub comments: u64,
}

/// Parses a b-file, leniently; `file` is its name in error messages.
///
/// # Errors
/// If the file has no terms, if a line is not a comment, empty or a pair of integers, or if an
/// index is not larger by one than the index before. The error names the first such line.
pub fn parse(file: &str, bytes: &[u8]) -> Result<BFile, OeisFileError> {
    let right = "a line of a b-file is an index, one space and a term, such as \"5 2\"";
    let mut first = None;
    let mut terms = Vec::new();
    let mut comments = 0;
    for line in text::lines(file, bytes)? {
        let refuse = |wrong: String| OeisFileError::at_line(file, line.number, wrong, right);
        let content = line.text.trim_matches([' ', '\t', '\r']);
        if content.is_empty() {
            continue;
        }
        if content.starts_with('#') {
            comments += 1;
            continue;
        }
        let mut words = content.split([' ', '\t']).filter(|word| !word.is_empty());
        let (Some(index), Some(term)) = (words.next(), words.next()) else {
            return Err(refuse(format!("{} is not a pair", quote_excerpt(content))));
        };
        if words.next().is_some() {
            return Err(refuse(format!(
                "{} has more than two words",
                quote_excerpt(content)
            )));
        }
        let index = self::index(index).map_err(refuse)?;
        let term = integer(term).map_err(refuse)?;
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

fn index(word: &str) -> Result<i64, String> {
    let value = integer(word)?;
    i64::try_from(value).map_err(|_| format!("the index {} is too large", quote_excerpt(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(values: &[i64]) -> Vec<BigInt> {
        values.iter().map(|&value| value.into()).collect()
    }

    #[test]
    fn untidy_files_are_parsed() {
        for untidy in [
            &b"1 2\r\n2 3\r\n"[..],
            b"1 2\n2 3",
            b"1  2\n2 3\n",
            b"1\t2\n2 3\n",
            b"1 2 \n2 3\n",
            b"\xef\xbb\xbf1 2\n2 3\n",
        ] {
            assert_eq!(parse("b", untidy).unwrap().terms, big(&[2, 3]));
        }
    }

    #[test]
    fn an_error_names_the_line() {
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
