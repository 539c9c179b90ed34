//! Splits a question into units: parts of its answer that can be computed in any order and on any
//! machine, and then merged.
//!
//! The *places* of a question are its rows, or the n of its range. A [`Unit`] is a run of places,
//! and its result is a [`JoinedUnits`]. Results can be merged in any order and grouping. The result
//! for all places gives the answer of the question, exactly as if it had been computed at once. A
//! question that is not divided into places is a single unit.

use crate::buffers::{encode_with_rows, split_json_header};
use crate::chunked::{ChunkResult, Chunked, damaged_part_error, even_time_estimate};
use crate::description::FieldPairs;
use crate::say;
use crate::{
    Answer, Buffer, Buffers, CellKind, Control, Query, QueryError, Questions, Sink, format_cell,
};
use flipcost::table::Cell;
use flipcost_number::BigUint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// A question that is answered all at once, as a single place.
struct SingleChunk<'a>(&'a Query);

impl Chunked for SingleChunk<'_> {
    fn count(&self) -> Result<u64, QueryError> {
        Ok(1)
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        even_time_estimate(self.0.estimate().work, 1)
    }

    fn compute(&self, _: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError> {
        let mut answer = self.0.answer(control)?;
        let rows = std::mem::take(&mut answer.rows).into_iter().collect();
        let seen = answer.state();
        Ok(ChunkResult { rows, seen })
    }

    fn answer(&self, all: ChunkResult, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let answer = Answer::from_state(self.0.clone(), all.seen)?;
        sink.head(&answer.head)?;
        sink.buffers(all.rows)?;
        sink.foot(answer.foot)
    }
}

impl Query {
    /// Calls `with` with the places of the question.
    fn with_chunks<T>(&self, with: impl FnOnce(&dyn Chunked) -> T) -> T {
        match self.places() {
            Some(places) => with(places),
            None => with(&SingleChunk(self)),
        }
    }

    /// Divides the question into units of about equal work, so that each unit is predicted to take
    /// at most `seconds` on one core. There are at least 4 units if the question has 4 places.
    ///
    /// ```
    /// use flipcost_question::{Control, JoinedUnits, Query};
    /// let query = flipcost_all::from_json(r#"{"ask":"cost","target":"2..9"}"#)?;
    /// let control = Control::default();
    /// let parts = query.units(600.0)?.into_iter().rev().map(|unit| unit.run(&control));
    /// let all = JoinedUnits::merge(parts.collect::<Result<Vec<_>, _>>()?)?;
    /// assert_eq!(all.answer(&control)?, query.answer(&control)?);
    /// # Ok::<(), flipcost_question::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::Input`] if the question cannot be answered, or there would be more than
    /// [`Unit::MAX_UNITS`] units.
    pub fn units(&self, seconds: f64) -> Result<Vec<Unit>, QueryError> {
        let all = self.unit()?;
        let count = all.count;
        if seconds.is_nan() || seconds <= 0.0 {
            let what = format!("seconds is {seconds}: a number above 0 was expected");
            return Err(QueryError::input(what));
        }
        let many = (all.seconds() / seconds).ceil().min(count as f64) as u64;
        if many > Unit::MAX_UNITS {
            let most = Unit::MAX_UNITS;
            let least = Cell::Double(1.01 * all.seconds() / most as f64);
            let least = format_cell(&least, CellKind::Decimal);
            let what = format!(
                "that makes {many} units, but at most {most} are possible: seconds must be at least {least}"
            );
            return Err(QueryError::input(what));
        }
        Ok(all.split(many.max(4)))
    }

    /// Returns the question as a single unit.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the question cannot be answered.
    pub fn unit(&self) -> Result<Unit, QueryError> {
        let count =
            self.with_chunks(|places| self.with_context(&Control::default(), || places.count()))?;
        Ok(Unit {
            query: self.clone(),
            places: 0..count,
            count,
        })
    }
}

/// A run of places of a question, which can be computed anywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit<Question = Query> {
    query: Question,
    places: Range<u64>,
    /// The number of places of the question.
    count: u64,
}

impl Unit {
    /// The maximum number of units of a question.
    pub const MAX_UNITS: u64 = 100_000;

    /// The question to which the unit belongs.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// The range of the unit's places, counted from 0: rows of the answer, or the n of its range.
    pub fn places(&self) -> Range<u64> {
        self.places.clone()
    }

    /// The approximate number of seconds that the unit takes on one core.
    pub fn seconds(&self) -> f64 {
        self.query.with_chunks(|places| {
            let upto = places.nanoseconds();
            upto(self.places.end).saturating_sub(upto(self.places.start)) as f64 / 1e9
        })
    }

    /// The SHA-256 of the question and of the version of the program that answers it.
    pub fn query_digest(&self) -> String {
        query_digest(&self.query)
    }

    /// Splits the unit into k units of about equal work, or fewer if there are fewer places.
    pub fn split(&self, k: u64) -> Vec<Unit> {
        let Range { start, end } = self.places;
        let k = k.min(end - start).max(1);
        let cuts = self.query.with_chunks(|places| {
            let nanoseconds = places.nanoseconds();
            let before = nanoseconds(start);
            let upto = |place| nanoseconds(place).saturating_sub(before);
            let (all, parts) = (upto(end), u128::from(k));
            let mut cuts = vec![start];
            let mut last = start;
            for i in 1..k {
                // No unit is empty.
                let (mut low, mut high) = (last + 1, end - (k - i));
                let i = u128::from(i);
                let share = all / parts * i + all % parts * i / parts;
                while low < high {
                    let middle = low + (high - low) / 2;
                    if upto(middle) < share {
                        low = middle + 1
                    } else {
                        high = middle
                    }
                }
                cuts.push(low);
                last = low;
            }
            cuts.push(end);
            cuts
        });
        let unit = |cut: &[u64]| Unit {
            places: cut[0]..cut[1],
            ..self.clone()
        };
        cuts.windows(2).map(unit).collect()
    }

    /// Computes the unit. The result depends only on the unit and the version of the program.
    ///
    /// # Errors
    /// The errors of [`Query::run`].
    pub fn run(&self, control: &Control) -> Result<JoinedUnits, QueryError> {
        let query = &self.query;
        let compute = |places: &dyn Chunked| places.compute(self.places(), control);
        let shown = query.with_chunks(|places| query.with_context(control, || compute(places)))?;
        let piece = Piece {
            places: self.places(),
            shown: Arc::new(shown),
        };
        Ok(JoinedUnits {
            query: query.clone(),
            count: self.count,
            pieces: vec![piece],
        })
    }

    /// Writes the unit as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain values")
    }

    /// Reads a unit that [`Unit::to_json`] wrote. Returns `None` for any other text, and for a unit
    /// of a question that is not among `questions`.
    pub fn from_json(text: &str, questions: &Questions) -> Option<Unit> {
        let unit: Unit<FieldPairs> = serde_json::from_str(text).ok()?;
        let Range { start, end } = unit.places;
        let is_valid = start < end && end <= unit.count;
        is_valid.then_some(Unit {
            query: questions.read_pairs(unit.query).ok()?,
            places: unit.places,
            count: unit.count,
        })
    }
}

fn query_digest(query: &Query) -> String {
    let version = env!("CARGO_PKG_VERSION");
    to_hex(format!("{version}\n{}", query.to_json()).as_bytes())
}

fn to_hex(bytes: &[u8]) -> String {
    format!("{:064x}", BigUint::from_bytes_be(&Sha256::digest(bytes)))
}

/// The joined results of some units of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinedUnits {
    query: Query,
    /// The number of places of the question.
    count: u64,
    /// The pieces in order, without overlap.
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
struct Piece {
    places: Range<u64>,
    shown: Arc<ChunkResult>,
}

/// The line before the words of the rows. For each piece it holds the places, the findings, the
/// number of rows and the columns.
#[derive(Serialize, Deserialize)]
struct PartLine<Fields, Columns> {
    digest: String,
    query: Fields,
    count: u64,
    pieces: Vec<(Range<u64>, Value, (u64, Columns))>,
}

impl JoinedUnits {
    /// The question to which the result belongs.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// The SHA-256 of the question and of the version of the program that answered it. Only results
    /// with equal digests can be merged.
    pub fn query_digest(&self) -> String {
        query_digest(&self.query)
    }

    /// The SHA-256 of the result's contents, as [`JoinedUnits::to_bytes`] writes them.
    pub fn sha256(&self) -> String {
        to_hex(&self.to_bytes())
    }

    /// The places that the result covers, in order. Runs of places that were computed separately
    /// stay separate.
    pub fn places(&self) -> impl Iterator<Item = Range<u64>> {
        self.pieces.iter().map(|piece| piece.places.clone())
    }

    /// The number of places of the whole question.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of places that the result covers.
    pub fn known_places(&self) -> u64 {
        self.places().map(|places| places.end - places.start).sum()
    }

    /// Whether the result covers all places.
    pub fn covers_all_places(&self) -> bool {
        self.known_places() == self.count
    }

    /// Merges results of one question, given in any order. If two results cover the same places,
    /// they are compared.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there are no results, if they belong to different questions, if two
    /// results disagree about the same places, or if two results overlap and neither contains the
    /// other.
    pub fn merge(parts: impl IntoIterator<Item = JoinedUnits>) -> Result<JoinedUnits, QueryError> {
        let mut parts = parts.into_iter();
        let none =
            || QueryError::input("there is nothing to merge: one result or more was expected");
        let mut all = parts.next().ok_or_else(none)?;
        for part in parts {
            if part.query != all.query || part.count != all.count {
                let what = say!(
                    "results of different questions cannot be merged: ",
                    all.query,
                    " and ",
                    part.query
                );
                return Err(QueryError::input(what));
            }
            all.pieces.extend(part.pieces);
        }
        all.sort_pieces()
    }

    /// Sorts the pieces. A piece that lies inside another piece is compared with it and then
    /// dropped.
    fn sort_pieces(mut self) -> Result<JoinedUnits, QueryError> {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.sort_by_key(|piece| (piece.places.start, Reverse(piece.places.end)));
        for piece in pieces {
            let Range { start, end } = piece.places;
            let before = self.pieces.last();
            let Some(outer) = before.filter(|before| start < before.places.end) else {
                self.pieces.push(piece);
                continue;
            };
            let Range {
                start: low,
                end: high,
            } = outer.places;
            let (last, its_last) = (end - 1, high - 1);
            if end > high {
                return Err(QueryError::input(format!(
                    "the places {low} to {its_last} and {start} to {last} overlap: merge only results of units into which the question was cut in the same way"
                )));
            }
            if !piece.agrees_with(outer) {
                return Err(QueryError::input(format!(
                    "two results differ about the places {start} to {last}: one of them was computed by another version or on a faulty machine"
                )));
            }
        }
        Ok(self)
    }

    /// Writes the assembled answer to a sink.
    ///
    /// # Errors
    /// The errors of [`Query::run`]; also [`QueryError::Input`] if places are missing.
    pub fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if !self.covers_all_places() {
            let (missing, all) = (self.count - self.known_places(), self.count);
            let what = format!("{missing} of {all} places are missing");
            return Err(QueryError::input(what));
        }
        let query = &self.query;
        query.with_chunks(|places| {
            let join = || {
                let mut pieces = self.pieces.iter();
                let first = pieces.next().ok_or_else(damaged_part_error)?;
                let mut all = ChunkResult::clone(&first.shown);
                for Piece { shown, .. } in pieces {
                    all.rows.append(&shown.rows);
                    all.seen = places.join(all.seen, shown.seen.clone())?;
                }
                Ok(all)
            };
            let all = query.with_context(control, join)?;
            match query.places() {
                Some(_) => query.run_with(control, sink, |sink| places.answer(all, control, sink)),
                None => places.answer(all, control, sink),
            }
        })
    }

    /// Assembles the answer from the results for all places.
    ///
    /// # Errors
    /// The errors of [`JoinedUnits::run`] and [`Query::answer`].
    pub fn answer(&self, control: &Control) -> Result<Answer, QueryError> {
        let mut answer = Answer::new(self.query.clone());
        self.run(control, &mut answer)?;
        Ok(answer)
    }

    /// Writes the result as bytes: a line of JSON, then the words of its rows.
    /// [`JoinedUnits::from_bytes`] reads it back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = PartLine {
            digest: self.query_digest(),
            query: &self.query,
            count: self.count,
            pieces: (self.pieces.iter())
                .map(|Piece { places, shown }| {
                    (places.clone(), shown.seen.clone(), shown.rows.json_header())
                })
                .collect(),
        };
        encode_with_rows(&line, self.pieces.iter().map(|piece| &piece.shown.rows))
    }

    /// Reads a result that [`JoinedUnits::to_bytes`] wrote, for a question among `questions`.
    ///
    /// # Errors
    /// [`QueryError::Input`] for any other bytes, and for results of another version.
    pub fn from_bytes(bytes: &[u8], questions: &Questions) -> Result<JoinedUnits, QueryError> {
        let (line, mut behind): (PartLine<FieldPairs, Vec<Buffer>>, _) =
            split_json_header(bytes).ok_or_else(damaged_part_error)?;
        let query = questions.read_pairs(line.query);
        let query = query.map_err(|_| damaged_part_error())?;
        if line.digest != query_digest(&query) {
            return Err(damaged_part_error());
        }
        let mut part = JoinedUnits {
            query,
            count: line.count,
            pieces: Vec::with_capacity(line.pieces.len()),
        };
        for (places, seen, rows) in line.pieces {
            let rows = Buffers::read(rows, &mut behind).ok_or_else(damaged_part_error)?;
            if places.is_empty() || places.end > part.count {
                return Err(damaged_part_error());
            }
            let shown = Arc::new(ChunkResult { rows, seen });
            part.pieces.push(Piece { places, shown });
        }
        if behind.is_empty() {
            part.sort_pieces()
        } else {
            Err(damaged_part_error())
        }
    }
}

impl Piece {
    /// Whether this piece agrees with a piece that contains its places. If each place has one row,
    /// the rows are compared; if both cover the same places, everything is compared.
    fn agrees_with(&self, outer: &Piece) -> bool {
        if self.places == outer.places {
            return self.shown == outer.shown;
        }
        let length = |of: &Piece| of.shown.rows.len() as u64 == of.places.end - of.places.start;
        if !length(self) || !length(outer) {
            return true;
        }
        let rows = |of: &Piece| {
            let Range { start, end } = self.places;
            let place = |place| (place - of.places.start) as usize;
            of.shown
                .rows
                .rows(place(start)..place(end))
                .collect::<Buffers>()
        };
        rows(self) == rows(outer)
    }
}
