//! Helpers for sentences, counts, file names, and files that may be compressed with gzip.

use flate2::bufread::{GzDecoder, MultiGzDecoder};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// The width of text for people, in characters.
pub const WIDTH: usize = 80;

/// Formats a path for error messages.
pub fn display_name(path: &Path) -> String {
    path.display().to_string()
}

/// Formats a count with its noun: `1 term`, `2 terms`.
pub fn count_with_noun(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// Formats a count with its verb: `1 is`, `2 are`.
pub fn is_or_are(count: u64) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

/// The size of a file in bytes; 0 if it does not exist.
pub fn file_size(path: &Path) -> u128 {
    std::fs::metadata(path).map_or(0, |found| found.len().into())
}

/// How long to wait for another program to open the other end of a named pipe.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Opens a file. For a named pipe, waits at most ten seconds for its other end.
///
/// # Errors
/// Errors of the system, and a timeout if no program opens the other end of the pipe.
pub fn open_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    if !is_pipe(path) {
        return options.open(path);
    }
    let (sender, opened) = mpsc::channel();
    let (path, options) = (path.to_path_buf(), options.clone());
    std::thread::spawn(move || sender.send(options.open(path)));
    let what = "no other program opened this pipe within 10 seconds";
    let late = |_| Err(io::Error::new(io::ErrorKind::TimedOut, what));
    opened.recv_timeout(MAX_WAIT).unwrap_or_else(late)
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// Opens a file, and decompresses it if its first bytes are those of gzip.
///
/// # Errors
/// Errors of the system; [`io::ErrorKind::IsADirectory`] for a directory.
pub fn open_decompressed(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = open_file(path, OpenOptions::new().read(true))?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let gzip = reader.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if gzip {
        Box::new(MultiGzDecoder::new(reader))
    } else {
        Box::new(reader)
    })
}

/// Returns the texts that a build script packed, with their paths.
///
/// # Panics
/// If no build script packed these bytes.
pub fn unpack_texts(packed: &[u8]) -> BTreeMap<String, String> {
    let mut all = String::new();
    let unpacked = GzDecoder::new(packed).read_to_string(&mut all);
    unpacked.expect("a build script packed it");
    let mut parts = all.split_terminator('\0').map(str::to_string);
    std::iter::from_fn(|| Some((parts.next()?, parts.next()?))).collect()
}

/// Returns the reason why a file could not be read, and a hint that says what to do.
pub fn unreadable_error(cause: &io::Error) -> (String, String) {
    let again = "download or copy the whole file again";
    let (wrong, right) = match cause.kind() {
        io::ErrorKind::NotFound => ("no such file".to_string(), "give the path of a file"),
        io::ErrorKind::IsADirectory => {
            ("this is a directory".to_string(), "give the path of a file")
        }
        io::ErrorKind::UnexpectedEof => ("the compressed data stop early".to_string(), again),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            (format!("the compressed data are damaged ({cause})"), again)
        }
        _ => (
            format!("reading failed ({cause})"),
            "a readable file is needed",
        ),
    };
    (wrong, right.to_string())
}
