//! Which format a file has, and the terms in it whatever the format.

use std::fmt;
use std::path::Path;

use num_bigint::BigInt;

use super::text::{self, display_name};
use super::{ANumber, Refusal, bfile, internal, list, stripped};

/// A format of the OEIS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// `n a(n)`, one term a line.
    BFile,
    /// An entry in internal format.
    Internal,
    /// One line or many of the file `stripped`.
    Stripped,
    /// The file `names`, which holds no terms.
    Names,
    /// A plain list of integers.
    List,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::BFile => "b-file",
            Format::Internal => "internal format",
            Format::Stripped => "stripped",
            Format::Names => "names",
            Format::List => "plain list",
        })
    }
}

/// Tells the format of a text by its first lines; `None` if it looks like none of them.
///
/// A line of two integers with nothing but blanks between them is a b-file: so is a file of the
/// single line `1 2`.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut first = None;
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        if line.starts_with(b"%") {
            return Some(Format::Internal);
        }
        // An answer of the OEIS opens with "Search: ..." and "Showing ...".
        if line.starts_with(b"Search:") || line.starts_with(b"Showing ") {
            continue;
        }
        first = Some(line);
        break;
    }
    let first = first?;
    if first.starts_with(b"A") {
        let end = first
            .iter()
            .position(|byte| byte.is_ascii_whitespace())
            .unwrap_or(first.len());
        ANumber::from_bytes(&first[..end])?;
        let rest = first[end..].trim_ascii();
        return Some(if rest.is_empty() || rest.starts_with(b",") {
            Format::Stripped
        } else {
            Format::Names
        });
    }
    let is_term = |word: &[u8]| {
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let words: Vec<&[u8]> = first
        .split(|byte| byte.is_ascii_whitespace())
        .filter(|word| !word.is_empty())
        .take(3)
        .collect();
    if words.len() == 2 && words.iter().all(|word| is_term(word)) {
        return Some(Format::BFile);
    }
    let list_start = first
        .strip_prefix(b"[")
        .or_else(|| first.strip_prefix(b"{"))
        .unwrap_or(first)
        .trim_ascii();
    let end = list_start
        .iter()
        .position(|&byte| {
            byte == b',' || byte == b']' || byte == b'}' || byte.is_ascii_whitespace()
        })
        .unwrap_or(list_start.len());
    is_term(&list_start[..end]).then_some(Format::List)
}

/// Terms from a file, whatever its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The format that the file turned out to have.
    pub format: Format,
    /// The entry, where the format says it.
    pub a_number: Option<ANumber>,
    /// The index of the first term, where the format says it: a b-file and the internal format do.
    pub offset: Option<i64>,
    /// The terms; at least one.
    pub terms: Vec<BigInt>,
}

/// Reads the terms of `wanted` from the file at `path`: a b-file, an entry in internal format, one
/// line or all of `stripped`, a plain list, each of them also as gzip.
///
/// A file with several entries needs `wanted`; a file with one entry is taken as it is, unless it
/// names another entry than `wanted`. A large `stripped.gz` is read as a stream.
pub fn load(path: &Path, wanted: Option<ANumber>) -> Result<Loaded, Refusal> {
    let file = display_name(path);
    let mut start = Vec::new();
    {
        use std::io::Read;
        text::open(path)?
            .take(1 << 16)
            .read_to_end(&mut start)
            .map_err(|cause| Refusal::io(&file, Some(1), cause))?;
    }
    if let (Some(Format::Stripped), Some(wanted), true) =
        (detect(&start), wanted, start.len() == 1 << 16)
    {
        let Some(line) = stripped::find(path, wanted)? else {
            return Err(not_there(&file, wanted));
        };
        return not_empty(&file, Format::Stripped, Some(wanted), None, line.terms);
    }
    parse(&file, &text::read(path)?, wanted)
}

/// As [`load`], from bytes that are not compressed; `file` is their name in a refusal.
pub fn parse(file: &str, bytes: &[u8], wanted: Option<ANumber>) -> Result<Loaded, Refusal> {
    let format = detect(bytes).ok_or_else(|| {
        Refusal::whole(
            file,
            "its format is none that is known here",
            "give a b-file, an entry in internal format, lines of stripped, or a plain list of integers",
        )
    })?;
    match format {
        Format::BFile => {
            let read = bfile::parse(file, bytes)?;
            not_empty(file, format, None, Some(read.first), read.terms)
        }
        Format::Internal => {
            let entries = internal::parse(file, bytes)?;
            let numbers: Vec<_> = entries.iter().filter_map(|entry| entry.a_number).collect();
            let at = choose(file, &numbers, wanted)?;
            let entry = entries.into_iter().nth(at).unwrap_or_default();
            not_empty(file, format, entry.a_number, entry.offset, entry.terms)
        }
        Format::Stripped => {
            let lines = stripped::parse(file, bytes)?;
            let numbers: Vec<_> = lines.iter().map(|line| line.a_number).collect();
            let at = choose(file, &numbers, wanted)?;
            let (number, terms) = lines
                .into_iter()
                .nth(at)
                .map(|line| (line.a_number, line.terms))
                .unwrap_or((ANumber::NONE_YET, Vec::new()));
            not_empty(file, format, Some(number), None, terms)
        }
        Format::Names => Err(Refusal::whole(
            file,
            "it is a file of titles and holds no terms",
            "give a b-file, an entry in internal format, lines of stripped, or a plain list of integers",
        )),
        Format::List => not_empty(file, format, None, None, list::parse(file, bytes)?),
    }
}

/// The position of the entry that is meant.
fn choose(file: &str, numbers: &[ANumber], wanted: Option<ANumber>) -> Result<usize, Refusal> {
    match (wanted, numbers) {
        (None, [_]) => Ok(0),
        (None, _) => Err(Refusal::whole(
            file,
            format!("it holds {} entries", numbers.len()),
            "say which is meant by its A-number",
        )),
        (Some(wanted), [other]) if *other != wanted && *other != ANumber::NONE_YET => {
            Err(Refusal::whole(
                file,
                format!("it holds {other}, not {wanted}"),
                format!("give a file with {wanted}"),
            ))
        }
        (Some(_), [_]) => Ok(0),
        (Some(wanted), _) => numbers
            .iter()
            .position(|&number| number == wanted)
            .ok_or_else(|| not_there(file, wanted)),
    }
}

fn not_there(file: &str, wanted: ANumber) -> Refusal {
    Refusal::whole(
        file,
        format!("it does not hold {wanted}"),
        format!("give a file with {wanted}"),
    )
}

fn not_empty(
    file: &str,
    format: Format,
    a_number: Option<ANumber>,
    offset: Option<i64>,
    terms: Vec<BigInt>,
) -> Result<Loaded, Refusal> {
    if terms.is_empty() {
        let entry = a_number.map_or(String::from("the entry"), |number| number.to_string());
        return Err(Refusal::whole(
            file,
            format!("{entry} has no terms in it"),
            "give an entry with terms",
        ));
    }
    Ok(Loaded {
        format,
        a_number,
        offset,
        terms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_first_lines() {
        for (text, format) in [
            ("# c\n\n0 1\n1 1\n", Format::BFile),
            ("-3 -1\n", Format::BFile),
            ("%I A000001\n", Format::Internal),
            (
                "# Greetings\n\nSearch: x\nShowing 1-1 of 1\n\n%I A000001\n",
                Format::Internal,
            ),
            ("A000001 ,0,1,\n", Format::Stripped),
            ("A000001 Number of groups.\n", Format::Names),
            ("1, 1, 2\n", Format::List),
            ("1\n1\n2\n", Format::List),
            ("1 1 2\n", Format::List),
            ("[1, 2]", Format::List),
        ] {
            assert_eq!(detect(text.as_bytes()), Some(format), "{text:?}");
        }
        for text in ["", "\n#\n", "<html>", "Ahoy 1", "a, b", "%"] {
            let format = detect(text.as_bytes());
            assert!(format.is_none() || text == "%", "{text:?}");
        }
    }

    #[test]
    fn the_entry_that_is_meant_is_found() {
        let wanted: ANumber = "A000002".parse().unwrap();
        let two = b"A000001 ,0,1,\nA000002 ,1,2,2,\n";
        assert_eq!(parse("s", two, Some(wanted)).unwrap().terms.len(), 3);
        assert!(
            parse("s", two, None)
                .unwrap_err()
                .wrong
                .contains("2 entries")
        );
        assert!(parse("s", two, "A000003".parse().ok()).is_err());
        assert!(parse("s", b"A000001 ,0,1,\n", Some(wanted)).is_err());
        assert!(parse("s", b"A000002 ,\n", Some(wanted)).is_err());
        assert_eq!(parse("l", b"1,2", Some(wanted)).unwrap().offset, None);
        assert_eq!(parse("b", b"0 7\n", None).unwrap().offset, Some(0));
        assert!(
            parse("n", b"A000001 Title.\n", None)
                .unwrap_err()
                .wrong
                .contains("titles")
        );
        assert!(parse("h", b"<html>", None).is_err());
    }

    #[test]
    fn a_long_stripped_file_is_searched_as_a_stream() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("stripped");
        let text: String = (1..5000)
            .map(|i| format!("A{i:06} ,{i},{},\n", i * i))
            .collect();
        std::fs::write(&path, text).unwrap();
        let loaded = load(&path, "A004321".parse().ok()).unwrap();
        assert_eq!(loaded.terms[0], BigInt::from(4321));
        assert!(load(&path, "A009999".parse().ok()).is_err());
    }
}
