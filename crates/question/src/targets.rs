//! Several targets as people write them: `4,13`, `6,7:8:9,(binomial:n=20,p=1/3)`, `197..256`.

use crate::description::{Value, ValueAbout, said, text_of};
use crate::sentence::Sentence;
use crate::value::Numbers;
use crate::{NumbersError, TargetText, TargetTextError};
use flipcost_number::grammar::items;
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;

/// Targets in order. A comma separates them, so weights have colons and a law with commas stands in
/// brackets; `197..256` is a fair die of each of these numbers of sides. In JSON they are a text, or
/// a list of texts and numbers.
///
/// ```
/// use flipcost_question::Targets;
/// let targets: Targets = "4, 7:8, (binomial:n=2,p=1/3), 10..12".parse()?;
/// assert_eq!(targets.to_string(), "4,7:8,(binomial:n=2,p=1/3),10,11,12");
/// assert_eq!("4,7,8".parse::<Targets>()?.get(), [4.into(), 7.into(), 8.into()]);
/// # Ok::<(), flipcost_question::TargetsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets(Vec<TargetText>);

/// Why a text is no list of targets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetsError {
    /// Nothing between two commas.
    #[error("a target is missing in \"{0}\": write 4,13 for a d4, then a d13")]
    Missing(String),
    /// One of them is no target.
    #[error(transparent)]
    Target(#[from] TargetTextError),
    /// A part of a law, which was cut at its commas.
    #[error(
        "{0}; here a comma separates targets, so a law with commas stands in brackets: (binomial:n=20,p=1/3)"
    )]
    Law(TargetTextError),
    /// A range that is none.
    #[error(transparent)]
    Range(#[from] NumbersError),
    /// A range that begins at 0.
    #[error("a target of 0 sides has no outcome: n must be at least 1")]
    Zero,
}

impl Targets {
    /// The targets.
    pub fn get(&self) -> &[TargetText] {
        &self.0
    }

    /// Reads a list, each item that is no range by `read`.
    ///
    /// # Errors
    /// [`TargetsError`], and those of `read`.
    pub fn read<E: From<TargetsError>>(
        text: &str,
        read: impl Fn(&str) -> Result<TargetText, E>,
    ) -> Result<Targets, E> {
        let mut targets = Vec::new();
        for item in items(text) {
            if item.is_empty() {
                let shown = text.chars().take(60).collect::<String>();
                return Err(TargetsError::Missing(shown.escape_debug().to_string()).into());
            }
            if item.contains("..") && !item.starts_with('@') {
                let sides: Numbers = item.parse().map_err(TargetsError::from)?;
                if sides.get().first() == Some(&0) {
                    return Err(TargetsError::Zero.into());
                }
                targets.extend(sides.get().iter().map(|n| TargetText::from(*n)));
            } else {
                targets.push(read(item)?)
            }
        }
        Ok(Targets(targets))
    }

    /// One item of a list that is no range.
    ///
    /// # Errors
    /// [`TargetsError`]; [`TargetsError::Law`] if it looks like a part of a law.
    pub fn item(item: &str) -> Result<TargetText, TargetsError> {
        let part = item.contains('=') || item.starts_with(|c: char| c.is_ascii_alphabetic());
        item.parse().map_err(|error| {
            if part {
                TargetsError::Law(error)
            } else {
                TargetsError::Target(error)
            }
        })
    }
}

impl From<Vec<TargetText>> for Targets {
    fn from(targets: Vec<TargetText>) -> Targets {
        Targets(targets)
    }
}

impl FromIterator<Targets> for Targets {
    fn from_iter<I: IntoIterator<Item = Targets>>(lists: I) -> Targets {
        Targets(lists.into_iter().flat_map(|list| list.0).collect())
    }
}

impl FromStr for Targets {
    type Err = TargetsError;

    fn from_str(text: &str) -> Result<Targets, TargetsError> {
        Targets::read(text, Targets::item)
    }
}

impl fmt::Display for Targets {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(TargetText::as_item).collect();
        f.write_str(&items.join(","))
    }
}

impl Value for Targets {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(TargetText::item_of_file),
        ..ValueAbout::python("TargetsLike").several()
    };

    fn of_json(json: &Json) -> Result<Targets, Sentence> {
        let read = |json: &Json| {
            let text = text_of(json)?;
            text.parse::<Targets>().map_err(said)
        };
        match json {
            Json::Array(all) => all.iter().map(read).collect(),
            json => read(json),
        }
    }

    fn json(&self) -> Option<Json> {
        let items = self.get().iter().map(|target| target.as_item().into());
        Some(Json::Array(items.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Value;

    #[test]
    fn a_comma_always_separates() {
        for (text, many, written) in [
            ("4,7,8", 3, "4,7,8"),
            ("4:7:8", 1, "4:7:8"),
            ("d4, coin ,3d6", 3, "4,2,3d6"),
            ("(4,7,8),6", 2, "(4,7,8),6"),
            ("{'a': 1, 'b': 2},6", 2, "{'a': 1, 'b': 2},6"),
            ("5..7", 3, "5,6,7"),
            ("52!/50!", 1, "52!/50!"),
        ] {
            let targets: Targets = text.parse().unwrap();
            assert_eq!(
                (targets.get().len(), targets.to_string()),
                (many, written.into())
            );
            assert_eq!(targets.to_string().parse(), Ok(targets.clone()));
            let json = targets.json().unwrap();
            assert_eq!(Targets::of_json(&json), Ok(targets.clone()), "{json}");
            assert_eq!(Targets::of_json(&text.into()), Ok(targets), "{text}");
        }
        assert_eq!(
            Targets::of_json(&serde_json::json!([4, "7,8"])),
            Ok("4,7,8".parse().unwrap())
        );
        for (text, why) in [
            ("4,,8", "a target is missing in"),
            ("", "a target is missing in"),
            (
                "binomial:n=20,p=1/3",
                "stands in brackets: (binomial:n=20,p=1/3)",
            ),
            ("8..5", "reversed"),
            ("0..5", "n must be at least 1"),
            ("4,x", "is not a target"),
        ] {
            let said = text.parse::<Targets>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
