//! Sweeps into files: rows as lines, runs that are continued.

pub mod job;
pub mod journal;
pub mod part;
