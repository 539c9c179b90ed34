//! Rows: the columns that every command and study can ask for.

pub(crate) mod columns;
pub(crate) mod expression;
pub(crate) mod precision;
pub(crate) mod request;
pub(crate) mod statement;

pub use columns::{COLUMNS, Column, ColumnKind, ColumnUnit, Costs};
pub use precision::Precision;
pub use request::{Request, Row, RowError};

use crate::law::Detection;
use crate::number::BigUint;
use num_traits::ToPrimitive;

/// An integer of a row: most fit a word, and need no memory of their own.
///
/// ```
/// use flipcost::table::Integer;
/// assert_eq!(Integer::Word(6).to_big(), 6u8.into());
/// assert_eq!(Integer::Word(6).to_f64(), 6.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    /// It fits.
    Word(u64),
    /// It does not.
    Big(BigUint),
}

impl Integer {
    /// As a big number.
    pub fn to_big(&self) -> BigUint {
        match self {
            Integer::Word(word) => (*word).into(),
            Integer::Big(big) => big.clone(),
        }
    }

    /// The double it is drawn at.
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

impl From<u32> for Integer {
    fn from(value: u32) -> Self {
        Integer::Word(value.into())
    }
}

impl From<usize> for Integer {
    fn from(value: usize) -> Self {
        Integer::Word(value as u64)
    }
}

impl std::fmt::Display for Integer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Integer::Word(word) => write!(f, "{word}"),
            Integer::Big(big) => write!(f, "{big}"),
        }
    }
}

/// One value of a row.
///
/// ```
/// use flipcost::table::Cell;
/// assert_eq!(Cell::Exact("11/3".into()).to_string(), "11/3");
/// assert_eq!(Cell::Double(0.1).to_string(), "0.1");
/// assert_eq!(Cell::Empty.to_string(), "");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing: the column does not apply, or the value was not computed.
    Empty,
    /// A word.
    Text(String),
    /// An integer.
    Integer(Integer),
    /// The double nearest to an exact value.
    Double(f64),
    /// A reduced fraction or a correctly rounded decimal, as it is written.
    Exact(String),
    /// Yes or no.
    Flag(bool),
}

/// The results after which a bias is noticed: empty where they are too few for the test, `inf` if
/// it never is.
impl From<Detection> for Cell {
    fn from(detection: Detection) -> Cell {
        match detection {
            Detection::Results(results) => Cell::Integer(results.magnitude().into()),
            Detection::TooFew => Cell::Empty,
            Detection::Never => Cell::Text("inf".to_string()),
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Cell::Empty => Ok(()),
            Cell::Text(text) | Cell::Exact(text) => f.pad(text),
            Cell::Integer(value) => write!(f, "{value}"),
            Cell::Flag(value) => write!(f, "{value}"),
            Cell::Double(value) => write!(f, "{value}"), // the shortest text that reads back
        }
    }
}
