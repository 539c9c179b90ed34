//! What every target in a range costs.

use super::cost::Remarks;
use flipcost::sweep;
use flipcost::table::{Column, ColumnKind, Request};
use flipcost::task::Source;
use flipcost_figures::Drawing;
use flipcost_number::chunks::Workers;
use flipcost_question::Sources;
use flipcost_question::prelude::*;
use flipcost_question::sides::known;
use flipcost_question::value::algorithms;
use flipcost_question::{Answer, PictureError};
use flipcost_question::{ColumnId, column};
use serde_json::Value as Json;
use std::ops::{Range, RangeInclusive};

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
    purpose: Numbers in units
    examples: [
        "sweep --from 1 --to 1000 -a fast-dice-roller -c n,expected,toll",
        "sweep --from 1 --to 10^7 -c cycle_rounds -f b-file -o b.txt",
        "sweep --from 1 --to 10^9 -o big.csv --resume",
        "sweep --from 2 --to 20 --sources 2..6,10 -a interval -c source,n,toll",
    ]
}

/// Fails unless `from` to `to` are targets: neither none of them nor a die without sides.
pub fn targets(from: u64, to: u64) -> Result<(), QueryError> {
    match (from, to) {
        (0, _) => {
            let what = say!(field("from").is(0), " is no target");
            Err(QueryError::wrong("from", what).right("it must be at least 1"))
        }
        _ if from > to => Err(QueryError::reversed(from, to, "target")),
        _ => Ok(()),
    }
}

/// Rows side by side: of some algorithms for every one of some targets, from one source.
struct Run {
    request: Request,
    targets: RangeInclusive<u64>,
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
    /// Its rows by their sources: each with what is asked of every n.
    fn blocks(&self) -> Result<Vec<Request>, QueryError> {
        let request = self.request()?;
        let of = |source: Source| Request {
            algorithms: algorithms(&self.algorithms, &source),
            source,
            ..request.clone()
        };
        Ok(self.all_sources()?.into_iter().map(of).collect())
    }

    /// The runs of these rows, each of one source, of some algorithms for every one of some targets.
    fn runs(&self, rows: Range<u64>) -> Result<Vec<Run>, QueryError> {
        let mut runs = Vec::new();
        let mut before = 0;
        for request in self.blocks()? {
            let each = request.algorithms.len() as u64;
            let all = (self.to - self.from + 1) * each;
            let local = |row: u64| row.clamp(before, before + all) - before;
            let (mut low, high) = (local(rows.start), local(rows.end));
            before += all;
            while low < high {
                let (n, first) = (low / each, low % each);
                // the rest of a target, whole targets, or the beginning of one
                let (last, upto) = match high / each {
                    whole if whole > n && first == 0 => (whole - 1, each),
                    whole if whole > n => (n, each),
                    _ => (n, high % each),
                };
                runs.push(Run {
                    request: Request {
                        algorithms: request.algorithms[first as usize..upto as usize].to_vec(),
                        ..request.clone()
                    },
                    targets: self.from + n..=self.from + last,
                });
                low = last * each + upto;
            }
        }
        Ok(runs)
    }

    /// Hands on these rows, in order, and what is remarked of them.
    fn rows(
        &self,
        rows: Range<u64>,
        control: &Control,
        take: &mut dyn FnMut(Vec<Vec<Cell>>) -> Result<(), QueryError>,
    ) -> Result<Remarks, QueryError> {
        let workers = Workers::new(control.threads);
        let runs = self.runs(rows)?;
        let targets = |run: &Run| run.targets.end() - run.targets.start() + 1;
        let all = runs.iter().map(targets).fold(0, u64::saturating_add);
        let mut remarks = Remarks::default();
        let mut before = 0u64;
        for run in &runs {
            let Run { request, targets } = run;
            let (first, to) = targets.clone().into_inner();
            let of = |n: u64| match self.sources {
                None => format!("n = {n}"),
                Some(_) => format!("n = {n} from {}", request.source.with_article()),
            };
            let tables = workers.run(|| request.tables(to));
            // a sieve and factors in common want many rows at a time, the memory of others few
            let alone = |column: &&'static Column| {
                column.quantity().is_none() && column.kind() != ColumnKind::Exact
            };
            let most = if request.columns.iter().all(alone) {
                1 << 10
            } else {
                1 << 13
            };
            let chunk = sweep::chunk(request, to).min(most);
            let work = |part: RangeInclusive<u64>| {
                control.go_on()?;
                let rows = request
                    .rows(part.clone(), &tables)
                    .map_err(QueryError::input)?;
                Ok((*part.start(), rows))
            };
            let each = request.algorithms.len();
            workers.ordered(targets.clone(), chunk, work, |(low, rows), last| {
                for (i, row) in rows.iter().enumerate() {
                    remarks.add(row, || of(low + (i / each) as u64));
                }
                take(rows.into_iter().map(|row| row.cells).collect())?;
                control.progress(before.saturating_add(last - first + 1), all);
                Ok::<(), QueryError>(())
            })?;
            before = before.saturating_add(to - first + 1);
        }
        Ok(remarks)
    }

    fn head(&self) -> Result<Head, QueryError> {
        let one = self.sources.is_none().then_some(&self.source.0);
        Ok(column::head(&self.request()?.columns, one))
    }

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
            ColumnKind::Flag => 5,
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
            sweep::nanoseconds(&request, self.from - 1, self.to).saturating_mul(sources),
            row.saturating_mul(1 << 16),
            rows.saturating_mul(row).saturating_mul(sources),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let count = self.count()?;
        sink.head(&self.head()?)?;
        let remarks = self.rows(0..count, control, &mut |rows| sink.rows(rows))?;
        sink.foot(remarks.foot(self.exact))
    }

    fn draw(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

// a place is a row
impl Places for Sweep {
    fn count(&self) -> Result<u64, QueryError> {
        let targets = u128::from(self.to).saturating_sub(u128::from(self.from)) + 1;
        let rows = |block: &Request| targets * block.algorithms.len() as u128;
        let rows: u128 = self.blocks()?.iter().map(rows).sum();
        u64::try_from(rows).map_err(|_| QueryError::input(format!("the sweep has {rows} rows")))
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        let blocks = self.blocks().unwrap_or_default();
        Box::new(move |end| {
            let mut left = u128::from(end);
            let mut all = 0u128;
            for block in &blocks {
                let each = block.algorithms.len() as u128;
                let rows = left.min((u128::from(self.to - self.from) + 1) * each);
                left -= rows;
                let work = |targets: u128| {
                    sweep::nanoseconds(block, self.from - 1, self.from - 1 + targets as u64)
                };
                // a target that is begun is shared by its rows
                let (whole, some) = (rows / each, rows % each);
                let begun = match some {
                    0 => 0,
                    some => (work(whole + 1) - work(whole)) / each * some,
                };
                all = all.saturating_add(work(whole)).saturating_add(begun);
            }
            all
        })
    }

    fn compute(&self, places: Range<u64>, control: &Control) -> Result<Shown, QueryError> {
        let mut all = Buffers::default();
        let remarks = self.rows(places, control, &mut |rows| {
            all.extend(rows);
            Ok(())
        })?;
        Ok(Shown {
            rows: all,
            seen: kept(&remarks),
        })
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
