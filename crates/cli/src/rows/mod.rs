//! How rows are written, and where: formats, and files that appear whole or not at all.

pub mod output;
pub mod reader;
pub mod sinks;

pub use output::{Destination, Output, OutputError};
pub use sinks::{Format, Lines, Sink, sink};
