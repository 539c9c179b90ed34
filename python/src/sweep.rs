//! The columns of a sweep. Doubles and machine integers are bytes that NumPy reads. Exact fractions
//! are computed when they are read, and all other cells become objects when they are read.

use crate::answer::{described, failure, object, question};
use crate::error::{QuestionError, TooLargeError};
use crate::law::MAX_BITS;
use crate::pickled::{Pickled, to_pickle};
use crate::run::{control_with_progress, run, run_with_control};
use crate::units::Part;
use flipcost::law::FractionSize;
use flipcost::table::{Cell, Column, ColumnKind, Request};
use flipcost_number::threads::Workers;
use flipcost_one_draw::questions::CostRows;
use flipcost_question::{
    Buffer, Buffers, CellKind, ColumnHead, ColumnId, Foot, FrontEnd, Head, Query, QueryError, Sink,
    unit,
};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use std::ops::{Range, RangeInclusive};

/// The largest memory that the columns of a sweep may take, in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// Cells that become objects when they are read.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Cells {
    kind: CellKind,
    cells: Buffer,
}

impl Cells {
    /// Returns the cells of these rows; rows beyond the end are left out.
    fn cells_of_rows(&self, first: usize, end: usize) -> impl Iterator<Item = Cell> {
        (first..end.min(self.cells.len())).filter_map(|row| self.cells.cell(row))
    }
}

#[pymethods]
impl Cells {
    fn __len__(&self) -> usize {
        self.cells.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self.cells.cell(index) {
            None => Err(PyIndexError::new_err("no such row")),
            Some(cell) => object(py, self.kind, &cell),
        }
    }

    /// Returns the cells of these rows.
    fn block<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        end: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (self.cells_of_rows(first, end))
            .map(|cell| object(py, self.kind, &cell))
            .collect()
    }

    /// Returns the cells of these rows as the program writes them; None where they are empty.
    fn texts(&self, first: usize, end: usize) -> Vec<Option<String>> {
        let text = |cell: Cell| (!cell.is_empty()).then(|| cell.to_string());
        self.cells_of_rows(first, end).map(text).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Cells>().is_ok_and(|other| {
            let other = other.get();
            (self.kind, &self.cells) == (other.kind, &other.cells)
        })
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> PyResult<Pickled<'py>> {
        let rows = Buffers::from(self.cells.clone());
        to_pickle::<Cells>(py, protocol, &rows.to_bytes(&self.kind))
    }

    /// Returns cells from what `__reduce_ex__` wrote.
    #[classmethod]
    fn _load(class: &Bound<'_, PyType>, state: PyBuffer<u8>) -> PyResult<Cells> {
        match Buffers::from_bytes(&state.to_vec(class.py())?) {
            Some((kind, rows)) => Ok(Cells {
                kind,
                cells: rows.into_columns().pop().unwrap_or_default(),
            }),
            None => Err(QuestionError::new_err(
                "the pickled column is damaged, or of another version",
            )),
        }
    }
}

/// A column of exact fractions of a sweep; a cell is computed when it is read.
///
/// A fraction that the program would leave out because it is too long is None. If the sweep is
/// `exact`, a fraction of more than [`MAX_BITS`] bits raises TooLargeError.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Fractions {
    /// The question about the rows, with this column alone.
    asked: CostRows,
    /// The targets of the column.
    range: RangeInclusive<u64>,
    request: Request,
}

/// The reason why fractions are missing.
enum MissingReason {
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
            request.precision.exact_limit = MAX_BITS;
        }
        Ok(Fractions {
            asked,
            range,
            request,
        })
    }

    /// Computes the cells of these rows, which may take at most [`MAX_BYTES`]. The cost is that of
    /// a sweep over their targets.
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
        let found = run_with_control(py, move |control| -> Result<Cells, MissingReason> {
            let workers = Workers::new(0);
            let tables = workers.run(|| request.tables(high));
            let chunk = flipcost::sweep::chunk(&request, high);
            let work = |part: RangeInclusive<u64>| {
                control.go_on().map_err(MissingReason::Failed)?;
                let found = request.rows(part.clone(), &tables);
                let found =
                    found.map_err(|error| MissingReason::Failed(QueryError::input(error)))?;
                Ok((*part.start(), found))
            };
            let each = request.algorithms.len();
            let (kind, mut cells) = (CellKind::Exact, Buffer::default());
            let (mut bytes, mut place) = (0, 0);
            workers.ordered(low..=high, chunk, work, |(first, found), _| {
                for (i, mut row) in found.into_iter().enumerate() {
                    if (skip..skip + many).contains(&place) {
                        if let (true, Some(size)) = (exact, row.left_out) {
                            return Err(MissingReason::TooLarge(first + (i / each) as u64, size));
                        }
                        bytes += cells.push(row.cells.remove(0));
                    }
                    place += 1;
                }
                if bytes > MAX_BYTES {
                    Err(MissingReason::TooMany)
                } else {
                    Ok(())
                }
            })?;
            Ok(Cells { kind, cells })
        })?;
        found.map_err(|missing| match missing {
            MissingReason::Failed(error) => failure(error),
            MissingReason::TooLarge(n, size) => TooLargeError::new_err(format!(
                "the fraction of n = {n} {}: at most {MAX_BITS} are computed",
                size
            )),
            MissingReason::TooMany => TooLargeError::new_err(format!(
                "these fractions take more than {} GB: look at fewer rows at once, or let the program write them to a file",
                MAX_BYTES >> 30
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

    /// Returns the cells of these rows.
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

    /// Returns the cells of these rows as the program writes them; None where they are empty.
    fn texts<'py>(&self, py: Python<'py>, first: usize, end: usize) -> PyResult<Bound<'py, PyAny>> {
        let end = end.min(self.__len__());
        let texts = if first < end {
            self.computed(py, first..end)?.texts(0, end - first)
        } else {
            Vec::new()
        };
        texts.into_pyobject(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Fractions>()).is_ok_and(|other| other.get().asked == self.asked)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.get_type::<Fractions>().getattr("_load")?;
        Ok((load, (Query::from(self.asked.clone()).to_json(),)))
    }

    /// Returns a column from what `__reduce__` wrote.
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

/// Returns a column as a triple: the format of its bytes, as in `memoryview.cast`; its content;
/// and, if the bytes are codes of texts, these texts. If the cells have no such format, the format
/// is empty and the content is a list of objects.
fn content<'py>(py: Python<'py>, kind: CellKind, cells: Buffer) -> PyResult<Content<'py>> {
    fn bytes<'py, const WIDTH: usize>(
        py: Python<'py>,
        all: impl ExactSizeIterator<Item = [u8; WIDTH]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let filled = PyBytes::new_with(py, all.len() * WIDTH, |to| {
            for (to, value) in to.as_chunks_mut().0.iter_mut().zip(all) {
                *to = value;
            }
            Ok(())
        })?;
        Ok(filled.into_any())
    }
    let (doubles, beside) = (cells.doubles(), cells.beside());
    let text = |cell: &Cell| matches!(cell, Cell::Text(_));
    match kind {
        CellKind::Decimal | CellKind::Bound | CellKind::Statistical
            if doubles != Some(false) && beside.iter().all(Cell::is_empty) =>
        {
            let double = |word: Option<u64>| word.unwrap_or(f64::NAN.to_bits()).to_ne_bytes();
            Ok(("d", bytes(py, cells.words().map(double))?, Vec::new()))
        }
        CellKind::Count if doubles != Some(true) && beside.is_empty() => {
            // signed if all values fit, so that differences of values do not wrap around
            let mut words = cells.words().flatten();
            let form = if words.all(|word| i64::try_from(word).is_ok()) {
                "q"
            } else {
                "Q"
            };
            let words = cells
                .words()
                .map(|word| word.unwrap_or_default().to_ne_bytes());
            Ok((form, bytes(py, words)?, Vec::new()))
        }
        CellKind::Text | CellKind::Flag
            if doubles.is_none() && beside.len() <= 1 << 16 && beside.iter().all(text) =>
        {
            let codes = cells
                .codes()
                .iter()
                .map(|code| (*code as u16).to_ne_bytes());
            let names = beside.iter().map(Cell::to_string).collect();
            Ok(("H", bytes(py, codes)?, names))
        }
        _ => Ok((
            "",
            Bound::new(py, Cells { kind, cells })?.into_any(),
            Vec::new(),
        )),
    }
}

/// A sink that collects the columns of an answer.
#[derive(Default)]
struct ColumnCollector {
    head: Head,
    rows: Buffers,
    foot: Foot,
    bytes: u64,
}

impl ColumnCollector {
    /// Returns the columns, each with its head.
    fn columns(self) -> impl Iterator<Item = (ColumnHead, Buffer)> {
        let mut columns = self.rows.into_columns();
        columns.resize_with(self.head.columns.len(), Buffer::default); // no rows came
        self.head.columns.into_iter().zip(columns)
    }

    fn check_bytes(&self) -> Result<(), QueryError> {
        if self.bytes > MAX_BYTES {
            Err(QueryError::input(format!(
                "the columns take more than {} GB: sweep a smaller range or fewer columns, or let the program write them to a file",
                MAX_BYTES >> 30
            )))
        } else {
            Ok(())
        }
    }
}

impl Sink for ColumnCollector {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.head = head.clone();
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in rows {
            self.bytes += self.rows.push(row);
        }
        self.check_bytes()
    }

    fn buffers(&mut self, rows: Buffers) -> Result<(), QueryError> {
        self.bytes += rows.bytes();
        if self.rows.is_empty() {
            self.rows = rows;
        } else {
            self.rows.append(&rows);
        }
        self.check_bytes()
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}

type ColumnDescription = (String, String, String);
type Content<'py> = (&'static str, Bound<'py, PyAny>, Vec<String>);
/// The question as JSON, the head and the content of each column, and notes.
type Swept<'py> = (String, Vec<(ColumnDescription, Content<'py>)>, Vec<String>);

/// Answers a sweep of a range or of listed targets by columns. The columns of exact fractions of a
/// range are [`Fractions`], which are computed when they are read. If other programs compute the
/// answer, `executed` returns its complete [`Part`].
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
            check_estimated_bytes(&query)?;
            let part = executed.call1((query.to_json(),))?.cast_into::<Part>()?;
            let part = part.get().0.clone();
            let gathered = run_with_control(py, move |control| {
                let mut gathered = ColumnCollector::default();
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
    let json = query.to_json();
    let gathered = gather(query)?;
    let notes = gathered.foot.render_notes(FrontEnd::Python);
    let column = |(head, cells): (ColumnHead, Buffer)| {
        Ok((described(&head), content(py, head.kind, cells)?))
    };
    let columns = gathered.columns().map(column).collect::<PyResult<_>>()?;
    Ok((json, columns, notes))
}

/// Refuses columns that may take too much memory. The check uses an upper bound; most rows take far
/// less.
fn check_estimated_bytes(query: &Query) -> PyResult<()> {
    if query.estimate().output / 8 > MAX_BYTES as u128 {
        Err(TooLargeError::new_err(format!(
            "the columns may take more than {} GB: sweep a smaller range or fewer columns, or let the program write them to a file",
            MAX_BYTES >> 30
        )))
    } else {
        Ok(())
    }
}

/// Computes all columns of a question.
fn gather(
    py: Python<'_>,
    query: Query,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<ColumnCollector> {
    check_estimated_bytes(&query)?;
    let (control, tell) = control_with_progress(threads, progress);
    let held = control.clone();
    let gathered = run(py, control, tell, move || {
        let mut gathered = ColumnCollector::default();
        query.run(&held, &mut gathered).map(|()| gathered)
    })?;
    gathered.map_err(failure)
}

/// Returns the columns of a range; `gather` computes those that are not exact.
fn of_range<'py>(
    py: Python<'py>,
    asked: &CostRows,
    gather: impl FnOnce(Query) -> PyResult<ColumnCollector>,
) -> PyResult<Swept<'py>> {
    let request = asked.request().map_err(failure)?;
    let exact = |column: &&&'static Column| column.kind() == ColumnKind::Exact;
    let only = |columns: &[&'static Column]| CostRows {
        columns: columns.iter().map(|&c| ColumnId(c)).collect(),
        ..asked.clone()
    };
    let (lazy, eager): (Vec<_>, Vec<_>) = request.columns.iter().partition(exact);
    let gathered = if eager.is_empty() {
        ColumnCollector::default()
    } else {
        gather(only(&eager).into())?
    };
    let notes = gathered.foot.render_notes(FrontEnd::Python);
    let mut computed = gathered.columns();
    let mut columns = Vec::new();
    for column in &request.columns {
        let head = ColumnHead {
            name: column.name().to_string(),
            kind: column.kind().into(),
            unit: unit(column, Some(&request.source)),
            answers: false,
            names_rows: false,
            words: &[],
        };
        let content = if lazy.contains(column) {
            let fractions = Fractions::new(only(&[*column])).map_err(failure)?;
            ("", Bound::new(py, fractions)?.into_any(), Vec::new())
        } else {
            let (_, cells) = computed.next().expect("a column for each that was asked");
            content(py, head.kind, cells)?
        };
        columns.push((described(&head), content));
    }
    let json = Query::from(asked.clone()).to_json();
    Ok((json, columns, notes))
}
