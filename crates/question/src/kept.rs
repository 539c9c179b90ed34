//! Cells and answers as JSON from which they are read again, type by type.

use crate::places::{again, kept};
use crate::{Answer, Buffers, ColumnHead, Foot, Query, QueryError, Sentence, Verdict};
use flipcost::law::Formula;
use flipcost::table::Cell;
use flipcost_number::{BigInt, Decimal, Polynomial, Rational, RationalFunction, Rounding};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

/// What the digits of a decimal are to its value, as it is kept.
const ROUNDINGS: [(Rounding, &str); 4] = [
    (Rounding::Exact, "exact"),
    (Rounding::Nearest, "nearest"),
    (Rounding::Down, "down"),
    (Rounding::Up, "up"),
];

/// A cell as JSON from which [`cell_of_state`] makes the same.
fn cell_state(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Undefined => json!({ "undefined": null }),
        Cell::Infinite => json!({ "infinite": null }),
        Cell::Text(text) => json!({ "text": text }),
        Cell::Exact(value) => {
            json!({ "fraction": value.to_string() })
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

/// What [`cell_state`] wrote.
fn cell_of_state(value: &Value) -> Option<Cell> {
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
            let value: Rational = value.as_str()?.parse().ok()?;
            Cell::from(value)
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

/// A cell that serde reads and writes.
#[derive(Clone)]
pub struct Kept(pub Cell);

impl Serialize for Kept {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        cell_state(&self.0).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Kept, D::Error> {
        let cell = cell_of_state(&Value::deserialize(from)?);
        cell.map(Kept).ok_or_else(|| D::Error::custom("no cell"))
    }
}

/// An answer without its rows: its question, its columns and whether they answer it, notes and asides, verdict, text
/// and values.
type State = (
    Query,
    Vec<(ColumnHead, bool)>,
    [Vec<Sentence>; 2],
    Option<Verdict>,
    Option<String>,
    Vec<(String, Kept)>,
);

impl Answer {
    /// The answer as bytes from which [`Answer::from_bytes`] makes the same.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows: Buffers = self.rows.iter().cloned().collect();
        rows.to_bytes(&self.state())
    }

    /// What [`Answer::to_bytes`] wrote; `None` for what it did not.
    pub fn from_bytes(bytes: &[u8]) -> Option<Answer> {
        let (state, rows): (Value, _) = Buffers::from_bytes(bytes)?;
        let mut answer = Answer::from_state(state).ok()?;
        answer.rows = rows.rows(0..rows.len()).collect();
        Some(answer)
    }

    /// All but the rows as JSON from which [`Answer::from_state`] makes the same.
    pub fn state(&self) -> Value {
        let foot = self.foot.clone();
        let columns = self.head.columns.iter();
        let values = foot.values.into_iter();
        let state: State = (
            self.query.clone(),
            columns.map(|all| (all.clone(), all.answers)).collect(),
            [foot.notes, foot.asides],
            foot.verdict,
            foot.text,
            values.map(|(name, cell)| (name, Kept(cell))).collect(),
        );
        kept(&state)
    }

    /// What [`Answer::state`] wrote, without rows.
    ///
    /// # Errors
    /// [`QueryError::Input`] for what it did not.
    pub fn from_state(state: Value) -> Result<Answer, QueryError> {
        let (query, columns, [notes, asides], verdict, text, values): State = again(state)?;
        let column = |(column, answers)| ColumnHead { answers, ..column };
        let mut answer = Answer::new(query);
        answer.head.columns = columns.into_iter().map(column).collect();
        answer.foot = Foot {
            notes,
            asides,
            verdict,
            text,
            values: (values.into_iter())
                .map(|(name, Kept(cell))| (name, cell))
                .collect(),
        };
        Ok(answer)
    }
}
