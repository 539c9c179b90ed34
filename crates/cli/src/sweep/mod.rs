//! Sweeps into files: rows as lines, runs that are continued, shards.

pub mod job;
pub mod part;
pub mod shard;
