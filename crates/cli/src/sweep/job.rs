//! A range of rows as lines: the threads compute and write the bytes, the caller gets them in
//! order.

use flipcost::sweep;
use flipcost::table::request::{Chunk, Words};
use flipcost::table::{Cell, Request, Row, RowError};
use flipcost_number::chunks::Workers;
use flipcost_number::threads;
use flipcost_one_draw::questions::Omissions;
use flipcost_question::{AlgorithmId, ColumnId};
use flipcost_terminal::rows::{Format, Lines};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Why a range could not be written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JobError {
    /// A row could not be computed.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A value that a b-file cannot hold.
    #[error("a b-file holds integers, and {column} has none at n = {n}")]
    NotAnInteger {
        /// The column.
        column: &'static str,
        /// The n.
        n: String,
    },
}

/// The exact fractions and the expressions that were left out of some rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Rows.
    pub count: u64,
    /// The n of the first, and its size in words.
    pub first: Option<(u64, String)>,
    /// Expressions without a value, and algorithms that refuse.
    #[serde(default, skip_serializing_if = "Omissions::is_empty")]
    pub omissions: Omissions,
}

impl LeftOut {
    /// Notes a row.
    pub fn note(&mut self, row: &Row, n: u64) {
        if let Some(size) = row.left_out {
            self.count += 1;
            self.first.get_or_insert_with(|| (n, size.to_string()));
        }
        self.omissions.add(row, || format!("n = {n}"));
    }

    /// Notes those of later rows.
    pub fn join(&mut self, later: LeftOut) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
        self.omissions.join(later.omissions);
    }
}

/// The rows of consecutive n, written.
#[derive(Debug, Default)]
pub struct Written {
    /// The bytes, in parts.
    pub parts: Vec<Vec<u8>>,
    /// The rows.
    pub rows: u64,
    /// What was left out of them.
    pub left_out: LeftOut,
}

/// Rows of this many n are written one after the other; the parts of a chunk are written in
/// parallel, and those of an only chunk, which may be smaller, handed on as soon as they are.
const PART: u64 = 4096;

/// Calls `sink` on the written rows of a range, in order, with their last n.
///
/// # Errors
/// [`JobError`] if a row cannot be computed or written; else that of `sink`.
pub fn write<E: From<JobError> + Send>(
    request: &Request,
    format: Format,
    lines: &Lines,
    range: RangeInclusive<u64>,
    threads: usize,
    sink: impl FnMut(Written, u64) -> Result<(), E>,
) -> Result<(), E> {
    if range.is_empty() {
        return Ok(());
    }
    let last = *range.end();
    let workers = Workers::new(threads);
    let surveys = workers.run(|| request.tables(last));
    let integers = format == Format::BFile;
    let chunk = sweep::chunk(request, last);
    if last - range.start() < chunk {
        let answers = workers.run(|| request.look_up(&range, &surveys));
        if let Some(rows) = workers.run(|| words(request, format, &answers)) {
            // written part by part, into memory that is used again
            let work = |part: RangeInclusive<u64>| {
                let rows_of_part =
                    (part.end() - part.start() + 1) * request.algorithms.len() as u64;
                Ok(Written {
                    parts: vec![lines.words(&rows, part)],
                    rows: rows_of_part,
                    left_out: LeftOut::default(),
                })
            };
            return workers.ordered(range, sweep::part(request, last), work, sink);
        }
    }
    let work = |chunk: RangeInclusive<u64>| {
        let answers = request.look_up(&chunk, &surveys);
        let words = words(request, format, &answers);
        let (low, high) = (*chunk.start(), *chunk.end());
        let parts = threads::map(((high - low) / PART + 1) as usize, &|i| {
            let first = low + i as u64 * PART;
            let part = first..=first.saturating_add(PART - 1).min(high);
            match &words {
                Some(rows) => Ok((lines.words(rows, part), LeftOut::default())),
                None => write_part(request, integers, lines, part, &answers),
            }
        });
        let mut all = Written::default();
        for part in parts {
            let (bytes, left_out) = part?;
            all.parts.push(bytes);
            all.left_out.join(left_out);
        }
        all.rows = (high - low + 1) * request.algorithms.len() as u64;
        Ok(all)
    };
    workers.ordered(range, chunk, work, sink)
}

/// The rows of a chunk without cells, ready to be written, if they can be.
fn words<'a>(request: &Request, format: Format, answers: &'a Chunk) -> Option<Vec<Vec<Words<'a>>>> {
    let mut words = request.words(answers);
    if format != Format::Csv {
        words.take_if(|rows| !rows.iter().flatten().all(Words::are_integers));
    }
    for column in words.iter().flatten().flatten() {
        if let Words::Fractions(all) = column {
            all.convert();
        }
    }
    words
}

fn write_part(
    request: &Request,
    integers: bool,
    lines: &Lines,
    part: RangeInclusive<u64>,
    answers: &Chunk,
) -> Result<(Vec<u8>, LeftOut), JobError> {
    let mut batch = lines.batch(0);
    let mut left_out = LeftOut::default();
    request.each_row(part, answers, |n, row| {
        left_out.note(row, n);
        let whole = |cell: &Cell| matches!(cell, Cell::Integer(_));
        if let Some(at) = row.cells.iter().position(|cell| integers && !whole(cell)) {
            return Err(JobError::NotAnInteger {
                column: request.columns[at].name(),
                n: n.to_string(),
            });
        }
        batch.row(&row.cells);
        Ok(())
    })?;
    Ok((batch.into_bytes(), left_out))
}

/// The i-th part of K of a range, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part.
    #[serde(rename = "shard")]
    pub index: u64,
    /// Of how many.
    #[serde(rename = "shards")]
    pub of: u64,
}

impl Shard {
    /// The most shards of one range.
    pub const MOST: u64 = 1_000_000;
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Everything that decides the bytes of a sweep: what runs must agree on to share their work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The version of this program.
    pub flipcost: String,
    /// The first target.
    pub from: u64,
    /// The last.
    pub to: u64,
    /// The source.
    pub source: String,
    /// Ids of the algorithms.
    pub algorithms: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Decimals, or the nearest doubles.
    pub digits: Option<u32>,
    /// The most bits of an exact fraction.
    pub exact_limit: u64,
    /// How rows are written.
    pub format: Format,
}

impl Fingerprint {
    /// What no sweep of this program can have asked for, as the end of a sentence.
    pub fn nonsense(&self) -> Option<String> {
        if self.from == 0 || self.from > self.to {
            return Some(format!("asks for n = {} to {}", self.from, self.to));
        }
        let columns = self.columns.iter();
        if let Some(name) = columns
            .clone()
            .find(|name| name.parse::<ColumnId>().is_err())
        {
            return Some(format!("names a column {name}, which does not exist"));
        }
        let ids = self.algorithms.iter();
        if let Some(id) = ids.clone().find(|id| id.parse::<AlgorithmId>().is_err()) {
            return Some(format!("names an algorithm {id}, which does not exist"));
        }
        if !self.format.is_lines() || self.columns.is_empty() || self.algorithms.is_empty() {
            return Some("asks for no rows that shards hold".to_string());
        }
        None
    }

    /// The first thing in which another one differs, in words.
    pub fn difference(&self, other: &Fingerprint) -> Option<String> {
        let fields = |one: &Fingerprint| serde_json::to_value(one).expect("plain values");
        let (here, there) = (fields(self), fields(other));
        let names = here.as_object().expect("a struct").keys();
        let mut differing = names.filter(|name| here[*name] != there[*name]);
        let name = differing.next()?;
        Some(format!("{name} is {} and not {}", there[name], here[name]))
    }
}

/// A sweep in a format of lines.
#[derive(Clone)]
pub struct Job {
    /// The request.
    pub request: Request,
    /// How it is written.
    pub format: Format,
    /// The first target.
    pub from: u64,
    /// The last target.
    pub to: u64,
    /// The part that is wanted.
    pub shard: Option<Shard>,
}

impl Job {
    /// See [`Fingerprint`].
    pub fn fingerprint(&self) -> Fingerprint {
        let words = |words: Vec<&str>| words.into_iter().map(str::to_string).collect();
        let Request {
            algorithms,
            source,
            precision,
            ..
        } = &self.request;
        Fingerprint {
            flipcost: env!("CARGO_PKG_VERSION").to_string(),
            from: self.from,
            to: self.to,
            source: source.to_string(),
            algorithms: words(algorithms.iter().map(|method| method.about().id).collect()),
            columns: words(self.request.headers()),
            digits: precision.digits,
            exact_limit: u64::try_from(precision.exact_limit).unwrap_or(u64::MAX),
            format: self.format,
        }
    }

    /// The targets that are wanted: above the first number, up to the second.
    pub fn bounds(&self) -> (u64, u64) {
        let above = self.from - 1;
        let Some(Shard { index, of }) = self.shard else {
            return (above, self.to);
        };
        let end = |i| sweep::shard_end(&self.request, above, self.to, i, of);
        (end(index - 1), end(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::{FAST_DICE_ROLLER, REGISTRY};
    use flipcost::table::Precision;
    use flipcost::table::columns;
    use flipcost::task::Source;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// What is written without cells is what the cells write.
        #[test]
        fn words_or_cells(
            first in 1u64..100_000,
            length in 0u64..50,
            columns in prop::sample::subsequence(
                vec![columns::N, columns::SOURCE, columns::PREPERIOD, columns::PERIOD, columns::CYCLE_ROUNDS], 2,
            ),
            source in prop::sample::select(vec![2u64, 3, 10]),
            alone in any::<bool>(),
            format in prop::sample::select(vec![Format::Csv, Format::Jsonl, Format::BFile]),
        ) {
            let fast = FAST_DICE_ROLLER.about().id;
            let other = REGISTRY.iter().find(|method| method.about().id != fast).unwrap();
            let request = Request {
                algorithms: if alone { vec![FAST_DICE_ROLLER] } else { vec![FAST_DICE_ROLLER, *other] },
                source: Source::die(source).unwrap(),
                columns,
                precision: Precision::default(),
            };
            let range = first..=first + length;
            let lines = Lines::new(format, &request.headers()).unwrap();
            let surveys = request.tables(*range.end());
            let answers = request.look_up(&range, &surveys);
            let known = source == 2 || !request.columns.contains(&columns::CYCLE_ROUNDS);
            let cycle = request.columns.iter().any(|column| column.quantity().is_some());
            let words = request.words(&answers);
            prop_assert_eq!(words.is_some(), !cycle || known && alone);
            if let Some(rows) = words {
                let cells = write_part(&request, false, &lines, range.clone(), &answers).unwrap().0;
                prop_assert_eq!(
                    String::from_utf8(lines.words(&rows, range)).unwrap(),
                    String::from_utf8(cells).unwrap()
                );
            }
        }

        /// Fractions and decimals that are written without cells are those of the cells.
        #[test]
        fn fractions_or_cells(
            first in 1u64..30_000,
            length in 0u64..300,
            digits in proptest::option::of(0u32..70),
            far in any::<bool>(),
        ) {
            let (column, first) = match digits {
                Some(_) if far => (columns::EXPECTED, (1 << 32) - first),
                Some(_) => (columns::EXPECTED, first),
                None => (columns::EXPECTED_EXACT, first),
            };
            let request = Request {
                algorithms: vec![FAST_DICE_ROLLER],
                source: Source::COIN,
                columns: vec![columns::N, column],
                precision: Precision { digits, ..Precision::default() },
            };
            let range = first..=first + length;
            let lines = Lines::new(Format::Csv, &request.headers()).unwrap();
            let mut written = Vec::new();
            write(&request, Format::Csv, &lines, range.clone(), 2, |chunk, _| {
                written.extend(chunk.parts.concat());
                Ok::<(), JobError>(())
            })
            .unwrap();
            let tables = request.tables(*range.end());
            let answers = request.look_up(&range, &tables);
            let cells = write_part(&request, false, &lines, range, &answers).unwrap().0;
            prop_assert_eq!(String::from_utf8(written).unwrap(), String::from_utf8(cells).unwrap());
        }
    }
}
