//! Numbers and algorithms in questions, as users type them and in JSON.

use crate::QueryError;
use crate::description::{
    FieldValue, ValueAbout, plain_choices, plain_text, text_from_json, to_sentence,
};
use crate::names::Names;
use crate::say;
use crate::sentence::{Sentence, Terminal};
use flipcost::algorithms;
use flipcost::algorithms::{Algorithm, Catalogue, FAST_DICE_ROLLER, UnknownAlgorithm};
use flipcost::task::{Source, Target, Task, strip_die};
use flipcost_number::BigUint;
use flipcost_number::expression::{ExpressionError, parse_natural, parse_u64};
use flipcost_number::grammar::items;
use flipcost_number::named::NamedNumber;
use num_traits::Zero;
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;

/// A natural number with its text: `6`, `10^18+9`, `52!`; `d6` means `6`. Two numbers are equal if
/// their values are equal.
#[derive(Clone, Debug)]
pub struct Natural {
    text: String,
    value: BigUint,
}

impl Natural {
    /// The value of the number.
    pub fn value(&self) -> &BigUint {
        &self.value
    }

    /// The maximum number of bits of a target. Every question takes about log_m n steps on numbers
    /// as long as n, which is already 2^34 operations on machine words for a target of this many
    /// bits.
    pub const MAX_BITS: u64 = 1 << 20;

    /// The value as the number of sides of a target: at least 1, and short enough to compute with.
    ///
    /// # Errors
    /// If the number is 0 or too long.
    pub fn positive_value(&self, field: &str) -> Result<&BigUint, QueryError> {
        if self.value.is_zero() {
            let what = "a target of 0 sides has no outcome";
            return Err(QueryError::wrong(field, what).right("n must be at least 1"));
        }
        match self.value.bits() {
            0..=Self::MAX_BITS => Ok(&self.value),
            bits => {
                let what = format!("a target of {bits} bits is too long");
                let right = format!("n must be below 2^{}", Self::MAX_BITS);
                Err(QueryError::wrong(field, what).right(right))
            }
        }
    }
}

impl PartialEq for Natural {
    fn eq(&self, other: &Natural) -> bool {
        self.value == other.value
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Natural {
        let text = value.to_string();
        let value = value.into();
        Natural { text, value }
    }
}

impl From<BigUint> for Natural {
    fn from(value: BigUint) -> Natural {
        let text = value.to_string();
        Natural { text, value }
    }
}

impl FromStr for Natural {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Natural, ExpressionError> {
        let text = strip_die(text).to_string();
        let value = parse_natural(&text)?;
        Ok(Natural { text, value })
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Formats values with a separator between them.
pub fn join_values<T: ToString>(values: impl IntoIterator<Item = T>, mark: &str) -> String {
    let texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    texts.join(mark)
}

impl FieldValue for Natural {
    const ABOUT: ValueAbout = ValueAbout::python("NaturalLike");

    fn of_json(json: &Json, _: Names) -> Result<Natural, Sentence> {
        text_from_json(json)?
            .parse::<Natural>()
            .map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.text.as_str().into())
    }

    fn reading(&self) -> Option<String> {
        NamedNumber::reading(&self.text)
    }
}

/// A list of numbers and ranges, `2,4,10..20`, where both ends belong to a range. The numbers are
/// sorted, without repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers(Vec<u64>);

/// The error for a text that is not a list of numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumbersError {
    /// There is nothing between two commas.
    #[error("a number is missing: write a list such as 2,4,6 or a range such as 2..20")]
    Missing,
    /// An item is not a number below 2^64.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// An item is a negative difference, for example 2-20; the user probably meant a range.
    #[error("\"{0}-{1}\" is a difference below 0: write the range as {0}..{1}")]
    Difference(String, String),
    /// The first number of a range is above its last number.
    #[error("{0} is reversed: the first number must not be above the last")]
    Reversed(String),
    /// The list contains more numbers than allowed.
    #[error("{0} holds too many numbers: {MAX_NUMBERS} is the most")]
    TooMany(String),
}

/// The maximum number of numbers in a list.
const MAX_NUMBERS: u64 = 1_000_000;

impl Numbers {
    /// The numbers, in increasing order.
    pub fn get(&self) -> &[u64] {
        &self.0
    }

    /// Whether there are no numbers. A parsed list is never empty, but a question may leave the
    /// list out.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Creates a list of these numbers, of which there must be at least one.
    pub fn from_values(numbers: impl IntoIterator<Item = u64>) -> Numbers {
        let all: std::collections::BTreeSet<u64> = numbers.into_iter().collect();
        Numbers(all.into_iter().collect())
    }
}

impl FieldValue for Numbers {
    const ABOUT: ValueAbout = ValueAbout::python("NumbersLike");

    fn of_json(json: &Json, _: Names) -> Result<Numbers, Sentence> {
        text_from_json(json)?.parse().map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        (!self.is_empty()).then(|| self.to_string().into())
    }
}

/// The error for a negative difference, for example 2-20, if the user probably meant a range.
pub fn negative_difference_error(part: &str) -> Option<NumbersError> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (low, high) = part.split_once('-')?;
    let (low, high) = (strip_die(low), strip_die(high));
    let is_below_0 =
        is_number(low) && is_number(high) && parse_u64(low).ok()? < parse_u64(high).ok()?;
    is_below_0.then(|| NumbersError::Difference(low.to_string(), high.to_string()))
}

/// Parses a range, for example `2..20`; returns its ends, which belong to the range.
///
/// # Errors
/// [`NumbersError`] if an end is not a number, or if the range is reversed.
pub fn parse_range(part: &str) -> Result<(u64, u64), NumbersError> {
    let (low, high) = part.split_once("..").unwrap_or((part, part));
    let high = high.strip_prefix('=').unwrap_or(high);
    let (low, high) = (parse_u64(strip_die(low))?, parse_u64(strip_die(high))?);
    if low > high {
        return Err(NumbersError::Reversed(part.to_string()));
    }
    Ok((low, high))
}

impl FromStr for Numbers {
    type Err = NumbersError;

    fn from_str(text: &str) -> Result<Numbers, NumbersError> {
        let mut all = std::collections::BTreeSet::new();
        for part in items(text) {
            if part.is_empty() {
                return Err(NumbersError::Missing);
            }
            let (low, high) = if part.contains("..") {
                parse_range(part)?
            } else {
                let number = parse_u64(strip_die(part))
                    .map_err(|error| negative_difference_error(part).unwrap_or(error.into()))?;
                (number, number)
            };
            if high - low >= MAX_NUMBERS || all.len() as u64 + high - low >= MAX_NUMBERS {
                return Err(NumbersError::TooMany(part.to_string()));
            }
            all.extend(low..=high);
        }
        Ok(Numbers(all.into_iter().collect()))
    }
}

/// Writes the list; three or more consecutive numbers become a range: `2,4,10..20`.
impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut rest = &self.0[..];
        let mut mark = "";
        while let Some(&low) = rest.first() {
            let next = |pair: &&[u64]| pair[1] - pair[0] == 1;
            let run = 1 + rest.windows(2).take_while(next).count();
            let (length, text) = match run {
                1 | 2 => (1, low.to_string()),
                _ => (run, format!("{low}..{}", rest[run - 1])),
            };
            write!(f, "{mark}{text}")?;
            mark = ",";
            rest = &rest[length..];
        }
        Ok(())
    }
}

/// An algorithm, by its id, and its place in the catalogue in which it was found. Rows are ordered
/// by this place.
#[derive(Clone, Copy)]
pub struct AlgorithmId(pub &'static dyn Algorithm, Option<usize>);

impl From<&'static dyn Algorithm> for AlgorithmId {
    fn from(algorithm: &'static dyn Algorithm) -> AlgorithmId {
        AlgorithmId(algorithm, Catalogue::default().place(algorithm.about().id))
    }
}

/// The default algorithm of questions about fair dice.
pub fn fast_dice_roller() -> AlgorithmId {
    FAST_DICE_ROLLER.into()
}

/// The default algorithm of questions about weights.
pub fn knuth_yao_id() -> AlgorithmId {
    registered_algorithm("knuth-yao")
}

/// Returns an algorithm that is known to be in the registry.
pub fn registered_algorithm(id: &str) -> AlgorithmId {
    let found = algorithms::find(id).expect("it is in the registry");
    found.into()
}

/// Returns the given algorithms in the order of the registry, without repetitions. If none are
/// given, returns all algorithms for fair dice from this source.
pub fn algorithms(given: &[AlgorithmId], source: &Source) -> Vec<&'static dyn Algorithm> {
    algorithms_for(given, source, &fair_die_target())
}

/// A fair die, whose number of sides does not matter.
pub fn fair_die_target() -> Target {
    Target::uniform(1u8).expect("a die")
}

/// Returns the given algorithms in the order of the registry, without repetitions. If none are
/// given, returns all that were made for this kind of task.
pub fn algorithms_for(
    given: &[AlgorithmId],
    source: &Source,
    target: &Target,
) -> Vec<&'static dyn Algorithm> {
    if given.is_empty() {
        return algorithms::suited_to(&Task::new(target.clone(), source.clone()));
    }
    let mut wanted: Vec<AlgorithmId> = given.to_vec();
    wanted.sort_by_key(|algorithm| (algorithm.1, algorithm.id()));
    wanted.dedup();
    wanted.into_iter().map(|algorithm| algorithm.0).collect()
}

impl AlgorithmId {
    /// The algorithm's id.
    pub fn id(self) -> &'static str {
        self.0.about().id
    }
}

impl PartialEq for AlgorithmId {
    fn eq(&self, other: &AlgorithmId) -> bool {
        self.0.spelling() == other.0.spelling()
    }
}

impl fmt::Debug for AlgorithmId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for AlgorithmId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl AlgorithmId {
    /// Returns the algorithm with this id.
    ///
    /// # Errors
    /// [`UnknownAlgorithm`], if there is none.
    pub fn find(id: &str, all: Catalogue) -> Result<AlgorithmId, UnknownAlgorithm> {
        let algorithm = all.find(id)?;
        Ok(AlgorithmId(algorithm, all.place(algorithm.about().id)))
    }

    /// Returns the algorithm with this id.
    ///
    /// # Errors
    /// A sentence with the most similar id, or with all ids.
    pub fn named(id: &str, names: Names) -> Result<AlgorithmId, Sentence> {
        let algorithms =
            || Sentence::question("flipcost list algorithms", r#"{"ask":"list-algorithms"}"#);
        let libraries =
            || Sentence::question("flipcost libraries", r#"{"ask":"libraries","target":"6"}"#);
        let row = |id: &str| names.question_of_row.and_then(|question| question(id));
        AlgorithmId::find(id, names.algorithms).map_err(|error| match error {
            UnknownAlgorithm::Id(id, near) => match (row(&id), near) {
                (Some(question), _) => {
                    say!(
                        "\"{id}\" is not an algorithm for one die: ",
                        question,
                        " has its row"
                    )
                }
                (None, Some(near)) => say!(
                    "\"{id}\" is not an algorithm: did you mean {near}? ",
                    algorithms(),
                    " and ",
                    libraries(),
                    " list all"
                ),
                (None, None) => {
                    let ids = algorithms::ids().join(", ");
                    say!(
                        "\"{id}\" is not an algorithm: choose one of {ids} (",
                        algorithms(),
                        " describes them), or a function of ",
                        libraries()
                    )
                }
            },
            UnknownAlgorithm::Policy(id) => {
                let what = say!(
                    "{id} is a policy for a stream of targets, not an algorithm for a single target"
                );
                say!(
                    what,
                    ": batches use it",
                    Terminal(" (see `flipcost batch`)")
                )
            }
            error => to_sentence(error),
        })
    }
}

impl FieldValue for AlgorithmId {
    const ABOUT: ValueAbout = ValueAbout {
        choices: || plain_choices(algorithms::ids()),
        ..ValueAbout::python("AlgorithmLike")
    };

    fn of_json(json: &Json, names: Names) -> Result<AlgorithmId, Sentence> {
        AlgorithmId::named(plain_text(json)?, names)
    }

    fn continues_list_item(item: &str) -> bool {
        // `levels=2` continues `peres:N=8`, since a new id with parameters would contain a colon.
        item.contains('=') && !item.contains(':')
    }

    fn json(&self) -> Option<Json> {
        Some(self.0.spelling().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::FieldValue;
    use proptest::prelude::*;

    #[test]
    fn lists_and_their_mistakes() {
        let numbers: Numbers = "10..=12, 2,3,2".parse().unwrap();
        assert_eq!(numbers.get(), [2, 3, 10, 11, 12]);
        assert_eq!(numbers.to_string(), "2,3,10..12");
        assert_eq!("".parse::<Numbers>(), Err(NumbersError::Missing));
        assert_eq!(
            "9..3".parse::<Numbers>(),
            Err(NumbersError::Reversed("9..3".into()))
        );
        assert!(matches!(
            "0..10^7".parse::<Numbers>(),
            Err(NumbersError::TooMany(_))
        ));
        assert_eq!("10-4".parse::<Numbers>().unwrap().get(), [6]);
        let below = NumbersError::Difference("2".into(), "20".into());
        assert_eq!("2-20".parse::<Numbers>(), Err(below));
        assert!(matches!(
            "x".parse::<Numbers>(),
            Err(NumbersError::Number(_))
        ));
    }

    #[test]
    fn a_number_is_kept_as_written() {
        let names = Names::default();
        let number = Natural::of_json(&"10^18+9".into(), names).unwrap();
        assert_eq!(number.json(), Some("10^18+9".into()));
        assert_eq!(number, "1000000000000000009".parse().unwrap());
        assert_eq!(Natural::of_json(&6.into(), names).unwrap(), 6.into());
        let die: Natural = " d6 ".parse().unwrap();
        assert_eq!((die.to_string(), die), ("6".to_string(), 6.into()));
        for text in ["d", "dd6", "d-6", "d 6", "d6+1", "d6*2", "d2^3"] {
            assert!(text.parse::<Natural>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_list_is_read_back(numbers in prop::collection::btree_set(0u64..60, 1..30)) {
            let numbers = Numbers(numbers.into_iter().collect());
            prop_assert_eq!(numbers.to_string().parse::<Numbers>(), Ok(numbers));
        }
    }
}
