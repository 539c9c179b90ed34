//! Computes rows: the cells of the requested columns for one algorithm and one task, and the rows
//! of whole ranges.

use super::columns::{
    COLUMNS, CYCLE_ROUNDS, CellFormula, Column, ColumnFormula, ColumnKind, Costs, EXPECTED, N,
    NoValue, RowKey, RowTarget, VARIANCE, WEIGHT_SUM, WORST_CASE,
};
use super::narrow::NarrowRow;
use super::precision::EXACT_LIMIT;
use super::{Cell, Integer, Precision, Unwritten};
use crate::algorithms::{
    Algorithm, AlgorithmError, FAST_DICE_ROLLER, NotKnown, Prepared, Quantity, QuantityResult,
    TableRequest, TableValue, TableValues, Tables, TablesWanted, WorkLimit, find,
};
use crate::law::{Bias, FractionSize, Law, TooLarge};
use crate::roller::decimals::ExpectedDecimals;
use crate::roller::fractions::ExpectedFractions;
use crate::task::{Refusal, Source, Target, Task};
use flipcost_number::expression::ExpressionError;
use flipcost_number::near::nearest;
use flipcost_number::text::{DecimalLimbs, push_word};
use flipcost_number::{Decimal, Rational};
use flipcost_number::{Real, Undecided};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The reason why a row could not be computed.
///
/// ```
/// use flipcost::algorithms::find;
/// use flipcost::table::{Costs, RowError};
/// let bounded = find("bounded").unwrap();
/// let refused = Costs::new(bounded, &"d3 from coin".parse().unwrap()).err();
/// assert!(matches!(refused, Some(RowError::Refused(_))));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// The algorithm does not work for this task.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The algorithm has no closed form, and its chain is too large.
    #[error("{algorithm} has no closed form for n = {target:#}, and {error}")]
    TooLarge {
        /// The algorithm's id.
        algorithm: &'static str,
        /// The target.
        target: Target,
        /// The limit that was exceeded.
        error: TooLarge,
    },
    /// A rounding could not be decided.
    #[error("a target of {} bits: {error}", target.weight_sum().bits())]
    Undecided {
        /// The target.
        target: Target,
        /// The undecided value, with the precision that was tried.
        error: Undecided,
    },
}

impl Column {
    /// Finds the column with this name.
    ///
    /// ```
    /// use flipcost::table::Column;
    /// let error = Column::find("worst-case").unwrap_err().to_string();
    /// assert_eq!(error, "\"worst-case\" is not a column: did you mean worst_case?");
    /// ```
    ///
    /// # Errors
    /// [`ValueError::Unknown`], whose message names the nearest column.
    pub fn find(name: &str) -> Result<&'static Column, ValueError> {
        let found = COLUMNS.iter().copied().find(|column| column.name() == name);
        found.ok_or_else(|| ValueError::Unknown(name.chars().take(40).collect()))
    }
}

/// The reason why an expression has no value for a target, or a statement no truth value.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// The algorithm does not work for the task, or its law cannot be computed.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A column has no value.
    #[error("{column} has no value: {why}")]
    Column {
        /// The column's name.
        column: &'static str,
        /// The reason why there is no value.
        why: NoValue,
    },
    /// An operation is not possible for the values of the columns, for example a division by 0.
    #[error(transparent)]
    Operation(#[from] ExpressionError),
    /// The value of a name is not available.
    #[error("{0}")]
    Named(String),
    /// No column has this name.
    #[error("\"{0}\" is not a column: {hint}", hint = suggest_column(.0))]
    Unknown(String),
    /// The enclosures of the two sides of a statement overlap: the sides may be equal.
    #[error("the two sides may be equal: {0}")]
    Undecided(#[from] Undecided),
}

/// Suggests the column that was probably meant.
fn suggest_column(name: &str) -> String {
    match nearest(name, super::COLUMNS.iter().map(|column| column.name())) {
        Some(near) => format!("did you mean {near}?"),
        None => "a name such as expected, toll or worst_case was expected".to_string(),
    }
}

/// A row, and the values that were left out.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::table::{Column, Precision, Request};
/// use flipcost::task::{Source, Target};
/// let request = Request {
///     algorithms: vec![FAST_DICE_ROLLER],
///     source: Source::COIN,
///     columns: vec![Column::find("n").unwrap(), Column::find("expected_exact").unwrap()],
///     precision: Precision::default(),
/// };
/// let row = request.compute_row(FAST_DICE_ROLLER, &Target::uniform(6u8)?)?;
/// assert_eq!(row.cells[1].to_string(), "11/3");
/// assert_eq!(row.left_out, None); // the fraction is short
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The values, in the order of the columns.
    pub cells: Vec<Cell>,
    /// The size of an exact fraction that was left out because it is so large that it is shown only
    /// if its column is requested by name.
    pub left_out: Option<FractionSize>,
    /// If a quantity that the algorithm offers is unknown: the name of its column, and the reason.
    pub not_known: Option<(&'static str, NotKnown)>,
    /// The cells that are missing, each with the reason: an expression without a value (for example
    /// a division by 0) is given by its text, and all cells of an algorithm that refuses the task
    /// are given by its id.
    pub omitted: Vec<(&'static str, String)>,
}

impl Row {
    /// Adds the reason why a column has no value; returns its cell.
    fn omit(&mut self, column: &Column, why: impl ToString) -> Cell {
        self.omitted.push((column.name(), why.to_string()));
        Cell::Undefined
    }
}

/// The algorithms, source and columns that are requested for every target.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::table::{Column, Precision, Request};
/// use flipcost::task::Source;
/// let request = Request {
///     algorithms: vec![FAST_DICE_ROLLER],
///     source: Source::COIN,
///     columns: vec![Column::find("n").unwrap(), Column::find("expected").unwrap()],
///     precision: Precision { digits: Some(3), ..Precision::default() },
/// };
/// assert_eq!(request.headers(), ["n", "expected"]);
/// let rows = request.rows(5..=7, &request.tables(7))?;
/// let expected: Vec<String> = rows.iter().map(|row| row.cells[1].to_string()).collect();
/// assert_eq!(expected, ["3.600", "3.667", "3.429"]);
/// # Ok::<(), flipcost::table::RowError>(())
/// ```
///
/// Rows are ordered by n, and then as the algorithms are. The cells of a row are ordered as the
/// columns are: `cells[i]` is the value of `columns[i]`. [`Request::tables`] uses all cores. The
/// rows of a range are computed on the calling thread. To use several threads, divide a long range
/// into chunks for [`threads::map`](flipcost_number::threads::map) or
/// [`Workers::ordered`](flipcost_number::threads::Workers::ordered); all chunks share the tables
/// (see the example `million`).
#[derive(Clone, Debug)]
pub struct Request {
    /// The algorithms, in the order of the rows.
    pub algorithms: Vec<&'static dyn Algorithm>,
    /// The source, which has at most 2^64 sides.
    pub source: Source,
    /// The columns.
    pub columns: Vec<&'static Column>,
    /// How numbers are written.
    pub precision: Precision,
}

/// Precomputed tables for a range, one for each algorithm that has them; see [`Request::tables`].
pub struct RangeTables(Vec<Option<Box<dyn Tables>>>);

/// The values that the tables give for a chunk of a range; see [`Request::look_up`].
pub struct Chunk<'a> {
    low: u64,
    /// For each algorithm: its tables, and for each column the values of all targets of the chunk.
    of: Vec<ChunkLookup<'a>>,
}

struct ChunkLookup<'a> {
    tables: Option<&'a dyn Tables>,
    values: Vec<Option<TableValues>>,
}

/// A column whose cells in a chunk are all known. They are words, fractions or decimals, and are
/// written without creating a [`Cell`] for each.
#[derive(Clone, Copy)]
pub struct ChunkColumn<'a>(ColumnPart<'a>);

#[derive(Clone, Copy)]
enum ColumnPart<'a> {
    /// The target.
    Target,
    /// The same word for every n.
    Same(u64),
    /// A word for each n, beginning with the n of the first field.
    Listed(u64, &'a [u64]),
    /// Fractions in lowest terms, with their decimals.
    Fractions(&'a ExpectedFractions),
    /// Decimals of the flips of the fast dice roller.
    Decimals(&'a ExpectedDecimals),
}

/// Returns the cell of a value that was looked up; `None` if there is no cell for it.
fn looked_up_cell(value: TableValue) -> Option<Cell> {
    Some(match value {
        TableValue::Double(value) => Cell::Double(value),
        TableValue::Decimals(decimal) => Cell::Decimal(decimal),
        TableValue::WorstCase(rolls) => Cell::or_infinite(rolls),
        TableValue::Narrow(_) => return None,
    })
}

/// The decimals for n below 2^32.
fn decimals_of(n: u64, all: &ExpectedDecimals) -> Cell {
    let mut text = Vec::with_capacity(all.digits() as usize + 3);
    all.push(n, &mut text).expect("below 2^32");
    let text = String::from_utf8(text).expect("digits");
    Cell::Decimal(Decimal::nearest(text))
}

impl ChunkColumn<'_> {
    /// Returns the cell of the target n.
    pub fn cell(&self, n: u64) -> Cell {
        match self.0 {
            ColumnPart::Fractions(all) => all.rational(n).into(),
            ColumnPart::Decimals(all) => decimals_of(n, all),
            part => Cell::Integer(Integer::Word(part.word(n))),
        }
    }

    /// Appends the text of the cell of n, followed by the byte `behind`; `sum` is a scratch buffer.
    #[inline]
    pub fn push_text(&self, n: u64, behind: u8, sum: &mut DecimalLimbs, out: &mut Vec<u8>) {
        match self.0 {
            ColumnPart::Fractions(all) => all.push_text(n, sum, out),
            ColumnPart::Decimals(all) => all.push(n, out).expect("a word has decimals"),
            part => return push_word(part.word(n), behind, out),
        }
        out.push(behind);
    }

    /// The approximate maximum width of a cell; for fractions, the width of a short fraction.
    pub fn width(&self) -> usize {
        match self.0 {
            ColumnPart::Decimals(all) => all.digits() as usize + 3,
            ColumnPart::Same(_) => 4,
            _ => 8,
        }
    }

    /// Whether the column's cells are integers that fit in words.
    pub fn are_integers(&self) -> bool {
        !matches!(self.0, ColumnPart::Fractions(_) | ColumnPart::Decimals(_))
    }

    /// Converts all fractions to digits at once, which is faster than one at a time.
    pub fn convert(&self) {
        if let ColumnPart::Fractions(all) = self.0 {
            all.convert();
        }
    }
}

impl ColumnPart<'_> {
    /// The word for n, in a column of words.
    #[inline]
    fn word(self, n: u64) -> u64 {
        match self {
            ColumnPart::Same(word) => word,
            ColumnPart::Listed(low, words) => words[(n - low) as usize],
            _ => n,
        }
    }
}

impl Costs {
    /// Computes the costs of an algorithm for a task.
    ///
    /// # Errors
    /// [`RowError`] if the algorithm refuses the task, or has no closed form and too large a chain.
    pub fn new(algorithm: &dyn Algorithm, task: &Task) -> Result<Costs, RowError> {
        Costs::from_prepared(algorithm, algorithm.prepare(task)?.into(), task)
    }

    fn from_prepared(
        algorithm: &dyn Algorithm,
        prepared: Arc<dyn Prepared>,
        task: &Task,
    ) -> Result<Costs, RowError> {
        let law = prepared.law().map_err(|error| match error {
            AlgorithmError::TooLarge(error) => RowError::TooLarge {
                algorithm: algorithm.about().id,
                target: task.target().clone(),
                error,
            },
            error => RowError::Refused(error.into()),
        })?;
        Ok(Costs::known(law, prepared, task.clone()))
    }
}

/// The optimal algorithm for a target: no other algorithm has a smaller P(T > t) for any t.
fn optimal_algorithm(target: &Target) -> &'static dyn Algorithm {
    match target.sides() {
        Some(_) => FAST_DICE_ROLLER,
        None => find("knuth-yao").expect("it is in the registry"),
    }
}

/// Returns the value of a numeric column for an algorithm, a source and a target. Cost: the
/// computation of the column.
///
/// # Errors
/// [`ValueError`] if there is no value, for example because the algorithm does not work for these
/// dice.
pub fn value(
    algorithm: &'static dyn Algorithm,
    source: &Source,
    n: u64,
    column: &'static Column,
) -> Result<Real, ValueError> {
    let target = Integer::Word(n);
    let mut lazy = PreparedRow::for_target(algorithm, source.clone(), RowTarget::Sides(&target));
    lazy.check_possible()?;
    match column.find {
        CellFormula::Formula(formula) => lazy.formula(formula, false),
        _ => lazy.number(column, false, true),
    }
}

/// A row in progress: values that its columns need are computed on the first request, and kept.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::task::{Source, Task};
/// use flipcost::table::PreparedRow;
/// let task = Task::die(6u8, Source::COIN)?;
/// let mut row = PreparedRow::new(FAST_DICE_ROLLER, &task);
/// assert_eq!(row.costs()?.mean().to_string(), "11/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PreparedRow<'a> {
    algorithm: &'a dyn Algorithm,
    source: Source,
    target: RowTarget<'a>,
    task: Option<Cow<'a, Task>>,
    prepared: Option<Arc<dyn Prepared>>,
    costs: Option<Costs>,
}

impl<'a> PreparedRow<'a> {
    /// Prepares the row of this algorithm and this task.
    pub fn new(algorithm: &'a dyn Algorithm, task: &'a Task) -> PreparedRow<'a> {
        PreparedRow {
            task: Some(Cow::Borrowed(task)),
            ..PreparedRow::for_target(
                algorithm,
                task.source().clone(),
                RowTarget::Target(task.target()),
            )
        }
    }

    pub(super) fn for_target(
        algorithm: &'a dyn Algorithm,
        source: Source,
        target: RowTarget<'a>,
    ) -> PreparedRow<'a> {
        PreparedRow {
            algorithm,
            source,
            target,
            task: None,
            prepared: None,
            costs: None,
        }
    }

    /// A quantity that the algorithm offers; if `counted`, counting rounds may take a long time.
    fn quantity(&mut self, quantity: Quantity, counted: bool) -> Result<QuantityResult, RowError> {
        let most_rolls = if counted {
            WorkLimit::default().most_rolls
        } else {
            0
        };
        let limit = WorkLimit { most_rolls };
        Ok(self.prepared()?.quantity(quantity, limit))
    }

    /// The value of a numeric column, or the reason why there is none. If `exact`, fractions of up
    /// to [`EXACT_LIMIT`] bits are used instead of enclosures.
    pub(super) fn real(
        &mut self,
        column: &Column,
        exact: bool,
        counted: bool,
    ) -> Result<Result<Real, NoValue>, RowError> {
        let fraction = |value: fn(&Law, u128) -> Result<Rational, FractionSize>, law: &Law| {
            value(law, EXACT_LIMIT)
                .map(Real::Exact)
                .map_err(NoValue::TooLarge)
        };
        let number = |cell| match cell {
            Cell::Integer(value) => Ok(Real::integer(value.to_big())),
            Cell::Exact(value) => Ok(Real::Exact(Arc::unwrap_or_clone(value))),
            Cell::Flag(value) => Ok(Real::integer(u8::from(value))),
            Cell::Infinite => Err(NoValue::Infinite),
            _ => Err(NoValue::Empty),
        };
        Ok(match column.find {
            CellFormula::Key(cell) => number(cell(&self.row_key())),
            CellFormula::OfPair(cell) => number(self.row_key().of_pair(cell)),
            CellFormula::Law(cell) => number(cell(self.costs()?)),
            CellFormula::Ratio(value) => {
                let value = value(self.costs()?).map(Real::Exact);
                value.ok_or(NoValue::Infinite)
            }
            CellFormula::Exact(value) => fraction(value, self.costs()?.law()),
            CellFormula::Real(_) if exact && column == EXPECTED => {
                fraction(Law::mean_up_to, self.costs()?.law())
            }
            CellFormula::Real(_) if exact && column == VARIANCE => {
                fraction(Law::variance_up_to, self.costs()?.law())
            }
            CellFormula::Real(value) => value(self.costs()?).ok_or(NoValue::Undefined),
            CellFormula::Offered(quantity) => match self.quantity(quantity, counted)? {
                Ok(value) => Ok(Real::integer(value)),
                Err(why) => Err(why.into()),
            },
            CellFormula::Over(other) => match self.over(other, EXACT_LIMIT)? {
                Some(above) => Ok(above),
                None => Err(NoValue::Empty),
            },
            CellFormula::Formula(_) => unreachable!("only columns of the registry have names"),
        })
    }

    /// The expected source rolls in excess of those of another algorithm, or of the optimum if
    /// `None`. The difference is a fraction if both means are fractions within the limit of bits,
    /// otherwise it is enclosed; `None` if the other algorithm does not work for the task.
    fn over(
        &mut self,
        other: Option<&'static dyn Algorithm>,
        most_bits: u128,
    ) -> Result<Option<Real>, RowError> {
        let own = self.costs()?;
        let other = other.unwrap_or_else(|| optimal_algorithm(own.task().target()));
        let costs = match Costs::new(other, own.task()) {
            Ok(costs) => costs,
            Err(RowError::Refused(_) | RowError::TooLarge { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mean = |costs: &Costs| match costs.law().mean_up_to(most_bits) {
            Ok(mean) => Real::Exact(mean),
            Err(_) => costs.mean().clone(),
        };
        Ok(Some(mean(own).minus(&mean(&costs))))
    }

    /// The value of an expression; for `exact` see [`PreparedRow::real`].
    pub(super) fn formula(
        &mut self,
        formula: &dyn ColumnFormula,
        exact: bool,
    ) -> Result<Real, ValueError> {
        let columns = formula.columns();
        // An expression that contains the column of rounds is an explicit request for rounds, so
        // counting them may take long.
        let counted = columns.contains(&CYCLE_ROUNDS);
        let mut names = Vec::with_capacity(columns.len());
        for column in columns {
            names.push((column.name(), self.number(column, exact, counted)?));
        }
        Ok(formula.value(&names)?)
    }

    /// The value of a numeric column; see [`PreparedRow::real`].
    pub(super) fn number(
        &mut self,
        column: &Column,
        exact: bool,
        counted: bool,
    ) -> Result<Real, ValueError> {
        let value = self.real(column, exact, counted)?;
        value.map_err(|why| {
            let column = column.name();
            ValueError::Column { column, why }
        })
    }

    /// The values that identify the row: target, source and algorithm.
    fn row_key(&self) -> RowKey<'_> {
        RowKey {
            target: self.target,
            source: &self.source,
            algorithm: self.algorithm.about().id,
        }
    }

    fn prepared(&mut self) -> Result<&Arc<dyn Prepared>, RowError> {
        if self.prepared.is_none() {
            let task = match self.task.take() {
                Some(task) => task,
                None => {
                    let target = match self.target {
                        RowTarget::Sides(n) => {
                            let target = Target::uniform(n.to_big());
                            target.map_err(|error| Refusal::Rule(error.to_string()))?
                        }
                        RowTarget::Target(target) => target.clone(),
                    };
                    Cow::Owned(Task::new(target, self.source.clone()))
                }
            };
            self.prepared = Some(self.algorithm.prepare(&task)?.into());
            self.task = Some(task);
        }
        Ok(self.prepared.as_ref().expect("just made"))
    }

    /// Fails if the algorithm does not work for these dice.
    pub(super) fn check_possible(&mut self) -> Result<(), RowError> {
        self.prepared().map(|_| ())
    }

    /// The costs of the algorithm.
    ///
    /// # Errors
    /// [`RowError`], if there are no costs.
    pub fn costs(&mut self) -> Result<&Costs, RowError> {
        if self.costs.is_none() {
            let prepared = self.prepared()?.clone();
            let task = self.task.as_ref().expect("made with it");
            self.costs = Some(Costs::from_prepared(self.algorithm, prepared, task)?);
        }
        Ok(self.costs.as_ref().expect("just made"))
    }

    /// The bias of the outcomes; `None` if the rule is exactly fair or refuses the task.
    pub fn bias(&mut self) -> Option<Cow<'_, Bias>> {
        if self.costs.is_none() {
            return self.prepared().ok()?.bias().ok()?.map(Cow::Owned);
        }
        self.costs.as_ref()?.bias().map(Cow::Borrowed)
    }

    fn undecided_error(&self, error: Undecided) -> RowError {
        let target = self.target.target().expect("a row that was prepared");
        RowError::Undecided { target, error }
    }
}

impl Request {
    /// The names of the columns.
    pub fn headers(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.name()).collect()
    }

    /// Computes the row of one algorithm and one target.
    ///
    /// ```
    /// use flipcost::table::{Column, Precision, Request};
    /// use flipcost::task::{Source, Target};
    /// let fldr = flipcost::algorithms::find("fldr")?;
    /// let columns = ["target", "weight_sum", "expected_exact", "toll"];
    /// let request = Request {
    ///     algorithms: vec![fldr],
    ///     source: Source::COIN,
    ///     columns: columns.iter().map(|name| Column::find(name)).collect::<Result<_, _>>()?,
    ///     precision: Precision { digits: Some(3), ..Precision::default() },
    /// };
    /// let row = request.compute_row(fldr, &Target::weighted([4u8, 7, 8])?)?;
    /// let cells: Vec<String> = row.cells.iter().map(|cell| cell.to_string()).collect();
    /// assert_eq!(cells, ["4:7:8", "19", "86/19", "2.997"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RowError`], if the row cannot be computed.
    pub fn compute_row(
        &self,
        algorithm: &'static dyn Algorithm,
        target: &Target,
    ) -> Result<Row, RowError> {
        let wants = RowTarget::Target(target);
        self.row_from(&mut PreparedRow::for_target(
            algorithm,
            self.source.clone(),
            wants,
        ))
    }

    /// Computes the cells of the prepared row, reusing the values that it already has.
    ///
    /// # Errors
    /// [`RowError`], if the row cannot be computed.
    pub fn row_from(&self, prepared: &mut PreparedRow) -> Result<Row, RowError> {
        let mut row = Row::default();
        self.fill_cells(prepared, |_| None, &mut row)?;
        Ok(row)
    }

    /// The values that the column requests from the tables.
    fn wanted(&self, column: &Column) -> Option<TableRequest> {
        column.wanted(self.precision.digits, self.precision.exact_limit)
    }

    /// Computes the tables that make a range up to `last` fast, for each algorithm that has them.
    pub fn tables(&self, last: u64) -> RangeTables {
        let wanted: Vec<TableRequest> = (self.columns.iter())
            .filter_map(|column| self.wanted(column))
            .collect();
        let tables = |algorithm: &&'static dyn Algorithm| {
            let any = !wanted.is_empty();
            // A source of more than 2^64 sides has no tables; its targets are computed one at a
            // time.
            let source = self
                .source
                .small()
                .filter(|m| *m <= Task::MAX_COUNTED_FACES)?;
            let tables = any.then(|| algorithm.tables(source, last, TablesWanted(&wanted)))?;
            Some(tables?.0)
        };
        RangeTables(self.algorithms.iter().map(tables).collect())
    }

    /// Looks up the values of a chunk in the tables. The cost per n falls with the length of the
    /// chunk.
    pub fn look_up<'a>(&self, targets: &RangeInclusive<u64>, tables: &'a RangeTables) -> Chunk<'a> {
        let (low, high) = (*targets.start(), *targets.end());
        let wanted: Vec<Option<TableRequest>> = (self.columns.iter())
            .map(|column| self.wanted(column))
            .collect();
        let asked: Vec<TableRequest> = wanted.iter().flatten().copied().collect();
        let looked = |tables: &'a Option<Box<dyn Tables>>| {
            let tables = tables.as_deref();
            let found = match (tables, high.checked_add(1)) {
                (Some(tables), Some(end)) => tables.many(&asked, low..end),
                _ => asked.iter().map(|_| None).collect(),
            };
            // Assign the results to the columns.
            let mut found = found.into_iter();
            let values = wanted.iter().map(|wanted| {
                let known = wanted.and_then(|_| found.next());
                known.flatten()
            });
            ChunkLookup {
                tables,
                values: values.collect(),
            }
        };
        Chunk {
            low,
            of: tables.0.iter().map(looked).collect(),
        }
    }

    /// The columns of all rows of a chunk, one list for each algorithm, if all cells are known and
    /// are words, fractions or decimals; otherwise `None`. [`Request::each_row`] computes the same
    /// values more slowly.
    pub fn words<'a>(&self, chunk: &'a Chunk) -> Option<Vec<Vec<ChunkColumn<'a>>>> {
        let row = |(algorithm, looked): (&&'static dyn Algorithm, &'a ChunkLookup)| {
            let word = |(column, values): (&&'static Column, &'a Option<TableValues>)| {
                if *column == N || *column == WEIGHT_SUM {
                    return Some(ColumnPart::Target);
                }
                match (column.find, values) {
                    (CellFormula::Key(cell), _) => {
                        let key = RowKey {
                            target: RowTarget::Sides(&Integer::Word(chunk.low)),
                            source: &self.source,
                            algorithm: algorithm.about().id,
                        };
                        match cell(&key) {
                            Cell::Integer(Integer::Word(word)) => Some(ColumnPart::Same(word)),
                            _ => None,
                        }
                    }
                    (_, Some(TableValues::Words(words))) => {
                        Some(ColumnPart::Listed(chunk.low, words))
                    }
                    (_, Some(TableValues::Fractions(all))) => Some(ColumnPart::Fractions(all)),
                    (_, Some(TableValues::Decimals(all))) => Some(ColumnPart::Decimals(all)),
                    _ => None,
                }
            };
            let word = |both| word(both).map(ChunkColumn);
            self.columns.iter().zip(&looked.values).map(word).collect()
        };
        self.algorithms.iter().zip(&chunk.of).map(row).collect()
    }

    /// Calls `each` with each n of `targets` and its row for each algorithm, ordered by n and then
    /// as the algorithms are. `targets` is the range of the chunk that was looked up, or a part of
    /// it. If an algorithm cannot make a die, its cells are empty.
    ///
    /// # Errors
    /// The first error of `each`, or [`RowError::Undecided`] for a rounding that no enclosure
    /// decides.
    pub fn each_row<E: From<RowError>>(
        &self,
        targets: RangeInclusive<u64>,
        chunk: &Chunk,
        mut each: impl FnMut(u64, &mut Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut row = Row::default();
        let wanted: Vec<Option<TableRequest>> = (self.columns.iter())
            .map(|column| self.wanted(column))
            .collect();
        let source = self.source.small();
        for n in targets {
            let sides = Integer::Word(n);
            for (algorithm, looked) in self.algorithms.iter().zip(&chunk.of) {
                let tables = looked.tables;
                let words = tables
                    .zip(source)
                    .map(|(tables, m)| NarrowRow::new(n, m, tables));
                let known = |i: usize| {
                    let at = (n - chunk.low) as usize;
                    let cell = match (&looked.values[i], wanted[i]?) {
                        (Some(TableValues::TooLarge(sizes)), _) => return Some(Err(sizes[at]?)),
                        (Some(TableValues::Words(words)), _) => {
                            Cell::Integer(Integer::Word(words[at]))
                        }
                        (Some(TableValues::Fractions(all)), _) => all.rational(n).into(),
                        (Some(TableValues::Decimals(all)), _) => decimals_of(n, all),
                        (None, TableRequest::MeanNarrow) => {
                            Cell::Double(words.as_ref()?.value(self.columns[i])?.nearest()?)
                        }
                        (None, wanted) => looked_up_cell(tables?.single_value(wanted, n)?)?,
                    };
                    Some(Ok(cell))
                };
                let wants = RowTarget::Sides(&sides);
                let mut prepared = PreparedRow::for_target(*algorithm, self.source.clone(), wants);
                match self.fill_cells(&mut prepared, known, &mut row) {
                    Err(why @ (RowError::Refused(_) | RowError::TooLarge { .. })) => {
                        self.fill_blank(*algorithm, RowTarget::Sides(&sides), &why, &mut row)
                    }
                    filled => filled?,
                }
                each(n, &mut row)?;
            }
        }
        Ok(())
    }

    /// Computes the rows of a range; see [`Request::each_row`].
    ///
    /// # Errors
    /// [`RowError::Undecided`] for a rounding that no enclosure decides.
    pub fn rows(
        &self,
        targets: RangeInclusive<u64>,
        tables: &RangeTables,
    ) -> Result<Vec<Row>, RowError> {
        let chunk = self.look_up(&targets, tables);
        let mut rows = Vec::new();
        self.each_row(targets, &chunk, |_, row| {
            rows.push(std::mem::take(row));
            Ok::<(), RowError>(())
        })?;
        Ok(rows)
    }

    /// The row of an algorithm that does not work for this target: the cells that identify the row
    /// are filled, and the others are empty.
    pub fn blank_of(&self, algorithm: &dyn Algorithm, target: &Target, why: &RowError) -> Row {
        let mut row = Row::default();
        self.fill_blank(algorithm, RowTarget::Target(target), why, &mut row);
        row
    }

    fn fill_blank(
        &self,
        algorithm: &dyn Algorithm,
        target: RowTarget,
        why: &RowError,
        row: &mut Row,
    ) {
        let algorithm = algorithm.about().id;
        let key = RowKey {
            target,
            source: &self.source,
            algorithm,
        };
        let cell = |column: &&'static Column| match column.find {
            CellFormula::Key(cell) => cell(&key),
            CellFormula::OfPair(cell) => key.of_pair(cell),
            _ => Cell::Empty,
        };
        *row = Row {
            cells: self.columns.iter().map(cell).collect(),
            omitted: vec![(algorithm, why.to_string())],
            ..Row::default()
        };
    }

    /// Fills a row. For each column, `known` contains the cell that the tables provide, or the size
    /// of a fraction that is too large.
    #[inline]
    fn fill_cells(
        &self,
        prepared: &mut PreparedRow,
        known: impl Fn(usize) -> Option<Result<Cell, FractionSize>>,
        row: &mut Row,
    ) -> Result<(), RowError> {
        row.cells.clear();
        row.left_out = None;
        row.not_known = None;
        row.omitted.clear();
        for (i, column) in self.columns.iter().enumerate() {
            let cell = if let CellFormula::Key(cell) = column.find {
                cell(&prepared.row_key())
            } else {
                match known(i) {
                    Some(Ok(cell)) => cell,
                    Some(Err(size)) => {
                        row.left_out = Some(size);
                        Cell::Empty
                    }
                    None => self.compute_cell(prepared, column, row)?,
                }
            };
            row.cells.push(cell);
        }
        Ok(())
    }

    /// Computes a cell; if it is empty or undefined, the row says why.
    fn compute_cell(
        &self,
        prepared: &mut PreparedRow,
        column: &Column,
        row: &mut Row,
    ) -> Result<Cell, RowError> {
        Ok(match column.find {
            CellFormula::Key(cell) => cell(&prepared.row_key()),
            CellFormula::OfPair(cell) => prepared.row_key().of_pair(cell),
            CellFormula::Formula(formula) => match prepared.formula(formula, false) {
                Ok(value) => self.cell_of_value(&value, column, row),
                Err(ValueError::Row(error)) => return Err(error),
                Err(ValueError::Operation(error)) => row.omit(column, error.what()),
                Err(why) => row.omit(column, why),
            },
            CellFormula::Over(other) => {
                let above = prepared.over(other, self.precision.exact_limit)?;
                match (above, column.kind()) {
                    (None, _) => Cell::Empty,
                    (Some(Real::Exact(above)), ColumnKind::Exact) => above.into(),
                    (Some(_), ColumnKind::Exact) => {
                        row.left_out = Some(prepared.costs()?.law().size());
                        Cell::Empty
                    }
                    (Some(above), _) => self.cell_of_value(&above, column, row),
                }
            }
            CellFormula::Law(cell) => {
                let costs = prepared.costs()?;
                match costs.law().unsettled() {
                    Some(rolls) if column == WORST_CASE => {
                        row.not_known = Some((column.name(), NotKnown::Unsettled(rolls)));
                        Cell::Empty
                    }
                    _ => cell(costs),
                }
            }
            CellFormula::Ratio(value) => match value(prepared.costs()?) {
                Some(value) => value.into(),
                None => Cell::Infinite,
            },
            CellFormula::Real(value) => match value(prepared.costs()?) {
                None => Cell::Undefined,
                Some(value) => match self.precision.cell(&value) {
                    Ok(cell) => cell,
                    Err(Unwritten::Undecided(error)) => {
                        return Err(prepared.undecided_error(error));
                    }
                    Err(why) => row.omit(column, why),
                },
            },
            CellFormula::Exact(value) => {
                match value(prepared.costs()?.law(), self.precision.exact_limit) {
                    Ok(fraction) => fraction.into(),
                    Err(size) => {
                        row.left_out = Some(size);
                        Cell::Empty
                    }
                }
            }
            CellFormula::Offered(quantity) => {
                // Counting rounds may take long only if the column of rounds is requested.
                let counted = self.columns.contains(&CYCLE_ROUNDS);
                match prepared.quantity(quantity, counted)? {
                    Ok(value) => Cell::Integer(value.into()),
                    Err(why) => {
                        if why != NotKnown::NotOffered {
                            row.not_known = Some((column.name(), why));
                        }
                        Cell::Empty
                    }
                }
            }
        })
    }

    /// Writes a value; if that is impossible, the row says why.
    fn cell_of_value(&self, value: &Real, column: &Column, row: &mut Row) -> Cell {
        self.precision
            .cell(value)
            .unwrap_or_else(|why| row.omit(column, why))
    }
}
