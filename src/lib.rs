//! What it costs, exactly, to roll dice with coins, and any die with any other.
//!
//! A *source* is a fair die with m >= 2 sides (m = 2 is a coin), a *target* a fair die with n >= 1
//! sides, and an *algorithm* turns independent source rolls into one target roll. Write the
//! algorithm once, as a `step` that consumes one source roll; everything else follows from it.
//!
//! The rooms stand one above the other and import only downwards:
//! [`grammar`] (expressions, however they are meant), [`number`] (integers, rationals, enclosures),
//! [`law`] (the exact law of the number of rolls),
//! [`algorithms`] (one file each, and the registry), [`bag`] (several dice at once), [`sweep`] (every n in a range),
//! [`table`] (rows, columns, sinks), [`sequences`] and [`oeis`] (named integer sequences and the
//! formats of the OEIS), [`figures`], [`studies`] and [`cli`].
#![deny(unsafe_code)] // one file, number::lanes, says why it may
#![warn(missing_docs)]

pub mod algorithms;
pub mod bag;
pub mod cli;
pub mod figures;
pub mod grammar;
pub mod law;
pub mod number;
pub mod oeis;
pub mod sequences;
pub mod studies;
pub mod sweep;
pub mod table;
