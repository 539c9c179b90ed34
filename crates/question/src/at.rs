//! The probabilities at which a cost formula of an unknown source is evaluated.

use crate::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use crate::say;
use crate::sentence::field;
use crate::value::join_values;
use crate::{Names, QueryError, Sentence, Sides, SidesError};
use flipcost::task::Source;
use flipcost_number::Rational;
use flipcost_number::grammar::items;
use num_traits::ToPrimitive;
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;

/// Known sources that replace an unknown source: either coins, given by their probabilities of
/// heads (`p=1/3,1/10`), or dice, given by their weights (`1:1:1:1:1:2,1:2:3:4:5:6`).
///
/// ```
/// use flipcost_question::KnownSources;
/// let at: KnownSources = "p=1/3, 0.1".parse()?;
/// assert_eq!(at.to_string(), "p=1/3,1/10");
/// assert_eq!("p=1".parse::<KnownSources>().unwrap_err().to_string(), "p=1".parse::<flipcost_question::Sides>().unwrap_err().to_string());
/// # Ok::<(), flipcost_question::SidesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSources(Vec<Sides>);

/// Returns the probability of heads of a known coin; `None` for any other source.
pub fn heads(source: &Sides) -> Option<Rational> {
    let coin = source.get() == 2;
    source.0.probability(0).filter(|_| coin)
}

impl KnownSources {
    /// The known sources.
    pub fn get(&self) -> &[Sides] {
        &self.0
    }

    /// All coins that show heads with probability 1/100, 2/100, ..., 99/100.
    pub fn hundredths() -> KnownSources {
        let coin = |heads: u64| Source::loaded([heads, 100 - heads]).expect("both are above 0");
        KnownSources((1..100).map(|heads| Sides(coin(heads))).collect())
    }

    /// Returns these sources if they have as many faces as the unknown source.
    ///
    /// # Errors
    /// If `source` is known, or if one of these has a different number of faces.
    pub fn for_source(&self, source: &Source) -> Result<&[Sides], QueryError> {
        let name = source.with_article();
        if !source.is_unknown() {
            let what = say!(
                field("at"),
                " applies only to an unknown source, but the source is {name}"
            );
            let sides = source.sides().to_u64().filter(|sides| *sides <= 64);
            let right = field("source").is(format!("unknown:{}", sides.unwrap_or(2)));
            return Err(QueryError::wrong("at", what).right(say!(right, " was expected")));
        }
        let faces = source.sides();
        match self.0.iter().find(|at| at.0.sides() != faces) {
            Some(at) => {
                let at = at.0.with_article();
                let what = format!("{at} does not have as many faces as {name}");
                let right = say!("{faces} probabilities were expected, one for each face");
                Err(QueryError::wrong("at", what).right(right))
            }
            None => Ok(&self.0),
        }
    }
}

impl FromStr for KnownSources {
    type Err = SidesError;

    fn from_str(text: &str) -> Result<KnownSources, SidesError> {
        let one = |item: &str| {
            let item = item.trim();
            if item.contains([':', '=']) {
                item.parse::<Sides>()
            } else {
                format!("p={item}").parse()
            }
        };
        items(text)
            .map(one)
            .collect::<Result<_, _>>()
            .map(KnownSources)
    }
}

impl fmt::Display for KnownSources {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut all: Vec<String> = Vec::new();
        for (i, source) in self.0.iter().enumerate() {
            all.push(match heads(source) {
                Some(p) if i == 0 => format!("p={p}"),
                Some(p) => p.to_string(),
                None => source.to_string(),
            });
        }
        f.write_str(&all.join(","))
    }
}

/// Formats one value, or a list of values with a separator between them.
fn format_one_or_list(
    json: &Json,
    mark: &str,
    of: impl Fn(&Json) -> Result<String, Sentence>,
) -> Result<String, Sentence> {
    match json {
        Json::Array(all) => {
            let texts: Vec<String> = all.iter().map(of).collect::<Result<_, _>>()?;
            Ok(join_values(texts, mark))
        }
        one => text_from_json(one),
    }
}

/// In JSON, the sources are a text, a list of texts, or a list of lists of weights.
impl FieldValue for KnownSources {
    const ABOUT: ValueAbout = ValueAbout::python("AtLike");

    fn of_json(json: &Json, _: Names) -> Result<KnownSources, Sentence> {
        let one = |one: &Json| format_one_or_list(one, ":", text_from_json);
        format_one_or_list(json, ",", one)?
            .parse::<KnownSources>()
            .map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_is_the_text_of_its_items() {
        let names = Names::default();
        let read = |json: Json| KnownSources::of_json(&json, names).map(|at| at.to_string());
        let both = Ok("p=1/3,1/10".to_string());
        assert_eq!(read(json!("p=1/3,0.1")), both);
        assert_eq!(read(json!(["1/3", "1/10"])), both);
        let dice = json!([[1, 1, "2"], "1:2:3"]);
        assert_eq!(read(dice), Ok("1:1:2,1:2:3".to_string()));
        assert!(read(json!(0.5)).is_err() && read(json!([[[1]]])).is_err());
    }
}
