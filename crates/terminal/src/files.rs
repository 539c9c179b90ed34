//! Reads complete files, up to a limit, since a device may never end.

use flipcost_question::text::open_file;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The pipe for which the program is waiting, and since when.
static AWAITED_PIPE: Mutex<Option<(Instant, PathBuf)>> = Mutex::new(None);

fn lock_awaited_pipe() -> MutexGuard<'static, Option<(Instant, PathBuf)>> {
    AWAITED_PIPE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the pipe or device that has been waited for longer than this.
pub fn awaited_longer_than(limit: Duration) -> Option<PathBuf> {
    let since = lock_awaited_pipe().clone()?;
    (since.0.elapsed() > limit).then_some(since.1)
}

/// Runs `work`, which opens or reads this file and may have to wait for another program; records
/// the wait for [`awaited_longer_than`].
pub fn run_while_waiting<T>(path: &Path, work: impl FnOnce() -> T) -> T {
    *lock_awaited_pipe() = Some((Instant::now(), path.to_path_buf()));
    let done = work();
    *lock_awaited_pipe() = None;
    done
}

/// The usual size limit of a file that is read whole, in bytes.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 26;

/// Reads everything that a reader gives.
///
/// # Errors
/// Errors of the system, and an error if there are more than `most` bytes.
pub fn read_at_most(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Reads a file as text.
///
/// # Errors
/// The errors of [`read_at_most`], and an error if the file is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = run_while_waiting(path, || {
        read_at_most(open_file(path, OpenOptions::new().read(true))?, most)
    })?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_file_is_refused() {
        assert_eq!(read_at_most(&[7u8; 5][..], 5).unwrap(), [7; 5]);
        let error = read_at_most(io::repeat(0), 1000).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1000 bytes");
    }
}
