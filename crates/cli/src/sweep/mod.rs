//! Sweeps into files: rows as lines, and runs that can be resumed.

pub mod job;
pub mod journal;
pub mod part;
