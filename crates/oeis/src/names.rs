//! The file `names` (or `names.gz`): the title of every entry, a line each.
//!
//! A line is the A-number, a blank and the title: `A000001 Number of groups of order n.`. Lines
//! that begin with `#` are comments.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use super::stripped::LineBlocks;
use super::text::{self, quoted};
use super::{ANumber, LineError, OeisFileError};

const RIGHT: &str = "a line of names is an A-number, a blank and a title, such as \"A000001 Number of groups of order n.\"";

/// Reads one line, without its end.
///
/// # Errors
/// [`LineError`] if the line does not begin with an A-number and a title.
pub fn parse_line(line: &str) -> Result<(ANumber, String), LineError> {
    let (a_number, title) = split(line.as_bytes())?;
    Ok((a_number, String::from_utf8_lossy(title).into_owned()))
}

/// The A-number and the title of a line.
fn split(line: &[u8]) -> Result<(ANumber, &[u8]), LineError> {
    let line = line.trim_ascii();
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    let (number, title) = line.split_at(end.unwrap_or(line.len()));
    let a_number = ANumber::from_bytes(number).ok_or_else(|| {
        format!(
            "{} is not an A-number",
            quoted(&String::from_utf8_lossy(number))
        )
    })?;
    match title.trim_ascii() {
        title if title.starts_with(b",") => {
            Err("terms stand there as in stripped, not a title".into())
        }
        title => Ok((a_number, title)),
    }
}

/// Reads a whole file `names`; `file` is its name in error messages.
///
/// # Errors
/// An [`OeisFileError`] that names the first line that [`parse_line`] does not read; or if there are no
/// titles.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<(ANumber, String)>, OeisFileError> {
    let mut names = Vec::new();
    for line in text::lines(file, bytes)? {
        if line.text.trim().is_empty() || line.text.starts_with('#') {
            continue;
        }
        names.push(
            parse_line(line.text)
                .map_err(|wrong| OeisFileError::at_line(file, line.number, wrong, RIGHT))?,
        );
    }
    if names.is_empty() {
        return Err(OeisFileError::whole_file(file, "it holds no titles", RIGHT));
    }
    Ok(names)
}

/// Writes one line, with its line feed; a line break in the title becomes a blank.
///
/// # Errors
/// Those of the writer.
pub fn write_line(out: &mut impl Write, a_number: ANumber, title: &str) -> io::Result<()> {
    writeln!(
        out,
        "{a_number} {}",
        title.replace(['\n', '\r'], " ").trim()
    )
}

/// The titles of the entries `wanted` in the file `names` or `names.gz` at `path`.
///
/// Reads the file as a stream and to its end, so that damage anywhere is noticed; an entry without
/// a title there is absent from the answer.
///
/// # Errors
/// An [`OeisFileError`] if the file cannot be read, holds no titles, or has a line without an A-number.
pub fn find(path: &Path, wanted: &[ANumber]) -> Result<HashMap<ANumber, String>, OeisFileError> {
    let file = text::display_name(path);
    let mut found = HashMap::new();
    let mut blocks = LineBlocks::new(&file, text::open(path)?);
    let mut lines = 0;
    while let Some(block) = blocks.next()? {
        for (line, number) in block
            .bytes
            .split(|&byte| byte == b'\n')
            .zip(block.first_line..)
        {
            if line.is_empty() || line == b"\r" || line.starts_with(b"#") {
                continue;
            }
            let (a_number, title) =
                split(line).map_err(|wrong| OeisFileError::at_line(&file, number, wrong, RIGHT))?;
            lines += 1;
            if wanted.contains(&a_number) {
                found.insert(a_number, String::from_utf8_lossy(title).into_owned());
            }
        }
    }
    if lines == 0 {
        return Err(OeisFileError::whole_file(
            &file,
            "it holds no titles",
            RIGHT,
        ));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_come_back_as_written() {
        let mut out = b"# names\n".to_vec();
        let a = ANumber::new(1).unwrap();
        write_line(&mut out, a, "Number of groups of order n.").unwrap();
        assert_eq!(
            parse("n", &out).unwrap(),
            [(a, "Number of groups of order n.".to_owned())]
        );
        assert_eq!(parse("n", b"A000001 x\nB1 y\n").unwrap_err().line, Some(2));
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("names");
        std::fs::write(&path, &out).unwrap();
        assert_eq!(
            find(&path, &[a]).unwrap()[&a],
            "Number of groups of order n."
        );
        assert!(find(&path, &[ANumber::NONE_YET]).unwrap().is_empty());
        // What comes after the titles that are wanted is looked at too.
        for (text, line) in [
            ("A000001 x\ngarbage\n", Some(2)),
            ("A000001 ,1,1,1,\n", Some(1)),
            ("# nothing\n", None),
        ] {
            std::fs::write(&path, text).unwrap();
            for wanted in [&[][..], &[a]] {
                assert_eq!(find(&path, wanted).unwrap_err().line, line, "{text}");
            }
        }
    }
}
