//! A range of rows as lines: the threads compute and write the bytes, the caller gets them in order.

use super::{Pace, cost, ordered};
use crate::table::columns::{Answers, size_in_words};
use crate::table::{Cell, Column, Format, Lines, Request, Row, RowError};
use rayon::prelude::*;
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

/// The exact fractions that were left out of some rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Rows.
    pub count: u64,
    /// The n of the first, and its size in words.
    pub first: Option<(u64, String)>,
}

impl LeftOut {
    /// Notes a row.
    pub fn note(&mut self, row: &Row, n: u64) {
        if let Some(size) = row.left_out {
            self.count += 1;
            self.first.get_or_insert_with(|| (n, size_in_words(size)));
        }
    }

    /// Notes those of later rows.
    pub fn join(&mut self, later: LeftOut) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
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

/// Rows of this many n are written one after the other; the parts of a chunk are written in parallel.
const PART: u64 = 4096;

/// Calls `sink` on the written rows of a range, in order, with their last n.
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
    let surveys = request.survey(*range.end());
    let pace = Pace {
        chunk: cost::chunk(request, *range.end()),
        threads,
    };
    let integers = format == Format::BFile;
    let work = |chunk: RangeInclusive<u64>| {
        let answers = request.ask(&chunk, &surveys);
        let (low, high) = (*chunk.start(), *chunk.end());
        let parts: Result<Vec<_>, JobError> = (0..(high - low) / PART + 1)
            .into_par_iter()
            .map(|i| {
                let first = low + i * PART;
                let part = first..=first.saturating_add(PART - 1).min(high);
                write_part(request, integers, lines, part, &answers)
            })
            .collect();
        let mut all = Written::default();
        for (bytes, left_out) in parts? {
            all.parts.push(bytes);
            all.left_out.join(left_out);
        }
        all.rows = (high - low + 1) * request.methods.len() as u64;
        Ok(all)
    };
    ordered(range, pace, work, sink)
}

fn write_part(
    request: &Request,
    integers: bool,
    lines: &Lines,
    part: RangeInclusive<u64>,
    answers: &Answers,
) -> Result<(Vec<u8>, LeftOut), JobError> {
    let mut batch = lines.batch();
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

/// The names of a request's columns.
pub fn headers(request: &Request) -> Vec<&'static str> {
    request
        .columns
        .iter()
        .map(|column: &Column| column.name())
        .collect()
}
