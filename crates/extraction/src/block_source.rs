//! What a block of flips comes from.

use crate::{MemoryCoin, MemoryCoinError};
use flipcost_question::description::{FieldValue, ValueAbout, text_of, to_sentence};
use flipcost_question::{Sentence, Sides, SidesError};
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;

/// What a block is rolled with: independent rolls of a source, or the flips of a coin with memory, `markov:1/3,3/5`.
///
/// ```
/// use flipcost_extraction::BlockSource;
/// assert_eq!("p=1/3".parse::<BlockSource>()?.to_string(), "1:2");
/// assert_eq!("markov:0.5, 3/5".parse::<BlockSource>()?.to_string(), "markov:1/2,3/5");
/// # Ok::<(), flipcost_extraction::BlockSourceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockSource {
    /// Rolls are independent.
    Independent(Sides),
    /// A flip depends on the one before.
    Memory(MemoryCoin),
}

/// Why a text is no source of a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockSourceError {
    /// No source of independent rolls.
    #[error(transparent)]
    Independent(#[from] SidesError),
    /// No coin with memory.
    #[error(transparent)]
    Memory(#[from] MemoryCoinError),
}

impl Default for BlockSource {
    fn default() -> Self {
        BlockSource::Independent(Sides::default())
    }
}

impl FromStr for BlockSource {
    type Err = BlockSourceError;

    fn from_str(text: &str) -> Result<BlockSource, BlockSourceError> {
        Ok(if text.trim().starts_with("markov:") {
            BlockSource::Memory(text.parse()?)
        } else {
            BlockSource::Independent(text.parse()?)
        })
    }
}

impl fmt::Display for BlockSource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BlockSource::Independent(source) => source.fmt(f),
            BlockSource::Memory(coin) => coin.fmt(f),
        }
    }
}

impl FieldValue for BlockSource {
    const ABOUT: ValueAbout = ValueAbout {
        python: "BlockLike",
        ..Sides::ABOUT
    };

    fn of_json(json: &Json) -> Result<BlockSource, Sentence> {
        text_of(json)?.parse::<BlockSource>().map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}
