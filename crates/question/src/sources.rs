//! Lists of sources as users type them.

use crate::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use crate::sentence::Sentence;
use crate::sides::weights_of_text;
use crate::{Names, Numbers, NumbersError, Sides, SidesError};
use flipcost::task::several_dice;
use flipcost::task::{Source, SourceError};
use flipcost_number::Rational;
use flipcost_number::expression::parse_rational;
use flipcost_number::grammar::{items, unbracketed};
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;

/// A list of sources without repetitions. First come dice in increasing order of sides, as in
/// `2,6,10..20`; words such as `word:8` count as dice of 2^8 sides, and the widest word, `word:64`,
/// is last. Then come loaded sources in the given order, as in `1:2,p=1/10`. A law that contains
/// commas stands in brackets: `(doubles:0.3,0.7)`.
///
/// ```
/// use flipcost_question::Sources;
/// let sources: Sources = "6, 1:2, word:64, word:4, 8..10, 2".parse()?;
/// assert_eq!(sources.to_string(), "2,6,8..10,16,word:64,1:2");
/// assert_eq!(sources.get().len(), 8);
/// # Ok::<(), flipcost_question::SourcesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    fair: Numbers,
    all: Vec<Sides>,
}

/// The error for a text that is not a list of sources.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourcesError {
    /// The text is not a list of numbers.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    /// An item is not a valid word or die.
    #[error(transparent)]
    Word(#[from] SidesError),
    /// An item is a source that cannot be rolled.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A law was cut off at a comma.
    #[error(
        "\"{0}\" is cut off at a comma, because commas separate the sources of a list: write a law with commas in brackets, as in (doubles:0.3,0.7)"
    )]
    Law(String),
    /// Percentages that sum to 100 are the weights of one die, or several coins.
    #[error(
        "percentages that sum to 100 have two readings: the weights of one loaded die are written {weights}, and several loaded coins {coins}"
    )]
    Percentages {
        /// The percentages as weights.
        weights: String,
        /// The percentages as probabilities of heads.
        coins: String,
    },
    /// An item is a source of unknown probabilities.
    #[error("the probabilities of \"{0}\" are unknown: weights such as 1:2 were expected")]
    Unknown(String),
}

impl Sources {
    /// The sources in order.
    pub fn get(&self) -> &[Sides] {
        &self.all
    }

    /// Creates a list of dice with these numbers of sides, each at least 2.
    pub fn from_sides(sides: impl IntoIterator<Item = u64>) -> Sources {
        Sources::new(Numbers::from_values(sides), []).expect("dice")
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

/// Checks whether the item begins like a named law, for example `doubles:0.3,0.7`.
pub fn is_law(item: &str) -> bool {
    let name = item.split_once(':').map_or("", |(name, _)| name);
    !matches!(name, "word" | "unknown") && name.starts_with(char::is_alphabetic)
}

/// The error for several percentages that sum to 100.
fn percentages_error(text: &str) -> Option<SourcesError> {
    let shares = || items(text).map(|item| item.trim().strip_suffix('%'));
    let shares: Vec<&str> = shares().collect::<Option<_>>()?;
    let values = shares.iter().map(|share| parse_rational(share).ok());
    let sum: Rational = values.collect::<Option<Vec<_>>>()?.into_iter().sum();
    let is_whole = shares.len() > 1 && sum == Rational::from_integer(100.into());
    is_whole.then(|| SourcesError::Percentages {
        weights: shares.join(":"),
        coins: (shares
            .iter()
            .map(|share| format!("p={share}%"))
            .collect::<Vec<_>>())
        .join(","),
    })
}

impl FromStr for Sources {
    type Err = SourcesError;

    fn from_str(text: &str) -> Result<Sources, SourcesError> {
        // A number in a list is below 2^64, so 2^64 sides are handled separately.
        let (mut fair, mut widest, mut loaded) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(error) = percentages_error(text) {
            return Err(error);
        }
        for item in items(text) {
            let bracketed = unbracketed(item).filter(|(inner, _)| inner.contains([':', '=']));
            let item = bracketed.map_or(item, |(inner, _)| inner.trim());
            let item = several_dice(item).map_or(item, |(_, sides)| sides);
            let plain = !item.contains([':', '=']) || item.contains("..");
            match item.parse::<Sides>() {
                Ok(source) if source.0.is_fair() && source.0.small().is_none() => {
                    widest.push(source);
                }
                Ok(source) if source.0.law().is_some() => loaded.push(source),
                Err(wrong @ SidesError::Source(SourceError::Added { .. })) => {
                    return Err(wrong.into());
                }
                Err(_) if plain => fair.push(item.to_string()),
                Ok(source) if source.0.is_unknown() => {
                    return Err(SourcesError::Unknown(item.to_string()));
                }
                Ok(source) => match source.0.small() {
                    Some(sides) => fair.push(sides.to_string()),
                    None => loaded.push(source),
                },
                Err(_) if bracketed.is_none() && is_law(item) => {
                    return Err(SourcesError::Law(item.to_string()));
                }
                Err(wrong) => return Err(wrong.into()),
            }
        }
        let fair = if fair.is_empty() && !(widest.is_empty() && loaded.is_empty()) {
            Numbers::default()
        } else {
            fair.join(",").parse()?
        };
        Sources::new(fair, widest.into_iter().chain(loaded))
    }
}

/// Writes the fair sources as ranges, then the widest word, then the weights of the loaded sources.
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

impl FieldValue for Sources {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(weights_of_text),
        list: true,
        ..ValueAbout::python("NumbersLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<Sources, Sentence> {
        text_from_json(json)?
            .parse::<Sources>()
            .map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}

/// Checks whether the text lists several dice, as `6,10` and `2d6` do, and not the weights of one
/// die.
fn is_list(text: &str) -> bool {
    (items(text).nth(1).is_some() || several_dice(text).is_some())
        && text.parse::<Sources>().is_ok()
}

impl FieldValue for Sides {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(weights_of_text),
        fits: |json| !text_from_json(json).is_ok_and(|text| is_list(&text)),
        ..ValueAbout::python("SourceLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<Sides, Sentence> {
        text_from_json(json)?.parse::<Sides>().map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_in_brackets_and_what_is_cut_off() {
        let read = |text: &str| text.parse::<Sources>();
        assert_eq!(read("6,(doubles:0.25,0.75),2"), read("2,6,1:3"));
        assert_eq!(read("(1:2)"), read("1:2"));
        assert_eq!(read("2d2,1d6,2..4"), read("2..4,6"));
        assert_eq!(read("(2+4)"), read("6"));
        assert_eq!(read("(binomial:n=1,p=1/2)"), read("2"));
        for (text, why) in [
            ("6,doubles:0.3,0.7", "\"doubles:0.3\" is cut off"),
            ("(doubles:1)", "2 weights or more"),
            ("(unknown:2)", "are unknown"),
            (
                "2,6+6",
                "several dice are written 6,6, and a die of 12 sides d12",
            ),
            (
                "60%, 40%",
                "written 60:40, and several loaded coins p=60%,p=40%",
            ),
        ] {
            let said = read(text).unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
