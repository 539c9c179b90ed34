//! Shards: files that hold a part of a sweep and say so, and how they become one file again.
//!
//! The first line of a shard is a [`Head`], the last a [`Tail`], both JSON; the rows between them
//! are those of the whole, without its header line. The checksum in the last line is that of all
//! that stands before it.

use super::job::{Fingerprint, Job, Shard};
use super::part::Progress;
use flipcost_terminal::rows::Lines;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The version of the form of shards.
const VERSION: u32 = 2;

/// What a shard is: its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The version of this form.
    pub flipcost_shard: u32,
    /// Which shard of how many.
    #[serde(flatten)]
    pub shard: Shard,
    /// It holds the targets above this one.
    pub above: u64,
    /// Up to this one.
    pub upto: u64,
    /// The whole request.
    pub request: Fingerprint,
}

/// What a whole shard holds: its last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// The version of this form.
    pub flipcost_shard_end: u32,
    /// Rows.
    pub rows: u64,
    /// Bytes of the rows.
    pub bytes: u64,
    /// The CRC-32 of the first line and the rows.
    pub crc32: u32,
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("plain values");
    line.push(b'\n');
    line
}

/// What stands before the rows of a job.
pub fn opening(job: &Job, lines: &Lines) -> Vec<u8> {
    let Some(shard) = job.shard else {
        return lines.header();
    };
    let (above, upto) = job.bounds();
    line(&Head {
        flipcost_shard: VERSION,
        shard,
        above,
        upto,
        request: job.fingerprint(),
    })
}

/// What stands after the rows of a job, of which this much is in the file.
pub fn closing(job: &Job, opening: &[u8], progress: &Progress) -> Vec<u8> {
    if job.shard.is_none() {
        return Vec::new();
    }
    let bytes = progress.bytes - opening.len() as u64;
    let mut crc = crc32fast::Hasher::new();
    crc.update(opening);
    crc.combine(&crc32fast::Hasher::new_with_initial_len(
        progress.crc32,
        bytes,
    ));
    line(&Tail {
        flipcost_shard_end: VERSION,
        rows: progress.rows,
        bytes,
        crc32: crc.finalize(),
    })
}

/// Why shards do not become one file.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// It cannot be read.
    #[error("cannot read \"{}\": {error}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// A folder, a pipe or a device.
    #[error("\"{}\" is not a file: shards are read twice, so pipes do not do", .0.display())]
    NotAFile(PathBuf),
    /// Its first line is none.
    #[error("\"{}\" is not a shard: a file that `flipcost sweep --shard i/K` wrote was expected", .0.display())]
    NotAShard(PathBuf),
    /// Its last line is none.
    #[error("\"{}\" is cut off: shard {shard} ends with its count of rows and bytes, and this file does not; run that shard again", .file.display())]
    CutOff {
        /// The file.
        file: PathBuf,
        /// What it says it is.
        shard: Shard,
    },
    /// It holds something else than it says.
    #[error("\"{}\" is damaged: {what}; run shard {shard} again", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What it says it is.
        shard: Shard,
        /// What is wrong.
        what: String,
    },
    /// Shards of several requests.
    #[error("\"{}\" belongs to another request than \"{}\": its {difference}", .file.display(), .first.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The file that it was compared with.
        first: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The same shard twice.
    #[error("\"{}\" and \"{}\" are both shard {shard}: give each shard once", .0.display(), .1.display(), shard = .2)]
    Twice(PathBuf, PathBuf, Shard),
    /// Shards that are not there.
    #[error("{0}")]
    Missing(String),
    /// Shards that do not fit together.
    #[error("\"{}\" begins above n = {above} and not above n = {expected}, where the shard before it ends", .file.display())]
    Gap {
        /// The file.
        file: PathBuf,
        /// Where it begins.
        above: u64,
        /// Where it should.
        expected: u64,
    },
}

/// A shard that was looked at: where its rows are.
struct Found {
    file: PathBuf,
    head: Head,
    tail: Tail,
    /// Bytes before the rows.
    start: u64,
}

/// First and last lines are shorter.
const LONGEST: u64 = 1 << 16;

impl Found {
    fn look(path: &Path) -> Result<Found, MergeError> {
        let file = path.to_path_buf();
        let unreadable = |error| MergeError::Unreadable {
            file: path.to_path_buf(),
            error,
        };
        // Before it is opened: a pipe without a writer would wait.
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(MergeError::NotAFile(file)); // it is read more than once
        }
        let mut input = File::open(path).map_err(unreadable)?;
        let mut first = Vec::new();
        let mut reader = BufReader::new(&input).take(LONGEST);
        reader.read_until(b'\n', &mut first).map_err(unreadable)?;
        let head = serde_json::from_slice::<Head>(&first).ok();
        // Byte for byte what the program writes: no other fields, no other order.
        let Some(head) = head.filter(|head| {
            let Shard { index, of } = head.shard;
            let numbered = (1..=of).contains(&index) && of <= Shard::MOST;
            head.flipcost_shard == VERSION && numbered && line(head) == first
        }) else {
            return Err(MergeError::NotAShard(file));
        };
        let shard = head.shard;
        if let Some(what) = head.request.nonsense() {
            let what = format!("its first line {what}");
            return Err(MergeError::Damaged { file, shard, what });
        }
        let start = first.len() as u64;
        let length = input.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let look = length.saturating_sub(start).min(LONGEST);
        input
            .seek(SeekFrom::Start(length - look))
            .map_err(unreadable)?;
        let mut end = Vec::new();
        input.take(look).read_to_end(&mut end).map_err(unreadable)?;
        let last = end.strip_suffix(b"\n").map(|text| {
            let at = text.iter().rposition(|byte| *byte == b'\n');
            &text[at.map_or(0, |at| at + 1)..]
        });
        let tail = last.and_then(|last| Some((serde_json::from_slice::<Tail>(last).ok()?, last)));
        let Some((tail, last)) = tail.filter(|(tail, last)| {
            tail.flipcost_shard_end == VERSION && line(tail).strip_suffix(b"\n") == Some(last)
        }) else {
            return Err(MergeError::CutOff { file, shard });
        };
        let Some(bytes) = length.checked_sub(start + last.len() as u64 + 1) else {
            return Err(MergeError::CutOff { file, shard });
        };
        let rows = head
            .upto
            .checked_sub(head.above)
            .map(|targets| u128::from(targets) * head.request.algorithms.len() as u128);
        let what = if bytes != tail.bytes {
            let said = tail.bytes;
            Some(format!(
                "it has {bytes} bytes of rows where its last line says {said}"
            ))
        } else if rows != Some(tail.rows.into()) {
            let said = tail.rows;
            Some(format!(
                "its last line says {said} rows, which its range does not have"
            ))
        } else {
            None
        };
        match what {
            Some(what) => Err(MergeError::Damaged { file, shard, what }),
            None => Ok(Found {
                file,
                head,
                tail,
                start,
            }),
        }
    }

    /// Hands on the rows, and compares them with the checksum.
    fn rows<E: From<MergeError>>(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let unreadable = |error| MergeError::Unreadable {
            file: self.file.clone(),
            error,
        };
        let mut input = File::open(&self.file).map_err(unreadable)?;
        let mut crc = crc32fast::Hasher::new();
        let mut first = vec![0; self.start as usize]; // at most LONGEST
        input.read_exact(&mut first).map_err(unreadable)?;
        crc.update(&first);
        let mut input = input.take(self.tail.bytes);
        let mut buffer = vec![0; 1 << 18];
        loop {
            let read = match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => &buffer[..read],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(error).into()),
            };
            crc.update(read);
            take(read)?;
        }
        let (is, said) = (crc.finalize(), self.tail.crc32);
        if is != said {
            let what = format!("its CRC-32 is {is:08x} where its last line says {said:08x}");
            return Err(MergeError::Damaged {
                file: self.file.clone(),
                shard: self.head.shard,
                what,
            }
            .into());
        }
        Ok(())
    }
}

/// All the shards of one sweep, in order, each of them whole.
pub struct Shards {
    all: Vec<Found>,
}

impl Shards {
    /// Looks at the files, in any order: whether they are all the shards of one request, once each
    /// and undamaged. Reads them once.
    ///
    /// # Errors
    /// [`MergeError`], which names the first file that is missing, damaged or does not fit.
    pub fn find(files: &[PathBuf]) -> Result<Shards, MergeError> {
        let mut all: Vec<Found> = Vec::with_capacity(files.len());
        for file in files {
            let found = Found::look(file)?;
            if let Some(first) = all.first() {
                let (is, was) = (&found.head, &first.head);
                let mut difference = was.request.difference(&is.request);
                if was.shard.of != is.shard.of {
                    let (is, was) = (is.shard.of, was.shard.of);
                    difference.get_or_insert(format!("number of shards is {is} and not {was}"));
                }
                if let Some(difference) = difference {
                    return Err(MergeError::Foreign {
                        file: found.file,
                        first: first.file.clone(),
                        difference,
                    });
                }
            }
            all.push(found);
        }
        all.sort_by_key(|found| found.head.shard.index);
        for pair in all.windows(2) {
            let shard = pair[0].head.shard;
            if shard == pair[1].head.shard {
                let [one, other] = [0, 1].map(|i| pair[i].file.clone());
                return Err(MergeError::Twice(one, other, shard));
            }
        }
        Self::complete(&all)?;
        for found in &all {
            found.rows(|_| Ok::<(), MergeError>(()))?;
        }
        Ok(Shards { all })
    }

    fn complete(all: &[Found]) -> Result<(), MergeError> {
        let Some(first) = all.first() else {
            return Err(MergeError::Missing("no shard was given".to_string()));
        };
        let of = first.head.shard.of;
        let missing = of - all.len() as u64;
        if missing > 0 {
            let mut there = all.iter().map(|found| found.head.shard.index).peekable();
            let absent = (1..=of).filter(|i| there.next_if_eq(i).is_none());
            let names: Vec<String> = absent.take(10).map(|i| i.to_string()).collect();
            let more = match missing - names.len() as u64 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let (noun, verb) = if missing == 1 {
                ("shard", "is")
            } else {
                ("shards", "are")
            };
            return Err(MergeError::Missing(format!(
                "{noun} {}{more} of {of} {verb} missing: every shard of \"{}\" and its kind is needed",
                names.join(", "),
                first.file.display()
            )));
        }
        let mut expected = first.head.request.from - 1;
        for found in all {
            let above = found.head.above;
            if above != expected {
                return Err(MergeError::Gap {
                    file: found.file.clone(),
                    above,
                    expected,
                });
            }
            expected = found.head.upto;
        }
        let last = all.last().expect("there is a first");
        if expected != last.head.request.to {
            return Err(MergeError::Damaged {
                file: last.file.clone(),
                shard: last.head.shard,
                what: format!("it ends at n = {expected} and not where the whole does"),
            });
        }
        Ok(())
    }

    /// Hands on the bytes of the whole sweep, piece by piece.
    ///
    /// # Errors
    /// [`MergeError`] if a file cannot be read any more; else that of `take`.
    pub fn merge<E: From<MergeError>>(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let first = &self.all[0];
        let request = &first.head.request;
        let columns: Vec<&str> = request.columns.iter().map(String::as_str).collect();
        let lines = Lines::new(request.format, &columns);
        let lines = lines.ok_or_else(|| MergeError::NotAShard(first.file.clone()))?;
        take(&lines.header())?;
        self.all.iter().try_for_each(|found| found.rows(&mut take))
    }
}
