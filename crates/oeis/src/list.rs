//! The format of a plain list of integers, such as `1, 1, 2`. Commas, blanks or line breaks
//! separate the integers.

use num_bigint::BigInt;

use super::OeisFileError;
use super::text::{self, integer};

/// Parses a plain list; `file` is its name in error messages.
///
/// Lines that begin with `#` are comments. A line may end with one comma. The whole list may be in
/// one pair of brackets or braces, as PARI/GP or Mathematica print it.
///
/// # Errors
/// If the list has no terms, something that is not an integer, a comma without a term before it, or
/// a bracket that is not closed. The error names the first such line.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<BigInt>, OeisFileError> {
    let right =
        "a list is integers separated by commas, blanks or line breaks, such as \"1, 1, 2\"";
    let terms = read(file, bytes, right, |word| integer(word).map(Some))?;
    Ok(terms.into_iter().flatten().collect())
}

/// Parses a plain list in which an unknown term is written `_` or `?`.
///
/// # Errors
/// The errors of [`parse`].
pub fn parse_with_gaps(file: &str, bytes: &[u8]) -> Result<Vec<Option<BigInt>>, OeisFileError> {
    let right = "a list is integers separated by commas, blanks or line breaks, such as \"1, 1, 2\", with _ or ? for a term that is not known";
    read(file, bytes, right, |word| match word {
        "_" | "?" => Ok(None),
        word => integer(word).map(Some),
    })
}

/// Parses a list; `term` parses each of its terms.
fn read(
    file: &str,
    bytes: &[u8],
    right: &str,
    term: impl Fn(&str) -> Result<Option<BigInt>, String>,
) -> Result<Vec<Option<BigInt>>, OeisFileError> {
    let lines: Vec<_> = text::lines(file, bytes)?
        .into_iter()
        .filter(|line| !line.text.trim().is_empty() && !line.text.trim().starts_with('#'))
        .collect();
    let mut terms = Vec::new();
    let mut closing = None;
    let last = lines.len().saturating_sub(1);
    // A comma at the end of a line already separates its last term from the next line, so the next
    // line must not begin with another comma.
    let mut comma_before = true;
    for (position, line) in lines.iter().enumerate() {
        let refuse = |wrong: String| OeisFileError::at_line(file, line.number, wrong, right);
        let mut content = line.text.trim();
        if position == 0 {
            for (open, close) in [('[', ']'), ('{', '}')] {
                if let Some(rest) = content.strip_prefix(open) {
                    (content, closing) = (rest, Some(close));
                }
            }
        }
        if let Some(close) = closing.filter(|_| position == last) {
            content = content
                .strip_suffix(close)
                .ok_or_else(|| refuse(format!("the closing {close:?} is missing")))?;
        }
        let mut pieces = content.split(',').map(str::trim).peekable();
        let mut start = true;
        while let Some(piece) = pieces.next() {
            let end = pieces.peek().is_none();
            if piece.is_empty() {
                if end || (start && !comma_before) {
                    start = false;
                    continue;
                }
                return Err(refuse("a term is missing before a comma".to_owned()));
            }
            start = false;
            for word in piece.split_whitespace() {
                terms.push(term(word).map_err(refuse)?);
            }
        }
        comma_before = content.trim_end().ends_with(',');
    }
    if terms.is_empty() {
        return Err(OeisFileError::whole_file(file, "it holds no terms", right));
    }
    Ok(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_a_list_gives_the_same_terms() {
        let want: Vec<BigInt> = [1, -1, 22].map(BigInt::from).to_vec();
        for text in [
            "1, -1, 22\n",
            "1,-1,22",
            "1,-1,22,\n",
            "1\n-1\n22\n",
            "1,\r\n-1,\r\n22\r\n",
            "1\n,-1\n,22\n",
            "1 -1 22",
            "[1, -1, 22]\n",
            "{1, -1,\n22}",
            "# a list\n1, -1\n\n22",
        ] {
            assert_eq!(parse("l", text.as_bytes()).unwrap(), want, "{text:?}");
        }
    }

    #[test]
    fn gaps_are_parsed_only_on_request() {
        let terms = parse_with_gaps("l", b"1, ?, _,-4 _").unwrap();
        let known = |term: i64| Some(BigInt::from(term));
        assert_eq!(terms, [known(1), None, None, known(-4), None]);
        assert!(parse("l", b"1, ?").is_err());
        for text in ["1, ??", "1, _2", "", "1,,_"] {
            assert!(parse_with_gaps("l", text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn an_error_names_the_line() {
        for (text, line) in [
            ("1,,2", 1),
            ("1\n2,x\n", 2),
            ("1,\n,2", 2),
            (",1", 1),
            ("[1, 2", 1),
            ("1, 2]", 1),
            ("1.5", 1),
        ] {
            let refusal = parse("l", text.as_bytes()).unwrap_err();
            assert_eq!(refusal.line, Some(line), "{text:?}");
        }
        assert_eq!(parse("l", b"\n").unwrap_err().line, None);
        assert_eq!(parse("l", b"[]\n").unwrap_err().line, None);
    }
}
