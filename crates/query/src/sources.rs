//! Several sources, as people write them.

use crate::description::texts;
use crate::{Numbers, NumbersError, Sides, SidesError};
use flipcost::task::{Source, SourceError};
use flipcost::unstable::grammar::items;
use std::fmt;
use std::str::FromStr;

/// Several sources, each once: first dice in increasing order of sides, as in `2,6,10..20`, and words as in
/// `word:8`, which count as dice of 2^8 sides, the widest, `word:64`, last; then loaded ones in the order given, as in
/// `1:2,p=1/10`.
///
/// ```
/// use flipcost_query::Sources;
/// let sources: Sources = "6, 1:2, word:64, word:4, 8..10, 2".parse()?;
/// assert_eq!(sources.to_string(), "2,6,8..10,16,word:64,1:2");
/// assert_eq!(sources.get().len(), 8);
/// # Ok::<(), flipcost_query::SourcesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    fair: Numbers,
    all: Vec<Sides>,
}

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
    /// A law whose parts stand between commas.
    #[error(
        "\"{0}\" is cut off at a comma, which ends a source of a list: its weights with colons were expected, as in 1:2"
    )]
    Law(String),
    /// An unknown source.
    #[error("the probabilities of \"{0}\" are unknown: weights such as 1:2 were expected")]
    Unknown(String),
}

impl Sources {
    /// One after the other.
    pub fn get(&self) -> &[Sides] {
        &self.all
    }

    /// Dice of these numbers of sides, each from 2.
    pub(crate) fn of(sides: impl IntoIterator<Item = u64>) -> Sources {
        Sources::new(Numbers::of(sides), []).expect("dice")
    }

    fn new(
        fair: Numbers,
        others: impl IntoIterator<Item = Sides>,
    ) -> Result<Sources, SourcesError> {
        let die = |sides: &u64| Ok(Sides(Source::die(*sides)?));
        let all: Result<Vec<Sides>, SourceError> = fair.get().iter().map(die).collect();
        let mut all = all?;
        for source in others {
            if !all.contains(&source) {
                all.push(source);
            }
        }
        Ok(Sources { fair, all })
    }
}

/// Does it begin as a law with a name does, such as `doubles:0.3,0.7`?
fn is_law(item: &str) -> bool {
    let name = item.split_once(':').map_or("", |(name, _)| name);
    !matches!(name, "word" | "unknown" | "markov") && name.starts_with(char::is_alphabetic)
}

impl FromStr for Sources {
    type Err = SourcesError;

    fn from_str(text: &str) -> Result<Sources, SourcesError> {
        // 2^64 sides are more than a number of a list may be
        let (mut fair, mut widest, mut loaded) = (Vec::new(), None, Vec::new());
        for item in items(text) {
            let plain = !item.contains([':', '=']) || item.contains("..");
            match item.parse::<Sides>() {
                Ok(source) if source.0.is_fair() && source.0.small().is_none() => {
                    widest = Some(source);
                }
                _ if plain => fair.push(item.to_string()),
                Ok(source) if source.0.is_unknown() => {
                    return Err(SourcesError::Unknown(item.to_string()));
                }
                Ok(source) => match source.0.small() {
                    Some(sides) => fair.push(sides.to_string()),
                    None => loaded.push(source),
                },
                Err(_) if is_law(item) => return Err(SourcesError::Law(item.to_string())),
                Err(wrong) => return Err(wrong.into()),
            }
        }
        let fair = match fair.is_empty() && (widest.is_some() || !loaded.is_empty()) {
            true => Numbers::default(),
            false => fair.join(",").parse()?,
        };
        Sources::new(fair, widest.into_iter().chain(loaded))
    }
}

/// The fair ones with ranges, the widest word, then the weights of the loaded ones.
impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.fair.fmt(f)?;
        let mut mark = if self.fair.is_empty() { "" } else { "," };
        for source in self.all.iter().filter(|source| source.0.small().is_none()) {
            write!(f, "{mark}{source}")?;
            mark = ",";
        }
        Ok(())
    }
}

texts! { Sources, "NumbersLike" }
