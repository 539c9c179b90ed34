//! Reads bytes, lines and integers for the parser of every format.
//!
//! Every parser accepts a byte-order mark at the start, CRLF line ends and a last line without a
//! line feed. Every parser rejects NUL bytes, text that is not UTF-8, gzip data that are damaged or
//! incomplete, and integers that are not written as the OEIS writes them.

pub use flipcost_question::display_name;
use std::io::Read;
use std::path::Path;

use num_bigint::BigInt;

use super::OeisFileError;

/// The length of the longest integer that is accepted, in decimal digits.
const MAX_DIGITS: usize = 1_000_000;

/// The largest file that is read into memory, in bytes after decompression.
const MAX_BYTES: u64 = 1 << 30;

/// Opens a file. If its first bytes are those of gzip, the file is decompressed while it is read.
///
/// # Errors
/// An [`OeisFileError`] if the file cannot be opened or is a directory.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>, OeisFileError> {
    let name = display_name(path);
    flipcost_question::open_decompressed(path)
        .map_err(|cause| OeisFileError::io(&name, None, &cause))
}

/// Reads a whole file of at most a gigabyte into memory, and decompresses it if it is gzip.
///
/// # Errors
/// If the file cannot be read, is damaged, or is larger.
pub fn read(path: &Path) -> Result<Vec<u8>, OeisFileError> {
    let (file, mut bytes) = (display_name(path), Vec::new());
    let outcome = open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    if let Err(cause) = outcome {
        let line = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        return Err(OeisFileError::io(&file, Some(line), &cause));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(OeisFileError::whole_file(
            &file,
            format!("it holds more than {MAX_BYTES} bytes"),
            "cut it into smaller files",
        ));
    }
    Ok(bytes)
}

/// A line of a file without its line feed, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedLine<'a> {
    /// The number of the line, counted from 1.
    pub number: u64,
    /// The text, without the line's end.
    pub text: &'a str,
}

/// Splits a text into its lines; `file` is its name in error messages.
///
/// # Errors
/// An [`OeisFileError`] if the text holds a NUL byte or is not UTF-8.
pub fn lines<'a>(file: &str, bytes: &'a [u8]) -> Result<Vec<NumberedLine<'a>>, OeisFileError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let line_of = |at: usize| bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(OeisFileError::at_line(
            file,
            line_of(at),
            "it holds a NUL byte",
            "a text file is needed",
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        OeisFileError::at_line(
            file,
            line_of(error.valid_up_to()),
            "it is not UTF-8",
            "save the file as plain ASCII or UTF-8",
        )
    })?;
    Ok(text
        .lines()
        .zip(1..)
        .map(|(text, number)| NumberedLine { number, text })
        .collect())
}

/// Returns the first characters of a text, in quotation marks, for an error message.
pub(crate) fn quote_excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(24).collect();
    if text.chars().nth(24).is_some() {
        short.push_str("...");
    }
    format!("{short:?}")
}

/// Parses an integer as the OEIS writes it: an optional `-`, then at most a million digits without
/// a leading zero.
///
/// # Errors
/// If the text is not such an integer; the error says why.
pub fn integer(text: &str) -> Result<BigInt, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{} is not an integer", quote_excerpt(text)));
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return Err(format!("{} has a leading zero", quote_excerpt(text)));
    }
    if text == "-0" {
        return Err("\"-0\" has a sign".into());
    }
    if digits.len() > MAX_DIGITS {
        return Err(format!(
            "a term has {} digits, more than {MAX_DIGITS}",
            digits.len()
        ));
    }
    text.parse()
        .map_err(|_| format!("{} is not an integer", quote_excerpt(text)))
}

/// Parses terms separated by commas, for example `1,1,2,3`. One comma before the first term, one
/// comma after the last term, and blanks around a term are allowed. An empty text has no terms.
pub(crate) fn comma_separated(text: &str) -> Result<Vec<BigInt>, String> {
    let text = text.trim();
    let text = text.strip_prefix(',').unwrap_or(text);
    let text = text.strip_suffix(',').unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    text.split(',')
        .map(|term| match term.trim() {
            "" => Err("a term is missing between two commas".into()),
            term => integer(term),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn integers_are_written_in_one_way_only() {
        assert_eq!(integer("0"), Ok(BigInt::ZERO));
        assert_eq!(integer("-12"), Ok(BigInt::from(-12)));
        for bad in [
            "", "-", "+1", "01", "-0", "1.0", "1e3", "--1", " 1", "\u{0661}",
        ] {
            assert!(integer(bad).is_err(), "{bad:?}");
        }
        let long = "9".repeat(100_000);
        assert_eq!(integer(&long).unwrap().to_string(), long);
        assert!(integer(&"9".repeat(MAX_DIGITS + 1)).is_err());
    }

    #[test]
    fn lines_may_have_crlf_and_a_byte_order_mark_but_no_nul_or_latin1() {
        let got = lines("f", b"\xef\xbb\xbfa\r\nb\n\nc").unwrap();
        let texts: Vec<_> = got.iter().map(|line| (line.number, line.text)).collect();
        assert_eq!(texts, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
        assert_eq!(lines("f", b"a\n\0").unwrap_err().line, Some(2));
        assert_eq!(lines("f", b"a\n\n\xe9").unwrap_err().line, Some(3));
    }

    #[test]
    fn a_gzip_file_is_read_completely_or_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.gz");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let text: String = (0..5000u64)
            .map(|i| format!("{i} {}\n", i * i * 7919))
            .collect();
        encoder.write_all(text.as_bytes()).unwrap();
        let packed = encoder.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        assert_eq!(read(&path).unwrap(), text.as_bytes());
        for keep in [3, 11, packed.len() / 2, packed.len() - 1] {
            std::fs::write(&path, &packed[..keep]).unwrap();
            let refusal = read(&path).unwrap_err();
            assert!(refusal.to_string().contains("x.gz"), "{refusal}");
            assert!(refusal.to_string().contains("stop early"), "{refusal}");
        }
        assert!(
            read(directory.path())
                .unwrap_err()
                .wrong
                .contains("directory")
        );
        assert!(
            read(&directory.path().join("none"))
                .unwrap_err()
                .wrong
                .contains("no such")
        );
    }
}
