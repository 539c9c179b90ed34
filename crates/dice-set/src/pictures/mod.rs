//! What the answers of this package look like.

pub mod sheet;
