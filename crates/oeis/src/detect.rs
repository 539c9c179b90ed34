//! Loads the terms of a sequence from a file: a b-file, an entry in internal format, or a plain
//! list.

use std::path::Path;

use num_bigint::BigInt;

use super::text::{self, display_name};
use super::{ANumber, OeisFileError, bfile, internal, list};

/// The terms that were read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedTerms {
    /// The index of the first term, if the file states it; a plain list does not.
    pub offset: Option<i64>,
    /// The terms; at least one.
    pub terms: Vec<BigInt>,
}

/// Reads the terms of `wanted` from the file at `path`, which may be compressed by gzip.
///
/// # Errors
/// If the file cannot be read, has an unknown format, is damaged, or does not contain terms of
/// `wanted`.
pub fn load(path: &Path, wanted: Option<ANumber>) -> Result<LoadedTerms, OeisFileError> {
    parse(&display_name(path), &text::read(path)?, wanted)
}

const EXPECTED_FORMAT: &str =
    "give a b-file, an entry in internal format, or a plain list of integers";

/// Parses the terms from bytes that are not compressed; `file` is the file's name in error
/// messages.
///
/// The first line that is not a comment decides the format: two integers make it a b-file.
///
/// # Errors
/// The errors of [`load`], except those of reading the file.
pub fn parse(
    file: &str,
    bytes: &[u8],
    wanted: Option<ANumber>,
) -> Result<LoadedTerms, OeisFileError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    let mut lines = lines.map(|(line, number)| (line.trim_ascii(), number));
    let first = lines.find(|(line, _)| !line.is_empty() && !line.starts_with(b"#"));
    let Some((first, number)) = first else {
        return Err(OeisFileError::whole_file(
            file,
            "it holds nothing",
            EXPECTED_FORMAT,
        ));
    };
    let first = String::from_utf8_lossy(first);
    // An answer of the OEIS begins with "Search: ..." and "Showing ...".
    let mut openings = ["%", "Search:", "Showing "].iter();
    if openings.any(|opening| first.starts_with(opening)) {
        let entries = internal::parse(file, bytes)?;
        return of_entry(file, entries, wanted);
    }
    let words: Vec<&str> = first.split_whitespace().collect();
    if words.len() == 2 && words.iter().all(|word| text::integer(word).is_ok()) {
        let read = bfile::parse(file, bytes)?;
        return Ok(LoadedTerms {
            offset: Some(read.first),
            terms: read.terms,
        });
    }
    let start = first.trim_start_matches(['[', '{', ' ', '-']);
    if start.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(LoadedTerms {
            offset: None,
            terms: list::parse(file, bytes)?,
        });
    }
    let line = text::quote_excerpt(&first);
    let wrong = format!("no known format begins with {line}");
    Err(OeisFileError::at_line(file, number, wrong, EXPECTED_FORMAT))
}

/// Returns the terms of the wanted entry; if no entry is named, the terms of the only entry.
fn of_entry(
    file: &str,
    entries: Vec<internal::InternalEntry>,
    wanted: Option<ANumber>,
) -> Result<LoadedTerms, OeisFileError> {
    let is_meant =
        |number: ANumber| wanted.is_none_or(|it| [it, ANumber::NONE_YET].contains(&number));
    let mut meant = entries.into_iter().filter(|entry| is_meant(entry.a_number));
    let (wrong, right) = match (meant.next(), meant.next()) {
        (Some(entry), None) if !entry.terms.is_empty() => {
            return Ok(LoadedTerms {
                offset: entry.offset,
                terms: entry.terms,
            });
        }
        (Some(entry), None) => (
            format!("{} has no terms in it", entry.a_number),
            "give an entry with terms",
        ),
        (None, _) => (
            "it does not hold the entry to compare".to_owned(),
            "give a file that holds it",
        ),
        (Some(_), Some(_)) => (
            "it holds several entries".to_owned(),
            "give a file with only the entry to compare",
        ),
    };
    Err(OeisFileError::whole_file(file, wrong, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_their_first_lines() {
        for (text, offset) in [
            ("# c\n\n0 1\n1 1\n", Some(0)),
            ("\u{feff}-3\t-1\r\n-2 5\r\n", Some(-3)),
            ("%I A000001\n%S A000001 1,2\n%O A000001 4,2\n", Some(4)),
            (
                "# Greetings\n\nSearch: x\nShowing 1-1 of 1\n\n%I A000001\n%S A000001 1,2\n",
                None,
            ),
            ("1, 2\n", None),
            ("1\n2\n", None),
            ("-1 1 2\n", None),
            ("[1, 2]", None),
            ("{1, 2}", None),
        ] {
            let loaded = parse("f", text.as_bytes(), None).unwrap();
            assert_eq!(loaded.offset, offset, "{text:?}");
            assert!(loaded.terms.len() > 1, "{text:?}");
        }
        for (text, wrong) in [
            ("", "holds nothing"),
            ("\n#\n", "holds nothing"),
            ("<html>", "no known format begins with"),
            ("# c\na, b", "line 2: no known format begins with \"a, b\""),
            ("A000001 ,1,2,\n", "no known format begins with"),
            ("1.5, 2", "not an integer"),
            ("%", "no letter followed by a blank"),
        ] {
            let refusal = parse("f", text.as_bytes(), None).unwrap_err().to_string();
            assert!(refusal.contains(wrong), "{refusal}");
        }
    }

    #[test]
    fn the_wanted_entry_is_found() {
        let wanted: ANumber = "A000002".parse().unwrap();
        let one = "%S A000001 0,1\n";
        let two = "%S A000001 0,1\n%S A000002 1,2,2\n";
        let terms =
            |text: &str, wanted| parse("e", text.as_bytes(), wanted).map(|found| found.terms.len());
        assert_eq!(terms(two, Some(wanted)), Ok(3));
        assert_eq!(terms("%S A000000 1\n", Some(wanted)), Ok(1));
        assert_eq!(terms(one, None), Ok(2));
        for (text, wanted, wrong) in [
            (two, None, "several entries"),
            (one, Some(wanted), "does not hold"),
            ("%S A000002 \n", Some(wanted), "A000002 has no terms"),
        ] {
            assert!(terms(text, wanted).unwrap_err().wrong.contains(wrong));
        }
    }
}
