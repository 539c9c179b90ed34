//! Questions and their answers.

use crate::error::{FlipcostError, QuestionError, UnknownNameError};
use crate::fraction::{Fraction, decimal};
use crate::run::{run, watched};
use flipcost::law::Formula;
use flipcost::number::{BigInt, Decimal, Polynomial, Rational, RationalFunction, Rounding};
use flipcost::table::{Cell, Integer};
use flipcost_pictures::PictureError;
use flipcost_query::{
    Answer as Answered, Citation, ColumnHead, Control, Door, Foot, Head, Kind, Query, QueryError,
    Verdict, readable, spell,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde_json::{Value, json};

/// A double as a person reads it.
#[pyfunction]
pub fn spelled(value: f64) -> String {
    spell(&Cell::Double(value), Kind::Decimal)
}

/// An answer of the engine: columns, rows, notes. `flipcost.Answer` makes a table of it.
#[pyclass(frozen, module = "flipcost._engine")]
pub struct Answer(Answered);

/// A failure of a question as an exception.
pub fn failure(error: QueryError) -> PyErr {
    told(error, QuestionError::new_err)
}

/// The same as an exception of this kind, of a sentence, a field and what was given there.
fn told(
    error: QueryError,
    kind: impl FnOnce((String, Option<String>, Option<String>)) -> PyErr,
) -> PyErr {
    let sentence = readable(&error.at(Door::Python));
    match error {
        QueryError::Input(wrong) => kind((sentence, wrong.field, wrong.given)),
        _ => kind((sentence, None, None)),
    }
}

/// An answer that has no picture.
fn unseen(error: PictureError) -> PyErr {
    FlipcostError::new_err(error.at(Door::Python))
}

/// Reads a question.
///
/// # Errors
/// `QuestionError` with the engine's sentence.
pub fn question(json: &str) -> PyResult<Query> {
    Query::from_json(json).map_err(failure)
}

/// Answers a question that is given as JSON, on so many threads (0 takes all cores).
#[pyfunction]
#[pyo3(signature = (query, threads = 0, progress = None))]
pub fn ask<'py>(
    py: Python<'py>,
    query: &str,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Answer> {
    // its numbers may be long
    let text = query.to_string();
    let query = crate::run::aside(py, move || Query::from_json(&text))?.map_err(failure)?;
    let (control, tell) = watched(threads, progress);
    let held = control.clone();
    let answered = run(py, control, tell, move || query.answer(&held))?;
    Ok(Answer(answered.map_err(failure)?))
}

/// How to cite flipcost, an algorithm or an entry of the OEIS.
#[pyfunction]
#[pyo3(signature = (what = None, bibtex = false))]
pub fn cite(what: Option<&str>, bibtex: bool) -> PyResult<String> {
    let format = match bibtex {
        true => Citation::Bibtex,
        false => Citation::Text,
    };
    let what = what.map(String::from);
    let query = Query::from(flipcost_query::Cite { what, format });
    let answer = query.answer(&Control::default());
    let answer = answer.map_err(|error| told(error, UnknownNameError::new_err))?;
    let text = answer.foot.text.unwrap_or_default();
    Ok(text.trim_end().to_string())
}

/// A formula: an expression of SymPy if it is installed, else the coefficients of numerator and
/// denominator, from the constant on for one variable, and by the tuple of the exponents for several;
/// a text where it is no rational function.
pub fn formula<'py>(py: Python<'py>, formula: &Formula) -> PyResult<Bound<'py, PyAny>> {
    let function = match formula {
        Formula::Rational(function) => function,
        Formula::Text(text) => return Ok(text.into_pyobject(py)?.into_any()),
    };
    if let Ok(sympy) = py.import("sympy") {
        let text = function.to_string().replace('^', "**");
        return sympy.call_method1("sympify", (text,));
    }
    let parts = [function.numerator(), function.denominator()];
    let one = parts.iter().all(|part| part.variables() <= 1);
    let coefficients = parts.map(|part| match one {
        true => {
            let mut all = vec![BigInt::ZERO; part.degree() as usize + 1];
            for (e, c) in part.terms() {
                all[e.first().map_or(0, |e| *e as usize)] = c.clone();
            }
            Ok(all.into_pyobject(py)?.into_any())
        }
        false => {
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

/// A cell as an object: a Fraction, an int, a float, a Decimal, a str, a bool or None, or a formula
/// as [`formula`] has it. A number without a bound is the float infinity.
///
/// # Errors
/// Those of Python.
pub fn object<'py>(py: Python<'py>, kind: Kind, cell: &Cell) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cell {
        Cell::Empty | Cell::Undefined => py.None().into_bound(py),
        Cell::Infinite => f64::INFINITY.into_pyobject(py)?.into_any(),
        Cell::Text(text) => text.into_pyobject(py)?.into_any(),
        Cell::Exact(value) if kind != Kind::Exact && value.is_integer() => {
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

/// The name of a kind, as answers in JSON have it.
pub fn kind_name(kind: Kind) -> String {
    match serde_json::to_value(kind) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A column as (name, kind, unit).
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

    /// The command line that asks it.
    #[getter]
    fn command(&self) -> String {
        self.0.query.command().to_string()
    }

    /// Its columns: name, kind and unit of each.
    #[getter]
    fn columns(&self) -> Vec<(String, String, String)> {
        self.0.head.columns.iter().map(described).collect()
    }

    /// A cell.
    fn cell<'py>(&self, py: Python<'py>, row: usize, column: usize) -> PyResult<Bound<'py, PyAny>> {
        let head = self.0.head.columns.get(column);
        match (head, self.0.rows.get(row).and_then(|row| row.get(column))) {
            (Some(head), Some(cell)) => object(py, head.kind, cell),
            _ => Err(pyo3::exceptions::PyIndexError::new_err("no such cell")),
        }
    }

    /// A cell as a person reads it.
    fn shown(&self, row: usize, column: usize) -> Option<String> {
        let kind = self.0.head.columns.get(column)?.kind;
        Some(spell(self.0.rows.get(row)?.get(column)?, kind))
    }

    /// A cell as the program writes it.
    fn text_of(&self, row: usize, column: usize) -> Option<String> {
        Some(self.0.rows.get(row)?.get(column)?.to_string())
    }

    /// Remarks on the answer.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.foot.said(Door::Python)
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

    /// The answer as a document, where it is one.
    #[getter]
    fn document(&self) -> Option<String> {
        self.0.foot.text.clone()
    }

    /// Its picture as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let answer = self.0.clone();
        let drawn = crate::run::aside(py, move || {
            flipcost_pictures::draw(&answer).map(|drawing| drawing.svg().to_string())
        })?;
        drawn.map_err(unseen)
    }

    /// Its picture as lines for a terminal.
    fn drawn_text(&self) -> PyResult<String> {
        flipcost_pictures::text(&self.0, Door::Python).map_err(unseen)
    }

    /// The answer as one line of JSON, as `flipcost ask` prints it.
    fn json(&self) -> PyResult<String> {
        let mut out = Vec::new();
        self.0.write_json(&mut out)?;
        Ok(String::from_utf8(out)?.trim_end().to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.cast::<Answer>()).is_ok_and(|other| other.get().0 == self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.get_type::<Answer>().getattr("_load")?;
        Ok((load, (dump(&self.0).to_string(),)))
    }

    /// An answer from what `__reduce__` wrote.
    #[classmethod]
    fn _load(_class: &Bound<'_, PyType>, state: &str) -> PyResult<Answer> {
        let broken =
            || FlipcostError::new_err("the pickled answer is damaged, or of another version");
        let state: Value = serde_json::from_str(state).map_err(|_| broken())?;
        load(&state).map(Answer).ok_or_else(broken)
    }
}

/// What the digits of a decimal are to its value, as it is kept.
const ROUNDINGS: [(Rounding, &str); 4] = [
    (Rounding::Exact, "exact"),
    (Rounding::Nearest, "nearest"),
    (Rounding::Down, "down"),
    (Rounding::Up, "up"),
];

/// A cell as JSON from which [`read`] makes the same.
pub fn kept(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Undefined => json!({ "undefined": null }),
        Cell::Infinite => json!({ "infinite": null }),
        Cell::Text(text) => json!({ "text": text }),
        Cell::Exact(value) => {
            json!({ "fraction": [value.numer().to_string(), value.denom().to_string()] })
        }
        Cell::Decimal(value) => {
            let mut all = ROUNDINGS.iter();
            let name = all.find(|(rounding, _)| *rounding == value.rounding());
            json!({ (name.map_or("", |(_, name)| name)): value.text() })
        }
        Cell::Integer(value) => json!({ "integer": value.to_string() }),
        Cell::Double(value) => json!({ "double": value.to_bits() }),
        Cell::Flag(value) => json!(value),
        Cell::Formula(value) => match &**value {
            Formula::Rational(function) => {
                let parts = [function.numerator(), function.denominator()];
                let term = |(e, c): (&[u32], &BigInt)| json!([e, c.to_string()]);
                let terms = parts.map(|part| part.terms().map(term).collect::<Vec<_>>());
                json!({ "function": terms })
            }
            Formula::Text(text) => json!({ "formula": text }),
        },
    }
}

/// What [`kept`] wrote.
pub fn read(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => return Some(Cell::Empty),
        Value::Bool(flag) => return Some(Cell::Flag(*flag)),
        _ => {}
    }
    let (kind, value) = value.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "undefined" => Cell::Undefined,
        "infinite" => Cell::Infinite,
        "text" => Cell::Text(value.as_str()?.to_string()),
        "fraction" => {
            let (p, q) = (value.get(0)?.as_str()?, value.get(1)?.as_str()?);
            let (p, q) = (p.parse().ok()?, q.parse().ok()?);
            Cell::from(Rational::new_raw(p, q))
        }
        "integer" => {
            let number: BigInt = value.as_str()?.parse().ok()?;
            Cell::Integer(number.to_biguint()?.into())
        }
        "formula" => Cell::Formula(Formula::Text(value.as_str()?.to_string()).into()),
        "function" => {
            let term = |term: &Value| {
                let exponents = term.get(0)?.as_array()?.iter();
                let exponents = exponents.map(|e| u32::try_from(e.as_u64()?).ok());
                Some((
                    exponents.collect::<Option<_>>()?,
                    term.get(1)?.as_str()?.parse().ok()?,
                ))
            };
            let part = |i: usize| {
                let terms = value.get(i)?.as_array()?.iter().map(term);
                Some(Polynomial::of(terms.collect::<Option<Vec<_>>>()?))
            };
            let function = RationalFunction::new(part(0)?, part(1).filter(|b| !b.is_zero())?);
            Cell::Formula(Formula::Rational(function).into())
        }
        "double" => Cell::Double(f64::from_bits(value.as_u64()?)),
        kind => {
            let (rounding, _) = ROUNDINGS.iter().find(|(_, name)| *name == kind)?;
            Cell::Decimal(Decimal::read(value.as_str()?, *rounding)?)
        }
    })
}

/// A whole answer as JSON from which it is read again, type by type.
fn dump(answer: &Answered) -> Value {
    let rows = answer.rows.iter();
    let foot = &answer.foot;
    json!({
        "query": answer.query.to_json(),
        "columns": answer.head.columns,
        "answers": answer.head.columns.iter().map(|column| column.answers).collect::<Vec<_>>(),
        "rows": rows.map(|row| row.iter().map(kept).collect()).collect::<Vec<Vec<Value>>>(),
        "notes": foot.notes,
        "asides": foot.asides,
        "verdict": match &foot.verdict {
            None => Value::Null,
            Some(Verdict::Holds) => json!(true),
            Some(Verdict::Fails(why)) => json!(why),
        },
        "text": foot.text,
    })
}

fn load(state: &Value) -> Option<Answered> {
    let sentences = |name: &str| serde_json::from_value(state.get(name)?.clone()).ok();
    let mut head = Head::new();
    let answers = state.get("answers")?.as_array()?;
    for (column, answers) in state.get("columns")?.as_array()?.iter().zip(answers) {
        let text = |name: &str| column.get(name).and_then(Value::as_str);
        let kind = serde_json::from_value(column.get("kind")?.clone()).ok()?;
        head = head.measured(text("name")?, kind, text("unit").unwrap_or_default());
        if answers.as_bool()? {
            head = head.answers();
        }
    }
    let rows = state.get("rows")?.as_array()?.iter();
    let rows = rows.map(|row| {
        row.as_array()?
            .iter()
            .map(read)
            .collect::<Option<Vec<Cell>>>()
    });
    Some(Answered {
        query: Query::from_json(state.get("query")?.as_str()?).ok()?,
        head,
        rows: rows.collect::<Option<_>>()?,
        foot: Foot {
            notes: sentences("notes")?,
            asides: sentences("asides")?,
            verdict: match state.get("verdict")? {
                Value::Bool(true) => Some(Verdict::Holds),
                Value::String(why) => Some(Verdict::Fails(why.clone())),
                _ => None,
            },
            text: state.get("text")?.as_str().map(str::to_string),
        },
    })
}
