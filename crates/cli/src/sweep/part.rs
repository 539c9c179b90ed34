//! A file under way that an interrupted run leaves and another run continues.
//!
//! FILE is written as `FILE.part`, with `FILE.part.journal` beside it: its first line says what is
//! written, and every other line how far it was when the part was last safe on the disk. A line is
//! only added once the bytes that it counts are on the disk, so that a run which continues cuts the
//! part off at the last whole line of the journal and goes on from there. The part is locked as
//! long as a run writes it, is renamed to FILE when it is whole, and then the journal is removed. A
//! part with content whose journal is gone or cut in its first line says nothing of itself: without
//! `--resume` it is not touched, and with it, it is set aside, and the run starts anew.

use super::job::{Fingerprint, LeftOut, Shard};
use flipcost_terminal::files;
use flipcost_terminal::interrupt;
use flipcost_terminal::rows::output::{beside, keep_names};
use flipcost_terminal::rows::{Destination, Output, OutputError};
use flipcost_terminal::screen::remark;
use flipcost_terminal::terminal;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The whole request.
    #[serde(flatten)]
    pub request: Fingerprint,
    /// The part of it.
    #[serde(flatten)]
    pub shard: Option<Shard>,
}

/// How far a file is: the other lines of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Every wanted n up to this one is written.
    pub done: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
    /// CRC-32 of the rows.
    pub crc32: u32,
    /// What was left out of them.
    pub left_out: LeftOut,
}

/// What a file is to hold.
pub struct Wanted<'a> {
    /// The first line of its journal.
    pub subject: Subject,
    /// What stands before the rows.
    pub opening: &'a [u8],
    /// The rows are those of the n above this one,
    pub above: u64,
    /// up to this one.
    pub upto: u64,
}

impl Wanted<'_> {
    /// Are the first bytes of the file what a journal says of it? Reads them all.
    fn begins(&self, file: &mut File, said: &Progress) -> io::Result<bool> {
        let methods = self.subject.request.algorithms.len() as u128;
        let targets = said.done.checked_sub(self.above);
        if said.done > self.upto
            || targets.map(|targets| u128::from(targets) * methods) != Some(said.rows.into())
            || said.bytes < self.opening.len() as u64
        {
            return Ok(false);
        }
        file.seek(SeekFrom::Start(0))?;
        let mut input = file.take(said.bytes);
        let mut opening = vec![0; self.opening.len()];
        input.read_exact(&mut opening)?;
        let (mut crc, mut buffer) = (crc32fast::Hasher::new(), vec![0; 1 << 18]);
        loop {
            match input.read(&mut buffer)? {
                0 => return Ok(opening == self.opening && crc.finalize() == said.crc32),
                length => crc.update(&buffer[..length]),
            }
        }
    }
}

/// Why a file cannot be begun, continued or written.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// The system's word.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A write failed, and the file can be continued.
    #[error("{error}; \"{}\" is kept, and --resume continues it", .part.display())]
    Kept {
        /// What failed.
        error: OutputError,
        /// The part.
        part: PathBuf,
    },
    /// Someone else writes it.
    #[error("\"{}\" is being written by another run: wait for it, or choose another file", .0.display())]
    Locked(PathBuf),
    /// It would be continued with something else.
    #[error("\"{}\" was left by another request ({difference}): repeat that one, or leave out --resume to start afresh", .part.display())]
    Other {
        /// The part.
        part: PathBuf,
        /// In what it differs.
        difference: String,
    },
    /// It was changed after it was left.
    #[error("\"{}\" is no longer what its journal says, so it cannot be continued: leave out --resume to start afresh", .0.display())]
    Changed(PathBuf),
    /// There is a file of that name.
    #[error("\"{}\" is in the way: it is not what an interrupted run left, which has a journal beside it; move it elsewhere", .0.display())]
    InTheWay(PathBuf),
    /// The journal cannot be used.
    #[error("cannot use the journal \"{}\": {error}; move it elsewhere, or choose another file", .journal.display())]
    Journal {
        /// The journal.
        journal: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
}

/// A checkpoint is due after this time, or this many bytes.
const CHECKPOINT: (Duration, u64) = (Duration::from_millis(500), 64 << 20);

/// A file under way; dropped before it is finished, it is removed, unless a write failed.
pub struct Part {
    file: BufWriter<File>,
    journal: File,
    path: PathBuf,
    names: Names,
    /// When and where the last checkpoint was, and whether there was one.
    checkpoint: (Instant, u64, bool),
    stays: bool,
}

/// Where the part and its journal are.
#[derive(Clone)]
struct Names {
    part: PathBuf,
    journal: PathBuf,
}

impl Names {
    fn of(path: &Path) -> Names {
        let with = |ending: &str| {
            let mut name = OsString::from(path);
            name.push(ending);
            PathBuf::from(name)
        };
        Names {
            part: with(".part"),
            journal: with(".part.journal"),
        }
    }

    fn remove(&self) {
        // the journal last: a part is never without
        let _ = fs::remove_file(&self.part);
        let _ = fs::remove_file(&self.journal);
    }
}

/// Is the name still that of the file which was opened?
#[cfg(unix)]
fn is_named(file: &File, name: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata()?;
    Ok(fs::symlink_metadata(name)
        .is_ok_and(|named| (named.dev(), named.ino()) == (opened.dev(), opened.ino())))
}

#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true) // an open file cannot be renamed or removed
}

/// Options that neither follow a link nor wait for the other end of a pipe.
#[cfg(unix)]
fn plainly() -> OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    options
}

#[cfg(not(unix))]
fn plainly() -> OpenOptions {
    OpenOptions::new()
}

/// Opens a file to read and write, or makes it; neither a link nor anything else that is no file.
fn open(name: &Path, make: bool) -> io::Result<File> {
    let not_a_file = || io::Error::other("it is a link, a pipe or another thing that is no file");
    if fs::symlink_metadata(name).is_ok_and(|found| !found.is_file()) {
        return Err(not_a_file());
    }
    let mut options = plainly();
    options.read(true).write(true).create(make).truncate(false);
    let file = options.open(name)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_a_file())
    }
}

/// Opens and locks the journal, or makes it. A run that has just put its file in place still has it
/// for a moment, and then removes it.
fn lock_journal(name: &Path, make: bool) -> io::Result<Option<File>> {
    loop {
        let file = match open(name, make) {
            Err(error) if !make && error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
            _ => {}
        }
        if is_named(&file, name)? {
            return Ok(Some(file));
        }
    }
}

/// Opens and locks the part; `None` if another run has it.
fn lock(name: &Path) -> io::Result<Option<File>> {
    loop {
        let file = open(name, true)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // some file systems of clusters know no locks
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // the run that had it may have renamed or removed it in between
        if is_named(&file, name)? {
            return Ok(Some(file));
        }
    }
}

/// The subject of a journal, if it is readable, and the last line that the part reaches, with the
/// length of the journal up to there.
fn read(journal: &str, length: u64) -> (Option<Subject>, Option<(Progress, u64)>) {
    let mut lines = journal.split_inclusive('\n').filter(|l| l.ends_with('\n'));
    let first = lines.next();
    let subject = first.and_then(|line| serde_json::from_str(line).ok());
    let mut at = first.map_or(0, str::len) as u64;
    let mut last = None;
    for line in lines {
        at += line.len() as u64;
        match serde_json::from_str::<Progress>(line) {
            Ok(progress) if progress.bytes <= length => last = Some((progress, at)),
            _ => break,
        }
    }
    (subject, last)
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values") + "\n"
}

impl Names {
    /// Moves the part to a name that is free.
    fn set_aside(&self) -> io::Result<PathBuf> {
        let named = |count: u32| {
            let mut name = self.part.clone().into_os_string();
            name.push(format!(".{count}"));
            PathBuf::from(name)
        };
        let free = (1..).map(named).find(|name| !name.exists());
        let free = free.expect("there are names enough");
        fs::rename(&self.part, &free)?;
        Ok(free)
    }
}

impl Part {
    /// Begins a file, or continues it if that is wanted and there is something to continue; how far
    /// it is then comes with it.
    ///
    /// # Errors
    /// [`PartError`] if the system refuses, or the file cannot be
    /// continued.
    pub fn open(
        path: PathBuf,
        permissions: Option<Permissions>,
        wanted: &Wanted,
        resume: bool,
    ) -> Result<(Part, Option<Progress>), PartError> {
        let subject = &wanted.subject;
        let names = Names::of(&path);
        let failed = |error| PartError::from(OutputError::at(&path, beside(error)));
        // What is no file is not the part that a run left, whatever it is.
        if fs::symlink_metadata(&names.part).is_ok_and(|found| !found.is_file()) {
            return Err(PartError::InTheWay(names.part));
        }
        let Some(mut file) = lock(&names.part).map_err(failed)? else {
            return Err(PartError::Locked(path));
        };
        let length = file.metadata().map_err(failed)?.len();
        let unusable = |error| PartError::Journal {
            journal: names.journal.clone(),
            error,
        };
        let mut journal = Vec::new();
        let looked = lock_journal(&names.journal, false).and_then(|found| match found {
            Some(found) => files::read(&found, files::USUAL).map(|read| {
                journal = read;
                Some(found)
            }),
            None => Ok(None),
        });
        let locked = match looked {
            Ok(locked) => locked,
            Err(error) => {
                if length == 0 {
                    let _ = fs::remove_file(&names.part); // it was made just now, or holds nothing
                }
                return Err(unusable(error));
            }
        };
        let (left, last) = read(&String::from_utf8_lossy(&journal), length);
        if length > 0 && left.is_none() {
            // a journal that is gone or cut says nothing of the part, which may be somebody's work
            let is_lost =
                journal.is_empty() || journal.starts_with(b"{") && !journal.contains(&b'\n');
            if !(resume && is_lost) {
                return Err(PartError::InTheWay(names.part));
            }
            let kept = names.set_aside().map_err(failed)?;
            remark(&format!(
                "\"{}\" has no whole journal, as after a power cut: the run starts anew, and what was there is kept as \"{}\"",
                names.part.display(),
                kept.display()
            ));
            file = lock(&names.part)
                .map_err(failed)?
                .ok_or(PartError::Locked(path.clone()))?;
        }
        let mut found = None;
        if let Some(left) = left.filter(|_| resume && length > 0) {
            let difference = if left == *subject {
                None
            } else {
                subject.request.difference(&left.request).or_else(|| {
                    let name = |shard: Option<Shard>| {
                        shard.map_or("the whole".to_string(), |shard| format!("shard {shard}"))
                    };
                    Some(format!(
                        "{} and not {}",
                        name(left.shard),
                        name(subject.shard)
                    ))
                })
            };
            if let Some(difference) = difference {
                let part = names.part;
                return Err(PartError::Other { part, difference });
            }
            if let Some((said, _)) = &last
                && !wanted.begins(&mut file, said).map_err(failed)?
            {
                return Err(PartError::Changed(names.part));
            }
            found = last;
        }
        let open = || -> io::Result<Part> {
            let bytes = found.as_ref().map_or(0, |(progress, _)| progress.bytes);
            let mut file = file;
            file.set_len(bytes)?; // before the journal: an empty part is afresh with any journal
            file.seek(SeekFrom::End(0))?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?; // those of the file that is replaced
            }
            let mut journal = match locked {
                Some(journal) => journal,
                None => lock_journal(&names.journal, true)?.expect("it was made"),
            };
            journal.set_len(found.as_ref().map_or(0, |(_, at)| *at))?;
            journal.seek(SeekFrom::End(0))?;
            if found.is_none() {
                journal.write_all(line(subject).as_bytes())?;
                journal.sync_all()?;
                keep_names(&names.journal)?;
            }
            Ok(Part {
                file: BufWriter::with_capacity(1 << 16, file),
                journal,
                path: path.clone(),
                names: names.clone(),
                checkpoint: (Instant::now(), bytes, found.is_some()),
                stays: false,
            })
        };
        match open() {
            Ok(part) => Ok((part, found.map(|(progress, _)| progress))),
            Err(error) => {
                if found.is_none() {
                    names.remove();
                }
                Err(failed(error))
            }
        }
    }

    fn failed(&mut self, error: io::Error) -> PartError {
        let error = OutputError::at(&self.path, error);
        if !self.checkpoint.2 {
            return error.into();
        }
        self.stays = true;
        PartError::Kept {
            error,
            part: self.names.part.clone(),
        }
    }

    /// Writes at the end.
    ///
    /// # Errors
    /// [`PartError`] if the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), PartError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| self.failed(error))
    }

    /// Says how far the file is; from time to time that is put on the disk.
    ///
    /// # Errors
    /// [`PartError`] if the system refuses.
    pub fn reached(&mut self, progress: &Progress) -> Result<(), PartError> {
        let (when, bytes, _) = self.checkpoint;
        if when.elapsed() < CHECKPOINT.0 && progress.bytes - bytes < CHECKPOINT.1 {
            return Ok(());
        }
        let mut keep = || {
            self.file.flush()?;
            self.file.get_ref().sync_data()?;
            self.journal.write_all(line(progress).as_bytes())?;
            self.journal.sync_data()
        };
        keep().map_err(|error| self.failed(error))?;
        self.checkpoint = (Instant::now(), progress.bytes, true);
        interrupt::reached(Some(progress.done));
        Ok(())
    }

    /// Everything is written: puts the file in its place.
    ///
    /// # Errors
    /// [`PartError`] if the system refuses.
    pub fn finish(mut self) -> Result<(), PartError> {
        interrupt::reached(None);
        let mut place = || {
            self.file.flush()?;
            // what a name leads to is on the disk before the name
            self.file.get_ref().sync_all()?;
            fs::rename(&self.names.part, &self.path)?;
            keep_names(&self.path)
        };
        place().map_err(|error| self.failed(error))?;
        self.stays = true;
        // Harmless without its part. Another run may have begun the next part, and waits for the
        // lock of this journal until it is gone.
        let _ = fs::remove_file(&self.names.journal);
        terminal::written(&self.path);
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.stays {
            self.names.remove();
        }
    }
}

/// Where a sweep goes: standard output, a device, or a file that can be continued.
pub enum Target {
    /// Not to be continued.
    Stream(Output),
    /// To be continued.
    File(Box<Part>),
}

impl Target {
    /// See [`Part::open`]; a stream is always begun.
    ///
    /// # Errors
    /// As [`Part::open`].
    pub fn open(
        destination: Option<Destination>,
        wanted: &Wanted,
        resume: bool,
    ) -> Result<(Target, Option<Progress>), PartError> {
        Ok(match destination {
            Some(Destination::Regular(path, permissions)) => {
                let (part, found) = Part::open(path, permissions, wanted, resume)?;
                (Target::File(Box::new(part)), found)
            }
            Some(special) => (Target::Stream(Output::to(special)?), None),
            None => (Target::Stream(Output::open(None)?), None),
        })
    }

    /// Writes at the end.
    ///
    /// # Errors
    /// [`PartError`] if the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), PartError> {
        match self {
            Target::Stream(output) => Ok(output.with(|out| out.write_all(bytes))?),
            Target::File(part) => part.write(bytes),
        }
    }

    /// See [`Part::reached`].
    ///
    /// # Errors
    /// [`PartError`] if the system refuses.
    pub fn reached(&mut self, progress: &Progress) -> Result<(), PartError> {
        match self {
            Target::Stream(_) => Ok(()),
            Target::File(part) => part.reached(progress),
        }
    }

    /// Everything is written.
    ///
    /// # Errors
    /// [`PartError`] if the system refuses.
    pub fn finish(self) -> Result<(), PartError> {
        match self {
            Target::Stream(output) => Ok(output.finish()?),
            Target::File(part) => part.finish(),
        }
    }
}
