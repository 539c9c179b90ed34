//! Computes exactly how many flips of a coin, or rolls of any die, it takes to roll another die.
//!
//! ```
//! use flipcost::prelude::*;
//!
//! let task: Task = "d6 from coin".parse()?; // or Task::die(6, Source::COIN)?
//! let law = FAST_DICE_ROLLER.law(&task)?;
//! assert_eq!(law.mean()?.to_string(), "11/3"); // flips, exactly
//! assert_eq!(format!("{:.30}", law.mean_real()), "3.666666666666666666666666666667");
//! assert_eq!((law.pmf(3).to_string(), law.quantile(&"9/10".parse()?)), ("3/4".into(), Some(5)));
//!
//! // No method costs less than the entropy log2 6; the toll above it is below 2 (Knuth & Yao 1976).
//! let toll = law.mean_real() - task.entropy();
//! assert!(toll > 1 && toll < 2);
//!
//! // Roll with your own flips; with the feature `random`, `Faces::system()` flips for you.
//! let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::from_rolls("HTTH"))?;
//! assert_eq!((rolled.outcome, rolled.rolls), (3u8.into(), 3)); // outcomes are counted from 0
//! # Ok::<(), flipcost::Error>(())
//! ```
//!
//! Every error is a kind of [`Error`]. If a fraction is too long, its size is returned instead, a
//! [`law::FractionSize`]; a [`Real`](number::Real) always has decimals.
//!
//! A *source* is a fair die with m >= 2 sides (m = 2 is a coin), a *target* is a fair die with n >=
//! 1 sides, and an *algorithm* turns independent source rolls into one target roll. You write an
//! algorithm as a `step` that consumes one source roll; its law, its fairness and its samples
//! follow from that.
//!
//! Without features the crate only computes exact results. The feature `random` adds randomness
//! from the operating system and from seeds, `rand` the generators of the crate rand, `statistics`
//! the number of results that reveal a bias, and `simulate` simulations.
//!
//! ```toml
//! [dependencies]
//! flipcost = { path = "flipcost", features = ["rand", "statistics"] } # the folder of a checkout; rand is 0.10
//! flipcost-dice-set = { path = "flipcost/crates/dice-set", default-features = false } # several dice
//! ```
//!
//! # What to ask
//!
//! The examples are in `examples/`, each under 40 lines.
//!
#![doc = include_str!("tasks.md")]
//!
//! # Modules
//!
//! The modules are layered, and each imports only from those above it in this table:
//!
#![doc = include_str!("layers.md")]
//!
//! The packages under `crates/` build on this one: for example the formats of the OEIS, questions
//! and answers as values, figures, and the program `flipcost`.
#![deny(unsafe_code)] // roller::lanes says why it may
#![warn(missing_docs, unnameable_types)]

pub mod algorithms;
mod error;
pub mod law;
pub mod prelude;
pub mod roller;
pub mod sequences;
pub mod sweep;
pub mod table;
pub mod task;

pub use error::Error;
pub use flipcost_number as number;

/// The citation of the software, in the Citation File Format.
pub const CITATION: &str = include_str!("../CITATION.cff");
