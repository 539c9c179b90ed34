//! What every target in a range costs.

use super::cost::Remarks;
use crate::Sources;
use crate::question::*;
use crate::sides::known;
use crate::value::algorithms;
use crate::{ColumnId, column};
use flipcost::table::{Column, ColumnKind, Request};
use flipcost::task::Source;
use flipcost::unstable::sweep::{Workers, cost};
use std::ops::RangeInclusive;

question! {
    /// What every target in a range costs: rows in order of n, then algorithm
    pub struct Sweep: "sweep" {
        /// The first target
        from: u64; option("A"),
        /// The last target
        to: u64; option("B"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Several sources, as in 2..20 or 2,6,1:2: rows in order of source, then n, then algorithm. Not with
        /// --shard, --resume or --format b-file
        sources: Option<Sources>; option("LIST").without(&["source"]),
        /// Only these algorithms; all without any.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns, in this order; a column may be an expression of others, as in
        /// "expected - log2(n)"
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Numbers
    examples: [
        "sweep --from 1 --to 1000 -a fast-dice-roller -c n,expected,toll",
        "sweep --from 1 --to 10^7 -c cycle_rounds -f b-file -o b.txt",
        "sweep --from 1 --to 10^9 -o big.csv --resume",
        "sweep --from 2 --to 20 --sources 2..6,10 -a interval -c source,n,toll",
    ]
}

/// Fails unless `from` to `to` are targets: neither none of them nor a die without sides.
pub(crate) fn targets(from: u64, to: u64) -> Result<(), QueryError> {
    match (from, to) {
        (0, _) => {
            let what = say!(field("from").is(0), " is no target");
            Err(QueryError::wrong("from", what).right("it must be at least 1"))
        }
        _ if from > to => Err(QueryError::reversed(from, to, "target")),
        _ => Ok(()),
    }
}

impl Sweep {
    /// The sources, in the order of the rows.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there is one and several, too many, or one that is no source.
    fn all_sources(&self) -> Result<Vec<Source>, QueryError> {
        let Some(sources) = &self.sources else {
            return Ok(vec![self.source.0.clone()]);
        };
        if self.source != Sides::default() {
            return Err(QueryError::both("source", "sources"));
        }
        let sources = sources.get().iter();
        Ok(sources.map(|source| source.0.clone()).collect())
    }

    /// What it asks of every n, for its source; that of several sources differs in the source.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the range is empty or a column is named twice.
    pub fn request(&self) -> Result<Request, QueryError> {
        targets(self.from, self.to)?;
        known(&self.source.0)?;
        Ok(Request {
            algorithms: algorithms(&self.algorithms, &self.source.0),
            source: self.source.0.clone(),
            columns: column::columns(&self.columns)?,
            precision: precision(self.digits, self.exact)?,
        })
    }
}

impl Sweep {
    /// The cells of all rows; 0 for a question that cannot be answered.
    pub(crate) fn cells(&self) -> u128 {
        let (Ok(request), Ok(sources)) = (self.request(), self.all_sources()) else {
            return 0;
        };
        let targets = u128::from(self.to - self.from) + 1;
        let each = request.algorithms.len() * request.columns.len() * sources.len();
        targets.saturating_mul(each as u128)
    }
}

impl Question for Sweep {
    fn is_watched(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let (Ok(request), Ok(sources)) = (self.request(), self.all_sources()) else {
            return Estimate::NOTHING;
        };
        let sources = sources.len() as u128;
        let targets = u128::from(self.to - self.from) + 1;
        let rows = targets * request.algorithms.len() as u128;
        let most = request.precision.exact_limit.min(u128::from(self.to));
        let bytes = |kind| match kind {
            ColumnKind::Exact => most / 3 * 2 + 16,
            ColumnKind::Count => 12,
            ColumnKind::Text | ColumnKind::Decimal => {
                u128::from(request.precision.digits.unwrap_or(20)) + 12
            }
        };
        let row: u128 = request
            .columns
            .iter()
            .map(|column| bytes(column.kind()))
            .sum();
        Estimate::of(
            cost::work(&request, self.from - 1, self.to).saturating_mul(sources),
            row.saturating_mul(1 << 16),
            rows.saturating_mul(row).saturating_mul(sources),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let mut request = self.request()?;
        let sources = self.all_sources()?;
        let one = self.sources.is_none().then_some(&self.source.0);
        sink.head(&column::head(&request.columns, one))?;
        let workers = Workers::new(control.threads);
        let targets = self.to - self.from + 1;
        let all = targets.saturating_mul(sources.len() as u64);
        let mut remarks = Remarks::default();
        let mut before = 0u64;
        for source in sources {
            request.source = source.clone();
            let of = |n: u64| match one {
                Some(_) => format!("n = {n}"),
                None => format!("n = {n} from {}", source.with_article()),
            };
            if !source.is_fair() {
                request.algorithms = algorithms(&self.algorithms, &source);
            }
            let request = &request;
            let tables = workers.run(|| request.tables(self.to));
            // a sieve and factors in common want many rows at a time, the memory of others few
            let alone = |column: &&'static Column| {
                column.quantity().is_none() && column.kind() != ColumnKind::Exact
            };
            let most = match request.columns.iter().all(alone) {
                true => 1 << 10,
                false => 1 << 13,
            };
            let chunk = cost::chunk(request, self.to).min(most);
            let work = |part: RangeInclusive<u64>| {
                control.go_on()?;
                let rows = request
                    .rows(part.clone(), &tables)
                    .map_err(QueryError::input)?;
                Ok((*part.start(), rows))
            };
            let each = request.algorithms.len();
            workers.ordered(self.from..=self.to, chunk, work, |(low, rows), last| {
                for (i, row) in rows.iter().enumerate() {
                    remarks.add(row, || of(low + (i / each) as u64));
                }
                sink.rows(rows.into_iter().map(|row| row.cells).collect())?;
                control.progress(before.saturating_add(last - self.from + 1), all);
                Ok::<(), QueryError>(())
            })?;
            before = before.saturating_add(targets);
        }
        sink.foot(remarks.foot(self.exact))
    }
}
