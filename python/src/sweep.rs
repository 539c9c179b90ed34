//! Sweeps by columns: doubles and machine integers as bytes that NumPy reads, exact fractions that
//! are computed when they are looked at, the rest as cells that become objects when they are looked at.

use crate::answer::{described, failure, kind_name, object, question};
use crate::error::{QuestionError, TooLargeError};
use crate::law::MOST_BITS;
use crate::run::{heeding, run, watched};
use crate::units::Part;
use flipcost::law::FractionSize;
use flipcost::table::precision::size_in_words;
use flipcost::table::{Cell, Column as TableColumn, ColumnKind, Integer, Request};
use flipcost_number::chunks::Workers;
use flipcost_one_draw::questions::CostRows;
use flipcost_question::{
    ColumnHead, ColumnId, Door, Foot, Head, Kind, Query, QueryError, Sink, cell_of_state,
    cell_state, unit,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

/// The most memory that the columns of a sweep take, in bytes.
const MOST_BYTES: usize = 4 << 30;

/// Cells that are neither doubles nor machine integers.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Cells {
    kind: Kind,
    cells: Vec<Cell>,
    /// About the memory that they take.
    bytes: usize,
}

impl Cells {
    fn new(kind: Kind) -> Cells {
        let (cells, bytes) = (Vec::new(), 0);
        Cells { kind, cells, bytes }
    }

    fn push(&mut self, cell: Cell) {
        self.bytes += bytes_of(&cell);
        self.cells.push(cell);
    }
}

fn bytes_of(cell: &Cell) -> usize {
    let more = match cell {
        Cell::Text(text) => text.len() as u64,
        Cell::Decimal(value) => value.text().len() as u64,
        Cell::Exact(value) => 64 + (value.numer().bits() + value.denom().bits()) / 8,
        Cell::Integer(Integer::Big(value)) => value.bits() / 8,
        _ => 0,
    };
    size_of::<Cell>() + more as usize
}

#[pymethods]
impl Cells {
    fn __len__(&self) -> usize {
        self.cells.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self.cells.get(index) {
            None => Err(PyIndexError::new_err("no such row")),
            Some(cell) => object(py, self.kind, cell),
        }
    }

    /// The cells of these rows.
    fn block<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        end: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (first..end)
            .map(|index| self.__getitem__(py, index))
            .collect()
    }

    /// The cells of these rows as the program writes them; None where they are empty.
    fn texts(&self, first: usize, end: usize) -> Vec<Option<String>> {
        let cells = self.cells.iter().take(end).skip(first);
        let text = |cell: &Cell| (!cell.is_empty()).then(|| cell.to_string());
        cells.map(text).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Cells>().is_ok_and(|other| {
            let other = other.get();
            (self.kind, &self.cells) == (other.kind, &other.cells)
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let load = py.get_type::<Cells>().getattr("_load")?;
        let cells: Vec<Value> = self.cells.iter().map(cell_state).collect();
        Ok((load, (kind_name(self.kind), Value::from(cells).to_string())))
    }

    /// Cells from what `__reduce__` wrote.
    #[staticmethod]
    fn _load(kind: &str, cells: &str) -> PyResult<Cells> {
        let whole = || {
            let mut all = Cells::new(serde_json::from_value(kind.into()).ok()?);
            let cells: Vec<Value> = serde_json::from_str(cells).ok()?;
            for cell in &cells {
                all.push(cell_of_state(cell)?);
            }
            Some(all)
        };
        whole().ok_or_else(|| {
            QuestionError::new_err("the pickled column is damaged, or of another version")
        })
    }
}

/// A column of exact fractions of a sweep: a cell is computed when it is looked at.
///
/// A fraction that the program leaves out, since it has more bits than it writes unasked, is None.
/// Where the sweep is `exact`, one of more than [`MOST_BITS`] raises TooLargeError.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Fractions {
    /// The rows, with this column alone.
    asked: CostRows,
    /// Its targets.
    range: RangeInclusive<u64>,
    request: Request,
}

/// Why fractions are not there.
enum Missing {
    Failed(QueryError),
    TooLarge(u64, FractionSize),
    TooMany,
}

impl Fractions {
    fn new(asked: CostRows) -> Result<Fractions, QueryError> {
        let range = asked.range()?;
        let (range, mut request) =
            range.ok_or_else(|| QueryError::input("a range of one source was expected"))?;
        if asked.exact {
            request.precision.exact_limit = MOST_BITS;
        }
        Ok(Fractions {
            asked,
            range,
            request,
        })
    }

    /// The cells of these rows, at most [`MOST_BYTES`] of them. Cost: as of the program's sweep over
    /// their targets.
    fn computed(&self, py: Python<'_>, rows: Range<usize>) -> PyResult<Cells> {
        let mut request = self.request.clone();
        let each = request.algorithms.len();
        let (mut skip, many) = (rows.start % each, rows.len());
        let target = |row: usize| self.range.start() + (row / each) as u64;
        let (low, high) = (target(rows.start), target(rows.end - 1));
        if many == 1 {
            request.algorithms = vec![request.algorithms[skip]];
            skip = 0;
        }
        let exact = self.asked.exact;
        let found = heeding(py, move |control| -> Result<Cells, Missing> {
            let workers = Workers::new(0);
            let tables = workers.run(|| request.tables(high));
            let chunk = flipcost::sweep::chunk(&request, high);
            let work = |part: RangeInclusive<u64>| {
                control.go_on().map_err(Missing::Failed)?;
                let found = request.rows(part.clone(), &tables);
                let found = found.map_err(|error| Missing::Failed(QueryError::input(error)))?;
                Ok((*part.start(), found))
            };
            let each = request.algorithms.len();
            let (mut cells, mut place) = (Cells::new(Kind::Exact), 0);
            workers.ordered(low..=high, chunk, work, |(first, found), _| {
                for (i, mut row) in found.into_iter().enumerate() {
                    if (skip..skip + many).contains(&place) {
                        if let (true, Some(size)) = (exact, row.left_out) {
                            return Err(Missing::TooLarge(first + (i / each) as u64, size));
                        }
                        cells.push(row.cells.remove(0));
                    }
                    place += 1;
                }
                if cells.bytes > MOST_BYTES {
                    Err(Missing::TooMany)
                } else {
                    Ok(())
                }
            })?;
            Ok(cells)
        })?;
        found.map_err(|missing| match missing {
            Missing::Failed(error) => failure(error),
            Missing::TooLarge(n, size) => TooLargeError::new_err(format!(
                "the fraction of n = {n} {}: at most {MOST_BITS} are computed",
                size_in_words(size)
            )),
            Missing::TooMany => TooLargeError::new_err(format!(
                "these fractions take more than {} GB: look at fewer rows at once, or let the program write them to a file",
                MOST_BYTES >> 30
            )),
        })
    }
}

#[pymethods]
impl Fractions {
    fn __len__(&self) -> usize {
        let targets = self.range.end() - self.range.start() + 1;
        usize::try_from(targets).map_or(usize::MAX, |targets| {
            targets.saturating_mul(self.request.algorithms.len())
        })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        if index >= self.__len__() {
            return Err(PyIndexError::new_err("no such row"));
        }
        self.computed(py, index..index + 1)?.__getitem__(py, 0)
    }

    /// The cells of these rows.
    fn block<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        end: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let end = end.min(self.__len__());
        if first < end {
            self.computed(py, first..end)?.block(py, 0, end - first)
        } else {
            Ok(Vec::new())
        }
    }

    /// The cells of these rows as the program writes them; None where they are empty.
    fn texts<'py>(&self, py: Python<'py>, first: usize, end: usize) -> PyResult<Bound<'py, PyAny>> {
        let end = end.min(self.__len__());
        let cells = if first < end {
            self.computed(py, first..end)?
        } else {
            Cells::new(Kind::Exact)
        };
        cells.texts(0, cells.cells.len()).into_pyobject(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Fractions>()).is_ok_and(|other| other.get().asked == self.asked)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.get_type::<Fractions>().getattr("_load")?;
        Ok((load, (Query::from(self.asked.clone()).to_json(),)))
    }

    /// A column from what `__reduce__` wrote.
    #[staticmethod]
    fn _load(asked: &str) -> PyResult<Fractions> {
        match question(asked)?.downcast::<CostRows>() {
            Some(asked) => Fractions::new(asked.clone()).map_err(failure),
            None => Err(QuestionError::new_err(
                "the pickled column is damaged, or of another version",
            )),
        }
    }
}

/// The cells of a column, in the narrowest form that holds all of them so far.
enum Column {
    Doubles(Vec<f64>),
    Words(Vec<u64>),
    /// Texts that come again and again, by their numbers.
    Names(Vec<u16>, Vec<String>, HashMap<String, u16>),
    Cells(Cells),
}

impl Column {
    fn new(head: &ColumnHead) -> Column {
        match head.kind {
            Kind::Decimal | Kind::Bound | Kind::Statistical => Column::Doubles(Vec::new()),
            Kind::Count => Column::Words(Vec::new()),
            Kind::Text | Kind::Flag => Column::Names(Vec::new(), Vec::new(), HashMap::new()),
            _ => Column::Cells(Cells::new(head.kind)),
        }
    }

    /// Adds a cell; the bytes that it takes.
    fn push(&mut self, kind: Kind, cell: &Cell) -> usize {
        match (&mut *self, cell) {
            (Column::Doubles(all), Cell::Double(value)) => all.push(*value),
            (Column::Doubles(all), Cell::Empty | Cell::Undefined) => all.push(f64::NAN),
            (Column::Words(all), Cell::Integer(Integer::Word(word))) => all.push(*word),
            (Column::Names(codes, names, known), Cell::Text(text)) => {
                let code = match known.get(text) {
                    Some(code) => *code,
                    None => {
                        let Ok(code) = u16::try_from(names.len()) else {
                            self.widen(kind);
                            return self.push(kind, cell);
                        };
                        names.push(text.clone());
                        known.insert(text.clone(), code);
                        code
                    }
                };
                codes.push(code);
                return 2;
            }
            (Column::Cells(cells), cell) => {
                cells.push(cell.clone());
                return bytes_of(cell);
            }
            _ => {
                self.widen(kind);
                return self.push(kind, cell);
            }
        }
        8
    }

    /// The same cells, each as it is.
    fn widen(&mut self, kind: Kind) {
        let mut cells = Cells::new(kind);
        match self {
            Column::Doubles(all) => {
                for value in all {
                    cells.push(if value.is_nan() {
                        Cell::Empty
                    } else {
                        Cell::Double(*value)
                    });
                }
            }
            Column::Words(all) => {
                for word in all {
                    cells.push(Cell::Integer((*word).into()));
                }
            }
            Column::Names(codes, names, _) => {
                for code in codes {
                    cells.push(Cell::Text(names[usize::from(*code)].clone()));
                }
            }
            Column::Cells(_) => return,
        }
        *self = Column::Cells(cells);
    }

    /// The format of its bytes as `memoryview.cast` names it (empty for cells), and its content.
    fn into_object<'py>(
        self,
        py: Python<'py>,
    ) -> PyResult<(&'static str, Bound<'py, PyAny>, Vec<String>)> {
        fn bytes<'py, const WIDTH: usize, T: Copy>(
            py: Python<'py>,
            all: &[T],
            of: impl Fn(T) -> [u8; WIDTH],
        ) -> PyResult<Bound<'py, PyAny>> {
            let filled = PyBytes::new_with(py, all.len() * WIDTH, |to| {
                for (to, value) in to.chunks_exact_mut(WIDTH).zip(all) {
                    to.copy_from_slice(&of(*value));
                }
                Ok(())
            })?;
            Ok(filled.into_any())
        }
        Ok(match self {
            Column::Doubles(all) => ("d", bytes(py, &all, f64::to_ne_bytes)?, Vec::new()),
            Column::Words(all) => {
                // signed where all fit, so that differences are right
                let signed = all.iter().all(|word| i64::try_from(*word).is_ok());
                let form = if signed { "q" } else { "Q" };
                (form, bytes(py, &all, u64::to_ne_bytes)?, Vec::new())
            }
            Column::Names(codes, names, _) => ("H", bytes(py, &codes, u16::to_ne_bytes)?, names),
            Column::Cells(cells) => ("", Bound::new(py, cells)?.into_any(), Vec::new()),
        })
    }
}

/// Gathers columns.
#[derive(Default)]
struct Gathered {
    head: Head,
    columns: Vec<Column>,
    foot: Foot,
    bytes: usize,
}

impl Sink for Gathered {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.head = head.clone();
        self.columns = head.columns.iter().map(Column::new).collect();
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in &rows {
            for ((column, head), cell) in self.columns.iter_mut().zip(&self.head.columns).zip(row) {
                self.bytes += column.push(head.kind, cell);
            }
        }
        if self.bytes > MOST_BYTES {
            Err(QueryError::input(format!(
                "the columns take more than {} GB: sweep a smaller range or fewer columns, or let the program write them to a file",
                MOST_BYTES >> 30
            )))
        } else {
            Ok(())
        }
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}

type Described = (String, String, String);
type Content<'py> = (&'static str, Bound<'py, PyAny>, Vec<String>);
/// The command, for each column what it is and its content, and notes.
type Swept<'py> = (String, Vec<(Described, Content<'py>)>, Vec<String>);

/// Answers a sweep of a range or of listed targets by columns. The columns of exact fractions of a
/// range are not computed, but each [`Fractions`] when it is looked at. `executed` gives the [`Part`] with all
/// places of a question where it is computed elsewhere.
#[pyfunction]
#[pyo3(signature = (query, threads = 0, progress = None, executed = None))]
pub fn sweep<'py>(
    py: Python<'py>,
    query: &str,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
    executed: Option<Bound<'py, PyAny>>,
) -> PyResult<Swept<'py>> {
    let gather = |query: Query| match executed {
        Some(executed) => {
            fits(&query)?;
            let part = executed.call1((query.to_json(),))?.cast_into::<Part>()?;
            let part = part.get().0.clone();
            let gathered = heeding(py, move |control| {
                let mut gathered = Gathered::default();
                part.run(control, &mut gathered).map(|()| gathered)
            })?;
            gathered.map_err(failure)
        }
        None => gather(py, query, threads, progress),
    };
    let query = question(query)?;
    let rows = query.downcast::<CostRows>();
    let Some(asked) = rows.filter(|rows| rows.sources.is_none() && !rows.best && !rows.summary)
    else {
        return Err(QuestionError::new_err(
            "rows of one source were expected: flipcost.ask answers every question",
        ));
    };
    if asked.target.range().is_some() {
        return of_range(py, asked, gather);
    }
    let command = query.command().to_string();
    let gathered = gather(query)?;
    let mut columns = Vec::new();
    for (head, column) in gathered.head.columns.iter().zip(gathered.columns) {
        columns.push((described(head), column.into_object(py)?));
    }
    Ok((command, columns, gathered.foot.said(Door::Python)))
}

/// Refuses columns that take too much memory, by a bound which most rows are far below.
fn fits(query: &Query) -> PyResult<()> {
    if query.estimate().output / 8 > MOST_BYTES as u128 {
        Err(TooLargeError::new_err(format!(
            "the columns may take more than {} GB: sweep a smaller range or fewer columns, or let the program write them to a file",
            MOST_BYTES >> 30
        )))
    } else {
        Ok(())
    }
}

/// All columns of a question, computed.
fn gather(
    py: Python<'_>,
    query: Query,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Gathered> {
    fits(&query)?;
    let (control, tell) = watched(threads, progress);
    let held = control.clone();
    let gathered = run(py, control, tell, move || {
        let mut gathered = Gathered::default();
        query.run(&held, &mut gathered).map(|()| gathered)
    })?;
    gathered.map_err(failure)
}

/// The columns of a range, of which `gather` computes those that are not exact.
fn of_range<'py>(
    py: Python<'py>,
    asked: &CostRows,
    gather: impl FnOnce(Query) -> PyResult<Gathered>,
) -> PyResult<Swept<'py>> {
    let request = asked.request().map_err(failure)?;
    let exact = |column: &&&'static TableColumn| column.kind() == ColumnKind::Exact;
    let only = |columns: &[&'static TableColumn]| CostRows {
        columns: columns.iter().map(|&c| ColumnId(c)).collect(),
        ..asked.clone()
    };
    let (lazy, eager): (Vec<_>, Vec<_>) = request.columns.iter().partition(exact);
    let gathered = if eager.is_empty() {
        Gathered::default()
    } else {
        gather(only(&eager).into())?
    };
    let mut computed = gathered.columns.into_iter();
    let mut columns = Vec::new();
    for column in &request.columns {
        let head = ColumnHead {
            name: column.name().to_string(),
            kind: column.kind().into(),
            unit: unit(column, Some(&request.source)),
            answers: false,
        };
        let content = if lazy.contains(column) {
            let fractions = Fractions::new(only(&[*column])).map_err(failure)?;
            ("", Bound::new(py, fractions)?.into_any(), Vec::new())
        } else {
            let column = computed.next().expect("a column for each that was asked");
            column.into_object(py)?
        };
        columns.push((described(&head), content));
    }
    let command = Query::from(asked.clone()).command().to_string();
    Ok((command, columns, gathered.foot.said(Door::Python)))
}
