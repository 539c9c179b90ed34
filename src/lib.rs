//! What it costs, exactly, to roll dice with coins, and any die with any other.
//!
//! ```
//! use flipcost::prelude::*;
//!
//! let task = Task::new(Source::COIN, Target::uniform(6u8)?);
//! let law = FAST_DICE_ROLLER.law(&task)?;
//! assert_eq!(law.mean(), Rational::new(11.into(), 3.into())); // flips, exactly
//! assert_eq!(
//!     format!("{:.50}", law.mean()),
//!     "3.66666666666666666666666666666666666666666666666667"
//! );
//!
//! // No method costs less than the entropy log2 6; the toll above it is below 2 (Knuth & Yao 1976).
//! let toll = law.mean() - Real::log(&6u8.into(), 2);
//! assert!(toll.compare(&Real::integer(2))?.is_lt());
//!
//! // Rolled with your own flips; with the feature `random`, `Faces::system()` flips for you.
//! let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::from_rolls("HTTH"))?;
//! assert_eq!((rolled.outcome, rolled.rolls), (3u8.into(), 3)); // outcomes count from 0
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A *source* is a fair die with m >= 2 sides (m = 2 is a coin), a *target* a fair die with n >= 1
//! sides, and an *algorithm* turns independent source rolls into one target roll. Write the
//! algorithm once, as a `step` that consumes one source roll; everything else follows from it.
//!
//! Without features the crate computes alone. `random` adds randomness of the operating system and of seeds, `rand`
//! generators of that crate, `statistics` how soon a bias is noticed, and `simulate` simulations.
//!
//! The modules are layered, and each imports only from those above it in this table:
//!
#![doc = include_str!("layers.md")]
//!
//! The packages under `crates/` stand on top: the formats of the OEIS, questions and answers as
//! values, figures, pictures of answers, and the program `flipcost`.
#![deny(unsafe_code)] // roller::lanes says why it may
#![warn(missing_docs)]

pub mod algorithms;
pub mod law;
pub mod prelude;
pub mod roller;
pub mod sequences;
pub mod sweep;
pub mod table;
pub mod task;

pub use flipcost_number as number;
pub use flipcost_number::budget;

/// How the software asks to be cited, in the Citation File Format.
pub const CITATION: &str = include_str!("../CITATION.cff");
