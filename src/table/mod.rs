//! Rows: the columns that every command and study can ask for, and the sinks that write them.

pub mod columns;
pub mod output;
pub mod sinks;

pub use columns::{Column, Precision, Request, Row, RowError};
pub use output::{Output, OutputError};
pub use sinks::{Format, Sink, sink};

use crate::number::BigUint;

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing: the column does not apply, or the value was not computed.
    Empty,
    /// A word.
    Text(String),
    /// An integer.
    Integer(BigUint),
    /// The double nearest to an exact value.
    Double(f64),
    /// A reduced fraction or a correctly rounded decimal, as it is written.
    Exact(String),
    /// Yes or no.
    Flag(bool),
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
