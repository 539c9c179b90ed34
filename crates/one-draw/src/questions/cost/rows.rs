//! The question `cost` about many targets, from one source or several: one loop over sources,
//! targets and algorithms. Tables give the costs of ranges of fair dice; the costs of other targets
//! are computed one by one.
//!
//! In this module, a place is the index of a row or, for `best`, of a pair of a source and a
//! target.

use super::remarks::Remarks;
use flipcost::algorithms::Algorithm;
use flipcost::sweep;
use flipcost::table::{Column, ColumnKind, Request, Row, RowError};
use flipcost::task::Target;
use flipcost_figures::Drawing;
use flipcost_number::threads::Workers;
use flipcost_question::long::OptionalFractions;
use flipcost_question::prelude::*;
use flipcost_question::sides::check_known_source;
use flipcost_question::targets::{TargetList, TargetSpan};
use flipcost_question::value::{algorithms_for, fair_die_target};
use flipcost_question::{Answer, ColumnId, PictureError, Probability, Query, Sources, column};
use serde_json::Value as Json;
use std::ops::{Range, RangeInclusive};

question! {
    /// The cost of many targets, or of one target from many sources
    ///
    /// The rows are in the order of the sources, the targets and the algorithms. A row has no
    /// numbers if its algorithm cannot make the target. `best` gives the best algorithm of each
    /// pair instead, and `summary` statistics of all rows.
    pub struct CostRows: "cost" {
        /// Several targets: ranges and lists such as 2..300 or 2,6,10..12, both ends included. A
        /// comma at the end makes one target a list.
        target: TargetList; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Several sources, each of them alone, as in 2..20 or 2,6,1:2; with --source 6,10, one
        /// rule uses both dice
        sources: Option<Sources>; option("LIST").without(&["source"]),
        /// Only these algorithms; by default, all algorithms that are made for such targets.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns, in this order; a column may be an expression of others, as in
        /// "expected - log2(n)"
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions, however large they are; without this option, the usual columns have
        /// only fractions of up to 50 digits.
        exact: bool; EXACT,
        /// Show the best algorithm for every source and target, with its cost and its toll over the
        /// entropy bound
        best: bool; flag().without(&["columns", "exact", "summary"]),
        /// Instead of the rows, summarize each column of numbers: mean, least and largest value,
        /// records and quantiles, in one row for each source, algorithm and column. Columns of
        /// fractions are left out, unless they are named or `exact` is set
        summary: bool; flag(),
        /// The quantiles of a summary: for each q, the least value x such that at least a fraction
        /// q of the values are at most x [default: 1/4,1/2,3/4]
        quantiles: Vec<Probability>; option("LIST").with("summary"),
    }
    purpose: Numbers in units
    examples: [
        "cost 5..7 -a fast-dice-roller,interval -c n,algorithm,expected",
        "cost 2..20 --sources 2..6,10 -a interval -c source,n,toll",
        "cost 6 --sources 2..20 --best",
        "cost 2..50 --sources 2..12 --best -o map.svg",
        "cost 1..1000 --summary",
        "cost --weights 1:2:3 --weights 3d6",
        "cost --weights-file vectors.txt -a fldr,knuth-yao",
        "cost 1..10^7 -a fast-dice-roller -c cycle_rounds -f b-file -o b.txt",
        "cost 1..10^9 -o big.csv --resume",
        "cost 2..20 --sources 6,10 -a bounded -c source,n,missing_prime",
    ]
}

/// The largest number of bits of a fraction in the usual columns of many targets: about 50 digits.
const MAX_USUAL_BITS: u128 = 166;

/// A block of rows: some algorithms, for each target of a span, from one source.
struct RowRun {
    request: Request,
    targets: TargetSpan,
}

impl CostRows {
    /// Returns the question about the costs by all algorithms that were made for the targets.
    pub fn new(target: TargetList, source: Sides) -> CostRows {
        CostRows::with_defaults([("target", target.json()), ("source", source.json())])
    }

    /// Returns the sources, in the order of the rows.
    ///
    /// # Errors
    /// [`QueryError::Input`] if both `source` and `sources` are given.
    pub(super) fn all_sources(&self) -> Result<Vec<&Sides>, QueryError> {
        match &self.sources {
            None => Ok(vec![&self.source]),
            Some(_) if self.source != Sides::default() => {
                Err(QueryError::both_given("source", "sources"))
            }
            Some(sources) => Ok(sources.get().iter().collect()),
        }
    }

    /// Returns the range of targets and the request for each n, if all targets are one range of
    /// fair dice and there is one source; `None` otherwise.
    ///
    /// # Errors
    /// The errors of [`CostRows::request`].
    pub fn range(&self) -> Result<Option<(RangeInclusive<u64>, Request)>, QueryError> {
        match self.target.range() {
            Some(range) if self.sources.is_none() && !self.best && !self.summary => {
                Ok(Some((range, self.request()?)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the request for every target from `source`. With several sources, the requests
    /// differ only in the source.
    ///
    /// # Errors
    /// [`QueryError::Input`] if a column is named twice, or if fields exclude each other.
    pub fn request(&self) -> Result<Request, QueryError> {
        let others = [
            ("columns", self.columns.is_empty()),
            ("exact", !self.exact),
            ("summary", !self.summary),
        ];
        if let Some((other, _)) = others.iter().find(|(_, absent)| self.best && !absent) {
            return Err(QueryError::both_given(other, "best"));
        }
        if !self.quantiles.is_empty() && !self.summary {
            let what = say!(field("quantiles"), " belongs to a summary");
            let right = say!("it needs ", field("summary").is(true));
            return Err(QueryError::wrong("quantiles", what).right(right));
        }
        check_known_source(&self.source.0)?;
        let kind = self.sample_target();
        let mut precision = precision(self.digits, self.exact)?;
        if self.columns.is_empty() && !self.exact {
            precision.exact_limit = MAX_USUAL_BITS;
        }
        Ok(Request {
            algorithms: algorithms_for(&self.algorithms, &self.source.0, &kind),
            source: self.source.0.clone(),
            columns: column::columns_for(&self.columns, &kind)?,
            precision,
        })
    }

    /// Returns the target by which the algorithms and columns of all rows are chosen: the first
    /// target with weights, otherwise a fair die.
    fn sample_target(&self) -> Target {
        let mut targets = self.target.targets_outside_ranges().map(|one| one.target());
        let weights = targets.find(|target| target.sides().is_none());
        weights.cloned().unwrap_or_else(fair_die_target)
    }

    /// Splits the rows into blocks that share a source, in order, each with its request and its
    /// targets.
    fn blocks(&self) -> Result<Vec<(Request, &TargetSpan)>, QueryError> {
        let request = self.request()?;
        let kind = self.sample_target();
        let mut blocks = Vec::new();
        for source in self.all_sources()? {
            let request = Request {
                algorithms: algorithms_for(&self.algorithms, &source.0, &kind),
                source: source.0.clone(),
                ..request.clone()
            };
            let spans = self.target.spans().iter();
            blocks.extend(spans.map(|span| (request.clone(), span)));
        }
        Ok(blocks)
    }

    /// Splits these rows into runs. A run contains all rows of one or more targets, or some of the
    /// rows of a single target.
    fn runs(&self, rows: Range<u64>) -> Result<Vec<RowRun>, QueryError> {
        let mut runs = Vec::new();
        let mut before = 0;
        for (request, span) in self.blocks()? {
            let each = request.algorithms.len() as u64;
            let all = span.count() * each;
            let local = |row: u64| row.clamp(before, before + all) - before;
            let (mut low, high) = (local(rows.start), local(rows.end));
            before += all;
            while low < high {
                let (n, first) = (low / each, low % each);
                // the rest of a target, or whole targets, or the beginning of a target
                let (last, upto) = match high / each {
                    whole if whole > n && first == 0 => (whole - 1, each),
                    whole if whole > n => (n, each),
                    _ => (n, high % each),
                };
                runs.push(RowRun {
                    request: Request {
                        algorithms: request.algorithms[first as usize..upto as usize].to_vec(),
                        ..request.clone()
                    },
                    targets: span.part(n..last + 1),
                });
                low = last * each + upto;
            }
        }
        Ok(runs)
    }

    /// Passes these rows to `take` in order, and returns the remarks on them.
    fn rows(
        &self,
        rows: Range<u64>,
        control: &Control,
        take: &mut dyn FnMut(Vec<Vec<Cell>>) -> Result<(), QueryError>,
    ) -> Result<Remarks, QueryError> {
        let workers = Workers::new(control.threads);
        let runs = self.runs(rows)?;
        let time =
            |run: &RowRun, targets: u64| estimate_nanoseconds(&run.request, &run.targets, targets);
        let of_run = |run: &RowRun| time(run, run.targets.count());
        let all_time = runs.iter().map(of_run).fold(0, u128::saturating_add).max(1);
        let all = (runs.iter().map(|run| run.targets.count())).fold(0, u64::saturating_add);
        let mut remarks = Remarks::default();
        let mut before = 0u128;
        for run in &runs {
            run.rows(&workers, control, |first, rows, done| {
                let each = run.request.algorithms.len();
                for (i, row) in rows.iter().enumerate() {
                    remarks.add(row, || {
                        self.target_in_sentence(run, first + (i / each) as u64)
                    });
                }
                take(rows.into_iter().map(|row| row.cells).collect())?;
                control.progress_of_time(before.saturating_add(time(run, done)), all_time, all);
                Ok(())
            })?;
            before = before.saturating_add(of_run(run));
        }
        Ok(remarks)
    }

    /// Returns words for the target at this place, with its source if there are several.
    fn target_in_sentence(&self, run: &RowRun, place: u64) -> String {
        let target = match &run.targets {
            TargetSpan::Dice(all) => format!("n = {}", all.start() + place),
            TargetSpan::Listed(all) => all[place as usize].phrase(),
        };
        match self.sources {
            None => target,
            Some(_) => format!("{target} from {}", run.request.source.with_article()),
        }
    }

    fn head(&self) -> Result<Head, QueryError> {
        let one = self.sources.is_none().then_some(&self.source.0);
        Ok(column::head(&self.request()?.columns, one, &self.columns))
    }

    /// Returns the number of cells of all rows; 0 if the question cannot be answered.
    pub(super) fn cells(&self) -> u128 {
        let blocks = self.blocks().unwrap_or_default();
        let cells = |(request, span): &(Request, &TargetSpan)| {
            let each = request.algorithms.len() * request.columns.len();
            u128::from(span.count()).saturating_mul(each as u128)
        };
        blocks.iter().map(cells).fold(0, u128::saturating_add)
    }
}

impl RowRun {
    /// Passes rows to `take` in order, with the place of their first target and the number of
    /// targets done.
    fn rows(
        &self,
        workers: &Workers,
        control: &Control,
        mut take: impl FnMut(u64, Vec<Row>, u64) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let request = &self.request;
        match &self.targets {
            TargetSpan::Dice(targets) => {
                let (first, to) = targets.clone().into_inner();
                let tables = workers.run(|| request.tables(to));
                // A sieve and common factors work best on many rows at a time. For other columns,
                // computing few rows at a time saves memory.
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
                    let rows = request.rows(part.clone(), &tables);
                    Ok((*part.start(), rows.map_err(QueryError::input)?))
                };
                workers.ordered(targets.clone(), chunk, work, |(low, rows), last| {
                    take(low - first, rows, last - first + 1)
                })
            }
            TargetSpan::Listed(targets) => {
                let work = |part: RangeInclusive<u64>| {
                    let mut rows = Vec::new();
                    for place in part.clone() {
                        control.go_on()?;
                        rows.extend(rows_of_target(request, &targets[place as usize])?);
                    }
                    Ok((*part.start(), rows))
                };
                let places = 0..=targets.len() as u64 - 1;
                workers.ordered(places, 16, work, |(first, rows), last| {
                    take(first, rows, last + 1)
                })
            }
        }
    }
}

/// Returns the rows of a target by all algorithms. A formula is written as it was given.
fn rows_of_target(request: &Request, target: &TargetText) -> Result<Vec<Row>, QueryError> {
    let mut columns = request.columns.iter();
    let shown = columns.position(|column| column.name() == "target");
    let (written, target) = (target.formula(), target.checked()?);
    let row = |algorithm: &&'static dyn Algorithm| {
        let mut row = row_of(request, *algorithm, target)?;
        if let (Some(at), Some(written)) = (shown, written) {
            row.cells[at] = Cell::Text(written.to_string());
        }
        Ok(row)
    };
    request.algorithms.iter().map(row).collect()
}

/// Returns the row of one algorithm and target, without numbers if the algorithm refuses.
fn row_of(
    request: &Request,
    algorithm: &'static dyn Algorithm,
    target: &Target,
) -> Result<Row, QueryError> {
    match request.compute_row(algorithm, target) {
        Err(why @ (RowError::Refused(_) | RowError::TooLarge { .. })) => {
            Ok(request.blank_of(algorithm, target, &why))
        }
        row => row.map_err(QueryError::input),
    }
}

/// Estimates the work and memory for the targets of a span.
fn estimate(request: &Request, span: &TargetSpan) -> Estimate {
    let digits = u128::from(request.precision.digits.unwrap_or(20)) + 12;
    let columns = request.columns.iter();
    match span {
        TargetSpan::Dice(targets) => {
            let (from, to) = targets.clone().into_inner();
            let most = request.precision.exact_limit.min(u128::from(to));
            let bytes = |column: &&'static Column| match column.kind() {
                ColumnKind::Exact => most / 3 * 2 + 16,
                ColumnKind::Count => 12,
                ColumnKind::Flag => 5,
                ColumnKind::Text | ColumnKind::Decimal => digits,
            };
            let rows = u128::from(span.count()) * request.algorithms.len() as u128;
            let row: u128 = columns.map(bytes).sum();
            Estimate::new(
                sweep::nanoseconds(request, from - 1, to),
                row.saturating_mul(1 << 16),
                rows.saturating_mul(row),
            )
        }
        TargetSpan::Listed(targets) => {
            let (mut weights, mut bits, mut work, mut largest) = (0u128, 0u128, 0u128, 0u128);
            for target in targets {
                let (count, listed) = target.size();
                let length = u128::from(target.bits()) + 128;
                weights += count;
                bits += listed;
                work = work.saturating_add((count * length).saturating_add(length * length));
                largest = largest.max(count);
            }
            let algorithms = request.algorithms.len() as u128;
            let rows = algorithms * targets.len() as u128;
            Estimate::new(
                algorithms.saturating_mul(work),
                (1 << 20) + bits / 4 + 128 * largest,
                rows * columns.len() as u128 * digits + algorithms * (weights + bits / 3),
            )
        }
    }
}

/// Estimates the nanoseconds for the first `targets` targets of a span.
fn estimate_nanoseconds(request: &Request, span: &TargetSpan, targets: u64) -> u128 {
    match span {
        TargetSpan::Dice(all) => {
            let above = all.start() - 1;
            sweep::nanoseconds(request, above, above + targets)
        }
        TargetSpan::Listed(_) => {
            let work = estimate(request, span).work;
            work / u128::from(span.count()) * u128::from(targets)
        }
    }
}

impl Question for CostRows {
    fn summary(&self, answer: &Answer) -> String {
        let names = answer.head.names();
        let by = |row: usize| match answer.cell(row, "algorithm") {
            Cell::Text(id) => format!(" by {}", algorithm_phrase(id)),
            _ => String::new(),
        };
        if self.summary {
            let expected = |row: &usize| answer.cell(*row, "column").to_string() == "expected";
            let row = (0..answer.rows.len()).find(expected).unwrap_or(0);
            let value = |name: &str| answer.phrase(row, name).unwrap_or_default();
            return format!(
                "over n = {}, the column {}{} averages {}; the least is {}, at n = {}, and the largest {}, at n = {}",
                self.target,
                answer.cell(row, "column"),
                by(row),
                value("mean"),
                value("least"),
                value("least_at"),
                value("largest"),
                value("largest_at")
            );
        }
        let column = ["toll", "expected"]
            .into_iter()
            .find(|name| names.contains(name));
        let is_asked = |name: &&str| answer.rows.len() > 1 && !["n", "source"].contains(name);
        let others = names.iter().copied().filter(is_asked);
        let of_column = (column.into_iter().chain(others))
            .find_map(|name| Some((name, answer.extremes(name)?)));
        let Some((name, (least, most))) = of_column else {
            if answer.rows.len() == 1 {
                return format!("of n = {}: {}", self.target, answer.row_phrase(0));
            }
            return format!(
                "{} of n = {}",
                count_with_noun(answer.rows.len() as u64, "row"),
                self.target
            );
        };
        // the columns in which the rows differ
        let differs = |name: &&str| {
            (1..answer.rows.len()).any(|row| answer.cell(row, name) != answer.cell(0, name))
        };
        // a single row names its target, too
        let is_alone = |name: &&str| answer.rows.len() == 1 && *answer.cell(0, name) != Cell::Empty;
        let key = ["n", "target"]
            .into_iter()
            .find(|name| differs(name) || is_alone(name));
        // if all rows have the same method, it is named once
        let is_one = (0..answer.rows.len()).all(|row| by(row) == by(0));
        let of_all = if is_one { by(0) } else { String::new() };
        let has_sources = differs(&"source");
        let place = |row: usize| {
            let value = answer.measure(row, name).unwrap_or_default();
            let mut at = key.map_or(String::new(), |key| {
                format!(", at {key} = {}", answer.cell(row, key))
            });
            if has_sources {
                let source = answer.cell(row, "source").to_string();
                let named = source.parse::<Sides>().map(|sides| sides.0.with_article());
                at += &format!(", from {}", named.unwrap_or(source));
            }
            let by = if is_one { String::new() } else { by(row) };
            format!("{value}{at}{by}")
        };
        if answer.rows.len() == 1 {
            return format!("the {name}{of_all} is {}", place(0));
        }
        format!(
            "the {name}{of_all} is smallest, {}, and largest, {}",
            place(least),
            place(most)
        )
    }

    fn first_rows(&self, rows: u64) -> Option<Query> {
        let (range, request) = self.range().ok()??;
        let targets = rows.div_ceil(request.algorithms.len().max(1) as u64);
        let last = (range.start().saturating_add(targets - 1)).min(*range.end());
        let target = format!("{}..{last}", range.start()).parse().ok()?;
        Some(
            CostRows {
                target,
                ..self.clone()
            }
            .into(),
        )
    }

    fn is_streamed(&self) -> bool {
        !self.best
    }

    fn estimate(&self) -> Estimate {
        if self.best {
            return self.best_estimate();
        }
        if self.summary {
            return self.summary_estimate();
        }
        let blocks = self.blocks().unwrap_or_default();
        let mut all = Estimate::NOTHING;
        for (request, span) in &blocks {
            let one = estimate(request, span);
            all.work = all.work.saturating_add(one.work);
            all.memory = all.memory.max(one.memory);
            all.output = all.output.saturating_add(one.output);
        }
        all
    }

    fn optional_fractions(&self) -> Option<OptionalFractions> {
        self.best.then_some(OptionalFractions {
            answers: &[],
            ask: |name| say!("`cost` with the column {name}"),
        })
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let count = self.count()?;
        if self.best {
            return self.show_best(self.best_rows(0..count, control)?, sink);
        }
        if self.summary {
            return self.summarise(control, sink, |gather| {
                self.summarised_rows()?.run(control, gather)
            });
        }
        sink.head(&self.head()?)?;
        let remarks = self.rows(0..count, control, &mut |rows| sink.rows(rows))?;
        sink.foot(remarks.foot(self.exact))
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

impl Chunked for CostRows {
    fn count(&self) -> Result<u64, QueryError> {
        self.request()?;
        if self.best {
            return self.pairs();
        }
        if self.summary {
            return self.rows_of_summary();
        }
        let rows = |(request, span): &(Request, &TargetSpan)| {
            u128::from(span.count()) * request.algorithms.len() as u128
        };
        let rows: u128 = self.blocks()?.iter().map(rows).sum();
        u64::try_from(rows).map_err(|_| {
            QueryError::input(format!("the sweep has {rows} rows, which are too many"))
        })
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        if self.best || self.summary {
            return even_time_estimate(self.estimate().work, self.count().unwrap_or(1));
        }
        let blocks = self.blocks().unwrap_or_default();
        Box::new(move |end| {
            let mut left = u128::from(end);
            let mut all = 0u128;
            for (request, span) in &blocks {
                let each = request.algorithms.len() as u128;
                let rows = left.min(u128::from(span.count()) * each);
                left -= rows;
                let work = |targets: u128| estimate_nanoseconds(request, span, targets as u64);
                // the work for an unfinished target is divided among its rows
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

    fn compute(&self, places: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError> {
        if self.best {
            return Ok(ChunkResult {
                rows: self.best_rows(places, control)?.into_iter().collect(),
                seen: Json::Null,
            });
        }
        if self.summary {
            return self.summarised_rows()?.compute(places, control);
        }
        let mut all = Buffers::default();
        let remarks = self.rows(places, control, &mut |rows| {
            all.extend(rows);
            Ok(())
        })?;
        Ok(ChunkResult {
            rows: all,
            seen: to_json_value(&remarks),
        })
    }

    fn join(&self, seen: Json, later: Json) -> Result<Json, QueryError> {
        if self.best {
            return Ok(seen);
        }
        Remarks::joined(seen, later)
    }

    fn answer(
        &self,
        all: ChunkResult,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        if self.best {
            return self.show_best(all.rows.rows(0..all.rows.len()).collect(), sink);
        }
        if self.summary {
            let inner = self.summarised_rows()?;
            return self.summarise(control, sink, |gather| inner.answer(all, control, gather));
        }
        let foot = from_json_value::<Remarks>(all.seen)?.foot(self.exact);
        sink.head(&self.head()?)?;
        sink.buffers(all.rows)?;
        sink.foot(foot)
    }
}
