//! What rows say as a whole: mean, extremes, records and quantiles of their columns, one row for
//! each source, algorithm and column of numbers.
//!
//! The columns are `source`, `algorithm`, `column`, its `unit`, the number of `values`; their mean,
//! as a fraction (`mean_exact`, where all values are integers or fractions) and as a decimal
//! (`mean`); `least` and `largest` with the first n that has them; the number of `records`, values
//! above all before, and the n of the last; and a column for each quantile q, the least value that
//! is not below a part q of the values. Targets without a finite value are left out; a note says
//! how many.
//!
//! Values are gathered as integers, as fractions, or as decimals with more digits than are written.
//! Rounding keeps the order, so that decimals that differ are in the order of their values; where
//! they are equal the values themselves are compared, by exact fractions or enclosures.

use super::CostRows;
use super::remarks::Omissions;
use dashu_int::IBig;
use flipcost::algorithms::{Algorithm, find};
use flipcost::table::value;
use flipcost::table::{ALGORITHM, N, SOURCE, source_cell};
use flipcost::table::{Column, ColumnKind, Integer, Precision, Request};
use flipcost::task::{Source, Target};
use flipcost_number::{BigInt, Rational, Real};
use flipcost_question::precision::common;
use flipcost_question::prelude::*;
use flipcost_question::{Probability, column};
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::sync::Arc;

/// Decimals of the values that are gathered, where fewer are written.
const DECIMALS: u32 = 30;

/// Decimals beyond those that are written.
const SPARE: u32 = 12;

/// The sum of fractions is left out when its denominator passes this many bits.
const MAX_BITS: u64 = 1 << 21;

/// A value takes about as many bytes as this.
const VALUE_BYTES: u128 = 48;

/// The values of one column, with their n.
enum ColumnValues {
    /// Integers, or decimals without their point.
    Whole(Vec<(u64, IBig)>),
    Fractions(Vec<(u64, Arc<Rational>)>),
}

/// The values of one source and one algorithm.
struct SourceSeries {
    source: Source,
    algorithm: &'static dyn Algorithm,
    values: Vec<ColumnValues>,
}

/// Takes the rows.
pub(super) struct Gather {
    columns: Vec<&'static Column>,
    series: Vec<SourceSeries>,
    omissions: Omissions,
    foot: Foot,
}

/// The keys before the columns of a gathered row.
static KEYS: [&Column; 3] = [SOURCE, N, ALGORITHM];

/// The statistics of one column.
struct Statistics {
    least: usize,
    largest: usize,
    records: u64,
    last_record: usize,
}

impl CostRows {
    /// The columns that are summed up: without any, all that are numbers and do not say whose row
    /// it is.
    fn summed(&self) -> Result<Vec<&'static Column>, QueryError> {
        let given = column::columns(&self.columns)?.into_iter();
        let computed: Vec<&Column> = given.filter(|column| !column.is_key()).collect();
        if computed.is_empty() {
            Err(QueryError::wrong(
                "columns",
                "a summary is of what is computed, and these columns say whose row it is",
            ))
        } else {
            Ok(computed)
        }
    }

    fn levels(&self) -> Result<Vec<Probability>, QueryError> {
        let given = &self.quantiles;
        if let Some(twice) = (1..given.len()).find(|&i| given[..i].contains(&given[i])) {
            let what = say!(field("quantiles"), format!(" names {} twice", given[twice]));
            return Err(QueryError::wrong("quantiles", what).right("once is enough"));
        }
        if !given.is_empty() {
            return Ok(given.clone());
        }
        let quarters = ["1/4", "1/2", "3/4"];
        let levels = quarters.map(|level| level.parse().expect("a fraction below 1"));
        Ok(levels.to_vec())
    }

    /// The rows of all values, with their keys.
    pub(super) fn inner(&self) -> Result<CostRows, QueryError> {
        let word = |target: &TargetText| target.sides().is_some_and(|n| n.bits() <= 64);
        if !self.target.listed().all(word) {
            let what = "a summary is of fair dice, each of less than 2^64 sides";
            return Err(
                QueryError::wrong("target", what).right("a range such as 2..300 was expected")
            );
        }
        let columns = KEYS.into_iter().chain(self.summed()?);
        Ok(CostRows {
            columns: columns.map(column::ColumnId).collect(),
            digits: Some(self.decimals()),
            summary: false,
            quantiles: Vec::new(),
            ..self.clone()
        })
    }

    pub(super) fn summary_estimate(&self) -> Estimate {
        let Ok(inner) = self.inner() else {
            return Estimate::NOTHING;
        };
        let values = inner.cells();
        Estimate::new(
            inner.estimate().work,
            values.saturating_mul(VALUE_BYTES),
            10_000,
        )
    }

    /// How many rows are summed up.
    pub(super) fn rows_of_summary(&self) -> Result<u64, QueryError> {
        self.levels()?;
        self.inner()?.count()
    }

    fn decimals(&self) -> u32 {
        let wanted = self.digits.unwrap_or(0);
        DECIMALS.max(wanted.saturating_add(SPARE))
    }
}

impl Sink for Gather {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in rows {
            let (keys, cells) = row.split_at(KEYS.len());
            let [source, n, id] = keys else {
                unreachable!("a gathered row begins with its keys");
            };
            let number = |cell: &Cell| match cell {
                Cell::Integer(value) => value.to_big(),
                _ => unreachable!("a target of a range is a number"),
            };
            let source = match source {
                Cell::Integer(sides) => Source::die(sides.to_big()).expect("the source of a row"),
                loaded => {
                    loaded
                        .to_string()
                        .parse::<Sides>()
                        .expect("the source of a row")
                        .0
                }
            };
            let n = number(n).to_u64().expect("a target of a range");
            let id = id.to_string();
            let same = |series: &SourceSeries| {
                series.source == source && series.algorithm.about().id == id
            };
            let at = match self.series.iter().rposition(same) {
                Some(at) => at,
                None => {
                    self.series.push(SourceSeries {
                        source,
                        algorithm: find(&id).map_err(QueryError::input)?,
                        values: self
                            .columns
                            .iter()
                            .map(|column| ColumnValues::empty_for(column))
                            .collect(),
                    });
                    self.series.len() - 1
                }
            };
            if cells.iter().all(Cell::is_empty) {
                continue; // whose algorithm refuses, as the rows say
            }
            let SourceSeries { source, values, .. } = &mut self.series[at];
            for ((values, column), cell) in values.iter_mut().zip(&self.columns).zip(cells) {
                if values.push(n, cell) {
                    continue;
                }
                let why = match cell {
                    Cell::Infinite => "it is infinite",
                    _ => "it is not defined, not known, or too large to be computed unasked",
                };
                self.omissions.count(column.name(), 1, || {
                    let of = format!("n = {n} from {}, by {id}", source.with_article());
                    (of, why.to_string())
                });
            }
        }
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}

/// The same integer, as it is summed.
fn to_ibig(value: &BigInt) -> IBig {
    IBig::from_le_bytes(&value.to_signed_bytes_le())
}

/// The same of either kind of values.
macro_rules! each {
    ($values:expr, $all:ident => $same:expr) => {
        match $values {
            ColumnValues::Whole($all) => $same,
            ColumnValues::Fractions($all) => $same,
        }
    };
}

impl ColumnValues {
    fn empty_for(column: &Column) -> ColumnValues {
        match column.kind() {
            ColumnKind::Exact => ColumnValues::Fractions(Vec::new()),
            _ => ColumnValues::Whole(Vec::new()),
        }
    }

    /// Takes the value of a cell, if it has one.
    fn push(&mut self, n: u64, cell: &Cell) -> bool {
        match (self, cell) {
            (ColumnValues::Whole(all), Cell::Integer(Integer::Word(word))) => {
                all.push((n, (*word).into()))
            }
            (ColumnValues::Whole(all), Cell::Integer(value)) => {
                all.push((n, to_ibig(&value.to_big().into())));
            }
            (ColumnValues::Whole(all), Cell::Decimal(value)) => {
                all.push((n, to_ibig(&value.units())))
            }
            (ColumnValues::Fractions(all), Cell::Exact(value)) => all.push((n, value.clone())),
            _ => return false,
        }
        true
    }

    fn len(&self) -> usize {
        each!(self, all => all.len())
    }

    fn n(&self, at: usize) -> u64 {
        each!(self, all => all[at].0)
    }

    fn order(&self, a: usize, b: usize) -> Ordering {
        each!(self, all => all[a].1.cmp(&all[b].1))
    }

    fn sort(&mut self) {
        each!(self, all => all.sort_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0))))
    }

    /// The sum, times 10^decimals for decimals; `None` if it would be too long.
    fn sum(&self) -> Option<Rational> {
        match self {
            ColumnValues::Whole(all) => {
                let sum: IBig = all.iter().map(|(_, value)| value).sum();
                Some(BigInt::from_signed_bytes_le(&sum.to_le_bytes()).into())
            }
            ColumnValues::Fractions(all) => {
                // Pairs of pairs: the parts of a sum are about as long as each other.
                let all = all.iter().map(|(_, value)| Rational::clone(value));
                let mut parts: Vec<Rational> = all.collect();
                while parts.len() > 1 {
                    let pair = |two: &[Rational]| match two {
                        [a, b] => a + b,
                        one => one[0].clone(),
                    };
                    parts = parts.chunks(2).map(pair).collect();
                    if parts.iter().any(|part| part.denom().bits() > MAX_BITS) {
                        return None;
                    }
                }
                parts.pop()
            }
        }
    }
}

/// The order of two values of a column that are equal as decimals.
fn exact_order(
    of: (&Source, &'static dyn Algorithm),
    column: &'static Column,
    a: u64,
    b: u64,
) -> Ordering {
    let real = |n| value(of.1, of.0, n, column);
    match (real(a), real(b)) {
        // what 8192 bits do not separate counts as equal
        (Ok(a), Ok(b)) => a.compare(&b).unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    }
}

impl SourceSeries {
    /// The extremes and records of a column, in the order of n.
    fn statistics(&self, of: usize, column: &'static Column) -> Statistics {
        let values = &self.values[of];
        let rounded = column.kind() == ColumnKind::Decimal;
        let order = |a: usize, b: usize| match values.order(a, b) {
            Ordering::Equal if rounded => exact_order(
                (&self.source, self.algorithm),
                column,
                values.n(a),
                values.n(b),
            ),
            order => order,
        };
        let mut all = Statistics {
            least: 0,
            largest: 0,
            records: 1,
            last_record: 0,
        };
        for at in 1..values.len() {
            if order(at, all.least) == Ordering::Less {
                all.least = at;
            }
            if order(at, all.largest) == Ordering::Greater {
                (all.largest, all.last_record) = (at, at);
                all.records += 1;
            }
        }
        all
    }

    /// The n at a place of the sorted values; equal decimals are put into the order of their
    /// values.
    fn sorted_n(&self, of: usize, column: &'static Column, place: usize) -> u64 {
        let ColumnValues::Whole(all) = &self.values[of] else {
            return self.values[of].n(place);
        };
        let key = &all[place].1;
        let (low, high) = (
            all.partition_point(|(_, value)| value < key),
            all.partition_point(|(_, value)| value <= key),
        );
        if column.kind() != ColumnKind::Decimal || high - low == 1 {
            return all[place].0;
        }
        let mut equal: Vec<u64> = all[low..high].iter().map(|(n, _)| *n).collect();
        equal.sort_by(|a, b| exact_order((&self.source, self.algorithm), column, *a, *b));
        equal[place - low]
    }
}

impl CostRows {
    /// (The mean as a fraction, the mean as it is written); empty where it is not known.
    fn mean(
        &self,
        values: &ColumnValues,
        kind: ColumnKind,
        precision: Precision,
    ) -> Result<[Cell; 2], QueryError> {
        let count = BigInt::from(values.len());
        let Some(sum) = values.sum() else {
            return Ok([Cell::Empty, Cell::Empty]);
        };
        if kind != ColumnKind::Decimal {
            let mean = sum / &count;
            let bits = u128::from(mean.denom().bits());
            let exact = if bits <= precision.exact_limit {
                Cell::from(&mean)
            } else {
                Cell::Empty
            };
            return Ok([exact, decimal(&Real::Exact(mean), precision)?]);
        }
        // Every value is within half a unit of its decimals.
        let unit = BigInt::from(10u8).pow(self.decimals());
        let end = |sign: i8| {
            let half = Rational::new(&count * sign, 2.into());
            let end = (&sum + half) / (&unit * &count);
            decimal(&Real::Exact(end), precision)
        };
        let (low, high) = (end(-1)?, end(1)?);
        Ok([Cell::Empty, common(&low, &high)])
    }
}

impl CostRows {
    /// The answer, from the rows that `rows` hands on.
    pub(super) fn summarise(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
        rows: impl FnOnce(&mut Gather) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let columns = self.summed()?;
        let precision = precision(self.digits, self.exact)?;
        let levels = self.levels()?;
        let mut head = Head::new()
            .column("source", CellKind::Count)
            .columns(CellKind::Text, ["algorithm", "column"])
            .answers()
            .column("unit", CellKind::Text)
            .column("values", CellKind::Count)
            .column("mean_exact", CellKind::Exact)
            .column("mean", CellKind::Decimal)
            .answers()
            .column("least", CellKind::Decimal)
            .answers()
            .column("least_at", CellKind::Count)
            .column("largest", CellKind::Decimal)
            .answers()
            .column("largest_at", CellKind::Count)
            .answers()
            .columns(CellKind::Count, ["records", "last_record_at"]);
        for level in &levels {
            head = head.column(&format!("quantile_{level}"), CellKind::Decimal);
        }
        sink.head(&head)?;
        let mut gathered = Gather {
            columns: columns.clone(),
            series: Vec::new(),
            omissions: Omissions::default(),
            foot: Foot::default(),
        };
        rows(&mut gathered)?;
        for mut series in gathered.series {
            for (of, &column) in columns.iter().enumerate() {
                control.go_on()?;
                if series.values[of].len() == 0 {
                    continue;
                }
                let request = Request {
                    algorithms: vec![series.algorithm],
                    source: series.source.clone(),
                    columns: vec![column],
                    precision,
                };
                let cell = |n: u64| {
                    let target = Target::uniform(n).map_err(QueryError::input)?;
                    let row = request.compute_row(series.algorithm, &target);
                    let mut row = row.map_err(QueryError::input)?;
                    Ok::<Cell, QueryError>(row.cells.remove(0))
                };
                let found = series.statistics(of, column);
                let values = &series.values[of];
                let [least, largest, record] =
                    [found.least, found.largest, found.last_record].map(|at| values.n(at));
                let unit = match column::unit(column, Some(&series.source)) {
                    unit if unit.is_empty() => Cell::Empty,
                    unit => Cell::Text(unit),
                };
                let [mean_exact, mean] = self.mean(values, column.kind(), precision)?;
                let count = values.len();
                let mut row = row![
                    source_cell(&series.source),
                    series.algorithm.about().id.to_string(),
                    column.name().to_string(),
                    unit,
                    count,
                    mean_exact,
                    mean,
                    cell(least)?,
                    least,
                    cell(largest)?,
                    largest,
                    found.records,
                    record
                ];
                let mut quantiles = Vec::new();
                series.values[of].sort();
                for level in &levels {
                    let place = level.get() * BigInt::from(count);
                    let place = place
                        .ceil()
                        .to_integer()
                        .to_usize()
                        .expect("at most the count");
                    quantiles.push(series.sorted_n(of, column, place.saturating_sub(1)));
                }
                let cell = |n: &u64| cell(*n);
                row.extend(quantiles.iter().map(cell).collect::<Result<Vec<_>, _>>()?);
                sink.rows(vec![row])?;
            }
        }
        let mut foot = gathered.foot;
        foot.notes.extend(gathered.omissions.notes());
        sink.foot(foot)
    }
}
