//! A question in units: parts of its answer that are computed apart, in any order and on any
//! machine, and put together again.
//!
//! The *places* of a question are its rows, or the n of its range. A [`Unit`] is a run of them, and
//! what they give is a [`JoinedUnits`]. Parts join to a part, whatever their order and however they
//! were joined before; the part of all places gives the answer of the question, the same as if it
//! had been computed at once. A question that is not put together from places is one unit.

use crate::buffers::{rows_behind, split_line};
use crate::chunked::{ChunkResult, Chunked, damaged, evenly};
use crate::say;
use crate::{Answer, Buffer, Buffers, CellKind, Control, Query, QueryError, Sink, spell};
use flipcost::table::Cell;
use flipcost_number::BigUint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// A question that is answered at once, as one place.
struct SingleChunk<'a>(&'a Query);

impl Chunked for SingleChunk<'_> {
    fn count(&self) -> Result<u64, QueryError> {
        Ok(1)
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        evenly(self.0.estimate().work, 1)
    }

    fn compute(&self, _: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError> {
        let mut answer = self.0.answer(control)?;
        let rows = std::mem::take(&mut answer.rows).into_iter().collect();
        let seen = answer.state();
        Ok(ChunkResult { rows, seen })
    }

    fn answer(&self, all: ChunkResult, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let answer = Answer::from_state(all.seen)?;
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

    /// Cuts the question into units, each of about as much work as the others: at least so many
    /// that each is predicted to take `seconds` of one core at most, and at least 4 where it has 4
    /// places.
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
            let least = spell(&least, CellKind::Decimal);
            let what = format!(
                "that makes {many} units, and {most} are the most: seconds must be at least {least}"
            );
            return Err(QueryError::input(what));
        }
        Ok(all.split(many.max(4)))
    }

    /// The question as one unit.
    ///
    /// # Errors
    /// [`QueryError::Input`] if it cannot be answered.
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

/// A run of places of a question, to be computed anywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    query: Query,
    places: Range<u64>,
    /// All places of the question.
    count: u64,
}

impl Unit {
    /// The most units that a question is cut into.
    pub const MAX_UNITS: u64 = 100_000;

    /// The question of which it is a part.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// The places: the numbers from 0 of rows of the answer, or of the n of its range.
    pub fn places(&self) -> Range<u64> {
        self.places.clone()
    }

    /// About the seconds that it takes on one core.
    pub fn seconds(&self) -> f64 {
        self.query.with_chunks(|places| {
            let upto = places.nanoseconds();
            upto(self.places.end).saturating_sub(upto(self.places.start)) as f64 / 1e9
        })
    }

    /// The SHA-256 of what is asked, and of the version that answers it.
    pub fn digest(&self) -> String {
        digest(&self.query)
    }

    /// The same places in k units, each of about as much work as the others; in fewer where there
    /// are fewer places.
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
                // none of the units empty
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

    /// Computes it. It depends on nothing else.
    ///
    /// # Errors
    /// As [`Query::run`].
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

    /// The unit as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain values")
    }

    /// What [`Unit::to_json`] wrote; `None` for what it did not.
    pub fn from_json(text: &str) -> Option<Unit> {
        let unit: Unit = serde_json::from_str(text).ok()?;
        let Range { start, end } = unit.places;
        (start < end && end <= unit.count).then_some(unit)
    }
}

fn digest(query: &Query) -> String {
    let version = env!("CARGO_PKG_VERSION");
    in_hex(format!("{version}\n{}", query.to_json()).as_bytes())
}

fn in_hex(bytes: &[u8]) -> String {
    format!("{:064x}", BigUint::from_bytes_be(&Sha256::digest(bytes)))
}

/// What units of one question have given.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinedUnits {
    query: Query,
    /// All places of the question.
    count: u64,
    /// In order; none overlaps with another.
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
struct Piece {
    places: Range<u64>,
    shown: Arc<ChunkResult>,
}

/// The line before the words of a part's rows. Of each piece: its places, what it has seen, its
/// rows and columns.
#[derive(Serialize, Deserialize)]
struct PartLine<Columns> {
    digest: String,
    query: Query,
    count: u64,
    pieces: Vec<(Range<u64>, Value, (u64, Columns))>,
}

impl JoinedUnits {
    /// The question of which it is a part.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// The SHA-256 of what is asked, and of the version that answered it: parts of one digest join.
    pub fn digest(&self) -> String {
        digest(&self.query)
    }

    /// The SHA-256 of what it holds, as [`JoinedUnits::to_bytes`] writes it.
    pub fn sha256(&self) -> String {
        in_hex(&self.to_bytes())
    }

    /// The places that it has, in order: runs of them, side by side where they were computed apart.
    pub fn places(&self) -> impl Iterator<Item = Range<u64>> {
        self.pieces.iter().map(|piece| piece.places.clone())
    }

    /// The places of the whole question.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many places it has.
    pub fn known(&self) -> u64 {
        self.places().map(|places| places.end - places.start).sum()
    }

    /// Does it have all places?
    pub fn is_whole(&self) -> bool {
        self.known() == self.count
    }

    /// Joins parts of one question, in any order. What two of them have of the same places is
    /// compared.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there is none, if they are of several questions, if two differ
    /// about the same places, or if their places overlap otherwise than one in another.
    pub fn merge(parts: impl IntoIterator<Item = JoinedUnits>) -> Result<JoinedUnits, QueryError> {
        let mut parts = parts.into_iter();
        let none =
            || QueryError::input("there is nothing to merge: one result or more was expected");
        let mut all = parts.next().ok_or_else(none)?;
        for part in parts {
            if part.query != all.query || part.count != all.count {
                let what = say!(
                    "results of two questions do not merge: ",
                    all.query,
                    " and ",
                    part.query
                );
                return Err(QueryError::input(what));
            }
            all.pieces.extend(part.pieces);
        }
        all.in_order()
    }

    /// With its pieces in order. What is in another piece too is compared with that.
    fn in_order(mut self) -> Result<JoinedUnits, QueryError> {
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
                    "the places {low} to {its_last} and {start} to {last} overlap: results of units that were cut alike were expected"
                )));
            }
            if !piece.agrees(outer) {
                return Err(QueryError::input(format!(
                    "two results differ about the places {start} to {last}: one of them was not computed by this version on a sound machine"
                )));
            }
        }
        Ok(self)
    }

    /// Puts the answer together, into a sink.
    ///
    /// # Errors
    /// As [`Query::run`]; and [`QueryError::Input`] if places are missing.
    pub fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if !self.is_whole() {
            let (missing, all) = (self.count - self.known(), self.count);
            let what = format!("{missing} of {all} places are missing");
            return Err(QueryError::input(what));
        }
        let query = &self.query;
        query.with_chunks(|places| {
            let join = || {
                let mut pieces = self.pieces.iter();
                let first = pieces.next().ok_or_else(damaged)?;
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

    /// The answer, if it has all places.
    ///
    /// # Errors
    /// As [`JoinedUnits::run`] and [`Query::answer`].
    pub fn answer(&self, control: &Control) -> Result<Answer, QueryError> {
        let mut answer = Answer::new(self.query.clone());
        self.run(control, &mut answer)?;
        Ok(answer)
    }

    /// The part as bytes from which [`JoinedUnits::from_bytes`] makes the same: a line of JSON, and
    /// the words of its rows.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = PartLine {
            digest: self.digest(),
            query: self.query.clone(),
            count: self.count,
            pieces: (self.pieces.iter())
                .map(|Piece { places, shown }| {
                    (places.clone(), shown.seen.clone(), shown.rows.line())
                })
                .collect(),
        };
        rows_behind(&line, self.pieces.iter().map(|piece| &piece.shown.rows))
    }

    /// What [`JoinedUnits::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`QueryError::Input`] for what it did not, and for what another version wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<JoinedUnits, QueryError> {
        let (line, mut behind): (PartLine<Vec<Buffer>>, _) =
            split_line(bytes).ok_or_else(damaged)?;
        if line.digest != digest(&line.query) {
            return Err(damaged());
        }
        let mut part = JoinedUnits {
            query: line.query,
            count: line.count,
            pieces: Vec::with_capacity(line.pieces.len()),
        };
        for (places, seen, rows) in line.pieces {
            let rows = Buffers::read(rows, &mut behind).ok_or_else(damaged)?;
            if places.is_empty() || places.end > part.count {
                return Err(damaged());
            }
            let shown = Arc::new(ChunkResult { rows, seen });
            part.pieces.push(Piece { places, shown });
        }
        if behind.is_empty() {
            part.in_order()
        } else {
            Err(damaged())
        }
    }
}

impl Piece {
    /// Does it say what one says that has all its places? Where each place has a row the rows are
    /// compared, and all that is known where the places are the same.
    fn agrees(&self, outer: &Piece) -> bool {
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
