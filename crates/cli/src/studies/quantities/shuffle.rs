//! The quantity `shuffle`: see [`ShuffleCost`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::quantities::stream::word;
use crate::studies::ways::Way;
use flipcost::number::{BigInt, BigUint, Real};
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// What the shuffle of a deck costs in flips of a coin, or in words of so many bits.
///
/// ```toml
/// shuffle = { cards = 52, by = "rao-sandelius" }
/// # or: shuffle = { cards = "2^n", by = "fast-dice-roller" }
/// # or: shuffle = { cards = 52, by = "cpython-randbelow", word = 32 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShuffleCost {
    /// The cards of the deck, K.
    cards: OfN<BigUint>,
    /// The way.
    by: Way,
    /// Bits of a word, in which the cost is counted; flips unless it is given.
    word: Option<u32>,
}

impl Measure for ShuffleCost {
    fn of_n(&self) -> bool {
        self.cards.of_n()
    }

    fn question(&self) -> Option<Value> {
        let cards = self.cards.at(None).ok()?.to_u64()?;
        Some(json!({ "ask": "shuffle", "cards": cards }))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let cards = self.cards.at(case.n)?;
        let cards = word("cards", &cards)?;
        let flips = self.by.flips(&[cards])?.remove(0);
        match self.word {
            Some(0) => {
                let what = "a word of 0 bits holds nothing";
                Err(Mistake::of("word", 0, what)
                    .right("word = 1 or more")
                    .into())
            }
            Some(bits) => Ok(flips.over(&Real::integer(BigInt::from(bits)))),
            None => Ok(flips),
        }
    }
}
