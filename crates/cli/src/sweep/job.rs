//! Writes a range of rows as lines: several threads compute and format the rows, and the bytes are
//! written to a file in order.

use super::journal::Heading;
use super::part::SweepOutput;
use crate::failure::Failure;
use crate::progress_bar::step_bar;
use crate::watch;
use flipcost::sweep;
use flipcost::table::{Cell, Request, RowError};
use flipcost::table::{Chunk, ChunkColumn};
use flipcost_number::threads;
use flipcost_number::threads::Workers;
use flipcost_one_draw::questions::Remarks;
use flipcost_question::{Progress, Query, count_with_noun};
use flipcost_terminal::rows::{Format, LineFormat};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// A range of rows, to be written as lines.
pub struct SweepJob<'a> {
    /// The question.
    pub query: Query,
    /// The columns and algorithms for each target.
    pub request: Request,
    /// The first target.
    pub from: u64,
    /// The format of the rows.
    pub format: Format,
    /// Whether to continue a file of an interrupted run.
    pub resume: bool,
    /// The file; `None` means standard output.
    pub output: Option<&'a Path>,
    /// Number of threads; 0 uses all cores.
    pub threads: usize,
}

impl SweepJob<'_> {
    /// Writes the rows and returns remarks on what was left out. Returns `None` if the rows cannot
    /// be written as lines in this format.
    ///
    /// # Errors
    /// `Failure` if a row cannot be computed or written, or if the file cannot be continued.
    pub fn run(self) -> Result<Option<Remarks>, Failure> {
        let Some(lines) = LineFormat::new(self.format, &self.request.headers()) else {
            return Ok(None);
        };
        let rows = self.request.algorithms.len() as u64;
        let header = String::from_utf8(lines.header()).map_err(Failure::input)?;
        let heading = Heading::new(&self.query, Some(self.format), header)?;
        let mut target = SweepOutput::open(self.output, &heading, self.resume)?;
        let above = self.from - 1;
        let [start, end] = [target.done(), heading.rows()].map(|row| above + row / rows);
        if start < end {
            let bar = step_bar(end - above).with_position(start - above);
            bar.reset_eta();
            // Rows take longer as n grows, so the estimate compares work and not rows.
            let work = |to| (sweep::nanoseconds(&self.request, start, to) / 1000) as u64;
            let all = work(end).max(1);
            let threads = Workers::new(self.threads).run(threads::count) as u64;
            watch::record_estimate(Duration::from_micros(all / threads));
            let sink = |chunk: WrittenRows, last| {
                for part in &chunk.parts {
                    target.write(part)?;
                }
                let done = last - above;
                watch::record_progress(Progress {
                    all,
                    done: work(last),
                });
                bar.set_position(done);
                target.record_progress(done * rows, last, chunk.remarks)
            };
            write_range(
                &self.request,
                self.format,
                &lines,
                start + 1..=end,
                self.threads,
                sink,
            )?;
            bar.finish_and_clear();
        }
        target
            .finish(&count_with_noun(heading.rows(), "row"))
            .map(Some)
    }
}

/// The rows of consecutive n, formatted as bytes.
#[derive(Debug, Default)]
struct WrittenRows {
    /// The bytes, in parts.
    parts: Vec<Vec<u8>>,
    /// Remarks on what was left out of the rows.
    remarks: Remarks,
}

impl From<RowError> for Failure {
    fn from(error: RowError) -> Failure {
        Failure::input(error)
    }
}

/// The number of n in a part of a chunk. One thread formats the rows of a part, and several threads
/// format the parts of a chunk in parallel. If the range is only one chunk, its parts may be
/// smaller, and each is passed to the sink as soon as it is formatted.
const PART_ROWS: u64 = 4096;

/// Formats the rows of a range in pieces, and calls `sink` with each piece in order and with its
/// last n.
///
/// # Errors
/// `Failure` if a row cannot be computed or written, and the errors of `sink`.
fn write_range(
    request: &Request,
    format: Format,
    lines: &LineFormat,
    range: RangeInclusive<u64>,
    threads: usize,
    sink: impl FnMut(WrittenRows, u64) -> Result<(), Failure>,
) -> Result<(), Failure> {
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
        if let Some(rows) = workers.run(|| word_columns(request, format, &answers)) {
            // each part is formatted separately, so that the memory of a written part is reused
            let work = |part: RangeInclusive<u64>| {
                Ok(WrittenRows {
                    parts: vec![lines.format_columns(&rows, part)],
                    remarks: Remarks::default(),
                })
            };
            return workers.ordered(range, sweep::part(request, last), work, sink);
        }
    }
    let work = |chunk: RangeInclusive<u64>| {
        let answers = request.look_up(&chunk, &surveys);
        let words = word_columns(request, format, &answers);
        let (low, high) = (*chunk.start(), *chunk.end());
        let parts = threads::map(((high - low) / PART_ROWS + 1) as usize, &|i| {
            let first = low + i as u64 * PART_ROWS;
            let part = first..=first.saturating_add(PART_ROWS - 1).min(high);
            match &words {
                Some(rows) => Ok((lines.format_columns(rows, part), Remarks::default())),
                None => write_part(request, integers, lines, part, &answers),
            }
        });
        let mut all = WrittenRows::default();
        for part in parts {
            let (bytes, remarks) = part?;
            all.parts.push(bytes);
            all.remarks.join(remarks);
        }
        Ok(all)
    };
    workers.ordered(range, chunk, work, sink)
}

/// Returns the columns of a chunk in a form that is written without making cells, or `None` if a
/// column needs cells.
fn word_columns<'a>(
    request: &Request,
    format: Format,
    answers: &'a Chunk,
) -> Option<Vec<Vec<ChunkColumn<'a>>>> {
    let mut words = request.words(answers);
    if format != Format::Csv {
        words.take_if(|rows| !rows.iter().flatten().all(ChunkColumn::are_integers));
    }
    for column in words.iter().flatten().flatten() {
        column.convert();
    }
    words
}

fn write_part(
    request: &Request,
    integers: bool,
    lines: &LineFormat,
    part: RangeInclusive<u64>,
    answers: &Chunk,
) -> Result<(Vec<u8>, Remarks), Failure> {
    let mut batch = lines.start_batch(0);
    let mut remarks = Remarks::default();
    request.each_row(part, answers, |n, row| {
        remarks.add(row, || format!("n = {n}"));
        let is_integer = |cell: &Cell| matches!(cell, Cell::Integer(_));
        if integers && let Some(at) = row.cells.iter().position(|cell| !is_integer(cell)) {
            let column = request.columns[at].name();
            return Err(Failure::Input(format!(
                "a b-file holds integers, and {column} has none at n = {n}"
            )));
        }
        batch.push_row(&row.cells);
        Ok(())
    })?;
    Ok((batch.into_bytes(), remarks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::{FAST_DICE_ROLLER, REGISTRY};
    use flipcost::table::{Column, EXPECTED, EXPECTED_EXACT, N, Precision};
    use flipcost::task::Source;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// The fast path without cells writes the same bytes as the path with cells.
        #[test]
        fn integers_are_the_same_without_cells(
            first in 1u64..100_000,
            length in 0u64..50,
            columns in prop::sample::subsequence(
                vec!["n", "source", "preperiod", "period", "cycle_rounds"], 2,
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
                columns: columns.iter().map(|name| Column::find(name).unwrap()).collect(),
                precision: Precision::default(),
            };
            let range = first..=first + length;
            let lines = LineFormat::new(format, &request.headers()).unwrap();
            let surveys = request.tables(*range.end());
            let answers = request.look_up(&range, &surveys);
            let known = source == 2 || !columns.contains(&"cycle_rounds");
            let cycle = request.columns.iter().any(|column| column.quantity().is_some());
            let words = request.words(&answers);
            prop_assert_eq!(words.is_some(), !cycle || known && alone);
            if let Some(rows) = words {
                let cells = write_part(&request, false, &lines, range.clone(), &answers).unwrap().0;
                prop_assert_eq!(
                    String::from_utf8(lines.format_columns(&rows, range)).unwrap(),
                    String::from_utf8(cells).unwrap()
                );
            }
        }

        /// The same for fractions and decimals.
        #[test]
        fn fractions_are_the_same_without_cells(
            first in 1u64..30_000,
            length in 0u64..300,
            digits in proptest::option::of(0u32..70),
            far in any::<bool>(),
        ) {
            let (column, first) = match digits {
                Some(_) if far => (EXPECTED, (1 << 32) - first),
                Some(_) => (EXPECTED, first),
                None => (EXPECTED_EXACT, first),
            };
            let request = Request {
                algorithms: vec![FAST_DICE_ROLLER],
                source: Source::COIN,
                columns: vec![N, column],
                precision: Precision { digits, ..Precision::default() },
            };
            let range = first..=first + length;
            let lines = LineFormat::new(Format::Csv, &request.headers()).unwrap();
            let mut written = Vec::new();
            write_range(&request, Format::Csv, &lines, range.clone(), 2, |chunk, _| {
                written.extend(chunk.parts.concat());
                Ok(())
            })
            .unwrap();
            let tables = request.tables(*range.end());
            let answers = request.look_up(&range, &tables);
            let cells = write_part(&request, false, &lines, range, &answers).unwrap().0;
            prop_assert_eq!(String::from_utf8(written).unwrap(), String::from_utf8(cells).unwrap());
        }
    }
}
