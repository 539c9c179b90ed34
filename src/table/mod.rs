//! Rows of results: the columns that every command and every study can request.

pub(crate) mod columns;
mod expression;
mod narrow;
mod precision;
pub(crate) mod request;
mod statement;

pub use columns::{
    ALGORITHM, COLUMNS, Column, ColumnKind, ColumnUnit, Costs, ENTROPY, EXPECTED, EXPECTED_EXACT,
    MISSING_PRIME, N, NEEDS_LOAD, NoValue, POSSIBLE, SOURCE, TARGET, WORST_CASE, source_cell,
};
pub use expression::Expression;
pub use precision::{EXACT_LIMIT, Precision, Unwritten};
pub use request::{
    Chunk, ChunkColumn, PreparedRow, RangeTables, Request, Row, RowError, ValueError, value,
};
pub use statement::{Decision, Statement, Values};

use crate::law::CostFormula;
#[cfg(feature = "statistics")]
use crate::law::Detection;
use flipcost_number::nearest_f64;
use flipcost_number::text::{with_digits, with_fraction};
use flipcost_number::{BigInt, BigUint, Decimal, Rational, Real};
use num_traits::ToPrimitive;
use std::sync::Arc;

/// An integer of a row. Most integers fit in a word and need no allocation.
///
/// ```
/// use flipcost::table::Integer;
/// assert_eq!(Integer::Word(6).to_big(), 6u8.into());
/// assert_eq!(Integer::Word(6).to_f64(), 6.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    /// An integer that fits in a word.
    Word(u64),
    /// An integer that does not fit in a word.
    Big(BigUint),
}

impl Integer {
    /// Converts the integer to a big integer.
    pub fn to_big(&self) -> BigUint {
        match self {
            Integer::Word(word) => (*word).into(),
            Integer::Big(big) => big.clone(),
        }
    }

    /// The double nearest to the integer, for pictures.
    pub fn to_f64(&self) -> f64 {
        match self {
            Integer::Word(word) => *word as f64,
            Integer::Big(big) => big.to_f64().unwrap_or(f64::INFINITY),
        }
    }
}

impl From<&BigUint> for Integer {
    fn from(value: &BigUint) -> Self {
        match value.to_u64() {
            Some(word) => Integer::Word(word),
            None => Integer::Big(value.clone()),
        }
    }
}

impl From<BigUint> for Integer {
    fn from(value: BigUint) -> Self {
        match value.to_u64() {
            Some(word) => Integer::Word(word),
            None => Integer::Big(value),
        }
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        Integer::Word(value)
    }
}

impl std::fmt::Display for Integer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Integer::Word(word) => word.fmt(f),
            Integer::Big(big) => with_digits(big, |text| f.pad_integral(true, "", text)),
        }
    }
}

/// A value in a row. A value is formatted when it is written, and is never parsed back from text.
///
/// ```
/// use flipcost::number::Rational;
/// use flipcost::table::Cell;
/// assert_eq!(Cell::from(Rational::new(11.into(), 3.into())).to_string(), "11/3");
/// assert_eq!(Cell::Double(0.1).to_string(), "0.1");
/// assert_eq!(Cell::or_infinite(None::<u64>).to_string(), "inf");
/// assert_eq!(Cell::Empty.to_string(), "");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value: the column does not apply, or the value was not computed.
    Empty,
    /// The value is undefined, for example a quotient by 0; for an expression, the row gives the
    /// reason.
    Undefined,
    /// Infinity.
    Infinite,
    /// A text.
    Text(String),
    /// A nonnegative integer.
    Integer(Integer),
    /// The double nearest to an exact value.
    Double(f64),
    /// A fraction in lowest terms. It is shared, since it may be long.
    Exact(Arc<Rational>),
    /// Decimals, and how they were rounded.
    Decimal(Decimal),
    /// Yes or no.
    Flag(bool),
    /// A formula of unknown probabilities.
    Formula(Arc<CostFormula>),
}

impl Cell {
    /// Creates a cell from a number, or from infinity if it is `None`.
    pub fn or_infinite(number: Option<impl Into<Integer>>) -> Cell {
        number.map_or(Cell::Infinite, |number| Cell::Integer(number.into()))
    }

    /// The value as an integer, if it is an integer.
    pub fn to_integer(&self) -> Option<BigInt> {
        match self {
            Cell::Integer(value) => Some(value.to_big().into()),
            Cell::Exact(value) if value.is_integer() => Some(value.numer().clone()),
            _ => None,
        }
    }

    /// Whether the cell has no value.
    pub fn is_empty(&self) -> bool {
        matches!(self, Cell::Empty | Cell::Undefined)
    }

    /// The double at which the value is drawn; `None` if it is not a number.
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Cell::Integer(value) => Some(value.to_f64()),
            Cell::Double(value) => Some(*value),
            Cell::Exact(value) => Some(nearest_f64(value.numer(), value.denom())),
            Cell::Decimal(value) => Some(value.to_f64()),
            Cell::Empty
            | Cell::Undefined
            | Cell::Infinite
            | Cell::Text(_)
            | Cell::Flag(_)
            | Cell::Formula(_) => None,
        }
    }
}

impl From<Rational> for Cell {
    fn from(value: Rational) -> Cell {
        Cell::Exact(Arc::new(value))
    }
}

impl From<&Rational> for Cell {
    fn from(value: &Rational) -> Cell {
        value.clone().into()
    }
}

/// The number of results that reveal a bias. The cell is empty if they are too few for the test,
/// and infinite if there is no bias.
#[cfg(feature = "statistics")]
impl From<Detection> for Cell {
    fn from(detection: Detection) -> Cell {
        match detection {
            Detection::Results(results) => Cell::Integer(results.magnitude().into()),
            Detection::BelowAsymptotics => Cell::Empty,
            Detection::Never => Cell::Infinite,
        }
    }
}

/// If a width is given, numbers are aligned to the right; if a precision is given, as in
/// `{:>10.3}`, a fraction or a double is correctly rounded to it.
impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Cell::Empty | Cell::Undefined => Ok(()),
            Cell::Infinite => f.pad_integral(true, "", "inf"),
            Cell::Text(text) => f.pad(text),
            Cell::Exact(value) if f.width().or(f.precision()).is_some() => {
                Real::Exact(Rational::clone(value)).fmt(f)
            }
            Cell::Exact(value) => with_fraction(value, |text| f.write_str(text)),
            Cell::Decimal(value) => value.fmt(f),
            Cell::Integer(value) => value.fmt(f),
            Cell::Flag(value) => value.fmt(f),
            Cell::Formula(value) => f.pad(&value.to_string()),
            Cell::Double(value) => value.fmt(f), // the shortest text that reads back
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No column may have the name of a named number, so that such a name always means the number.
    #[test]
    fn no_column_has_the_name_of_a_number() {
        for named in flipcost_number::named::NAMED {
            assert!(Column::find(named.name).is_err(), "{}", named.name);
        }
    }

    /// A cell is small, since a sweep makes millions of cells.
    #[test]
    fn a_cell_is_small() {
        assert!(size_of::<Cell>() <= 32);
    }

    #[test]
    fn a_cell_is_drawn_at_the_nearest_double() {
        let third = Rational::new((-1).into(), 3.into());
        assert_eq!(Cell::from(&third).to_f64(), Some(-1.0 / 3.0));
        let decimal = Decimal::up(&third, 3);
        assert_eq!(Cell::Decimal(decimal).to_f64(), Some(-0.333));
        assert_eq!(Cell::Infinite.to_f64(), None);
        assert_eq!(Cell::Text("3".to_string()).to_f64(), None);
    }
}
