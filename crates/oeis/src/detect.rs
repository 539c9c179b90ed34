//! Which format a file has, and the terms in it whatever the format.

use std::fmt;
use std::io::Read;
use std::path::Path;

use num_bigint::BigInt;

use super::text;
use super::{ANumber, OeisFileError, bfile, internal, list, stripped};
use flipcost_question::display_name;

/// A format of the OEIS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OeisFormat {
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

impl fmt::Display for OeisFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OeisFormat::BFile => "b-file",
            OeisFormat::Internal => "internal format",
            OeisFormat::Stripped => "stripped",
            OeisFormat::Names => "names",
            OeisFormat::List => "plain list",
        })
    }
}

/// The format of a text, recognised by its first lines; `None` if it looks like none of them.
///
/// A line of two integers with nothing but blanks between them is a b-file: so is a file of the
/// single line `1 2`.
pub fn detect(bytes: &[u8]) -> Option<OeisFormat> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut first = None;
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        if line.starts_with(b"%") {
            return Some(OeisFormat::Internal);
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
            OeisFormat::Stripped
        } else {
            OeisFormat::Names
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
        return Some(OeisFormat::BFile);
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
    is_term(&list_start[..end]).then_some(OeisFormat::List)
}

/// Terms from a file, whatever its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The format that the file turned out to have.
    pub format: OeisFormat,
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
///
/// # Errors
/// An [`OeisFileError`] if the file cannot be read, is in none of these formats or damaged, does not hold
/// `wanted` or holds it without terms, or holds several entries and none is wanted.
pub fn load(path: &Path, wanted: Option<ANumber>) -> Result<Loaded, OeisFileError> {
    let file = display_name(path);
    let (start, rest) = open(&file, path)?;
    if let (Some(OeisFormat::Stripped), Some(wanted), true) =
        (detect(&start), wanted, start.len() == START)
    {
        let found = stripped::find(&file, start.as_slice().chain(rest), &[wanted])?;
        let line = found.into_iter().next();
        let terms = line.ok_or_else(|| not_there(&file, wanted))?.terms;
        return not_empty(&file, OeisFormat::Stripped, Some(wanted), None, terms);
    }
    parse(&file, &text::read_on(&file, start, rest)?, wanted)
}

/// Reads those of the entries `wanted`, no two of which are equal, that the file at `path` holds:
/// one in internal format or `stripped`, because the others do not say which entry they are.
///
/// # Errors
/// An [`OeisFileError`] if the file cannot be read, is in another format or damaged, or holds none of the
/// entries, or one of them without terms.
pub fn load_many(path: &Path, wanted: &[ANumber]) -> Result<Vec<Loaded>, OeisFileError> {
    let file = display_name(path);
    let (start, rest) = open(&file, path)?;
    let found: Vec<Loaded> = match detect(&start) {
        Some(OeisFormat::Stripped) => stripped::find(&file, start.as_slice().chain(rest), wanted)?
            .into_iter()
            .map(|line| {
                not_empty(
                    &file,
                    OeisFormat::Stripped,
                    Some(line.a_number),
                    None,
                    line.terms,
                )
            })
            .collect::<Result<_, _>>()?,
        Some(OeisFormat::Internal) => {
            let entries = internal::parse(&file, &text::read_on(&file, start, rest)?)?;
            let ours = |number: Option<ANumber>| number.is_some_and(|a| wanted.contains(&a));
            entries
                .into_iter()
                .filter(|entry| ours(entry.a_number))
                .map(|entry| {
                    not_empty(
                        &file,
                        OeisFormat::Internal,
                        entry.a_number,
                        entry.offset,
                        entry.terms,
                    )
                })
                .collect::<Result<_, _>>()?
        }
        Some(OeisFormat::Names) => return Err(no_terms(&file)),
        Some(format @ (OeisFormat::BFile | OeisFormat::List)) => {
            return Err(OeisFileError::whole_file(
                &file,
                format!("a {format} does not say which sequence it is"),
                "for many sequences give entries in internal format or lines of stripped, which say their A-numbers",
            ));
        }
        None => return Err(unknown(&file, &start)),
    };
    if found.is_empty() {
        return Err(OeisFileError::whole_file(
            &file,
            "it holds none of the sequences in question",
            "give a file with some of them",
        ));
    }
    Ok(found)
}

/// How many bytes of a file are looked at to recognise its format.
const START: usize = 1 << 16;

/// The start of a file and the rest of it. It is opened once, because a pipe cannot be read twice.
fn open(file: &str, path: &Path) -> Result<(Vec<u8>, impl Read), OeisFileError> {
    let mut reader = text::open(path)?;
    let mut start = Vec::new();
    reader
        .by_ref()
        .take(START as u64)
        .read_to_end(&mut start)
        .map_err(|cause| OeisFileError::io(file, Some(1), cause))?;
    Ok((start, reader))
}

/// As [`load`], from bytes that are not compressed; `file` is their name in error messages.
///
/// # Errors
/// As [`load`].
pub fn parse(file: &str, bytes: &[u8], wanted: Option<ANumber>) -> Result<Loaded, OeisFileError> {
    let format = detect(bytes).ok_or_else(|| unknown(file, bytes))?;
    match format {
        OeisFormat::BFile => {
            let read = bfile::parse(file, bytes)?;
            not_empty(file, format, None, Some(read.first), read.terms)
        }
        OeisFormat::Internal => {
            let entries = internal::parse(file, bytes)?;
            let numbers: Vec<_> = entries.iter().filter_map(|entry| entry.a_number).collect();
            let at = choose(file, &numbers, wanted)?;
            let entry = entries.into_iter().nth(at).unwrap_or_default();
            not_empty(file, format, entry.a_number, entry.offset, entry.terms)
        }
        OeisFormat::Stripped => {
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
        OeisFormat::Names => Err(no_terms(file)),
        OeisFormat::List => not_empty(file, format, None, None, list::parse(file, bytes)?),
    }
}

const RIGHT: &str =
    "give a b-file, an entry in internal format, lines of stripped, or a plain list of integers";

fn no_terms(file: &str) -> OeisFileError {
    OeisFileError::whole_file(file, "it is a file of titles and holds no terms", RIGHT)
}

/// Refuses a text of no known format, by its first line with something on it.
fn unknown(file: &str, bytes: &[u8]) -> OeisFileError {
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let mut lines = lines.map(|(line, number)| (line.trim_ascii(), number));
    let first = lines.find(|(line, _)| !line.is_empty() && !line.starts_with(b"#"));
    match first {
        None => OeisFileError::whole_file(file, "it holds nothing", RIGHT),
        Some((line, number)) => {
            let line = text::quoted(&String::from_utf8_lossy(line));
            let wrong = format!("{line} begins none of the formats that are known here");
            OeisFileError::at_line(file, number, wrong, RIGHT)
        }
    }
}

/// The position of the entry that is meant.
fn choose(
    file: &str,
    numbers: &[ANumber],
    wanted: Option<ANumber>,
) -> Result<usize, OeisFileError> {
    match (wanted, numbers) {
        (None, [_]) => Ok(0),
        (None, _) => Err(OeisFileError::whole_file(
            file,
            format!("it holds {} entries", numbers.len()),
            "say which is meant by its A-number",
        )),
        (Some(wanted), [other]) if *other != wanted && *other != ANumber::NONE_YET => {
            Err(OeisFileError::whole_file(
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

fn not_there(file: &str, wanted: ANumber) -> OeisFileError {
    OeisFileError::whole_file(
        file,
        format!("it does not hold {wanted}"),
        format!("give a file with {wanted}"),
    )
}

fn not_empty(
    file: &str,
    format: OeisFormat,
    a_number: Option<ANumber>,
    offset: Option<i64>,
    terms: Vec<BigInt>,
) -> Result<Loaded, OeisFileError> {
    if terms.is_empty() {
        let entry = a_number.map_or(String::from("the entry"), |number| number.to_string());
        return Err(OeisFileError::whole_file(
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
            ("# c\n\n0 1\n1 1\n", OeisFormat::BFile),
            ("-3 -1\n", OeisFormat::BFile),
            ("%I A000001\n", OeisFormat::Internal),
            (
                "# Greetings\n\nSearch: x\nShowing 1-1 of 1\n\n%I A000001\n",
                OeisFormat::Internal,
            ),
            ("A000001 ,0,1,\n", OeisFormat::Stripped),
            ("A000001 Number of groups.\n", OeisFormat::Names),
            ("1, 1, 2\n", OeisFormat::List),
            ("1\n1\n2\n", OeisFormat::List),
            ("1 1 2\n", OeisFormat::List),
            ("[1, 2]", OeisFormat::List),
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
    fn many_entries_are_read_in_one_pass_where_the_format_names_them() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        let wanted: Vec<ANumber> = ["A000002", "A000001", "A000009"]
            .map(|number| number.parse().unwrap())
            .to_vec();
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            load_many(&path, &wanted)
        };
        for text in [
            "A000001 ,1,\nA000002 ,2,\nA000003 ,3,\n",
            "%I A000001\n%S A000001 1\n\n%I A000002\n%S A000002 2\n",
        ] {
            let numbers = read(text).unwrap();
            let numbers: Vec<_> = numbers.iter().filter_map(|one| one.a_number).collect();
            assert_eq!(numbers, [wanted[1], wanted[0]], "{text}");
        }
        for (text, what) in [
            ("1, 2, 3\n", "a plain list does not say"),
            ("1 2\n", "a b-file does not say"),
            ("A000001 Title.\n", "titles"),
            ("A000003 ,3,\n", "none of the sequences"),
            ("\n", "holds nothing"),
            ("# c\n1.5, 2\n", "line 2: \"1.5, 2\" begins none"),
        ] {
            let refusal = read(text).unwrap_err().to_string();
            assert!(refusal.contains(what), "{refusal}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pipe_is_read_once() {
        use std::os::fd::AsRawFd;
        let (reader, mut writer) = std::io::pipe().unwrap();
        let text: String = (0..20_000).map(|n| format!("{n} {}\n", 7 * n)).collect();
        let send = std::thread::spawn(move || {
            use std::io::Write;
            writer.write_all(text.as_bytes())
        });
        let path = format!("/dev/fd/{}", reader.as_raw_fd());
        let loaded = load(Path::new(&path), None).unwrap();
        assert_eq!((loaded.offset, loaded.terms.len()), (Some(0), 20_000));
        send.join().unwrap().unwrap();
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
