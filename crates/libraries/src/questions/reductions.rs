//! The numbers of sides to which a question reduces random words.

use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::items;
use flipcost_question::Natural;
use flipcost_question::description::{ValueAbout, text_from_json, to_sentence};
use flipcost_question::prelude::*;
use std::fmt;
use std::str::FromStr;

/// The numbers of sides to which words are reduced: one number, or several that are separated by
/// commas. Each has its own words.
///
/// ```
/// use flipcost_libraries::questions::Reductions;
/// let both: Reductions = "6,10".parse()?;
/// assert_eq!((both.get().len(), both.to_string().as_str()), (2, "6,10"));
/// # Ok::<(), flipcost_number::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reductions(pub(super) Vec<Natural>);

impl Reductions {
    /// Returns the numbers of sides; there is at least one.
    pub fn get(&self) -> &[Natural] {
        &self.0
    }
}

impl FromStr for Reductions {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Reductions, ExpressionError> {
        items(text)
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Reductions)
    }
}

impl From<u64> for Reductions {
    fn from(n: u64) -> Reductions {
        Reductions(vec![n.into()])
    }
}

impl fmt::Display for Reductions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(Natural::to_string).collect();
        f.write_str(&all.join(","))
    }
}

impl FieldValue for Reductions {
    const ABOUT: ValueAbout = Natural::ABOUT;

    fn of_json(
        json: &flipcost_question::serde_json::Value,
        _: Names,
    ) -> Result<Reductions, Sentence> {
        text_from_json(json)?
            .parse()
            .map_err(to_sentence::<ExpressionError>)
    }

    fn json(&self) -> Option<flipcost_question::serde_json::Value> {
        match &self.0[..] {
            [one] => one.json(),
            _ => Some(self.to_string().into()),
        }
    }

    fn reading(&self) -> Option<String> {
        let remainder = |n: &Natural| {
            let text = n.to_string();
            let (_, n) = text.split_once('%')?;
            let n = n.trim();
            Some(format!(
                "{text} is a remainder, not a number of sides; write {n} to ask how biased x % {n} is"
            ))
        };
        let mut all = self.0.iter();
        all.find_map(|n| remainder(n).or_else(|| n.reading()))
    }
}
