//! Questions and their answers.

use crate::error::{FlipcostError, QuestionError, UnknownNameError};
use crate::fraction::{Fraction, decimal};
use crate::pickled::{Pickled, to_pickle};
use crate::run::{control_with_progress, run};
use flipcost::law::CostFormula;
use flipcost::table::{Cell, Integer};
use flipcost_all::questions::Citation;
use flipcost_number::{BigInt, Rational};
use flipcost_question::PictureError;
use flipcost_question::{
    Answer as Answered, CellKind, ColumnHead, Control, FrontEnd, Query, QueryError, Verdict,
    format_cell, make_printable,
};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde_json::Value;

/// Formats a double for readers.
#[pyfunction]
pub fn spelled(value: f64) -> String {
    format_cell(&Cell::Double(value), CellKind::Decimal)
}

/// An answer of the engine: columns, rows, notes. `flipcost.Answer` makes a table of it.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Answer(Answered);

impl Answer {
    pub fn new(answer: Answered) -> Answer {
        Answer(answer)
    }
}

/// Converts a failure of a question to an exception.
pub fn failure(error: QueryError) -> PyErr {
    query_exception(error, QuestionError::new_err)
}

/// Returns an exception of this kind, with the sentence, the field and the wrong value.
pub fn query_exception(
    error: QueryError,
    kind: impl FnOnce((String, Option<String>, Option<String>)) -> PyErr,
) -> PyErr {
    let sentence = make_printable(&error.render(FrontEnd::Python));
    match error {
        QueryError::Input(wrong) => kind((sentence, wrong.field, wrong.given)),
        _ => kind((sentence, None, None)),
    }
}

/// Returns the exception for an answer without a picture.
fn picture_exception(error: PictureError) -> PyErr {
    FlipcostError::new_err(error.render(FrontEnd::Python))
}

/// Parses a question.
///
/// # Errors
/// `QuestionError` with the engine's sentence, if the JSON is not a question.
pub fn question(json: &str) -> PyResult<Query> {
    flipcost_all::from_json(json).map_err(failure)
}

/// Answers a question given as JSON on this number of threads (0 takes all cores).
#[pyfunction]
#[pyo3(signature = (query, threads = 0, progress = None))]
pub fn ask<'py>(
    py: Python<'py>,
    query: &str,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Answer> {
    // the numbers of the question may be long
    let text = query.to_string();
    let query =
        crate::run::run_quietly(py, move || flipcost_all::from_json(&text))?.map_err(failure)?;
    let (control, tell) = control_with_progress(threads, progress);
    let held = control.clone();
    let answered = run(py, control, tell, move || query.answer(&held))?;
    Ok(Answer(answered.map_err(failure)?))
}

/// Returns the command line that asks a question given as JSON.
#[pyfunction]
pub fn command(query: &str) -> PyResult<String> {
    Ok(question(query)?.command().to_string())
}

/// Returns how to cite flipcost, an algorithm or an entry of the OEIS.
#[pyfunction]
#[pyo3(signature = (what = None, bibtex = false))]
pub fn cite(what: Option<&str>, bibtex: bool) -> PyResult<String> {
    let format = if bibtex {
        Citation::Bibtex
    } else {
        Citation::Text
    };
    let what = what.map(String::from);
    let query = Query::from(flipcost_all::questions::Cite { what, format });
    let answer = query.answer(&Control::default());
    let answer = answer.map_err(|error| query_exception(error, UnknownNameError::new_err))?;
    let text = answer.foot.text.unwrap_or_default();
    Ok(text.trim_end().to_string())
}

/// Converts a formula to an object of Python. With SymPy it is an expression of SymPy. Without
/// SymPy it is a pair of the coefficients of the numerator and the denominator: for one variable
/// lists that begin with the constant, for several variables dicts by the exponents, without
/// trailing zeros. A formula that is not a rational function becomes a text.
pub fn formula<'py>(py: Python<'py>, formula: &CostFormula) -> PyResult<Bound<'py, PyAny>> {
    let function = match formula {
        CostFormula::Rational(function) => function,
        CostFormula::Text(text) => return Ok(text.into_pyobject(py)?.into_any()),
    };
    if let Ok(sympy) = py.import("sympy") {
        let text = function.to_string().replace('^', "**");
        return sympy.call_method1("sympify", (text,));
    }
    let parts = [function.numerator(), function.denominator()];
    let one = parts.iter().all(|part| part.variables() <= 1);
    let coefficients = parts.map(|part| {
        if one {
            let mut all = vec![BigInt::ZERO; part.degree() as usize + 1];
            for (e, c) in part.terms() {
                all[e.first().map_or(0, |e| *e as usize)] = c.clone();
            }
            Ok(all.into_pyobject(py)?.into_any())
        } else {
            let all = PyDict::new(py);
            for (e, c) in part.terms() {
                all.set_item(PyTuple::new(py, e)?, c.clone())?;
            }
            PyResult::Ok(all.into_any())
        }
    });
    let [above, below] = coefficients;
    Ok((above?, below?).into_pyobject(py)?.into_any())
}

/// Converts a cell to a Fraction, an int, a float, a Decimal, a str, a bool or None, or a formula
/// as [`formula`] returns it. An unbounded number is the float infinity.
///
/// # Errors
/// If Python raises an exception.
pub fn object<'py>(py: Python<'py>, kind: CellKind, cell: &Cell) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cell {
        Cell::Empty | Cell::Undefined => py.None().into_bound(py),
        Cell::Infinite => f64::INFINITY.into_pyobject(py)?.into_any(),
        Cell::Text(text) => text.into_pyobject(py)?.into_any(),
        Cell::Exact(value) if kind != CellKind::Exact && value.is_integer() => {
            value.numer().into_pyobject(py)?.into_any()
        }
        Cell::Exact(value) => Fraction(Rational::clone(value)).into_pyobject(py)?,
        Cell::Decimal(value) => decimal(py, value.text())?,
        Cell::Integer(Integer::Word(word)) => word.into_pyobject(py)?.into_any(),
        Cell::Integer(value) => value.to_big().into_pyobject(py)?.into_any(),
        Cell::Double(value) => value.into_pyobject(py)?.into_any(),
        Cell::Flag(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Cell::Formula(value) => formula(py, value)?,
    })
}

/// Returns the name of a kind, as answers in JSON have it.
pub fn kind_name(kind: CellKind) -> String {
    match serde_json::to_value(kind) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// Returns the name, the kind and the unit of a column.
pub fn described(column: &ColumnHead) -> (String, String, String) {
    (
        column.name.clone(),
        kind_name(column.kind),
        column.unit.clone(),
    )
}

#[pymethods]
impl Answer {
    fn __len__(&self) -> usize {
        self.0.rows.len()
    }

    /// The question, as JSON.
    #[getter]
    fn query(&self) -> String {
        self.0.query.to_json()
    }

    /// The command line that asks the question.
    #[getter]
    fn command(&self) -> String {
        self.0.query.command().to_string()
    }

    /// The columns of the answer: the name, the kind and the unit of each.
    #[getter]
    fn columns(&self) -> Vec<(String, String, String)> {
        self.0.head.columns.iter().map(described).collect()
    }

    /// Returns a cell.
    fn cell<'py>(&self, py: Python<'py>, row: usize, column: usize) -> PyResult<Bound<'py, PyAny>> {
        let head = self.0.head.columns.get(column);
        match (head, self.0.rows.get(row).and_then(|row| row.get(column))) {
            (Some(head), Some(cell)) => object(py, head.kind, cell),
            _ => Err(pyo3::exceptions::PyIndexError::new_err("no such cell")),
        }
    }

    /// Returns a cell in the form for readers.
    fn shown(&self, row: usize, column: usize) -> Option<String> {
        let kind = self.0.head.columns.get(column)?.kind;
        Some(format_cell(self.0.rows.get(row)?.get(column)?, kind))
    }

    /// Returns a cell as the program writes it.
    fn text_of(&self, row: usize, column: usize) -> Option<String> {
        Some(self.0.rows.get(row)?.get(column)?.to_string())
    }

    /// One sentence that answers the question.
    #[getter]
    fn summary(&self) -> String {
        self.0.summary()
    }

    /// Remarks on the answer.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.foot.render_notes(FrontEnd::Python)
    }

    /// The outcome of a check: None, True, or the sentence of the counterexample.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match &self.0.foot.verdict {
            None => py.None().into_bound(py),
            Some(Verdict::Holds) => true.into_pyobject(py)?.to_owned().into_any(),
            Some(Verdict::Fails(why)) => why.into_pyobject(py)?.into_any(),
        })
    }

    /// The answer as a document; `None` if the answer is not a document.
    #[getter]
    fn document(&self) -> Option<String> {
        self.0.foot.text.clone()
    }

    /// Returns the answer's picture as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let answer = self.0.clone();
        let drawn = crate::run::run_quietly(py, move || {
            answer.draw_picture().map(|drawing| drawing.svg())
        })?;
        drawn.map_err(picture_exception)
    }

    /// Returns the answer's picture as lines for a terminal.
    fn drawn_text(&self) -> PyResult<String> {
        self.0.to_text(FrontEnd::Python).map_err(picture_exception)
    }

    /// Returns the answer as one line of JSON, as `flipcost ask` prints it.
    fn json(&self) -> PyResult<String> {
        let mut out = Vec::new();
        self.0.write_json(&mut out)?;
        Ok(String::from_utf8(out)?.trim_end().to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Answer>()).is_ok_and(|other| other.get().0 == self.0)
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> PyResult<Pickled<'py>> {
        to_pickle::<Answer>(py, protocol, &self.0.to_bytes())
    }

    /// Returns an answer from what `__reduce_ex__` wrote.
    #[classmethod]
    fn _load(class: &Bound<'_, PyType>, state: PyBuffer<u8>) -> PyResult<Answer> {
        let broken =
            || FlipcostError::new_err("the pickled answer is damaged, or of another version");
        let answer = Answered::from_bytes(&state.to_vec(class.py())?, &flipcost_all::QUESTIONS);
        answer.map(Answer).ok_or_else(broken)
    }
}
