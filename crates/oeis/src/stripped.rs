//! The format of the file `stripped` (or `stripped.gz`) of the OEIS: a line with the terms of each
//! entry.
//!
//! A line is the A-number, a blank and the terms with a comma before, between and after them:
//! `A136043 ,1,1,1,1,2,`. Lines that begin with `#` are comments. The file does not contain the
//! offsets.

use std::io::{self, Read, Write};

use num_bigint::BigInt;

use super::{ANumber, OeisFileError};

pub(crate) const EXPECTED_FORMAT: &str = "a line of stripped is an A-number, a blank and the terms between commas, such as \"A000001 ,0,1,1,2,\"";

/// Writes the line of one entry, with its line feed.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_line(out: &mut impl Write, a_number: ANumber, terms: &[BigInt]) -> io::Result<()> {
    write!(out, "{a_number} ,")?;
    for term in terms {
        write!(out, "{term},")?;
    }
    out.write_all(b"\n")
}

/// Some consecutive complete lines of a file.
pub(crate) struct LineBlock {
    /// The lines with their line feeds; the last line of a file may lack its line feed.
    pub bytes: Vec<u8>,
    /// The number of the first line, counted from 1.
    pub first_line: u64,
}

/// Splits a stream into blocks of complete lines.
pub(crate) struct LineBlocks<R> {
    file: String,
    reader: R,
    carry: Vec<u8>,
    next_line: u64,
    done: bool,
}

const BLOCK: usize = 1 << 19;
const MAX_LINE_BYTES: usize = 1 << 26;

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

    /// Returns the next block of lines; `None` at the end of the file.
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
                        return Err(OeisFileError::io(&self.file, Some(line), &error));
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
            if bytes.len() > MAX_LINE_BYTES {
                return Err(OeisFileError::at_line(
                    &self.file,
                    self.next_line,
                    format!("the line is longer than {MAX_LINE_BYTES} bytes"),
                    EXPECTED_FORMAT,
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
    fn blocks_end_at_line_ends_and_count_lines() {
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
