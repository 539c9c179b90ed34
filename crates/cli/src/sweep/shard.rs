//! What a file of rows is a part of, and how such parts are joined.
//!
//! A shard begins with a line that says which [`Unit`] of which question it holds, and how: its [`Heading`]. The rows
//! between are those of the whole, without its header, and the last line says how much stands before it: its
//! [`Reached`]. The journal of a file under way is such lines alone.

use crate::failure::Failure;
use crate::numbers::{ArgumentError, positive};
use crc32fast::Hasher;
use flipcost_one_draw::questions::Remarks;
use flipcost_question::{Query, QueryError, Unit};
use flipcost_terminal::rows::{Format, OutputError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The i-th part of K, from 1, as in `3/8`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u64,
    of: u64,
}

/// The most shards of one range.
const MOST: u64 = 1_000_000;

impl FromStr for Shard {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Shard, ArgumentError> {
        let (index, of) = text.split_once('/').ok_or(ArgumentError::Shard)?;
        let (index, of) = (positive(index)?, positive(of)?);
        if of > MOST {
            return Err(ArgumentError::Shards { of, most: MOST });
        }
        if index > of {
            return Err(ArgumentError::NoShard { index, of });
        }
        Ok(Shard { index, of })
    }
}

impl TryFrom<String> for Shard {
    type Error = ArgumentError;

    fn try_from(text: String) -> Result<Shard, ArgumentError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Which rows a file holds, and how they are written: what runs must agree on to share their work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    /// The version of this program.
    flipcost: String,
    format: Format,
    /// The line before the rows of the whole, if there is one.
    header: Option<String>,
    /// The rows of a target, which are not cut.
    together: u64,
    shard: Option<Shard>,
    unit: Unit,
}

/// A line of JSON.
pub fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values") + "\n"
}

impl Heading {
    /// That of a question whose rows are written after `header`, `together` of each target: of all of them, or of a shard.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the question cannot be answered.
    pub fn new(
        query: Query,
        format: Format,
        header: Option<String>,
        together: u64,
        shard: Option<Shard>,
    ) -> Result<Heading, QueryError> {
        let all = query.unit()?;
        Ok(Heading {
            flipcost: env!("CARGO_PKG_VERSION").to_string(),
            format,
            header,
            together,
            unit: match &shard {
                None => all,
                Some(shard) => all.shard(shard.index, shard.of, together.max(1)),
            },
            shard,
        })
    }

    /// The rows, by their numbers in the whole.
    pub fn places(&self) -> Range<u64> {
        self.unit.places()
    }

    /// Is it that of a shard?
    pub fn is_shard(&self) -> bool {
        self.shard.is_some()
    }

    /// What stands before the rows of the whole.
    fn header(&self) -> String {
        self.header.iter().map(|line| line.clone() + "\n").collect()
    }

    /// What stands before the rows.
    pub fn opening(&self) -> String {
        if self.is_shard() {
            line(self)
        } else {
            self.header()
        }
    }

    /// The first thing in which another request differs, in words.
    fn other_request(&self, other: &Heading) -> Option<String> {
        let fields = |of: &Heading| {
            let mut all = serde_json::to_value(of.unit.query()).unwrap_or_default();
            all["flipcost"] = of.flipcost.clone().into();
            all["format"] = serde_json::to_value(of.format).unwrap_or_default();
            all["header"] = of.header.clone().into();
            all
        };
        let (here, there) = (fields(self), fields(other));
        let names = [&here, &there]
            .into_iter()
            .filter_map(Value::as_object)
            .flatten();
        let (name, _) = names
            .into_iter()
            .find(|(name, _)| here[*name] != there[*name])?;
        let text = |all: &Value| match &all[name] {
            Value::Null => "not given".to_string(),
            value => value.to_string(),
        };
        Some(format!(
            "{name} is {} and not {}",
            text(&there),
            text(&here)
        ))
    }

    /// The first thing in which another one differs, in words.
    pub fn difference(&self, other: &Heading) -> Option<String> {
        let shard = |of: &Heading| match &of.shard {
            None => "the whole".to_string(),
            Some(shard) => format!("shard {shard}"),
        };
        let other_shard = || format!("{} and not {}", shard(other), shard(self));
        (self != other).then(|| self.other_request(other).unwrap_or_else(other_shard))
    }
}

/// How far a file is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// It has the rows below this one.
    pub done: u64,
    /// Bytes.
    pub bytes: u64,
    /// The CRC-32 of these bytes, and of the 8 of `done`.
    pub crc32: u32,
    /// What was left out of the rows.
    #[serde(default, skip_serializing_if = "Remarks::is_empty")]
    pub remarks: Remarks,
}

/// The checksum of a file that is so far.
pub fn sum(bytes: &Hasher, done: u64) -> u32 {
    let mut all = bytes.clone();
    all.update(&done.to_le_bytes());
    all.finalize()
}

impl Reached {
    /// Hands on the bytes that it counts, from the first on, of a file that was just opened. Their checksum, if it is as
    /// this says.
    ///
    /// # Errors
    /// `Failure` if the file cannot be read, or `take` fails.
    pub fn read(
        &self,
        path: &Path,
        file: &File,
        mut take: impl FnMut(&[u8]) -> Result<(), OutputError>,
    ) -> Result<Option<Hasher>, Failure> {
        let unreadable = |error| unreadable(path, &error);
        let mut input = file.take(self.bytes);
        let (mut crc, mut buffer) = (Hasher::new(), vec![0; 1 << 18]);
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return Ok((sum(&crc, self.done) == self.crc32).then_some(crc)),
                Ok(length) => {
                    crc.update(&buffer[..length]);
                    take(&buffer[..length])?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(error)),
            }
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot read \"{}\": {error}", path.display()))
}

/// A shard in a file.
struct ScannedShard {
    path: PathBuf,
    shard: Shard,
    heading: Heading,
    reached: Reached,
}

/// First and last lines are shorter.
const LONGEST: u64 = 1 << 16;

impl ScannedShard {
    fn look(path: &Path) -> Result<ScannedShard, Failure> {
        let unreadable = |error| unreadable(path, &error);
        let name = format!("\"{}\"", path.display());
        let refused = |what: &str| Err(Failure::Input(format!("{name} is {what}")));
        // before it is opened: a pipe without a writer would wait
        if !path.metadata().map_err(unreadable)?.is_file() {
            return refused("not a file: shards are read twice, so pipes do not do");
        }
        let mut input = File::open(path).map_err(unreadable)?;
        let mut first = Vec::new();
        let mut reader = BufReader::new(&input).take(LONGEST);
        reader.read_until(b'\n', &mut first).map_err(unreadable)?;
        let heading = serde_json::from_slice::<Heading>(&first).ok();
        let known = heading.and_then(|heading| Some((heading.shard.clone()?, heading)));
        let Some((shard, heading)) = known.filter(|(_, of)| line(of).as_bytes() == first) else {
            return refused(
                "not a shard: a file that `flipcost sweep --shard i/K` wrote was expected",
            );
        };
        let length = input.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let look = (length - first.len() as u64).min(LONGEST);
        let tail = SeekFrom::Start(length - look);
        input.seek(tail).map_err(unreadable)?;
        let mut end = Vec::new();
        input.take(look).read_to_end(&mut end).map_err(unreadable)?;
        let before = end.strip_suffix(b"\n").unwrap_or_default();
        let before = before.iter().rposition(|byte| *byte == b'\n');
        let last = &end[before.map_or(0, |before| before + 1)..];
        let reached = serde_json::from_slice::<Reached>(last).ok();
        let Some(reached) = reached.filter(|reached| line(reached).as_bytes() == last) else {
            return refused(&format!(
                "cut off: shard {shard} ends with its count of rows and bytes, and this file does not; run that shard again"
            ));
        };
        let (bytes, path) = (length - last.len() as u64, path.to_path_buf());
        let found = ScannedShard {
            path,
            shard,
            heading,
            reached,
        };
        let due = found.heading.clone();
        let query = due.unit.query().clone();
        let due = Heading::new(query, due.format, due.header, due.together, due.shard);
        let due = due.map_err(|error| found.damaged(&Failure::from(error).to_string()))?;
        let said = found.reached.bytes;
        if due != found.heading {
            Err(found.damaged("its first line is not that of this shard in this version"))
        } else if bytes != said {
            let what = format!("it has {bytes} bytes where its last line says {said}");
            Err(found.damaged(&what))
        } else if found.reached.done != due.places().end {
            Err(found.damaged("its last line says rows that it does not have"))
        } else {
            Ok(found)
        }
    }

    fn damaged(&self, what: &str) -> Failure {
        let (path, shard) = (self.path.display(), &self.shard);
        Failure::Input(format!(
            "\"{path}\" is damaged: {what}; run shard {shard} again"
        ))
    }

    /// Hands on the rows, and compares them with the checksum.
    fn rows(&self, mut take: impl FnMut(&[u8]) -> Result<(), OutputError>) -> Result<(), Failure> {
        let mut before = self.heading.opening().len();
        let rows = |bytes: &[u8]| {
            let skipped = before.min(bytes.len());
            before -= skipped;
            take(&bytes[skipped..])
        };
        let file = File::open(&self.path).map_err(|error| unreadable(&self.path, &error))?;
        if self.reached.read(&self.path, &file, rows)?.is_none() {
            return Err(self.damaged("its CRC-32 is not what its last line says"));
        }
        Ok(())
    }
}

/// All the shards of one sweep, in order, each of them whole.
pub struct Shards(Vec<ScannedShard>);

impl Shards {
    /// Looks at the files, in any order: whether they are all the shards of one request, once each
    /// and undamaged. Reads them once.
    ///
    /// # Errors
    /// `Failure`, which names the first file that is missing, damaged or does not fit.
    pub fn find(files: &[PathBuf]) -> Result<Shards, Failure> {
        flipcost_all::register();
        let mut all: Vec<ScannedShard> = Vec::with_capacity(files.len());
        for file in files {
            let found = ScannedShard::look(file)?;
            if let Some(first) = all.first() {
                let (is, was) = (found.shard.of, first.shard.of);
                let shards = || format!("number of shards is {is} and not {was}");
                let difference = first.heading.other_request(&found.heading);
                if let Some(difference) = difference.or_else(|| (is != was).then(shards)) {
                    return Err(Failure::Input(format!(
                        "\"{}\" belongs to another request than \"{}\": its {difference}",
                        found.path.display(),
                        first.path.display()
                    )));
                }
            }
            all.push(found);
        }
        all.sort_by_key(|found| found.shard.index);
        for pair in all.windows(2) {
            let [one, other] = [0, 1].map(|i| pair[i].path.display());
            if pair[0].shard == pair[1].shard {
                let shard = &pair[0].shard;
                return Err(Failure::Input(format!(
                    "\"{one}\" and \"{other}\" are both shard {shard}: give each shard once"
                )));
            }
        }
        Self::complete(&all)?;
        for found in &all {
            found.rows(|_| Ok(()))?;
        }
        Ok(Shards(all))
    }

    fn complete(all: &[ScannedShard]) -> Result<(), Failure> {
        let Some(first) = all.first() else {
            return Err(Failure::Input("no shard was given".to_string()));
        };
        let of = first.shard.of;
        let missing = of - all.len() as u64;
        if missing == 0 {
            return Ok(());
        }
        let mut there = all.iter().map(|found| found.shard.index).peekable();
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
        Err(Failure::Input(format!(
            "{noun} {}{more} of {of} {verb} missing: every shard of \"{}\" and its kind is needed",
            names.join(", "),
            first.path.display()
        )))
    }

    /// Hands on the bytes of the whole sweep, piece by piece.
    ///
    /// # Errors
    /// `Failure` if a file cannot be read any more, or `take` fails.
    pub fn merge(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), OutputError>,
    ) -> Result<(), Failure> {
        take(self.0[0].heading.header().as_bytes())?;
        self.0.iter().try_for_each(|found| found.rows(&mut take))
    }
}
