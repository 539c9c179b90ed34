//! The file `names` (or `names.gz`): the title of every entry, a line each.
//!
//! A line is the A-number, a blank and the title: `A000001 Number of groups of order n.`. Lines that
//! begin with `#` are comments.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use super::stripped::Blocks;
use super::text::{self, quoted};
use super::{ANumber, Refusal};

const RIGHT: &str = "a line of names is an A-number, a blank and a title, such as \"A000001 Number of groups of order n.\"";

/// Reads one line, without its end; the error says in words what is wrong.
pub fn parse_line(line: &str) -> Result<(ANumber, String), String> {
    let line = line.trim();
    let (number, title) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let a_number = ANumber::from_bytes(number.as_bytes())
        .ok_or_else(|| format!("{} is not an A-number", quoted(number)))?;
    Ok((a_number, title.trim().to_owned()))
}

/// Reads a whole file `names`; `file` is its name in a refusal.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<(ANumber, String)>, Refusal> {
    let mut names = Vec::new();
    for line in text::lines(file, bytes)? {
        if line.text.trim().is_empty() || line.text.starts_with('#') {
            continue;
        }
        names.push(
            parse_line(line.text).map_err(|wrong| Refusal::at(file, line.number, wrong, RIGHT))?,
        );
    }
    if names.is_empty() {
        return Err(Refusal::whole(file, "it holds no titles", RIGHT));
    }
    Ok(names)
}

/// Writes one line, with its line feed; a line break in the title becomes a blank.
pub fn write_line(out: &mut impl Write, a_number: ANumber, title: &str) -> io::Result<()> {
    writeln!(
        out,
        "{a_number} {}",
        title.replace(['\n', '\r'], " ").trim()
    )
}

/// The titles of the entries `wanted` in the file `names` or `names.gz` at `path`.
///
/// Reads the file as a stream, to its end unless all are found; an entry without a title there is
/// absent from the answer.
pub fn find(path: &Path, wanted: &[ANumber]) -> Result<HashMap<ANumber, String>, Refusal> {
    let file = text::display_name(path);
    let mut found = HashMap::new();
    let mut blocks = Blocks::new(&file, text::open(path)?);
    while found.len() < wanted.len() {
        let Some(block) = blocks.next()? else { break };
        for (line, number) in block
            .bytes
            .split(|&byte| byte == b'\n')
            .zip(block.first_line..)
        {
            if line.is_empty() || line == b"\r" || line.starts_with(b"#") {
                continue;
            }
            let refuse = |wrong: String| Refusal::at(&file, number, wrong, RIGHT);
            let label = line.split(|&byte| byte == b' ').next().unwrap_or(line);
            let a_number = ANumber::from_bytes(label)
                .ok_or_else(|| refuse("it does not begin with an A-number".to_owned()))?;
            if wanted.contains(&a_number) {
                let title = String::from_utf8_lossy(&line[label.len()..]);
                found.insert(a_number, title.trim().to_owned());
            }
        }
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
    }
}
