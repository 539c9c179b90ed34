//! Lists of targets as users type them: `4,13`, `6,7:8:9,(binomial:n=20,p=1/3)`, `197..256`.

use crate::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use crate::endless::has_end;
use crate::sentence::Sentence;
use crate::target_text::is_range;
use crate::value::{Numbers, negative_difference_error, parse_range};
use crate::{Names, NumbersError, QueryError, TargetText, TargetTextError};
use flipcost::task::Target;
use flipcost_number::grammar::items;
use serde_json::Value as Json;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// A list of targets in order. Commas separate them, so weights are written with colons, and a law
/// that contains commas stands in brackets. `197..256` stands for the fair dice with these numbers
/// of sides. In JSON the list is a text, or a list of texts and numbers.
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

/// The error for a text that is not a list of targets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetsError {
    /// There is nothing between two commas.
    #[error("a target is missing in \"{0}\": write 4,13 for a d4, then a d13")]
    Missing(String),
    /// One of the items is not a target.
    #[error(transparent)]
    Target(#[from] TargetTextError),
    /// A law was cut off at a comma.
    #[error(
        "{0}; here a comma separates targets, so a law with commas stands in brackets: (binomial:n=20,p=1/3)"
    )]
    Law(TargetTextError),
    /// A range is not valid.
    #[error(transparent)]
    Range(#[from] NumbersError),
    /// A range begins at 0.
    #[error("a target of 0 sides has no outcome: n must be at least 1")]
    Zero,
}

impl Targets {
    /// The targets.
    pub fn get(&self) -> &[TargetText] {
        &self.0
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
        let mut targets = Vec::new();
        for span in text.parse::<TargetList>()?.spans {
            match span {
                TargetSpan::Dice(all) => {
                    let sides = Numbers::from_str(&format!("{}..{}", all.start(), all.end()))?;
                    targets.extend(sides.get().iter().map(|n| TargetText::from(*n)));
                }
                TargetSpan::Listed(all) => targets.extend(all),
            }
        }
        Ok(Targets(targets))
    }
}

impl fmt::Display for Targets {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(TargetText::as_item).collect();
        f.write_str(&items.join(","))
    }
}

impl FieldValue for Targets {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(TargetText::item_of_file),
        fits: has_end,
        ..ValueAbout::python("TargetsLike").several()
    };

    fn of_json(json: &Json, _: Names) -> Result<Targets, Sentence> {
        let read = |json: &Json| {
            let text = text_from_json(json)?;
            text.parse::<Targets>().map_err(to_sentence)
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

/// A list of targets in order. Commas separate them, as in [`Targets`]. A range, for example
/// `2..300`, is stored as a range, so it may be long. If a text without a range ends with a comma,
/// it is a list with one target. In JSON the list is a text, or a list of texts and numbers.
///
/// ```
/// use flipcost_question::targets::TargetList;
/// let list: TargetList = "6, 7:8, 10..12".parse()?;
/// assert_eq!((list.to_string().as_str(), list.count()), ("6,7:8,10..12", 5));
/// assert_eq!("3d6,".parse::<TargetList>()?.count(), 1);
/// # Ok::<(), flipcost_question::TargetsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TargetList {
    spans: Vec<TargetSpan>,
    /// Whether the list is printed with a comma at its end, unless it has a range. The comma shows
    /// that the text is a list and not a single target.
    ends_with_comma: bool,
}

/// Two lists are equal if they have the same targets.
impl PartialEq for TargetList {
    fn eq(&self, other: &TargetList) -> bool {
        self.spans == other.spans
    }
}

/// Consecutive targets of a [`TargetList`].
#[derive(Clone, Debug, PartialEq)]
pub enum TargetSpan {
    /// Fair dice with these numbers of sides.
    Dice(RangeInclusive<u64>),
    /// Targets that are listed one by one.
    Listed(Vec<TargetText>),
}

impl TargetSpan {
    /// The number of targets.
    pub fn count(&self) -> u64 {
        match self {
            TargetSpan::Dice(all) => all.end() - all.start() + 1,
            TargetSpan::Listed(all) => all.len() as u64,
        }
    }

    /// The targets at these places, counted from 0.
    pub fn part(&self, places: Range<u64>) -> TargetSpan {
        match self {
            TargetSpan::Dice(all) => {
                TargetSpan::Dice(all.start() + places.start..=all.start() + (places.end - 1))
            }
            TargetSpan::Listed(all) => {
                TargetSpan::Listed(all[places.start as usize..places.end as usize].to_vec())
            }
        }
    }
}

impl TargetList {
    /// The targets, as runs of fair dice and of single targets.
    pub fn spans(&self) -> &[TargetSpan] {
        &self.spans
    }

    /// The number of targets.
    pub fn count(&self) -> u128 {
        self.spans.iter().map(|span| u128::from(span.count())).sum()
    }

    /// The range, if the list is a single range.
    pub fn range(&self) -> Option<RangeInclusive<u64>> {
        match &self.spans[..] {
            [TargetSpan::Dice(all)] => Some(all.clone()),
            _ => None,
        }
    }

    /// The targets that are not in ranges.
    pub fn targets_outside_ranges(&self) -> impl Iterator<Item = &TargetText> {
        self.spans.iter().flat_map(|span| match span {
            TargetSpan::Dice(_) => &[][..],
            TargetSpan::Listed(all) => all,
        })
    }

    /// Iterates over all targets in order.
    ///
    /// # Errors
    /// If a target is too long to compute with.
    pub fn iter_targets(&self) -> impl Iterator<Item = Result<Target, QueryError>> {
        self.spans
            .iter()
            .flat_map(|span| -> Box<dyn Iterator<Item = _>> {
                match span {
                    TargetSpan::Dice(all) => Box::new(
                        all.clone()
                            .map(|n| Target::uniform(n).map_err(QueryError::for_field("target"))),
                    ),
                    TargetSpan::Listed(all) => {
                        Box::new(all.iter().map(|one| one.checked().cloned()))
                    }
                }
            })
    }

    fn add(
        &mut self,
        item: &str,
        read: impl Fn(&str) -> Result<TargetText, TargetsError>,
    ) -> Result<(), TargetsError> {
        if is_range(item) {
            let (low, high) = parse_range(item)?;
            if low == 0 {
                return Err(TargetsError::Zero);
            }
            self.spans.push(TargetSpan::Dice(low..=high));
            return Ok(());
        }
        if let Some(error) = negative_difference_error(item) {
            return Err(error.into());
        }
        let target = read(item)?;
        match self.spans.last_mut() {
            Some(TargetSpan::Listed(all)) => all.push(target),
            _ => self.spans.push(TargetSpan::Listed(vec![target])),
        }
        Ok(())
    }
}

/// Parses an item of a list that is not a range.
fn parse_item(item: &str) -> Result<TargetText, TargetsError> {
    let is_name = |(name, _): (&str, &str)| {
        let name = name.trim();
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let part = [':', '=']
        .into_iter()
        .any(|mark| item.split_once(mark).is_some_and(is_name));
    item.parse().map_err(|error| {
        if part {
            TargetsError::Law(error)
        } else {
            TargetsError::Target(error)
        }
    })
}

impl FromStr for TargetList {
    type Err = TargetsError;

    fn from_str(text: &str) -> Result<TargetList, TargetsError> {
        let comma = text.trim_end().ends_with(',');
        let mut list = TargetList {
            spans: Vec::new(),
            ends_with_comma: comma,
        };
        let mut all: Vec<&str> = items(text).collect();
        if all.len() > 1 {
            all.pop_if(|last| last.is_empty());
        }
        for one in all {
            if one.is_empty() {
                let shown = text.chars().take(60).collect::<String>();
                return Err(TargetsError::Missing(shown.escape_debug().to_string()));
            }
            list.add(one, parse_item)?;
        }
        Ok(list)
    }
}

impl fmt::Display for TargetList {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let texts: Vec<String> = (self.spans.iter())
            .flat_map(|span| match span {
                TargetSpan::Dice(all) => vec![format!("{}..{}", all.start(), all.end())],
                TargetSpan::Listed(all) => all.iter().map(TargetText::as_item).collect(),
            })
            .collect();
        let has_range = (self.spans.iter()).any(|span| matches!(span, TargetSpan::Dice(_)));
        let end = if has_range || !self.ends_with_comma {
            ""
        } else {
            ","
        };
        write!(f, "{}{end}", texts.join(","))
    }
}

impl FieldValue for TargetList {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(TargetText::item_of_file),
        list: true,
        fits: has_end,
        ..ValueAbout::python("WantedLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<TargetList, Sentence> {
        let Json::Array(all) = json else {
            return text_from_json(json)?
                .parse::<TargetList>()
                .map_err(to_sentence);
        };
        let mut list = TargetList {
            spans: Vec::new(),
            ends_with_comma: true,
        };
        let read = |item: &str| item.parse().map_err(|error: TargetTextError| error.into());
        for item in all {
            list.add(&text_from_json(item)?, read)
                .map_err(to_sentence)?;
        }
        if list.spans.is_empty() {
            return Err("there are no targets: at least one was expected".into());
        }
        Ok(list)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::FieldValue;
    use crate::target_text::is_list;

    #[test]
    fn a_comma_always_separates() {
        let names = Names::default();
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
            assert_eq!(
                Targets::of_json(&json, names),
                Ok(targets.clone()),
                "{json}"
            );
            assert_eq!(Targets::of_json(&text.into(), names), Ok(targets), "{text}");
        }
        assert_eq!(
            Targets::of_json(&serde_json::json!([4, "7,8"]), names),
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

    #[test]
    fn a_printed_list_is_parsed_again() {
        let names = Names::default();
        for (text, many, written) in [
            ("2..4", 3, "2..4"),
            ("7..7", 1, "7..7"),
            ("3d6", 1, "3d6"),
            ("3d6,", 1, "3d6,"),
            ("6,2,", 2, "6,2,"),
            ("d4, 7:8,2..=3 ,1", 5, "4,7:8,2..3,1"),
            ("(4,7,8),6,", 2, "(4,7,8),6,"),
            ("3d6,max(d4,d6),6", 3, "3d6,max(d4,d6),6"),
            ("{'a..b': 1, 'c': 2},", 1, "{'a..b': 1, 'c': 2},"),
            (
                "1..18446744073709551615",
                u64::MAX.into(),
                "1..18446744073709551615",
            ),
        ] {
            let list: TargetList = text.parse().unwrap();
            assert_eq!(
                (list.count(), list.to_string()),
                (many, written.into()),
                "{text}"
            );
            let json = list.json().unwrap();
            assert!(is_list(&json) || text == "3d6", "{json}");
            assert_eq!(TargetList::of_json(&json, names), Ok(list), "{json}");
        }
        let listed = TargetList::of_json(&serde_json::json!([6, "4,7,8", "2..3"]), names).unwrap();
        assert_eq!(listed.to_string(), "6,(4,7,8),2..3");
        for text in [
            "6",
            "4:7:8",
            "4,7,8",
            "binomial:n=20,p=1/3",
            "{'a..b': 1, 'c': 2}",
        ] {
            assert!(!is_list(&text.into()), "{text}");
        }
        for (text, why) in [
            ("4,,8", "a target is missing in"),
            (",", "a target is missing in"),
            ("9..3", "9..3 is reversed"),
            ("2-20", "write the range as 2..20"),
            ("0..5", "n must be at least 1"),
            ("2..x", "x"),
            ("2..3,x", "is not a target"),
        ] {
            let error = text.parse::<TargetList>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
