//! The file `stripped` (or `stripped.gz`): the terms of every entry, a line each.
//!
//! A line is the A-number, a blank and the terms with a comma before, between and after them:
//! `A136043 ,1,1,1,1,2,`. Lines that begin with `#` are comments. The offset is not there.

use std::io::{self, Read, Write};

use num_bigint::BigInt;

use super::text::{self, comma_separated, quoted};
use super::{ANumber, LineError, OeisFileError};

/// One line of `stripped`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrippedLine {
    /// The entry.
    pub a_number: ANumber,
    /// Its terms; none for an A-number that is only reserved.
    pub terms: Vec<BigInt>,
}

pub(crate) const RIGHT: &str = "a line of stripped is an A-number, a blank and the terms between commas, such as \"A000001 ,0,1,1,2,\"";

/// Reads one line, without its end.
///
/// # Errors
/// [`LineError`] if the line is not an A-number followed by terms between commas.
pub fn parse_line(line: &str) -> Result<StrippedLine, LineError> {
    let (number, terms) = line
        .trim()
        .split_once([' ', '\t'])
        .unwrap_or((line.trim(), ""));
    let a_number = ANumber::from_bytes(number.as_bytes())
        .ok_or_else(|| format!("{} is not an A-number", quoted(number)))?;
    let terms = terms.trim();
    if !terms.is_empty() && !terms.starts_with(',') {
        return Err("there is no comma before the first term".into());
    }
    if !terms.is_empty() && !terms.ends_with(',') {
        return Err("there is no comma after the last term, so it may be cut off".into());
    }
    Ok(StrippedLine {
        a_number,
        terms: comma_separated(terms)?,
    })
}

/// Reads a whole file `stripped`; `file` is its name in error messages.
///
/// # Errors
/// An [`OeisFileError`] that names the first line that [`parse_line`] does not read; or if there are no
/// entries.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<StrippedLine>, OeisFileError> {
    let mut entries = Vec::new();
    for line in text::lines(file, bytes)? {
        if line.text.trim().is_empty() || line.text.starts_with('#') {
            continue;
        }
        let entry = parse_line(line.text)
            .map_err(|wrong| OeisFileError::at_line(file, line.number, wrong, RIGHT))?;
        entries.push(entry);
    }
    if entries.is_empty() {
        return Err(OeisFileError::whole_file(
            file,
            "it holds no entries",
            RIGHT,
        ));
    }
    Ok(entries)
}

/// Writes one line, with its line feed.
///
/// # Errors
/// Those of the writer.
pub fn write_line(out: &mut impl Write, a_number: ANumber, terms: &[BigInt]) -> io::Result<()> {
    write!(out, "{a_number} ,")?;
    for term in terms {
        write!(out, "{term},")?;
    }
    out.write_all(b"\n")
}

/// Those of the entries `wanted`, no two of which are equal, that a stream of the file `stripped`
/// holds; `file` is its name in error messages.
///
/// Stops at the last of them: lines after it are not looked at.
///
/// # Errors
/// An [`OeisFileError`] if reading fails, or a line with one of these entries is damaged.
pub fn find(
    file: &str,
    reader: impl Read,
    wanted: &[ANumber],
) -> Result<Vec<StrippedLine>, OeisFileError> {
    let mut found: Vec<StrippedLine> = Vec::new();
    let mut blocks = LineBlocks::new(file, reader);
    while let Some(block) = blocks.next()? {
        for (line, number) in block
            .bytes
            .split(|&byte| byte == b'\n')
            .zip(block.first_line..)
        {
            let label = line.split(|&byte| byte == b' ').next().unwrap_or(line);
            let Some(a_number) = ANumber::from_bytes(label).filter(|a| wanted.contains(a)) else {
                continue;
            };
            if found.iter().all(|known| known.a_number != a_number) {
                let refuse = |wrong: String| OeisFileError::at_line(file, number, wrong, RIGHT);
                let line =
                    std::str::from_utf8(line).map_err(|_| refuse("it is not UTF-8".to_owned()))?;
                found.push(parse_line(line).map_err(|wrong| refuse(wrong.into()))?);
            }
            if found.len() == wanted.len() {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// A run of whole lines of a file.
pub(crate) struct LineBlock {
    /// The lines with their ends; the last line of a file may lack its end.
    pub bytes: Vec<u8>,
    /// The number of the first of them, counted from 1.
    pub first_line: u64,
}

/// Cuts a stream into blocks of whole lines.
pub(crate) struct LineBlocks<R> {
    file: String,
    reader: R,
    carry: Vec<u8>,
    next_line: u64,
    done: bool,
}

const BLOCK: usize = 1 << 19;
const LONGEST_LINE: usize = 1 << 26;

impl<R: Read> LineBlocks<R> {
    pub fn new(file: &str, reader: R) -> Self {
        LineBlocks {
            file: file.to_owned(),
            reader,
            carry: Vec::new(),
            next_line: 1,
            done: false,
        }
    }

    /// The next run of lines, `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<LineBlock>, OeisFileError> {
        let mut bytes = std::mem::take(&mut self.carry);
        while !self.done {
            let filled = bytes.len();
            bytes.resize(filled + BLOCK, 0);
            let mut end = filled;
            while end < bytes.len() {
                match self.reader.read(&mut bytes[end..]) {
                    Ok(0) => {
                        self.done = true;
                        break;
                    }
                    Ok(got) => end += got,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        let line = self.next_line + count_lines(&bytes[..end]);
                        return Err(OeisFileError::io(&self.file, Some(line), error));
                    }
                }
            }
            bytes.truncate(end);
            if self.done {
                break;
            }
            if let Some(cut) = bytes[filled..].iter().rposition(|&byte| byte == b'\n') {
                self.carry = bytes.split_off(filled + cut + 1);
                break;
            }
            if bytes.len() > LONGEST_LINE {
                return Err(OeisFileError::at_line(
                    &self.file,
                    self.next_line,
                    format!("the line is longer than {LONGEST_LINE} bytes"),
                    RIGHT,
                ));
            }
        }
        if self.next_line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3); // the mark that some editors put before UTF-8
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.next_line;
        self.next_line += count_lines(&bytes);
        Ok(Some(LineBlock { bytes, first_line }))
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_as_written() {
        let terms: Vec<BigInt> = [0, -1, 12].map(BigInt::from).to_vec();
        let a = ANumber::new(136_043).unwrap();
        let mut out = b"# OEIS Sequence Data\n\n".to_vec();
        write_line(&mut out, a, &terms).unwrap();
        write_line(&mut out, ANumber::NONE_YET, &[]).unwrap();
        assert!(out.ends_with(b"A136043 ,0,-1,12,\nA000000 ,\n"));
        let read = parse("s", &out).unwrap();
        assert_eq!(read[0], StrippedLine { a_number: a, terms });
        assert_eq!(read[1].terms, []);
    }

    #[test]
    fn refusals_name_the_line() {
        for (text, line) in [
            ("A000001 ,0,1\n", 1),
            ("# c\nA000001 0,1,\n", 2),
            ("A000001 ,0,1,\nA00002 ,0,\n", 2),
            ("A000001 ,0,,1,\n", 1),
            ("A000001 ,0,x,\n", 1),
        ] {
            assert_eq!(
                parse("s", text.as_bytes()).unwrap_err().line,
                Some(line),
                "{text:?}"
            );
        }
    }

    #[test]
    fn blocks_cut_at_line_ends_and_count_lines() {
        let text: Vec<u8> = (0..300_000)
            .flat_map(|i| format!("{i}\n").into_bytes())
            .collect();
        let mut blocks = LineBlocks::new("f", &text[..]);
        let (mut joined, mut lines) = (Vec::new(), 1);
        while let Some(block) = blocks.next().unwrap() {
            assert_eq!(block.first_line, lines);
            assert!(block.bytes.ends_with(b"\n"));
            lines += count_lines(&block.bytes);
            joined.extend(block.bytes);
        }
        assert_eq!((joined, lines), (text, 300_001));
        let long = vec![b'7'; 3 * BLOCK];
        let block = LineBlocks::new("f", &long[..]).next().unwrap().unwrap();
        assert_eq!(block.bytes, long);
    }
}
