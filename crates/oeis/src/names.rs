//! The format of the file `names` (or `names.gz`) of the OEIS: a line with the title of each entry.
//!
//! A line is the A-number, a blank and the title: `A000001 Number of groups of order n.`. Lines
//! that begin with `#` are comments.

use std::collections::HashMap;
use std::io::Read;

use super::stripped::LineBlocks;
use super::text::quote_excerpt;
use super::{ANumber, OeisFileError};

const EXPECTED_FORMAT: &str = "a line of names is an A-number, a blank and a title, such as \"A000001 Number of groups of order n.\"";

/// Returns the A-number and the title of a line.
fn split(line: &[u8]) -> Result<(ANumber, &[u8]), String> {
    let line = line.trim_ascii();
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    let (number, title) = line.split_at(end.unwrap_or(line.len()));
    let a_number = ANumber::from_bytes(number).ok_or_else(|| {
        format!(
            "{} is not an A-number",
            quote_excerpt(&String::from_utf8_lossy(number))
        )
    })?;
    match title.trim_ascii() {
        title if title.starts_with(b",") => {
            Err("it has terms, as in stripped, instead of a title".into())
        }
        title => Ok((a_number, title)),
    }
}

/// Returns the titles of the entries `wanted` in a stream of the file `names`; `file` is its name
/// in error messages.
///
/// The stream is read to its end, so that damage anywhere is noticed. The result has no title for
/// entries that are not in the file.
///
/// # Errors
/// If the file cannot be read, contains no titles, or has a line without an A-number.
pub fn find(
    file: &str,
    reader: impl Read,
    wanted: &[ANumber],
) -> Result<HashMap<ANumber, String>, OeisFileError> {
    let mut found = HashMap::new();
    let mut blocks = LineBlocks::new(file, reader);
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
            let (a_number, title) = split(line)
                .map_err(|wrong| OeisFileError::at_line(file, number, wrong, EXPECTED_FORMAT))?;
            lines += 1;
            if wanted.contains(&a_number) {
                found.insert(a_number, String::from_utf8_lossy(title).into_owned());
            }
        }
    }
    if lines == 0 {
        return Err(OeisFileError::whole_file(
            file,
            "it holds no titles",
            EXPECTED_FORMAT,
        ));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_found_and_damage_is_noticed() {
        let a = ANumber::new(1).unwrap();
        let text = "# names\nA000001 Number of groups of order n.\n";
        let find = |text: &str, wanted: &[ANumber]| find("n", text.as_bytes(), wanted);
        assert_eq!(
            find(text, &[a]).unwrap()[&a],
            "Number of groups of order n."
        );
        assert!(find(text, &[ANumber::NONE_YET]).unwrap().is_empty());
        // The lines after the last wanted title are also checked.
        for (text, line) in [
            ("A000001 x\ngarbage\n", Some(2)),
            ("A000001 ,1,1,1,\n", Some(1)),
            ("# nothing\n", None),
        ] {
            for wanted in [&[][..], &[a]] {
                assert_eq!(find(text, wanted).unwrap_err().line, line, "{text}");
            }
        }
    }
}
