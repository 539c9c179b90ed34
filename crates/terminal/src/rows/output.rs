//! Writes bytes to standard output, or to a file that appears whole or not at all.

use crate::interrupt::TemporaryFile;
use crate::terminal;
use flipcost_question::text::open_file;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The error of an output that could not be opened, written or moved to its final place.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", .place.as_ref().map_or("to standard output".to_string(), |p| format!("\"{}\"", p.display())))]
pub struct OutputError {
    place: Option<PathBuf>,
    /// The error of the system.
    #[source]
    pub error: io::Error,
}

/// An error of the system without a file is an error of standard output.
impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> OutputError {
        OutputError { place: None, error }
    }
}

impl OutputError {
    /// Returns the error of this file, which could not be opened, written or moved to its final
    /// place.
    pub fn for_file(path: &Path, error: io::Error) -> OutputError {
        OutputError {
            place: Some(path.to_path_buf()),
            error,
        }
    }

    /// Returns whether the reader of standard output closed the pipe, which is not a failure.
    pub fn is_closed_pipe(&self) -> bool {
        // Windows reports error 233 if the reader of a named pipe has closed it
        let gone = cfg!(windows) && self.error.raw_os_error() == Some(233);
        self.place.is_none() && (gone || self.error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// A temporary file in the folder where the output will be.
struct TemporaryOutput {
    file: BufWriter<tempfile::NamedTempFile>,
    path: PathBuf,
    _temporary: TemporaryFile,
}

enum OutputWriter {
    Standard(BufWriter<io::Stdout>),
    /// Written to a temporary file, which is renamed when it is complete.
    TemporaryOutput(Box<TemporaryOutput>),
    /// A device or a pipe. It is written to directly, since renaming a temporary file would replace
    /// it.
    Special(BufWriter<File>, PathBuf),
}

/// Checks whether standard output was closed before the program began. The check must run before
/// the standard library, which replaces a closed output by /dev/null before `main`; after that
/// every byte is lost without an error.
#[cfg(unix)]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    ctor::declarative::ctor! {
        #[ctor(unsafe)]
        fn check_standard_output() {
            let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
            CLOSED.store(closed, Ordering::Relaxed);
        }
    }

    pub fn was_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(unix))]
mod at_start {
    pub fn was_closed() -> bool {
        false
    }
}

/// Returns whether the path names an open file of this process, such as /dev/fd/3.
fn is_open_file(path: &Path) -> bool {
    let folders = ["/dev/fd", "/proc/self/fd"];
    folders.iter().any(|folder| path.starts_with(folder))
}

/// An output that is being written. If it is dropped before [`Output::finish`], no file is left.
pub struct Output {
    place: OutputWriter,
}

/// Where a path leads, before anything is written there.
pub enum Destination {
    /// Standard output, given by its path.
    Standard,
    /// A device or a pipe, which is written to directly.
    Special(File, PathBuf),
    /// A regular file that exists or will be created, with links resolved, and its permissions if
    /// it exists.
    Regular(PathBuf, Option<Permissions>),
}

impl Destination {
    /// Follows links, and refuses paths that cannot be written.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn resolve(path: &Path) -> Result<Destination, OutputError> {
        Self::follow_path(path).map_err(|error| OutputError::for_file(path, error))
    }

    fn follow_path(path: &Path) -> io::Result<Destination> {
        if path == Path::new("/dev/stdout") {
            return Ok(Destination::Standard);
        }
        // appends, because another process may still write to the file after this process has ended
        if is_open_file(path) {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Destination::Special(file, path.to_path_buf()));
        }
        let Ok(found) = std::fs::metadata(path) else {
            if path.is_symlink() {
                let what = "it is a link that does not lead to a file";
                return Err(io::Error::other(what));
            }
            return Ok(Destination::Regular(path.to_path_buf(), None));
        };
        if found.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a directory, but a file was expected",
            ));
        }
        if !found.is_file() {
            announce_pipe(&found, path);
            let file = open_file(path, OpenOptions::new().write(true))?;
            return Ok(Destination::Special(file, path.to_path_buf()));
        }
        OpenOptions::new().append(true).open(path)?; // refuses a read-only file
        let path = without_verbatim_prefix(std::fs::canonicalize(path)?);
        Ok(Destination::Regular(path, Some(found.permissions())))
    }
}

/// Returns the path as people write it: removes the `\\?\` that Windows puts before a drive.
fn without_verbatim_prefix(path: PathBuf) -> PathBuf {
    match path.to_str().and_then(|text| text.strip_prefix(r"\\?\")) {
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') => rest.into(),
        _ => path,
    }
}

/// Tells a person at a terminal that a pipe is opened only when another program reads it; otherwise
/// that person would wait without knowing why.
#[cfg(unix)]
fn announce_pipe(found: &std::fs::Metadata, path: &Path) {
    use std::os::unix::fs::FileTypeExt;
    if found.file_type().is_fifo() {
        terminal::report_pipe_wait(path);
    }
}

#[cfg(not(unix))]
fn announce_pipe(_: &std::fs::Metadata, _: &Path) {}

/// Replaces the name of the temporary file in an error, since it would not help the user.
pub fn hide_temporary_name(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "its folder does not exist"),
        kind @ io::ErrorKind::PermissionDenied if cfg!(windows) => {
            io::Error::new(kind, "it is read-only, or another program has it open")
        }
        kind => io::Error::new(kind, kind.to_string()),
    }
}

/// Saves the names of the files in the folder of this path to the disk, on systems that support
/// this.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder_of(path))?.sync_all()
    } else {
        Ok(())
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

impl Output {
    /// Refuses a directory, and a file in a folder that does not exist. Called before any work is
    /// done.
    ///
    /// # Errors
    /// [`OutputError`], which names the file.
    pub fn check(path: &Path) -> Result<(), OutputError> {
        let what = if path.is_dir() {
            "it is a directory, but a file was expected"
        } else if !folder_of(path).is_dir() {
            "its folder does not exist"
        } else {
            return Ok(());
        };
        Err(OutputError::for_file(path, io::Error::other(what)))
    }

    /// Opens a file, or standard output if there is no path.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn open(path: Option<&Path>) -> Result<Output, OutputError> {
        match path {
            Some(path) => Output::open_destination(Destination::resolve(path)?),
            None => Output::open_destination(Destination::Standard),
        }
    }

    /// Opens a destination.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn open_destination(destination: Destination) -> Result<Output, OutputError> {
        let (path, permissions) = match destination {
            Destination::Standard if at_start::was_closed() => {
                return Err(io::Error::other("it is closed").into());
            }
            Destination::Standard => {
                let place = OutputWriter::Standard(BufWriter::with_capacity(1 << 16, io::stdout()));
                return Ok(Output { place });
            }
            Destination::Special(file, path) => {
                let place = OutputWriter::Special(BufWriter::new(file), path);
                return Ok(Output { place });
            }
            Destination::Regular(path, permissions) => (path, permissions),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666)); // minus the umask
        }
        if let Some(permissions) = permissions {
            builder.permissions(permissions); // those of the file to be replaced
        }
        let file = builder
            .prefix(".flipcost-")
            .tempfile_in(folder_of(&path))
            .map_err(|error| OutputError::for_file(&path, hide_temporary_name(error)))?;
        Ok(Output {
            place: {
                let temporary = TemporaryFile::new(file.path());
                let file = BufWriter::with_capacity(1 << 16, file);
                OutputWriter::TemporaryOutput(Box::new(TemporaryOutput {
                    file,
                    path,
                    _temporary: temporary,
                }))
            },
        })
    }

    fn file_error(&self, error: io::Error) -> OutputError {
        match &self.place {
            OutputWriter::Standard(_) => error.into(),
            OutputWriter::Special(_, path) => OutputError::for_file(path, error),
            OutputWriter::TemporaryOutput(file) => {
                OutputError::for_file(&file.path, hide_temporary_name(error))
            }
        }
    }

    /// Calls `write` with this output, and adds the name of the file to its errors.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn with_writer<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T, OutputError> {
        let result = match &mut self.place {
            OutputWriter::Standard(out) => write(out),
            OutputWriter::TemporaryOutput(out) => write(&mut out.file),
            OutputWriter::Special(out, _) => write(out),
        };
        result.map_err(|error| self.file_error(error))
    }

    /// Renames the complete file to its final name, and prints this name on a terminal.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn finish(self) -> Result<(), OutputError> {
        if let Some((path, replaced)) = self.put_in_place()? {
            terminal::report_written_file(&path, replaced);
        }
        Ok(())
    }

    /// Renames the complete file to its final name. Returns this name and whether it replaced
    /// another file, or `None` for an output that is not a regular file.
    fn put_in_place(mut self) -> Result<Option<(PathBuf, bool)>, OutputError> {
        self.with_writer(|out| out.flush())?;
        let OutputWriter::TemporaryOutput(whole) = self.place else {
            return Ok(None);
        };
        let TemporaryOutput { file, path, .. } = *whole;
        let failed = |error| OutputError::for_file(&path, hide_temporary_name(error));
        let file = file
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        // saves the contents to the disk before the rename, so that the name never leads to
        // incomplete contents
        file.as_file().sync_all().map_err(failed)?;
        let replaced = path.exists();
        file.persist(&path).map_err(|error| failed(error.error))?;
        sync_folder(&path).map_err(failed)?;
        Ok(Some((path, replaced)))
    }

    /// Writes a file for another run to read; no message is shown.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn write_quietly(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
        let mut output = Output::open(Some(path))?;
        output.with_writer(|out| out.write_all(bytes))?;
        output.put_in_place().map(|_| ())
    }

    /// Writes a whole text or picture.
    ///
    /// # Errors
    /// [`OutputError`], which names the file, if the system refuses.
    pub fn write_all(path: Option<&Path>, bytes: &[u8]) -> Result<(), OutputError> {
        let mut output = Output::open(path)?;
        output.with_writer(|out| out.write_all(bytes))?;
        output.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::without_verbatim_prefix;

    #[test]
    fn a_drive_is_written_as_people_write_it() {
        for (full, written) in [
            (r"\\?\C:\dice\a b.csv", r"C:\dice\a b.csv"),
            (r"\\?\UNC\host\dice.csv", r"\\?\UNC\host\dice.csv"),
            ("/tmp/dice.csv", "/tmp/dice.csv"),
        ] {
            assert_eq!(without_verbatim_prefix(full.into()).to_str(), Some(written));
        }
    }
}
