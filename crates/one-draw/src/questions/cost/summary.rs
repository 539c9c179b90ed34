//! The statistics of many rows: for each source, algorithm and column of numbers, one row with the
//! mean, the extremes, the records and the quantiles.
//!
//! The columns are `source`, `algorithm`, `column`, its `unit` and the number of `values`; then the
//! mean as a fraction (`mean_exact`, if all values are integers or fractions) and as a decimal
//! (`mean`); then `least` and `largest`, each with the first n where it occurs. `records` counts
//! the values that exceed all values before, and states the n of the last record. The column of a
//! quantile q has the least value x of the column such that at least a fraction q of the values are
//! at most x. Targets without a finite value are left out, and a note counts them.
//!
//! Values are collected as integers, as fractions, or as decimals with more digits than are
//! written. Rounding never changes the order of two values, so different decimals have the order of
//! their values. Equal decimals are compared by their exact values: fractions or enclosures.

use super::CostRows;
use super::remarks::Omissions;
use dashu_int::IBig;
use flipcost::algorithms::{Algorithm, find};
use flipcost::table::value;
use flipcost::table::{ALGORITHM, N, SOURCE, source_cell};
use flipcost::table::{Column, ColumnKind, Integer, Precision, Request};
use flipcost::task::{Source, Target};
use flipcost_number::reduce::plus;
use flipcost_number::{BigInt, Rational, Real, nearest_f64};
use flipcost_question::precision::cell_between_bounds;
use flipcost_question::prelude::*;
use flipcost_question::{Probability, column};
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::sync::Arc;

/// The least number of decimals of collected values.
const MIN_DECIMALS: u32 = 30;

/// The number of decimals that are collected in addition to those that are written.
const SPARE_DECIMALS: u32 = 12;

/// The sum of fractions is not computed if its denominator has more bits than this.
const MAX_SUM_BITS: u64 = 1 << 21;

/// The approximate size of a value in bytes.
const VALUE_BYTES: u128 = 48;

/// The values of one column, each with its n.
enum ColumnValues {
    /// Integers, or decimals multiplied by a power of 10.
    Whole(Vec<(u64, IBig)>),
    Fractions(Vec<(u64, RankedFraction)>),
}

/// A fraction with its nearest double. Since rounding never changes the order of two values, only
/// fractions with the same double are compared themselves.
#[derive(Clone, PartialEq)]
struct RankedFraction {
    nearest: f64,
    value: Arc<Rational>,
}

impl Eq for RankedFraction {}

impl Ord for RankedFraction {
    fn cmp(&self, other: &RankedFraction) -> Ordering {
        let nearest = self.nearest.total_cmp(&other.nearest);
        nearest.then_with(|| self.value.cmp(&other.value))
    }
}

impl PartialOrd for RankedFraction {
    fn partial_cmp(&self, other: &RankedFraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The values of one source and one algorithm.
struct SourceSeries {
    source: Source,
    algorithm: &'static dyn Algorithm,
    values: Vec<ColumnValues>,
}

/// The sink that collects the rows of a sweep.
pub(super) struct RowCollector {
    /// The algorithms that the question names.
    algorithms: Vec<AlgorithmId>,
    columns: Vec<&'static Column>,
    series: Vec<SourceSeries>,
    omissions: Omissions,
    foot: Foot,
}

/// The columns at the start of a collected row that identify the row.
static KEY_COLUMNS: [&Column; 3] = [SOURCE, N, ALGORITHM];

/// The statistics of one column.
struct Statistics {
    least: usize,
    largest: usize,
    records: u64,
    last_record: usize,
}

impl CostRows {
    /// Returns the columns to summarise. By default, these are the usual columns except the keys;
    /// columns of fractions are left out unless `exact` asks for them, since other columns have
    /// their decimals.
    fn summarised_columns(&self) -> Result<Vec<&'static Column>, QueryError> {
        let given = column::columns(&self.columns)?.into_iter();
        let fractions = self.exact || !self.columns.is_empty();
        let is_summarised = |column: &&Column| {
            !column.is_key() && (fractions || column.kind() != ColumnKind::Exact)
        };
        let computed: Vec<&Column> = given.filter(is_summarised).collect();
        if computed.is_empty() {
            Err(QueryError::wrong(
                "columns",
                "a summary needs a computed column, and these columns only name the row",
            ))
        } else {
            Ok(computed)
        }
    }

    fn quantile_levels(&self) -> Result<Vec<Probability>, QueryError> {
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

    /// Returns the question for the rows to summarise, with their keys.
    pub(super) fn summarised_rows(&self) -> Result<CostRows, QueryError> {
        let word = |target: &TargetText| target.sides().is_some_and(|n| n.bits() <= 64);
        if !self.target.targets_outside_ranges().all(word) {
            let what = "a summary takes only fair dice of less than 2^64 sides";
            return Err(
                QueryError::wrong("target", what).right("a range such as 2..300 was expected")
            );
        }
        let columns = KEY_COLUMNS.into_iter().chain(self.summarised_columns()?);
        Ok(CostRows {
            columns: columns.map(column::ColumnId).collect(),
            digits: Some(self.decimals()),
            summary: false,
            quantiles: Vec::new(),
            ..self.clone()
        })
    }

    pub(super) fn summary_estimate(&self) -> Estimate {
        let Ok(inner) = self.summarised_rows() else {
            return Estimate::NOTHING;
        };
        let values = inner.cells();
        Estimate::new(
            inner.estimate().work,
            values.saturating_mul(VALUE_BYTES),
            10_000,
        )
    }

    /// Returns the number of rows to summarise.
    pub(super) fn rows_of_summary(&self) -> Result<u64, QueryError> {
        self.quantile_levels()?;
        self.summarised_rows()?.count()
    }

    fn decimals(&self) -> u32 {
        let wanted = self.digits.unwrap_or(0);
        MIN_DECIMALS.max(wanted.saturating_add(SPARE_DECIMALS))
    }
}

impl Sink for RowCollector {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in rows {
            let (keys, cells) = row.split_at(KEY_COLUMNS.len());
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
                    let named = self.algorithms.iter().find(|named| named.id() == id);
                    self.series.push(SourceSeries {
                        source,
                        algorithm: match named {
                            Some(named) => named.0,
                            None => find(&id).map_err(QueryError::input)?,
                        },
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
                continue; // the algorithm refuses this target
            }
            let SourceSeries { source, values, .. } = &mut self.series[at];
            for ((values, column), cell) in values.iter_mut().zip(&self.columns).zip(cells) {
                if values.push(n, cell) {
                    continue;
                }
                let why = match cell {
                    Cell::Infinite => "it is infinite",
                    _ => {
                        "it is not defined, not known, or so large that it is computed only on request"
                    }
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

/// Converts to the integer type of the sums.
fn to_ibig(value: &BigInt) -> IBig {
    IBig::from_le_bytes(&value.to_signed_bytes_le())
}

/// Evaluates an expression for both kinds of values.
macro_rules! for_either_kind {
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

    /// Adds the value of a cell; returns false if the cell has no value.
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
            (ColumnValues::Fractions(all), Cell::Exact(value)) => {
                let nearest = nearest_f64(value.numer(), value.denom());
                let value = value.clone();
                all.push((n, RankedFraction { nearest, value }));
            }
            _ => return false,
        }
        true
    }

    fn len(&self) -> usize {
        for_either_kind!(self, all => all.len())
    }

    fn n(&self, at: usize) -> u64 {
        for_either_kind!(self, all => all[at].0)
    }

    fn order(&self, a: usize, b: usize) -> Ordering {
        for_either_kind!(self, all => all[a].1.cmp(&all[b].1))
    }

    fn sort(&mut self) {
        for_either_kind!(self, all => all.sort_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0))))
    }

    /// Returns the sum, which for decimals is multiplied by 10^decimals; `None` if it would be too
    /// long.
    fn sum(&self) -> Option<Rational> {
        match self {
            ColumnValues::Whole(all) => {
                let sum: IBig = all.iter().map(|(_, value)| value).sum();
                Some(BigInt::from_signed_bytes_le(&sum.to_le_bytes()).into())
            }
            ColumnValues::Fractions(all) => sum_up_to_limit(all),
        }
    }
}

/// Returns the sum of fractions; `None` if the denominator of a partial sum has more than
/// [`MAX_SUM_BITS`] bits. The later half, whose fractions are usually longer, is added first, so
/// that a sum that is too long is given up early.
fn sum_up_to_limit(terms: &[(u64, RankedFraction)]) -> Option<Rational> {
    match terms {
        [] => None,
        [(_, one)] => Some(Rational::clone(&one.value)),
        _ => {
            let (earlier, later) = terms.split_at(terms.len() / 2);
            let later = sum_up_to_limit(later)?;
            let sum = plus(&sum_up_to_limit(earlier)?, &later);
            (sum.denom().bits() <= MAX_SUM_BITS).then_some(sum)
        }
    }
}

fn summary_head(levels: &[Probability]) -> Head {
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
    for level in levels {
        head = head.column(&format!("quantile_{level}"), CellKind::Decimal);
    }
    head
}

/// Compares two values of a column that are equal as decimals.
fn exact_order(
    of: (&Source, &'static dyn Algorithm),
    column: &'static Column,
    a: u64,
    b: u64,
) -> Ordering {
    let real = |n| value(of.1, of.0, n, column);
    match (real(a), real(b)) {
        // Values that 8192 bits do not separate count as equal.
        (Ok(a), Ok(b)) => a.compare(&b).unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    }
}

impl SourceSeries {
    /// Returns the extremes and records of a column; its values are ordered by n.
    fn column_statistics(&self, of: usize, column: &'static Column) -> Statistics {
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

    /// Returns the n at an index of the sorted values. Equal decimals are sorted by their exact
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
    /// Returns the mean as a fraction and as a decimal; a cell is empty if its value is not known.
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
        // Every value differs from its decimals by at most half a unit.
        let unit = BigInt::from(10u8).pow(self.decimals());
        let end = |sign: i8| {
            let half = Rational::new(&count * sign, 2.into());
            let end = (&sum + half) / (&unit * &count);
            decimal(&Real::Exact(end), precision)
        };
        let (low, high) = (end(-1)?, end(1)?);
        Ok([Cell::Empty, cell_between_bounds(&low, &high)])
    }
}

impl CostRows {
    /// Writes the summary of the rows that `rows` passes on.
    pub(super) fn summarise(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
        rows: impl FnOnce(&mut RowCollector) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let columns = self.summarised_columns()?;
        let precision = precision(self.digits, self.exact)?;
        let levels = self.quantile_levels()?;
        sink.head(&summary_head(&levels))?;
        let mut collected = RowCollector {
            algorithms: self.algorithms.clone(),
            columns: columns.clone(),
            series: Vec::new(),
            omissions: Omissions::default(),
            foot: Foot::default(),
        };
        rows(&mut collected)?;
        for mut series in collected.series {
            for (of, &column) in columns.iter().enumerate() {
                control.go_on()?;
                if series.values[of].len() == 0 {
                    continue;
                }
                let row = self.summary_row(&mut series, of, column, &levels, precision)?;
                sink.rows(vec![row])?;
            }
        }
        let mut foot = collected.foot;
        foot.notes.extend(collected.omissions.notes());
        sink.foot(foot)
    }

    /// The row of one column of a series.
    fn summary_row(
        &self,
        series: &mut SourceSeries,
        of: usize,
        column: &'static Column,
        levels: &[Probability],
        precision: Precision,
    ) -> Result<Vec<Cell>, QueryError> {
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
        let found = series.column_statistics(of, column);
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
        for level in levels {
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
        Ok(row)
    }
}
