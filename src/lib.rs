//! What it costs, exactly, to roll dice with coins, and any die with any other.
//!
//! A *source* is a fair die with m >= 2 sides (m = 2 is a coin), a *target* a fair die with n >= 1
//! sides, and an *algorithm* turns independent source rolls into one target roll. Write the
//! algorithm once, as a `step` that consumes one source roll; everything else follows from it.
//!
//! The rooms stand one above the other and import only downwards:
//! [`grammar`] (expressions as people write them), [`number`] (integers, rationals, enclosures),
//! [`kernels`] (the fast dice roller's
//! arithmetic), [`law`] (the exact law of the number of rolls),
//! [`algorithms`] (one file each, and the registry), [`streams`] (many targets in a row: batches,
//! shuffles), [`bag`] (several dice at once), [`sweep`] (every n in a range),
//! [`table`] (rows and columns) and [`sequences`] (named integer sequences). The crates under
//! `crates/` stand on top: the formats of the OEIS, figures, and the program `flipcost`.
#![deny(unsafe_code)] // one file, kernels::lanes, says why it may
#![warn(missing_docs)]

pub mod algorithms;
pub mod bag;
pub mod grammar;
pub mod kernels;
pub mod law;
pub mod number;
pub mod sequences;
pub mod streams;
pub mod sweep;
pub mod table;
pub mod task;
