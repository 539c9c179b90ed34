//! Several sources, as people write them.

use crate::description::texts;
use crate::{Numbers, NumbersError, Sides, SidesError};
use flipcost::task::{Source, SourceError};
use flipcost::unstable::grammar::items;
use std::fmt;
use std::str::FromStr;

/// Several sources, in increasing order of sides, each once: dice as in `2,6,10..20`, and words as in
/// `word:8`, which count as dice of 2^8 sides.
///
/// ```
/// use flipcost_query::Sources;
/// let sources: Sources = "6, 2, word:4, 8..10".parse()?;
/// assert_eq!(sources.get(), [2, 6, 8, 9, 10, 16]);
/// # Ok::<(), flipcost_query::SourcesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources(Numbers);

/// Why a text is no list of sources.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourcesError {
    /// It is no list of numbers.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    /// One of them is no word.
    #[error(transparent)]
    Word(#[from] SidesError),
    /// One of them cannot be rolled.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A word that is too wide for a list.
    #[error(
        "\"{0}\" is too wide for a list of sources: word:1 to word:63 were expected; a source alone may be word:64"
    )]
    Wide(String),
}

impl Sources {
    /// Their numbers of sides.
    pub fn get(&self) -> &[u64] {
        self.0.get()
    }

    /// Dice of these numbers of sides, each from 2.
    pub(crate) fn of(sides: impl IntoIterator<Item = u64>) -> Sources {
        Sources(Numbers::of(sides))
    }
}

impl FromStr for Sources {
    type Err = SourcesError;

    fn from_str(text: &str) -> Result<Sources, SourcesError> {
        let sides = |item: &str| match item.starts_with("word:") {
            false => Ok(item.to_string()),
            true => match item.parse::<Sides>()?.0.small() {
                Some(sides) => Ok(sides.to_string()),
                None => Err(SourcesError::Wide(item.to_string())),
            },
        };
        let parts: Result<Vec<String>, SourcesError> = items(text).map(sides).collect();
        let numbers: Numbers = parts?.join(",").parse()?;
        for &sides in numbers.get() {
            Source::die(sides)?;
        }
        Ok(Sources(numbers))
    }
}

impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

texts! { Sources, "NumbersLike" }
