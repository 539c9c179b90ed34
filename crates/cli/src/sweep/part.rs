//! A partial file that an interrupted run leaves and another run continues.
//!
//! FILE is written as `FILE.part`, with `FILE.part.journal` next to it. The first line of the
//! journal describes the file; every other line records how many bytes of the partial file are safe
//! on the disk. Such a line is added only after those bytes are on the disk. So a run that resumes
//! cuts the partial file off at the length in the last complete line of the journal and continues
//! from there. A run locks the partial file while it writes. When the file is complete, it is
//! renamed to FILE, and then the journal is removed. If a partial file with content has no journal,
//! or only a piece of the first line of one, its content is unknown: without `--resume` it is not
//! touched; with `--resume` it is renamed, and the run starts from the beginning.

use super::journal::{Heading, WrittenPrefix, json_line, prefix_checksum};
use crate::failure::Failure;
use bytesize::ByteSize;
use crc32fast::Hasher;
use flipcost_one_draw::questions::Remarks;
use flipcost_question::file_size;
use flipcost_terminal::files;
use flipcost_terminal::interrupt::{self, TemporaryFile};
use flipcost_terminal::rows::output::{hide_temporary_name, sync_folder};
use flipcost_terminal::rows::{Destination, Output, OutputError};
use flipcost_terminal::screen::print_remark;
use flipcost_terminal::terminal;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A checkpoint is saved after this time or after this many bytes, whichever comes first.
const CHECKPOINT: (Duration, u64) = (Duration::from_millis(500), 64 << 20);

/// A partial file. Dropping it before it is finished removes the file, unless a write failed after
/// a checkpoint.
pub struct PartFile {
    file: BufWriter<File>,
    journal: File,
    names: PartPaths,
    /// The time and the length in bytes at the last checkpoint, or at the start, and whether there
    /// was a checkpoint.
    checkpoint: (Instant, u64, bool),
    /// The partial file and its journal until the first checkpoint; an interrupted run removes
    /// these.
    unsafe_files: Vec<TemporaryFile>,
    keep_on_drop: bool,
}

/// The paths of the complete file, the partial file and the journal.
#[derive(Clone)]
struct PartPaths {
    complete: PathBuf,
    part: PathBuf,
    journal: PathBuf,
}

/// Appends an ending to a path.
fn append_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

impl PartPaths {
    fn new(complete: PathBuf) -> PartPaths {
        PartPaths {
            part: append_suffix(&complete, ".part"),
            journal: append_suffix(&complete, ".part.journal"),
            complete,
        }
    }

    fn remove(&self) {
        // removes the journal last, so that a partial file always has a journal
        let _ = fs::remove_file(&self.part);
        let _ = fs::remove_file(&self.journal);
    }

    fn failure(&self, error: io::Error) -> Failure {
        OutputError::for_file(&self.complete, hide_temporary_name(error)).into()
    }

    /// Opens or creates the partial file, and locks it.
    fn lock_part(&self) -> Result<File, Failure> {
        let file = open_locked(&self.part, true, false).map_err(|error| self.failure(error))?;
        file.ok_or_else(|| {
            file_failure(
                &self.complete,
                "is being written by another run: wait for it, or choose another file",
            )
        })
    }

    /// Opens, locks and reads the journal, if there is one.
    fn open_journal(&self) -> io::Result<(Option<File>, Vec<u8>)> {
        match open_locked(&self.journal, false, true)? {
            Some(journal) => files::read_at_most(&journal, files::DEFAULT_MAX_BYTES)
                .map(|text| (Some(journal), text)),
            None => Ok((None, Vec::new())),
        }
    }

    /// Renames a partial file without a complete journal to an unused name.
    fn rename_unusable_part(&self) -> Result<(), Failure> {
        let mut names = (1u32..).map(|count| append_suffix(&self.part, &format!(".{count}")));
        let kept = names.find(|name| !name.exists());
        let kept = kept.expect("there are names enough");
        fs::rename(&self.part, &kept).map_err(|error| self.failure(error))?;
        print_remark(&format!(
            "\"{}\" has no complete journal, as after a power cut: the run starts from the beginning, and the old file is kept as \"{}\"",
            self.part.display(),
            kept.display()
        ));
        Ok(())
    }

    /// Checks that the partial file of an earlier run is the beginning of the requested file and
    /// matches the last line of its journal. Returns the state of the checksum of its bytes, or
    /// `None` if the journal has no such line.
    fn check_partial_file(
        &self,
        file: &File,
        [heading, left]: [&Heading; 2],
        last: Option<&WrittenPrefix>,
    ) -> Result<Option<Hasher>, Failure> {
        if let Some(difference) = heading.difference(left) {
            let what = format!(
                "was left by a different request ({difference}): repeat that request, or leave out --resume to start again"
            );
            return Err(file_failure(&self.part, &what));
        }
        let Some(reached) = last else { return Ok(None) };
        // On Windows only the handle that holds the lock can read a locked file.
        let crc = reached.check(&self.part, file)?;
        let crc = crc.filter(|_| reached.done <= heading.rows());
        let changed = "does not match its journal any more, so it cannot be continued: leave out --resume to start again";
        crc.map(Some)
            .ok_or_else(|| file_failure(&self.part, changed))
    }
}

/// The opened files, and how many bytes of each are kept: those of an earlier run if it is
/// continued, otherwise 0.
struct OpenedPart {
    names: PartPaths,
    part: File,
    part_length: u64,
    journal: Option<File>,
    journal_length: u64,
}

impl OpenedPart {
    /// Cuts the files off at the lengths to keep, and writes the heading if the journal is new.
    fn begin(
        mut self,
        permissions: Option<Permissions>,
        heading: &Heading,
    ) -> io::Result<PartFile> {
        // cuts the partial file before the journal, because a run ignores the journal of an empty
        // partial file
        self.part.set_len(self.part_length)?;
        self.part.seek(SeekFrom::End(0))?;
        if let Some(permissions) = permissions {
            self.part.set_permissions(permissions)?; // those of the file to be replaced
        }
        let names = self.names;
        let mut journal = match self.journal {
            Some(journal) => journal,
            None => open_locked(&names.journal, true, true)?.expect("the new journal was locked"),
        };
        journal.set_len(self.journal_length)?;
        journal.seek(SeekFrom::End(0))?;
        let is_new = self.journal_length == 0;
        let unsafe_files = if is_new {
            journal.write_all(json_line(heading).as_bytes())?;
            journal.sync_all()?;
            sync_folder(&names.journal)?;
            [&names.part, &names.journal]
                .map(|name| TemporaryFile::new(name))
                .into()
        } else {
            interrupt::record_resumable_file(&names.part, None);
            Vec::new()
        };
        Ok(PartFile {
            file: BufWriter::with_capacity(1 << 16, self.part),
            journal,
            names,
            checkpoint: (Instant::now(), self.part_length, !is_new),
            unsafe_files,
            keep_on_drop: false,
        })
    }
}

/// Whether the path still leads to the opened file.
#[cfg(unix)]
fn is_still_at(file: &File, name: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata()?;
    Ok(fs::symlink_metadata(name)
        .is_ok_and(|named| (named.dev(), named.ino()) == (opened.dev(), opened.ino())))
}

#[cfg(not(unix))]
fn is_still_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true) // an open file cannot be renamed or removed
}

/// Opens a file for reading and writing, or creates it. Refuses links and everything else that is
/// not a regular file.
fn open_regular_file(name: &Path, make: bool) -> io::Result<File> {
    let not_a_file =
        || io::Error::other("it is a link, a pipe or another thing, not a regular file");
    if fs::symlink_metadata(name).is_ok_and(|found| !found.is_file()) {
        return Err(not_a_file());
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(make).truncate(false);
    // flags: do not follow a link, and do not wait for the other end of a pipe
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    let file = options.open(name)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_a_file())
    }
}

/// Opens a file and locks it. Returns `None` if the file does not exist and `make` is not set, or
/// if another run holds the lock and `wait` is not set. Waiting is for journals: a run that has
/// just renamed its complete file removes the journal a moment later.
fn open_locked(name: &Path, make: bool, wait: bool) -> io::Result<Option<File>> {
    loop {
        let file = match open_regular_file(name, make) {
            Err(error) if !make && error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let locked = if wait {
            file.lock().map_err(TryLockError::Error)
        } else {
            file.try_lock()
        };
        match locked {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // some file systems of clusters do not support locks
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            _ => {}
        }
        // the run that held the lock may have renamed or removed the file before this run locked it
        if is_still_at(&file, name)? {
            return Ok(Some(file));
        }
    }
}

/// Returns the heading of a journal, if it is readable, and the last line that counts at most
/// `length` bytes, with the length of the journal up to the end of that line. `length` is the
/// length of the partial file.
fn read_journal(journal: &str, length: u64) -> (Option<Heading>, Option<(WrittenPrefix, u64)>) {
    let mut lines = journal.split_inclusive('\n').filter(|l| l.ends_with('\n'));
    let first = lines.next();
    let heading = first.and_then(|line| serde_json::from_str(line).ok());
    let mut at = first.map_or(0, str::len) as u64;
    let mut last = None;
    for line in lines {
        at += line.len() as u64;
        match serde_json::from_str::<WrittenPrefix>(line) {
            Ok(reached) if reached.bytes <= length => last = Some((reached, at)),
            _ => break,
        }
    }
    (heading, last)
}

fn file_failure(path: &Path, what: &str) -> Failure {
    Failure::Input(format!("\"{}\" {what}", path.display()))
}

fn missing_journal_failure(part: &Path) -> Failure {
    let what = "is in the way: it has no journal, so no interrupted run left it; move it elsewhere";
    file_failure(part, what)
}

impl PartFile {
    /// Begins a file, or continues it if `resume` is set and there is something to continue. Also
    /// returns how much of a continued file is written, with the state of the checksum of those
    /// bytes.
    fn open(
        path: PathBuf,
        permissions: Option<Permissions>,
        heading: &Heading,
        resume: bool,
    ) -> Result<(PartFile, Option<(WrittenPrefix, Hasher)>), Failure> {
        let names = PartPaths::new(path);
        // Only a regular file can be the partial file of an earlier run.
        if fs::symlink_metadata(&names.part).is_ok_and(|found| !found.is_file()) {
            return Err(missing_journal_failure(&names.part));
        }
        let mut part = names.lock_part()?;
        let length = part.metadata().map_err(|error| names.failure(error))?.len();
        let (journal, text) = names.open_journal().map_err(|error| {
            if length == 0 {
                let _ = fs::remove_file(&names.part); // the partial file is new or empty
            }
            let journal = names.journal.display();
            Failure::Input(format!(
                "cannot use the journal \"{journal}\": {error}; move it elsewhere, or choose another file"
            ))
        })?;
        let (left, last) = read_journal(&String::from_utf8_lossy(&text), length);
        if length > 0 && left.is_none() {
            // without a complete journal, the file may belong to another program
            let is_lost = text.is_empty() || text.starts_with(b"{") && !text.contains(&b'\n');
            if !(resume && is_lost) {
                return Err(missing_journal_failure(&names.part));
            }
            names.rename_unusable_part()?;
            part = names.lock_part()?;
        }
        let crc = match &left {
            Some(left) if resume && length > 0 => {
                let last = last.as_ref().map(|(reached, _)| reached);
                names.check_partial_file(&part, [heading, left], last)?
            }
            _ => None,
        };
        let found = last.zip(crc);
        let lengths = (found.as_ref()).map(|((reached, lines), _)| (reached.bytes, *lines));
        let (part_length, journal_length) = lengths.unwrap_or_default();
        let opened = OpenedPart {
            names: names.clone(),
            part,
            part_length,
            journal,
            journal_length,
        };
        let part = opened.begin(permissions, heading).map_err(|error| {
            if journal_length == 0 {
                names.remove();
            }
            names.failure(error)
        })?;
        Ok((part, found.map(|((reached, _), crc)| (reached, crc))))
    }

    /// Calls `write`; if that fails after a checkpoint, keeps the partial file so that it can be
    /// continued.
    fn keep_part_on_error(
        &mut self,
        write: impl FnOnce(&mut PartFile) -> io::Result<()>,
    ) -> Result<(), Failure> {
        write(self).map_err(|error| {
            let error = OutputError::for_file(&self.names.complete, error);
            self.keep_on_drop = self.checkpoint.2;
            if !self.keep_on_drop {
                return error.into();
            }
            let part = self.names.part.display();
            Failure::Input(format!(
                "{error}; \"{part}\" is kept, and --resume continues it"
            ))
        })
    }

    /// Records that the file is complete up to n; saves a checkpoint to the disk from time to time.
    fn record_progress(&mut self, reached: &WrittenPrefix, n: u64) -> Result<(), Failure> {
        let (when, bytes, _) = self.checkpoint;
        if when.elapsed() < CHECKPOINT.0 && reached.bytes - bytes < CHECKPOINT.1 {
            return Ok(());
        }
        self.keep_part_on_error(|part| {
            part.file.flush()?;
            part.file.get_ref().sync_data()?;
            part.journal.write_all(json_line(reached).as_bytes())?;
            part.journal.sync_data()
        })?;
        self.checkpoint = (Instant::now(), reached.bytes, true);
        interrupt::record_resumable_file(&self.names.part, Some(n));
        self.unsafe_files.clear();
        Ok(())
    }

    /// Renames the complete file to its final name and removes the journal.
    fn finish(mut self, count: &str) -> Result<(), Failure> {
        interrupt::forget_resumable_file();
        let replaced = self.names.complete.exists();
        self.keep_part_on_error(|part| {
            part.file.flush()?;
            // the contents must be on the disk before the name leads to them
            part.file.get_ref().sync_all()?;
            fs::rename(&part.names.part, &part.names.complete)?;
            sync_folder(&part.names.complete)
        })?;
        self.keep_on_drop = true;
        // If the journal cannot be removed, it does no harm without a partial file. Another run may
        // already have begun a new partial file; it waits until this journal is unlocked and
        // removed.
        let _ = fs::remove_file(&self.names.journal);
        let size = ByteSize(
            file_size(&self.names.complete)
                .try_into()
                .unwrap_or(u64::MAX),
        );
        terminal::report_written_contents(
            &self.names.complete,
            replaced,
            &format!(" ({count}, {size})"),
        );
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.keep_on_drop {
            self.names.remove();
        }
    }
}

/// Where rows go: to standard output or a device, or to a file that can be continued.
enum RowDestination {
    Stream(Output),
    File(Box<PartFile>),
}

/// The output of a sweep: where the rows go, and how many are written.
pub struct SweepOutput {
    place: RowDestination,
    reached: WrittenPrefix,
    crc: Hasher,
}

/// The error of `--resume` for a device or a pipe.
fn cannot_resume_failure(path: &Path) -> Failure {
    let path = path.display();
    Failure::Input(format!(
        "--resume continues a file, but \"{path}\" is a device or a pipe"
    ))
}

impl SweepOutput {
    /// Begins a file, or continues it if `resume` is set and there is something to continue. A
    /// device or a pipe is always written from the beginning.
    ///
    /// # Errors
    /// `Failure` if the system refuses, or the file cannot be continued.
    pub fn open(
        output: Option<&Path>,
        heading: &Heading,
        resume: bool,
    ) -> Result<SweepOutput, Failure> {
        let (place, found) = match output {
            None if resume => {
                let what = "--resume continues a file: name it with --output";
                return Err(Failure::Input(what.to_string()));
            }
            // checked first, because opening a pipe would wait for its reader
            Some(path)
                if resume
                    && fs::metadata(path)
                        .is_ok_and(|found| !found.is_file() && !found.is_dir()) =>
            {
                return Err(cannot_resume_failure(path));
            }
            None => (RowDestination::Stream(Output::open(None)?), None),
            Some(path) => match Destination::resolve(path)? {
                Destination::Regular(path, permissions) => {
                    let (part, found) = PartFile::open(path, permissions, heading, resume)?;
                    (RowDestination::File(Box::new(part)), found)
                }
                _ if resume => return Err(cannot_resume_failure(path)),
                special => (
                    RowDestination::Stream(Output::open_destination(special)?),
                    None,
                ),
            },
        };
        let is_afresh = found.is_none();
        let (reached, crc) = found.unwrap_or_default();
        let mut target = SweepOutput {
            place,
            reached,
            crc,
        };
        if is_afresh {
            target.write(heading.header().as_bytes())?;
        }
        Ok(target)
    }

    /// Returns the number of rows that are written.
    pub fn done(&self) -> u64 {
        self.reached.done
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// `Failure` if the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.crc.update(bytes);
        self.reached.bytes += bytes.len() as u64;
        match &mut self.place {
            RowDestination::Stream(output) => Ok(output.with_writer(|out| out.write_all(bytes))?),
            RowDestination::File(part) => {
                part.keep_part_on_error(|part| part.file.write_all(bytes))
            }
        }
    }

    /// Records that the first `done` rows, which are the rows up to this `n`, are written, and adds
    /// remarks on the latest rows.
    ///
    /// # Errors
    /// `Failure` if the system refuses.
    pub fn record_progress(&mut self, done: u64, n: u64, remarks: Remarks) -> Result<(), Failure> {
        self.reached.done = done;
        self.reached.crc32 = prefix_checksum(&self.crc, done);
        self.reached.remarks.join(remarks);
        match &mut self.place {
            RowDestination::Stream(_) => Ok(()),
            RowDestination::File(part) => part.record_progress(&self.reached, n),
        }
    }

    /// Finishes the output, renames a partial file to its final name, and returns all remarks.
    /// `count` says in words how many rows or parts were written.
    ///
    /// # Errors
    /// `Failure` if the system refuses.
    pub fn finish(self, count: &str) -> Result<Remarks, Failure> {
        match self.place {
            RowDestination::Stream(output) => output.finish()?,
            RowDestination::File(part) => part.finish(count)?,
        }
        Ok(self.reached.remarks)
    }
}
