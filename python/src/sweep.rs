//! Sweeps by columns: doubles and machine integers as bytes that NumPy reads, the rest as text that
//! becomes objects when it is looked at.

use crate::answer::{described, failure, question, written};
use crate::error::{QuestionError, TooLargeError};
use crate::run::{run, watched};
use flipcost::table::{Cell, Integer};
use flipcost_query::{ColumnHead, Foot, Head, Kind, Query, QueryError, Sink};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashMap;

/// The most memory that the columns of a sweep take, in bytes.
const MOST_BYTES: usize = 4 << 30;

/// Cells that are neither doubles nor machine integers, as they are written, one after the other.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Cells {
    kind: Kind,
    text: String,
    /// Where each cell ends; an empty one is None.
    ends: Vec<usize>,
}

impl Cells {
    fn push(&mut self, cell: &Cell) {
        use std::fmt::Write;
        if !matches!(cell, Cell::Empty) {
            write!(self.text, "{cell}").expect("memory takes every byte");
        }
        self.ends.push(self.text.len());
    }

    fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }
}

/// The name of the kind, the text and the ends.
type Written<'a> = (String, &'a str, Vec<usize>);

#[pymethods]
impl Cells {
    fn __len__(&self) -> usize {
        self.ends.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self.get(index) {
            None => Err(PyIndexError::new_err("no such row")),
            Some("") => Ok(py.None().into_bound(py)),
            Some(text) => written(py, self.kind, text),
        }
    }

    /// The cell as the program writes it.
    fn text_of(&self, index: usize) -> Option<&str> {
        self.get(index)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Written<'_>)> {
        let load = py.get_type::<Cells>().getattr("_load")?;
        let kind = crate::answer::kind_name(self.kind);
        Ok((load, (kind, &self.text, self.ends.clone())))
    }

    /// Cells from what `__reduce__` wrote.
    #[staticmethod]
    fn _load(kind: &str, text: String, ends: Vec<usize>) -> PyResult<Cells> {
        let kind = serde_json::from_value(kind.into());
        let whole = ends.is_sorted() && ends.iter().all(|end| text.is_char_boundary(*end));
        match kind {
            Ok(kind) if whole => Ok(Cells { kind, text, ends }),
            _ => Err(QuestionError::new_err(
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
            _ => Column::Cells(Column::cells(head.kind)),
        }
    }

    fn cells(kind: Kind) -> Cells {
        let (text, ends) = (String::new(), Vec::new());
        Cells { kind, text, ends }
    }

    /// Adds a cell; the bytes that it takes.
    fn push(&mut self, kind: Kind, cell: &Cell) -> usize {
        match (&mut *self, cell) {
            (Column::Doubles(all), Cell::Double(value)) => all.push(*value),
            (Column::Doubles(all), Cell::Empty) => all.push(f64::NAN),
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
                let before = cells.text.len();
                cells.push(cell);
                return 8 + cells.text.len() - before;
            }
            _ => {
                self.widen(kind);
                return self.push(kind, cell);
            }
        }
        8
    }

    /// The same cells as text.
    fn widen(&mut self, kind: Kind) {
        let mut cells = Column::cells(kind);
        match self {
            Column::Doubles(all) => {
                for value in all {
                    match value.is_nan() {
                        true => cells.push(&Cell::Empty),
                        false => cells.push(&Cell::Double(*value)),
                    }
                }
            }
            Column::Words(all) => {
                for word in all {
                    cells.push(&Cell::Integer((*word).into()));
                }
            }
            Column::Names(codes, names, _) => {
                for code in codes {
                    cells.push(&Cell::Text(names[usize::from(*code)].clone()));
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
            Column::Words(all) => ("Q", bytes(py, &all, u64::to_ne_bytes)?, Vec::new()),
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
        match self.bytes > MOST_BYTES {
            true => Err(QueryError::Input(format!(
                "the columns take more than {} GB: sweep a smaller range or fewer columns, or let the program write them to a file",
                MOST_BYTES >> 30
            ))),
            false => Ok(()),
        }
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}

type Described = (String, String, String);
type Content<'py> = (&'static str, Bound<'py, PyAny>, Vec<String>);

/// Answers a sweep by columns: the command, for each column what it is and its content, and notes.
#[pyfunction]
#[pyo3(signature = (query, threads = 0, progress = None))]
#[expect(clippy::type_complexity, reason = "Python unpacks it at once")]
pub fn sweep<'py>(
    py: Python<'py>,
    query: &str,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(String, Vec<(Described, Content<'py>)>, Vec<String>)> {
    let query = question(query)?;
    if !matches!(query, Query::Sweep(_) | Query::SweepWeights(_)) {
        return Err(QuestionError::new_err("the question is no sweep"));
    }
    // A bound on the output, which most rows are far below.
    if query.estimate().output / 8 > MOST_BYTES as u128 {
        return Err(TooLargeError::new_err(format!(
            "the columns may take more than {} GB: sweep a smaller range or fewer columns, or let the program write them to a file",
            MOST_BYTES >> 30
        )));
    }
    let command = query.command().to_string();
    let (control, tell) = watched(threads, progress);
    let held = control.clone();
    let gathered = run(py, control, tell, move || {
        let mut gathered = Gathered::default();
        query.run(&held, &mut gathered).map(|()| gathered)
    })?;
    let gathered = gathered.map_err(failure)?;
    let columns = gathered.columns.into_iter().zip(&gathered.head.columns);
    let columns = columns.map(|(column, head)| Ok((described(head), column.into_object(py)?)));
    let notes = [gathered.foot.notes, gathered.foot.asides].concat();
    Ok((command, columns.collect::<PyResult<_>>()?, notes))
}
