//! What each of many targets costs.

use super::cost::Remarks;
use flipcost::algorithms::REGISTRY;
use flipcost::table::{Request, Row, RowError};
use flipcost::task::Target;
use flipcost_number::chunks::Workers;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use flipcost_question::{ColumnId, column};
use serde_json::Value as Json;
use std::ops::{Range, RangeInclusive};

question! {
    /// What each of many targets costs: rows in the order of the targets, then algorithm. What an
    /// algorithm cannot do is an empty row.
    pub struct SweepWeights: "sweep-weights", "sweep" {
        /// A target by its weights, in place of --from and --to; may be repeated
        weights: Vec<TargetText>; option("TEXT").each().tells().without(&["from", "to", "sources", "summary", "quantiles"]),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Only these algorithms; without any, all that were made for weights (for fair dice, if all
        /// targets are fair).
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns, in this order; a column may be an expression of others, as in
        /// "expected - log2(n)"
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Numbers in units
    examples: ["sweep --weights-file vectors.txt -a fldr,knuth-yao"]
}

impl SweepWeights {
    /// A target whose algorithms and columns are those of all rows.
    fn kind(&self) -> Result<&Target, QueryError> {
        let mut all = self.weights.iter().map(TargetText::target);
        let first = all.next().ok_or_else(|| {
            QueryError::wrong("weights", "there are no weights to sweep")
                .right("at least one target was expected")
        })?;
        Ok(all.find(|target| target.sides().is_none()).unwrap_or(first))
    }

    fn request(&self) -> Result<Request, QueryError> {
        let kind = self.kind()?;
        Ok(Request {
            algorithms: algorithms_for(&self.algorithms, &self.source.0, kind),
            source: self.source.0.clone(),
            columns: column::columns_for(&self.columns, kind)?,
            precision: precision(self.digits, self.exact)?,
        })
    }
}

/// The rows of one target, by some of the algorithms.
fn rows(request: &Request, some: Range<usize>, target: &Target) -> Result<Vec<Row>, QueryError> {
    let row = |algorithm| match request.row_of(algorithm, target) {
        Err(why @ (RowError::Refused(_) | RowError::TooLarge { .. })) => {
            Ok(request.blank_of(algorithm, target, &why))
        }
        row => row.map_err(QueryError::input),
    };
    request.algorithms[some].iter().copied().map(row).collect()
}

impl SweepWeights {
    /// Hands on these rows, in order, and what is remarked of them.
    fn rows(
        &self,
        rows: Range<u64>,
        control: &Control,
        take: &mut dyn FnMut(Vec<Vec<Cell>>) -> Result<(), QueryError>,
    ) -> Result<Remarks, QueryError> {
        let request = self.request()?;
        let targets: Vec<&Target> = (self.weights.iter())
            .map(TargetText::checked)
            .collect::<Result<_, _>>()?;
        let mut remarks = Remarks::default();
        let each = request.algorithms.len() as u64;
        let (first, last) = (rows.start / each, (rows.end - 1) / each);
        let work = |part: RangeInclusive<u64>| {
            let mut done = Vec::new();
            for at in part {
                control.go_on()?;
                let local = |row: u64| row.saturating_sub(at * each).min(each) as usize;
                let some = local(rows.start)..local(rows.end);
                done.push((at, self::rows(&request, some, targets[at as usize])?));
            }
            Ok(done)
        };
        let workers = Workers::new(control.threads);
        workers.ordered(first..=last, 16, work, |parts, done| {
            for (at, rows) in parts {
                for row in &rows {
                    remarks.add(row, || self.weights[at as usize].in_words());
                }
                take(rows.into_iter().map(|row| row.cells).collect())?;
            }
            control.progress(done - first + 1, last - first + 1);
            Ok::<(), QueryError>(())
        })?;
        Ok(remarks)
    }

    fn head(&self) -> Result<Head, QueryError> {
        Ok(column::head(&self.request()?.columns, Some(&self.source.0)))
    }
}

impl Question for SweepWeights {
    fn is_watched(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let algorithms = match self.algorithms.len() {
            0 => REGISTRY.len() as u128,
            named => named as u128,
        };
        let columns = match self.columns.len() {
            0 => 14,
            named => named as u128,
        };
        let (mut weights, mut bits, mut work, mut largest) = (0u128, 0u128, 0u128, 0u128);
        for target in &self.weights {
            let (count, listed) = target.size();
            let length = u128::from(target.bits()) + 128;
            weights += count;
            bits += listed;
            work = work.saturating_add((count * length).saturating_add(length * length));
            largest = largest.max(count);
        }
        let rows = algorithms * self.weights.len() as u128;
        let digits = u128::from(self.digits.unwrap_or(20)) + 12;
        Estimate::of(
            algorithms.saturating_mul(work),
            (1 << 20) + bits / 4 + 128 * largest,
            rows * columns * digits + algorithms * (weights + bits / 3),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let count = self.count()?;
        sink.head(&self.head()?)?;
        let remarks = self.rows(0..count, control, &mut |rows| sink.rows(rows))?;
        sink.foot(remarks.foot(self.exact))
    }
}

// a place is a row
impl Places for SweepWeights {
    fn count(&self) -> Result<u64, QueryError> {
        Ok((self.request()?.algorithms.len() * self.weights.len()) as u64)
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        evenly(self.estimate().work, self.count().unwrap_or(1))
    }

    fn compute(&self, places: Range<u64>, control: &Control) -> Result<Shown, QueryError> {
        let mut all = Buffers::default();
        let remarks = self.rows(places, control, &mut |rows| {
            all.extend(rows);
            Ok(())
        })?;
        let seen = kept(&remarks);
        Ok(Shown { rows: all, seen })
    }

    fn join(&self, seen: Json, later: Json) -> Result<Json, QueryError> {
        Remarks::joined(seen, later)
    }

    fn answer(&self, all: Shown, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let foot = again::<Remarks>(all.seen)?.foot(self.exact);
        sink.head(&self.head()?)?;
        sink.buffers(all.rows)?;
        sink.foot(foot)
    }
}
