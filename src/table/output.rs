//! Where bytes go: standard output, or a file that appears whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An output that could not be opened, written or put in place.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", .place.as_ref().map_or("to standard output".to_string(), |p| format!("\"{}\"", p.display())))]
pub struct OutputError {
    place: Option<PathBuf>,
    /// The system's own word.
    #[source]
    pub error: io::Error,
}

impl OutputError {
    /// The reader closed the pipe: no failure.
    pub fn is_closed_pipe(&self) -> bool {
        self.place.is_none() && self.error.kind() == io::ErrorKind::BrokenPipe
    }
}

enum Place {
    Standard(BufWriter<io::Stdout>),
    /// Written beside, renamed when whole.
    Beside(Box<BufWriter<tempfile::NamedTempFile>>, PathBuf),
    /// A device or a pipe: written in place, since a rename would replace it.
    Special(BufWriter<File>, PathBuf),
}

/// The file that a path means: links are followed, also one to a file that does not exist yet.
fn target_of(path: &Path) -> PathBuf {
    const LINKS: usize = 40; // as the system itself follows at most
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        if let Ok(found) = std::fs::canonicalize(&path) {
            return found;
        }
        let Ok(link) = std::fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    path
}

/// An output under way. Dropped before [`Output::finish`], it leaves no file.
pub struct Output {
    place: Place,
}

impl Output {
    /// Standard output, or a file.
    pub fn open(path: Option<&Path>) -> Result<Output, OutputError> {
        let Some(path) = path else {
            return Ok(Output {
                place: Place::Standard(BufWriter::with_capacity(1 << 16, io::stdout())),
            });
        };
        let place = Self::open_file(path);
        let place = place.map_err(|error| OutputError {
            place: Some(path.to_path_buf()),
            error,
        })?;
        Ok(Output { place })
    }

    fn open_file(path: &Path) -> io::Result<Place> {
        let path = target_of(path);
        if let Ok(found) = std::fs::metadata(&path) {
            if found.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "it is a directory, a file was expected",
                ));
            }
            if !found.is_file() {
                let file = std::fs::OpenOptions::new().write(true).open(&path)?;
                return Ok(Place::Special(BufWriter::new(file), path));
            }
            std::fs::OpenOptions::new().append(true).open(&path)?; // refuse a file that is read-only
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666)); // less the umask, as any file
        }
        if let Ok(found) = std::fs::metadata(&path) {
            builder.permissions(found.permissions()); // those of the file that is replaced
        }
        let file = builder
            .prefix(".flipcost-")
            .tempfile_in(folder)
            .map_err(|error| {
                // the system names the temporary file, the reader asked for another
                match error.kind() {
                    io::ErrorKind::NotFound => {
                        io::Error::new(error.kind(), "its folder does not exist")
                    }
                    kind => io::Error::new(kind, kind.to_string()),
                }
            })?;
        Ok(Place::Beside(
            Box::new(BufWriter::with_capacity(1 << 16, file)),
            path,
        ))
    }

    fn fail(&self, error: io::Error) -> OutputError {
        let place = match &self.place {
            Place::Standard(_) => None,
            Place::Beside(_, path) | Place::Special(_, path) => Some(path.clone()),
        };
        OutputError { place, error }
    }

    /// Calls a writer with this output.
    pub fn with<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T, OutputError> {
        let result = match &mut self.place {
            Place::Standard(out) => write(out),
            Place::Beside(out, _) => write(out.as_mut()),
            Place::Special(out, _) => write(out),
        };
        result.map_err(|error| self.fail(error))
    }

    /// Everything is written: puts the file in its place.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.with(|out| out.flush())?;
        if let Place::Beside(out, path) = self.place {
            let failed = |error| OutputError {
                place: Some(path.clone()),
                error,
            };
            let file = out
                .into_inner()
                .map_err(|error| failed(error.into_error()))?;
            file.persist(&path).map_err(|error| failed(error.error))?;
        }
        Ok(())
    }

    /// Writes a whole text or picture at once.
    pub fn write_all(path: Option<&Path>, bytes: &[u8]) -> Result<(), OutputError> {
        let mut output = Output::open(path)?;
        output.with(|out| out.write_all(bytes))?;
        output.finish()
    }
}
