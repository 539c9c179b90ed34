//! Pictures of the answers of this package.

pub mod sheet;
