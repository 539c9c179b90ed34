//! The table `shuffles`: see [`Shuffles`].

use super::tabulate::{Rows, Tabulate};
use crate::error::StudyError;
use crate::limits::{MAX_CURVES, check_at_most};
use crate::values::{Line, NumberRanges};
use crate::ways::DeckShuffle;
use flipcost::table::{Cell, Precision};
use schemars::JsonSchema;
use serde::Deserialize;

/// The cost of shuffles of K cards, in flips of a coin, or in words for the shuffles of libraries;
/// and the entropy of all orders, log2 K!.
///
/// ```toml
/// table.shuffles.cards = "2..=1024, 52"
/// table.shuffles.per-octave = 4
/// table.shuffles.ways = [{ by = "fast-dice-roller", column = "fast_dice_roller" }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shuffles {
    /// The numbers of cards, K.
    cards: NumberRanges,
    /// Only the powers of two, and at most this many K between each two powers: the first, the last
    /// and others in equal steps. All K if the key is missing.
    per_octave: Option<u64>,
    /// The ways to shuffle, a column for each.
    ways: Vec<WayColumn>,
}

/// A way to shuffle, as a column of the table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "shuffled")]
struct WayColumn {
    /// The way to shuffle.
    by: DeckShuffle,
    /// The header of the column.
    column: Line,
}

impl Tabulate for Shuffles {
    fn rows(&self) -> Result<Rows, StudyError> {
        check_at_most("ways", self.ways.len() as u64, "ways", MAX_CURVES as u64)?;
        let sizes = self.cards.select(1, self.per_octave)?;
        let integer = |cards: &u64| vec![Cell::Integer((*cards).into())];
        let mut rows: Vec<Vec<Cell>> = sizes.iter().map(integer).collect();
        for by in std::iter::once(DeckShuffle::Bound).chain(self.ways.iter().map(|way| way.by)) {
            for (row, cost) in rows.iter_mut().zip(by.costs(&sizes)?) {
                row.push(Precision::default().cell(&cost)?);
            }
        }
        let heads = ["cards", "entropy"].map(String::from).into_iter();
        let heads = heads.chain(self.ways.iter().map(|way| way.column.0.clone()));
        Ok((heads.collect(), rows))
    }
}
