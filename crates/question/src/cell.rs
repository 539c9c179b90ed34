//! Converts rows of values to rows of cells, and cells to and from JSON without losing their types.

use flipcost::law::CostFormula;
use flipcost::table::Cell;
use flipcost_number::{BigInt, BigUint, Decimal, Polynomial};
use flipcost_number::{Rational, RationalFunction, Rounding};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

/// A value that a cell can show; an absent value gives an empty cell.
pub trait IntoCell {
    fn cell(self) -> Cell;
}

macro_rules! shown {
    ($($type:ty, |$value:ident| $cell:expr);* $(;)?) => {$(
        impl IntoCell for $type {
            fn cell(self) -> Cell {
                let $value = self;
                $cell
            }
        }
    )*};
}

shown! {
    Cell, |cell| cell;
    &str, |text| Cell::Text(text.to_string());
    &String, |text| Cell::Text(text.clone());
    String, |text| Cell::Text(text);
    bool, |flag| Cell::Flag(flag);
    u32, |count| Cell::Integer(u64::from(count).into());
    u64, |count| Cell::Integer(count.into());
    usize, |count| Cell::Integer((count as u64).into());
    BigUint, |count| Cell::Integer(count.into());
    &BigUint, |count| Cell::Integer(count.into());
    Rational, |value| Cell::from(value);
    &Rational, |value| Cell::from(value);
}

impl<T: IntoCell> IntoCell for Option<T> {
    fn cell(self) -> Cell {
        self.map_or(Cell::Empty, T::cell)
    }
}

/// Makes a row of cells from values.
#[macro_export]
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($crate::cell::IntoCell::cell($value)),*] };
}

/// The kinds of rounding of a decimal, with the names under which they are stored.
const ROUNDINGS: [(Rounding, &str); 4] = [
    (Rounding::Exact, "exact"),
    (Rounding::Nearest, "nearest"),
    (Rounding::Down, "down"),
    (Rounding::Up, "up"),
];

/// Writes a cell as JSON; [`cell_of_state`] reads it back.
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
            CostFormula::Rational(function) => {
                let parts = [function.numerator(), function.denominator()];
                let term = |(e, c): (&[u32], &BigInt)| json!([e, c.to_string()]);
                let terms = parts.map(|part| part.terms().map(term).collect::<Vec<_>>());
                json!({ "function": terms })
            }
            CostFormula::Text(text) => json!({ "formula": text }),
        },
    }
}

/// Reads a cell that [`cell_state`] wrote; `None` for any other value.
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
        "formula" => Cell::Formula(CostFormula::Text(value.as_str()?.to_string()).into()),
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
                Some(Polynomial::from_terms(terms.collect::<Option<Vec<_>>>()?))
            };
            let function = RationalFunction::new(part(0)?, part(1).filter(|b| !b.is_zero())?);
            Cell::Formula(CostFormula::Rational(function).into())
        }
        "double" => Cell::Double(f64::from_bits(value.as_u64()?)),
        kind => {
            let (rounding, _) = ROUNDINGS.iter().find(|(_, name)| *name == kind)?;
            Cell::Decimal(Decimal::read(value.as_str()?, *rounding)?)
        }
    })
}

/// A cell that serde can read and write.
#[derive(Clone)]
pub struct StoredCell(pub Cell);

impl Serialize for StoredCell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        cell_state(&self.0).serialize(to)
    }
}

impl<'de> Deserialize<'de> for StoredCell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<StoredCell, D::Error> {
        let cell = cell_of_state(&Value::deserialize(from)?);
        cell.map(StoredCell)
            .ok_or_else(|| D::Error::custom("no cell"))
    }
}
