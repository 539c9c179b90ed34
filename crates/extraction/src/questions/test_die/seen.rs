//! The observations of a die: rolls, or counts of the faces.

use crate::fairness::FaceCounts;
use flipcost::algorithms::parse_rolls;
use flipcost::task::{Weights, WeightsError, column_of_text};
use flipcost_number::BigUint;
use flipcost_number::expression::parse_u64;
use flipcost_number::grammar::is_comment;
use flipcost_question::description::{ValueAbout, text_from_json, to_sentence};
use flipcost_question::prelude::*;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// Numbers that are rolls, or counts of the faces.
///
/// ```
/// use flipcost_extraction::questions::SeenRolls;
/// assert_eq!("HTT".parse::<SeenRolls>()?, "rolls:1,2,2".parse()?);
/// assert!("-1".parse::<SeenRolls>().is_err() && "1.5".parse::<SeenRolls>().is_err());
/// # Ok::<(), flipcost_extraction::questions::SeenError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenRolls {
    numbers: Vec<u64>,
    reading: Option<NumberMeaning>,
    table: Option<UnclearTable>,
}

/// The content of a file whose numbers may be rolls or counts, for the case that the user says
/// which they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct UnclearTable {
    /// The numbers to use if the user says that they are rolls; empty if the table cannot be rolls,
    /// because it numbers the rolls or names the faces.
    rolls: Vec<u64>,
    /// A description of the possible readings; empty if the numbers are clearly counts.
    readings: String,
}

/// The meaning of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberMeaning {
    Rolls,
    Counts,
    /// Counts of faces that a file names from this number on, not from 1.
    CountsFrom(u64),
}

/// A text is not a list of counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a count of a face: a whole number from 0 to {most} was expected, or rolls such as HTHHT", most = FaceCounts::MAX_ROLLS
)]
pub struct SeenError(String);

impl FromStr for SeenRolls {
    type Err = SeenError;

    fn from_str(text: &str) -> Result<SeenRolls, SeenError> {
        let parse = |list: &str| list.split(',').map(parse_number).collect::<Result<_, _>>();
        if let Some(table) = text.strip_prefix("table:") {
            let mut parts = table.splitn(3, '|');
            let [seen, rolls, readings] = [(); 3].map(|()| parts.next().unwrap_or_default());
            let list = |list: &str| {
                if list.is_empty() {
                    Ok(Vec::new())
                } else {
                    parse(list)
                }
            };
            let table = UnclearTable {
                rolls: list(rolls)?,
                readings: readings.to_string(),
            };
            let seen = if seen.is_empty() {
                SeenRolls::default()
            } else {
                seen.parse()?
            };
            return Ok(SeenRolls {
                table: Some(table),
                ..seen
            });
        }
        let (word, list) = text.split_once(':').unwrap_or(("", text));
        let first = word
            .strip_prefix("counts from ")
            .and_then(|first| first.parse().ok());
        let (reading, list) = match (word, first) {
            ("rolls", _) => (Some(NumberMeaning::Rolls), list),
            ("counts", _) => (Some(NumberMeaning::Counts), list),
            (_, Some(first)) => (Some(NumberMeaning::CountsFrom(first)), list),
            _ => (None, text),
        };
        let is_coin = list.contains(char::is_alphabetic);
        if is_coin && let Ok(rolls) = parse_rolls(list, 2) {
            return Ok(SeenRolls {
                numbers: rolls.into_iter().map(|face| face + 1).collect(),
                reading: Some(NumberMeaning::Rolls),
                table: None,
            });
        }
        Ok(SeenRolls {
            numbers: parse(list)?,
            reading,
            table: None,
        })
    }
}

/// Formats the numbers in a form that can be parsed again. The word `rolls` or `counts` comes first
/// if it is known and the numbers alone could mean either.
impl fmt::Display for SeenRolls {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |numbers: &[u64]| {
            let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
            texts.join(",")
        };
        f.write_str(if self.table.is_some() { "table:" } else { "" })?;
        match self.reading {
            Some(NumberMeaning::Rolls) => f.write_str("rolls:")?,
            Some(NumberMeaning::Counts) => f.write_str("counts:")?,
            Some(NumberMeaning::CountsFrom(first)) => write!(f, "counts from {first}:")?,
            None => {}
        }
        f.write_str(&list(&self.numbers))?;
        match &self.table {
            Some(table) => write!(f, "|{}|{}", list(&table.rolls), table.readings),
            None => Ok(()),
        }
    }
}

impl FieldValue for SeenRolls {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(SeenRolls::parse_file),
        ..ValueAbout::python("SupportsIndex").several()
    };

    fn value_if_absent() -> Option<SeenRolls> {
        Some(SeenRolls::default())
    }

    fn of_json(json: &Json, _: Names) -> Result<SeenRolls, Sentence> {
        let read = |text: &str| text.parse().map_err(to_sentence::<SeenError>);
        match json {
            Json::Array(items) if items.is_empty() => {
                Ok(SeenRolls::value_if_absent().expect("no number"))
            }
            Json::Array(items) => {
                let text = |item: &Json| match item {
                    Json::Number(number) => Ok(number.to_string()),
                    item => text_from_json(item),
                };
                let texts = items.iter().map(text).collect::<Result<Vec<_>, _>>()?;
                if let Some(what) = thousands_readings(texts.iter().map(String::as_str)) {
                    return Err(what.into());
                }
                let seen: SeenRolls = read(&texts.join(","))?;
                Ok(SeenRolls::new(
                    seen.numbers,
                    seen.reading.or(Some(NumberMeaning::Counts)),
                ))
            }
            Json::Number(number) => read(&number.to_string()),
            json => read(&text_from_json(json)?),
        }
    }

    fn json(&self) -> Option<Json> {
        if self.numbers.is_empty() && self.table.is_none() {
            return None;
        }
        // a list holds counts, and numbers that can be either stay a text
        let listed = SeenRolls::new(self.numbers.clone(), Some(NumberMeaning::Counts));
        Some(if listed == *self && self.reading.is_none() {
            self.numbers.clone().into()
        } else {
            self.to_string().into()
        })
    }
}

/// Counts the faces of these rolls. With a law, each roll must be one of its outcomes, if these are
/// numbers.
fn counts_of_rolls(
    numbers: &[u64],
    faces: Option<u64>,
    law: Option<&TargetText>,
) -> Result<Vec<u64>, QueryError> {
    let printed = faces.filter(|faces| [10, 100].contains(faces));
    let read = |number: &u64| {
        if *number == 0 {
            printed.unwrap_or(0)
        } else {
            *number
        }
    };
    let names: Option<Vec<u64>> = law.and_then(|law| {
        let outcomes = law
            .target()
            .iter()
            .map(|(outcome, _)| law.label(&outcome).parse().ok());
        outcomes.collect()
    });
    let most = faces.unwrap_or(u64::MAX).min(FaceCounts::MAX_FACES as u64);
    let is_face = |face: u64| {
        (1..=most).contains(&face) && names.as_ref().is_none_or(|names| names.contains(&face))
    };
    let mut counts = vec![0u64; 2];
    for (roll, number) in (1..).zip(numbers) {
        let face = read(number);
        if !is_face(face) {
            let what = say!("roll {roll} is {number}");
            let right = match (law, &names) {
                (Some(law), Some(_)) if *number > 0 => {
                    say!("an outcome of ", law.phrase(), " was expected")
                }
                _ if *number == 0 && faces.is_none() => say!(
                    "a face from 1 to {most} was expected; with ",
                    field("faces").is(10),
                    " the face 0 is the 10 of a d10"
                ),
                _ => say!("a face from 1 to {most} was expected"),
            };
            return Err(QueryError::wrong("counts", what).right(right));
        }
        if counts.len() < face as usize {
            counts.resize(face as usize, 0);
        }
        counts[face as usize - 1] += 1;
    }
    Ok(counts)
}

/// The options that say what the numbers are.
fn both_options() -> Sentence {
    say!(
        field("rolls"),
        " says that they are rolls, ",
        field("as_counts"),
        " that they are counts"
    )
}

impl SeenRolls {
    /// Drops the reading of numbers that can only be counts, so that equal values compare equal.
    fn new(numbers: Vec<u64>, reading: Option<NumberMeaning>) -> SeenRolls {
        let most = numbers.iter().copied().max().unwrap_or(0).max(2);
        let is_short = (numbers.len() as u64) < most.saturating_mul(2);
        let reading = reading.filter(|reading| *reading == NumberMeaning::Rolls || !is_short);
        SeenRolls {
            numbers,
            reading,
            table: None,
        }
    }

    /// Creates the value for a text that has these readings. It can be used only if `with_rolls`
    /// adds rolls and the user says that the text contains rolls.
    fn from_unclear_text(readings: impl Into<String>) -> SeenRolls {
        let table = UnclearTable {
            rolls: Vec::new(),
            readings: readings.into(),
        };
        SeenRolls {
            table: Some(table),
            ..SeenRolls::default()
        }
    }

    /// Marks these counts as unclear: they are used only if the user says that they are counts.
    fn with_unclear_readings(self, readings: impl Into<String>) -> SeenRolls {
        let table = UnclearTable {
            rolls: Vec::new(),
            readings: readings.into(),
        };
        SeenRolls {
            table: Some(table),
            ..self
        }
    }

    /// Stores the numbers to use if the user says that they are rolls, if these differ from the
    /// counts.
    fn with_rolls(mut self, rolls: &[u64]) -> SeenRolls {
        let has_no_rolls = self.table == Some(UnclearTable::default());
        if self.numbers != rolls && !has_no_rolls {
            self.table.get_or_insert_default().rolls = rolls.to_vec();
        }
        self
    }

    /// Whether the user may say that the numbers are rolls.
    fn has_rolls(&self) -> bool {
        self.table
            .as_ref()
            .is_none_or(|table| !table.rolls.is_empty())
    }

    /// Whether these can be rolls of a die with this many faces: at least two for each face.
    fn can_be_rolls(&self, faces: Option<u64>) -> bool {
        let least = match faces {
            Some(10 | 100) => 0,
            _ => 1,
        };
        let most = self.numbers.iter().copied().max().unwrap_or(0);
        let faces = faces.unwrap_or(most.max(2));
        self.numbers.iter().all(|number| *number >= least)
            && most <= faces.min(FaceCounts::MAX_FACES as u64)
            && self.numbers.len() as u64 >= faces.saturating_mul(2)
    }

    /// Whether these are fewer numbers than faces, and all of them are faces.
    fn are_too_few(&self, faces: Option<u64>) -> bool {
        faces.is_some_and(|faces| {
            (self.numbers.len() as u64) < faces
                && self
                    .numbers
                    .iter()
                    .all(|number| (1..=faces).contains(number))
        })
    }

    /// Whether these can be a few rolls of a die with at most 100 faces. They can if this many
    /// rolls are often all at least as large as the least of these numbers.
    fn can_be_few_rolls(&self) -> bool {
        let (given, numbers) = (self.numbers.len(), self.numbers.iter().copied());
        let (least, most) = (
            numbers.clone().min().unwrap_or(0),
            numbers.max().unwrap_or(0),
        );
        let limit = if given == 2 { 20 } else { 100 };
        let part = most.saturating_add(1).saturating_sub(least.max(1)) as f64 / most.max(1) as f64;
        most <= limit && part.powf(given as f64) >= 0.01
    }

    /// Returns the numbers that are rolls or counts. Rejects a table with several readings, unless
    /// `wanted` says which one is meant.
    fn numbers_to_use(&self, wanted: Option<bool>) -> Result<&[u64], QueryError> {
        match &self.table {
            Some(table) if wanted == Some(true) && table.rolls.is_empty() => {
                let what =
                    "each number of the file stands next to a face or next to the number of a roll";
                let right = "a file with only the rolls, or a column with a name, was expected";
                Err(QueryError::wrong("counts", what).right(right))
            }
            Some(table) if wanted == Some(true) => Ok(&table.rolls),
            Some(table) if !table.readings.is_empty() && self.numbers.is_empty() => {
                Err(QueryError::wrong("counts", table.readings.clone()))
            }
            Some(table) if !table.readings.is_empty() && wanted.is_none() => {
                Err(QueryError::wrong("counts", table.readings.clone()).right(both_options()))
            }
            _ => Ok(&self.numbers),
        }
    }

    /// Returns how often each face came. Rejects numbers that could be either rolls or counts,
    /// unless `wanted` says which they are. If there is a `law`, it is tested instead of a fair
    /// die.
    pub(super) fn counts(
        &self,
        wanted: Option<bool>,
        faces: Option<u64>,
        law: Option<&TargetText>,
    ) -> Result<Vec<u64>, QueryError> {
        let outcomes = law.map(|law| law.checked().map(|law| law.outcomes()));
        let outcomes = outcomes.transpose()?;
        let numbers = self.numbers_to_use(wanted)?;
        let given = numbers.len() as u64;
        let are_rolls = match (wanted, self.reading) {
            (Some(rolls), _) => rolls,
            (None, Some(reading)) => reading == NumberMeaning::Rolls,
            (None, None) if self.can_be_rolls(faces) || self.are_too_few(faces) => {
                let can_be_counts = given <= FaceCounts::MAX_FACES as u64
                    && faces.is_none_or(|faces| given <= faces)
                    && outcomes
                        .as_ref()
                        .is_none_or(|outcomes| BigUint::from(given) == *outcomes);
                if can_be_counts {
                    let most = self.numbers.iter().copied().max().unwrap_or(0);
                    let die = faces.unwrap_or(most.max(2));
                    let what = say!(
                        "these {given} numbers can be {given} rolls of a d{die}, or the counts of {given} faces"
                    );
                    let alone = || {
                        let counts = field("as_counts");
                        say!("the rolls alone, or ", counts, " for counts, were expected")
                    };
                    let right = if self.has_rolls() {
                        both_options()
                    } else {
                        alone()
                    };
                    return Err(QueryError::wrong("counts", what).right(right));
                }
                true
            }
            (None, None) => false,
        };
        if !are_rolls {
            return self.checked_counts(wanted.is_some(), law.is_some());
        }
        let law = law.filter(|_| outcomes.is_some_and(|all| all <= FaceCounts::MAX_FACES.into()));
        counts_of_rolls(numbers, faces, law)
    }

    /// Returns the counts of the faces from 1. Rejects counts of other faces, and a total at the
    /// end, unless the user says that the numbers are counts (`are_told`). With a law, the faces
    /// may begin at any number.
    fn checked_counts(&self, are_told: bool, has_law: bool) -> Result<Vec<u64>, QueryError> {
        let mut counts = self.numbers.clone();
        match self.reading {
            Some(NumberMeaning::CountsFrom(first @ 2..)) if has_law => {
                counts.splice(..0, (1..first).map(|_| 0));
            }
            Some(NumberMeaning::CountsFrom(first @ 2..)) => {
                let what = say!("the faces begin at {first}");
                let right = say!(
                    "a face that never came was expected with the count 0, and a sum of dice with ",
                    field("against")
                );
                return Err(QueryError::wrong("counts", what).right(right));
            }
            _ => {}
        }
        let (last, others) = counts.split_last().unwrap_or((&0, &[]));
        let sum = others
            .iter()
            .fold(0u64, |sum, count| sum.saturating_add(*count));
        // For a few rolls it is common that one count is the sum of the others.
        let are_many = sum > 20 || others.len() > 2 && !others.contains(&0);
        let is_total = others.len() > 1 && *last == sum && are_many && self.table.is_none();
        if is_total && !are_told && !has_law {
            let what = say!("the last count, {last}, is the sum of the others");
            let right = say!(
                "without a total at the end, or with ",
                field("as_counts"),
                " if it is the count of a face"
            );
            return Err(QueryError::wrong("counts", what).right(right));
        }
        Ok(counts)
    }

    /// If the numbers may be either rolls or counts, and the user did not say which, returns a note
    /// that says how they were read.
    pub(super) fn reading_note(&self, faces: Option<u64>) -> Option<Sentence> {
        let given = self.numbers.len() as u64;
        let most = self.numbers.iter().copied().max().unwrap_or(0);
        if !(2..=FaceCounts::MAX_FACES as u64).contains(&given) {
            return None;
        }
        match self.reading {
            Some(NumberMeaning::CountsFrom(0)) => Some(say!(
                "the {given} numbers are read as the counts of the faces from 0 on: face 1 here is face 0 of the file"
            )),
            Some(NumberMeaning::Rolls) if given < 3 || most < 3 => None,
            Some(NumberMeaning::Rolls) => Some(say!(
                "the {given} numbers are read as rolls; ",
                field("as_counts"),
                " says that they are counts"
            )),
            // People seldom roll a die less often than a third of its number of faces.
            None if (most <= 3 * given || self.can_be_few_rolls())
                && !self.can_be_rolls(faces)
                && !self.are_too_few(faces) =>
            {
                let right = if self.has_rolls() {
                    say!(field("rolls"), " says that they are rolls")
                } else {
                    "rolls stand in a file without numbers next to them".into()
                };
                let what = say!("the {given} numbers are read as the counts of {given} faces; ");
                Some(say!(what, right))
            }
            _ => None,
        }
    }

    /// Parses the text of a file, or a column of its table.
    fn parse_file(text: &str, column: Option<&str>) -> Result<String, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
        if text.is_empty() {
            return Err("rolls or counts were expected, and the file is empty".to_string());
        }
        let seen = if text.starts_with(['{', '[']) {
            parse_json(text, column)
        } else if let Some(column) = column {
            parse_column(text, column)
        } else {
            parse_text(text)
        };
        seen.map(|seen| seen.to_string())
    }
}

fn parse_count(text: &str) -> Result<u64, String> {
    parse_number(text.trim()).map_err(|wrong| wrong.to_string())
}

/// Parses a number, but neither a date nor a difference nor a quotient.
fn parse_number(text: &str) -> Result<u64, SeenError> {
    let number = parse_u64(text).ok();
    let number = number.filter(|_| !text.contains(['-', '/']));
    number.ok_or_else(|| SeenError(text.chars().take(40).collect()))
}

/// The two meanings of several words of which one is written as `1,200`, if all others are numbers.
fn thousands_readings<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let words: Vec<&str> = words.collect();
    let is_grouped = |word: &&str| {
        let mut groups = word.split(',');
        let is_group = |group: &str| group.len() == 3 && group.bytes().all(|c| c.is_ascii_digit());
        let first = groups.next().unwrap_or_default();
        matches!(first.len(), 1..=3) && word.contains(',') && groups.all(is_group)
    };
    let is_number = |word: &&str| word.bytes().all(|c| c.is_ascii_digit()) || is_grouped(word);
    let word = words.iter().find(|word| is_grouped(word))?;
    (words.len() > 1 && words.iter().all(is_number)).then(|| {
        format!(
            "\"{word}\" has two readings: one number is written {}, and several numbers {}",
            word.replace(',', ""),
            word.replace(',', " ")
        )
    })
}

/// Returns the counts of the faces, if no face occurs twice; a face that is missing has the count
/// 0.
fn counts_of_faces(pairs: &[(u64, u64)]) -> Option<SeenRolls> {
    let counts: BTreeMap<u64, u64> = pairs.iter().copied().collect();
    let (first, most) = (*counts.first_key_value()?.0, *counts.last_key_value()?.0);
    let are_faces =
        counts.len() == pairs.len() && (2..=FaceCounts::MAX_FACES as u64).contains(&most);
    let count = |face| counts.get(&face).copied().unwrap_or(0);
    are_faces.then(|| {
        let numbers = (first..=most).map(count).collect();
        match first {
            1 => SeenRolls::new(numbers, Some(NumberMeaning::Counts)),
            _ => SeenRolls {
                numbers,
                reading: Some(NumberMeaning::CountsFrom(first)),
                table: None,
            },
        }
    })
}

/// The meaning of a column's numbers, according to the column's name.
fn meaning_of_column(name: &str) -> Option<NumberMeaning> {
    let name = name.trim().to_lowercase();
    let sides = name.strip_prefix('d').unwrap_or_default();
    let is_die = !sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit());
    let starts = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    if is_die || starts(&["roll", "result", "throw"]) {
        Some(NumberMeaning::Rolls)
    } else {
        starts(&["count", "freq"]).then_some(NumberMeaning::Counts)
    }
}

/// Parses lines of two numbers, where one number is a face and the other says how often it came;
/// `None` if the lines have no such meaning.
fn counts_of_pairs(rows: &[Vec<u64>]) -> Option<SeenRolls> {
    let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<u64>>();
    let columns = [column(0), column(1)];
    // The number of integers between the least and the greatest number that are missing.
    let missing = |all: &Vec<u64>| {
        let faces: BTreeSet<u64> = all.iter().copied().collect();
        let (first, last) = (*faces.first()?, *faces.last()?);
        let few = last <= FaceCounts::MAX_FACES as u64;
        let missing = few.then(|| last - first + 1 - faces.len() as u64)?;
        let is_short = missing <= faces.len() as u64;
        (faces.len() == all.len() && is_short).then_some(missing)
    };
    let faces = match columns.each_ref().map(missing) {
        [None, None] => return None,
        [Some(_), None] | [Some(0), Some(1..)] => Some(0),
        [None, Some(_)] | [Some(1..), Some(0)] => Some(1),
        [Some(_), Some(_)] => None,
    };
    // If the faces are in no order, or the counts are small, each line may also be two rolls.
    let clear = faces.filter(|at| {
        let [faces, counts] = [&columns[*at], &columns[1 - *at]];
        let is_sorted = faces.is_sorted() || faces.iter().rev().is_sorted();
        let [largest, most] = [faces, counts].map(|all| all.iter().max().copied().unwrap_or(0));
        most > largest.saturating_mul(if is_sorted { 1 } else { 3 })
    });
    let readings = format!(
        "\"{} {}\" has several readings, a face with its count, a count with its face, or two rolls",
        columns[0][0], columns[1][0]
    );
    let Some(at) = faces else {
        return Some(SeenRolls::from_unclear_text(format!(
            "{readings}: a first line face,count with the column named, or one number to a line was expected"
        )));
    };
    let pairs = columns[at]
        .iter()
        .copied()
        .zip(columns[1 - at].iter().copied());
    let counts = counts_of_faces(&pairs.collect::<Vec<_>>())?;
    Some(if clear.is_some() {
        counts
    } else {
        counts.with_unclear_readings(readings)
    })
}

/// Describes the possible readings of two lines of two numbers: each line is a face and its count,
/// the first line is two faces and the second their counts, or all are rolls.
fn readings_of_two_pairs(rows: &[Vec<u64>]) -> Option<String> {
    let [[a, b], [c, d]] = [rows.first()?, rows.get(1)?].map(Vec::as_slice) else {
        return None;
    };
    let is_coin = (*a, *b) == (1, 2) || (*a, *c) == (1, 2);
    let are_rolls = [a, b, c, d]
        .into_iter()
        .all(|number| (1..=2).contains(number));
    (rows.len() == 2 && (!is_coin || are_rolls)).then(|| {
        format!(
            "\"{a} {b}\" above \"{c} {d}\" has several readings, a face with its count in each line, faces above their counts, or four rolls: a first line face,count with the column named, or one number to a line was expected"
        )
    })
}

/// Returns the values with the labels next to them.
fn values_with_labels(
    labels: &[String],
    values: Vec<u64>,
    are_counts: bool,
) -> Result<SeenRolls, String> {
    let plain = SeenRolls {
        numbers: values,
        reading: are_counts.then_some(NumberMeaning::Counts),
        table: None,
    };
    let is_number =
        |label: &String, number: u64| parse_u64(label.trim()).is_ok_and(|n| n == number);
    let begin_at_zero = (0..).zip(labels).all(|(i, label)| is_number(label, i));
    if begin_at_zero && !labels.is_empty() && (are_counts || !plain.can_be_rolls(None)) {
        return Ok(SeenRolls {
            reading: Some(NumberMeaning::CountsFrom(0)),
            ..plain
        });
    }
    let is_face = |label: &&String| parse_u64(label.trim()).is_ok();
    if are_counts
        && labels.iter().any(|label| is_face(&label))
        && let Some(other) = labels.iter().find(|label| !is_face(label))
    {
        return Err(format!(
            "\"{other}\" is not a face, and numbers stand beside the other counts: leave its line out, or write the number of its face"
        ));
    }
    let faces: Result<Vec<u64>, _> = labels.iter().map(|label| parse_u64(label.trim())).collect();
    let pairs = faces.map(|faces| -> Vec<(u64, u64)> {
        faces
            .into_iter()
            .zip(plain.numbers.iter().copied())
            .collect()
    });
    let by_face = pairs.ok().and_then(|pairs| counts_of_faces(&pairs));
    let different = labels.iter().collect::<BTreeSet<_>>().len() == labels.len();
    match by_face {
        Some(counts) if are_counts || !plain.can_be_rolls(None) => Ok(SeenRolls {
            reading: counts.reading.or(plain.reading),
            ..counts
        }),
        // The labels are the numbers of the rolls, or faces: in order.
        Some(counts) if counts.numbers.len() == plain.numbers.len() => Ok(SeenRolls {
            reading: None,
            ..counts
        }),
        Some(_) => Ok(SeenRolls::from_unclear_text(
            "the column next to it either numbers the rolls, or names faces of which some never came: a file with only the column of values was expected",
        )),
        None if !different && !are_counts => Ok(SeenRolls {
            reading: Some(NumberMeaning::Rolls),
            ..plain
        }),
        None if !different => {
            let twice = labels
                .iter()
                .zip(1usize..)
                .find(|(label, i)| labels[*i..].contains(label));
            let twice = twice.map_or("", |(label, _)| label.as_str());
            Err(format!(
                "\"{twice}\" occurs twice in the column next to the counts: one count for each face was expected"
            ))
        }
        None => Ok(plain),
    }
}

/// Names of columns of faces, and of sums of dice.
const FACE_COLUMN_NAMES: [&str; 7] = ["face", "faces", "side", "sides", "value", "total", "sum"];

/// Beginnings of names of columns whose numbers are rolls, unless another column has their faces.
const TOTAL_COLUMN_NAMES: [&str; 9] = [
    "total", "sum", "value", "score", "outcome", "dice", "face", "wurf", "ergebnis",
];

/// The meaning of a column of values beside labels, if its name and the labels say that the values
/// are rolls, or (`None` inside) that they can be rolls or counts.
fn meaning_beside_labels(column: &str, labels: &[String]) -> Option<Option<NumberMeaning>> {
    let name = column.trim().to_lowercase();
    let is_total = TOTAL_COLUMN_NAMES.iter().any(|word| name.starts_with(word));
    let are_numbers = labels.iter().all(|label| parse_count(label).is_ok());
    let begins_as_date = |label: &String| {
        label.trim().starts_with(|c: char| c.is_ascii_digit()) && parse_count(label).is_err()
    };
    if is_total && !are_numbers {
        Some(Some(NumberMeaning::Rolls))
    } else {
        (is_total || labels.iter().all(begins_as_date)).then_some(None)
    }
}

/// The error if the user chose a column of faces, and the column of their counts is next to it.
fn faces_with_counts(text: &str, of: &[(usize, String)]) -> Option<String> {
    let field = |name: &str| column_of_text(text, Some(name)).ok();
    let are_faces = FACE_COLUMN_NAMES[..4]
        .iter()
        .any(|name| field(name).is_some_and(|faces| faces == of));
    let counts = ["count", "counts", "freq", "frequency"]
        .into_iter()
        .find(|name| field(name).is_some_and(|counts| counts != of))?;
    are_faces.then(|| {
        format!("these are the faces, and the column {counts} has their counts: @FILE:{counts} was expected")
    })
}

fn parse_column(text: &str, column: &str) -> Result<SeenRolls, String> {
    let fields = |column: &str| column_of_text(text, Some(column));
    let of = fields(column).map_err(|error| error.to_string())?;
    if let Some(wrong) = faces_with_counts(text, &of) {
        return Err(wrong);
    }
    let name = column.to_lowercase();
    let shares = ["percent", "%", "prob", "chance", "expected", "cumul"];
    if shares.iter().any(|share| name.contains(share)) {
        return Err(format!(
            "the column {column} holds no counts, as its name says: a column with how often each face came was expected"
        ));
    }
    let are_counts = meaning_of_column(column) == Some(NumberMeaning::Counts);
    let is_named = |of: &[(usize, String)]| {
        let mut names = FACE_COLUMN_NAMES
            .iter()
            .filter_map(|name| fields(name).ok());
        names.any(|faces| faces == of)
    };
    let label = ["1", "2"].into_iter().find_map(|place| {
        let other = fields(place).ok()?;
        // A column with the same value in every line says which die was rolled.
        let differ = !are_counts
            || other.len() < 2
            || is_named(&other)
            || other.windows(2).any(|pair| pair[0].1 != pair[1].1);
        (other != of && differ).then(|| {
            other
                .into_iter()
                .map(|(_, field)| field)
                .collect::<Vec<_>>()
        })
    });
    let texts: Vec<String> = of.into_iter().map(|(_, field)| field).collect();
    let values = texts
        .iter()
        .map(|text| parse_count(text))
        .collect::<Result<Vec<u64>, _>>();
    let rolls = values.clone().unwrap_or_default();
    let meaning = meaning_of_column(column).map(Some);
    let beside = label
        .as_deref()
        .and_then(|labels| meaning_beside_labels(column, labels));
    let meaning = meaning.or(beside);
    let seen = match (values, label) {
        // A field must be a single number; only letters for the sides of a coin are allowed
        // instead.
        (Err(wrong), _) if texts.iter().any(|text| has_digit(text)) => Err(wrong),
        (Ok(numbers), _) if meaning == Some(Some(NumberMeaning::Rolls)) => Ok(SeenRolls {
            numbers,
            reading: Some(NumberMeaning::Rolls),
            table: None,
        }),
        (Ok(values), Some(labels)) => {
            let are_faces = labels.iter().all(|label| parse_count(label).is_ok());
            let seen = values_with_labels(&labels, values, are_counts)?;
            let rolls = rolls.clone();
            if meaning == Some(None) {
                let readings = "the numbers of the column can be rolls or counts".to_string();
                let table = Some(UnclearTable { rolls, readings });
                return Ok(SeenRolls { table, ..seen });
            }
            let table = || UnclearTable {
                rolls,
                ..UnclearTable::default()
            };
            Ok(SeenRolls {
                table: seen.table.or(are_faces.then(table)),
                ..seen
            })
        }
        (Ok(numbers), None) if are_counts => Ok(SeenRolls {
            numbers,
            reading: Some(NumberMeaning::Counts),
            table: None,
        }),
        (_, _) => return parse_text(&texts.join("\n")),
    };
    Ok(seen?.with_rolls(&rolls))
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Parses an object of faces, or a list: of numbers, or of objects.
fn parse_json(text: &str, column: Option<&str>) -> Result<SeenRolls, String> {
    // An object in each line is a list of them.
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let is_object = |line: &&str| line.trim().starts_with('{') && line.trim().ends_with('}');
    let list = format!("[{}]", lines.join(",\n"));
    let are_lines = lines.len() > 1 && lines.iter().all(is_object);
    let json: Json = serde_json::from_str(if are_lines { &list } else { text }).map_err(|_| {
        let line = lines.first().map_or("", |line| line.trim());
        let shown: String = line.chars().take(40).collect();
        format!("\"{shown}\" is not JSON: rolls one to a line, a list such as [3, 1, 6], or an object such as {{\"1\": 17, \"2\": 12}} was expected")
    })?;
    let value = |json: &Json| match json {
        Json::String(text) => text.clone(),
        json => json.to_string(),
    };
    match json {
        Json::Object(faces) => {
            let labels: Vec<String> = faces.keys().cloned().collect();
            let values = faces.values().map(|count| parse_count(&value(count)));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            // The parsed object keeps only one value for a face that occurs twice.
            if let Err(wrong @ WeightsError::Line { .. }) = Weights::of_file(text) {
                return Err(wrong.to_string());
            }
            // The names heads and tails.
            let is_coin = matches!(&labels[..], [heads, tails]
                if heads.to_lowercase().starts_with('h') && tails.to_lowercase().starts_with('t'));
            if !is_coin && labels.iter().any(|label| parse_count(label).is_err()) {
                return Err("the names of the object are to be faces from 1".to_string());
            }
            let seen = values_with_labels(&labels, values, true)?;
            Ok(SeenRolls {
                table: Some(UnclearTable::default()),
                ..seen
            })
        }
        Json::Array(items) if items.iter().any(Json::is_object) => {
            let mut table = String::new();
            for (i, item) in items.iter().enumerate() {
                let fields = item
                    .as_object()
                    .ok_or("an object was expected in each place")?;
                // An error names the last column as an example.
                let mut fields: Vec<(&String, &Json)> = fields.iter().collect();
                fields.sort_by_key(|(name, _)| meaning_of_column(name).is_some());
                if i == 0 {
                    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                    table += &(names.join("\t") + "\n");
                }
                let fields: Vec<String> = fields.iter().map(|(_, field)| value(field)).collect();
                table += &(fields.join("\t") + "\n");
            }
            match column {
                Some(column) => parse_column(&table, column),
                None => parse_text(&table),
            }
        }
        Json::Array(items) => {
            let texts: Vec<String> = items.iter().map(value).collect();
            for text in texts.iter().filter(|text| has_digit(text)) {
                parse_count(text)?;
            }
            parse_text(&texts.join("\n"))
        }
        _ => Err("a list or an object was expected".to_string()),
    }
}

/// Parses rolls, one after another; or counts, if the numbers cannot be rolls; or lines of faces
/// and counts.
fn parse_text(text: &str) -> Result<SeenRolls, String> {
    if !has_digit(text) {
        let rolls = parse_rolls(text, 2).map_err(|error| error.to_string())?;
        return Ok(SeenRolls {
            numbers: rolls.into_iter().map(|face| face + 1).collect(),
            reading: Some(NumberMeaning::Rolls),
            table: None,
        });
    }
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| line.contains(char::is_alphanumeric) && !is_comment(line))
        .collect();
    if let Some(line) = lines.iter().find(|line| line.starts_with('#')) {
        return Err(format!(
            "\"{line}\" is an error of a spreadsheet: a number was expected"
        ));
    }
    // The first line may be a name: of a single column, or of a table as R prints it.
    let is_name = |line: &str| !line.contains(|c: char| c.is_ascii_digit() || ",;\t".contains(c));
    let named = usize::from(lines.first().is_some_and(|line| is_name(line)));
    let split = |line: &str| -> Option<Vec<u64>> {
        let parts = line.split(|c: char| c.is_whitespace() || ",;\t".contains(c));
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(|part| parse_number(part).ok()).collect()
    };
    if let Some(what) = thousands_readings(lines.iter().flat_map(|line| line.split_whitespace())) {
        return Err(what);
    }
    let rows: Option<Vec<Vec<u64>>> = lines[named..].iter().map(|line| split(line)).collect();
    let Some(rows) = rows else {
        return Err(match column_of_text(text, None) {
            Err(which @ WeightsError::Column(_)) => which.to_string(),
            _ => match parse_rolls(text, FaceCounts::MAX_FACES as u128) {
                Err(error) => error.of_some_die().to_string(),
                Ok(_) => "rolls, or how often each face came, were expected".to_string(),
            },
        });
    };
    if let Some(reading) = lines[..named]
        .first()
        .and_then(|name| meaning_of_column(name))
        && rows.iter().all(|row| row.len() == 1)
    {
        return Ok(SeenRolls {
            numbers: rows.into_iter().flatten().collect(),
            reading: Some(reading),
            table: None,
        });
    }
    if let Some(readings) = lines[named..].iter().find_map(|line| number_readings(line)) {
        return Err(readings);
    }
    let numbers: Vec<u64> = rows.iter().flatten().copied().collect();
    Ok(parse_rows(text, &rows)?.with_rolls(&numbers))
}

/// Describes both readings of a line in which a comma or a blank may belong to a number (decimals,
/// thousands) or separate two numbers.
fn number_readings(line: &str) -> Option<String> {
    let split = |c: char| c.is_whitespace() || ",;".contains(c);
    let parts: Vec<&str> = line.split(split).filter(|part| !part.is_empty()).collect();
    let (first, groups) = parts.split_first()?;
    let is_group = |part: &&str| part.len() == 3;
    let has_zero = groups.iter().any(|part| part.starts_with('0'));
    let are_groups = first.len() < 4 && !first.starts_with('0') && groups.iter().all(is_group);
    if are_groups && has_zero {
        return Some(format!(
            "\"{line}\" has two readings: the number is written {}, and several numbers {}",
            parts.concat(),
            parts
                .iter()
                .map(|part| part.trim_start_matches('0'))
                .map(|part| if part.is_empty() { "0" } else { part })
                .collect::<Vec<_>>()
                .join(" ")
        ));
    }
    // Look for a comma between digits that does not separate two numbers.
    let pairs = line
        .split(',')
        .skip(1)
        .map(|part| part.starts_with(char::is_whitespace));
    let pairs: BTreeSet<bool> = pairs.collect();
    let is_decimal = pairs.len() > 1 || pairs.contains(&false) && line.contains(';');
    is_decimal.then(|| format!("\"{line}\" has two readings: a decimal has a point and is no count, and several numbers have one mark between them"))
}

/// Parses lines of numbers.
fn parse_rows(text: &str, rows: &[Vec<u64>]) -> Result<SeenRolls, String> {
    let first: Vec<u64> = rows.iter().map(|row| row[0]).collect();
    let are_numbered = first.len() > 1 && first.iter().zip(1..).all(|(face, i)| *face == i);
    if let Some(readings) = readings_of_two_pairs(rows) {
        return Ok(SeenRolls::from_unclear_text(readings));
    }
    if are_numbered && rows.iter().all(|row| row.len() == 2) {
        let labels: Vec<String> = first.iter().map(u64::to_string).collect();
        let seen = values_with_labels(&labels, rows.iter().map(|row| row[1]).collect(), false)?;
        return Ok(SeenRolls {
            table: seen.table.or(Some(UnclearTable::default())),
            ..seen
        });
    }
    if rows.len() > 2
        && rows.iter().all(|row| row.len() == 2)
        && let Some(counts) = counts_of_pairs(rows)
    {
        return Ok(counts);
    }
    let is_ascending = |row: &[u64]| row.len() > 1 && row.windows(2).all(|pair| pair[0] < pair[1]);
    // A table as R prints it: lines of faces, each above a line of their counts.
    let pairs: Vec<&[Vec<u64>]> = rows.chunks(2).collect();
    let printed = pairs
        .iter()
        .all(|pair| pair.len() == 2 && pair[0].len() == pair[1].len() && is_ascending(&pair[0]));
    let numbers: Vec<u64> = rows.iter().flatten().copied().collect();
    let most = numbers.iter().copied().max().unwrap_or(0);
    // If there are fewer numbers than the largest of them, they are unlikely to be rolls, and are
    // read as counts.
    let are_rolls = numbers.iter().all(|number| *number > 0)
        && numbers.len() as u64 >= most
        && most <= FaceCounts::MAX_FACES as u64;
    if printed {
        let pairs = pairs.iter().flat_map(|pair| {
            let both = pair[0].iter().copied().zip(pair[1].iter().copied());
            both.collect::<Vec<_>>()
        });
        let pairs: Vec<(u64, u64)> = pairs.collect();
        match counts_of_faces(&pairs) {
            Some(counts) if !are_rolls => return Ok(counts),
            Some(counts) => {
                let readings = "these lines can be rolls, or faces with their counts below";
                return Ok(counts.with_unclear_readings(readings));
            }
            None => {}
        }
    }
    if are_numbered && rows.iter().all(|row| row.len() > 2) {
        return Ok(SeenRolls::from_unclear_text(
            match column_of_text(text, None) {
                Err(which @ WeightsError::Column(_)) => which.to_string(),
                _ => "the faces have several counts each: one column of counts was expected"
                    .to_string(),
            },
        ));
    }
    if !are_rolls && rows.len() > 1 && rows.iter().any(|row| row.len() > 1) {
        return Ok(SeenRolls::from_unclear_text(
            "the counts of the faces were expected one to a line, or all on one line",
        ));
    }
    Ok(SeenRolls {
        numbers,
        reading: are_rolls.then_some(NumberMeaning::Rolls),
        table: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str, column: Option<&str>) -> Vec<u64> {
        let seen: SeenRolls = SeenRolls::parse_file(text, column)
            .unwrap()
            .parse()
            .unwrap();
        seen.counts(None, None, None).unwrap()
    }

    /// Whether a file can be used only if the user says whether it contains rolls or counts.
    fn is_unread(text: &str, column: Option<&str>) -> bool {
        let seen = SeenRolls::parse_file(text, column);
        let counts = |seen: String| seen.parse::<SeenRolls>().unwrap().counts(None, None, None);
        seen.map_err(|_| ())
            .and_then(|seen| counts(seen).map_err(|_| ()))
            .is_err()
    }

    fn is_refused(seen: &str) -> bool {
        let seen: SeenRolls = seen.parse().unwrap();
        let both = [true, false].map(|rolls| seen.counts(Some(rolls), None, None).unwrap());
        both[0] != both[1] && seen.counts(None, None, None).is_err()
    }

    /// Six counts in various formats: 100 rolls of a d6.
    #[test]
    fn counts_of_faces() {
        let six = vec![17, 12, 20, 15, 18, 18];
        for (text, column) in [
            (
                "face,count\n1,17\n2,12\n3,20\n4,15\n5,18\n6,18\n",
                Some("count"),
            ),
            ("face;n\n6;18\n5;18\n4;15\n3;20\n2;12\n1;17\n", Some("n")),
            (
                "face\tred\tblue\n1\t17\t9\n2\t12\t9\n3\t20\t9\n4\t15\t9\n5\t18\t9\n6\t18\t9\n",
                Some("red"),
            ),
            ("1,17\n2,12\n3,20\n4,15\n5,18\n6,18\n", None),
            ("17 1\n12 2\n20 3\n15 4\n18 5\n18 6\n", None),
            ("6 18\n5 18\n4 15\n3 20\n2 12\n1 17\n", None),
            ("count\n17\n12\n20\n15\n18\n18\n", None),
            ("rolls\n 1  2  3  4  5  6 \n17 12 20 15 18 18 \n", None),
            ("\n 1  2  3  4 \n17 12 20 15 \n 5  6 \n18 18 \n", None),
            (
                "{\"1\": 17, \"2\": 12, \"3\": 20, \"4\": 15, \"5\": 18, \"6\": 18}",
                None,
            ),
            ("[17, 12, 20, 15, 18, 18]", None),
            (
                "{\"f\":1,\"count\":17}\n{\"f\":2,\"count\":12}\n{\"f\":3,\"count\":20}\n{\"f\":4,\"count\":15}\n\
                {\"f\":5,\"count\":18}\n{\"f\":6,\"count\":18}\n",
                Some("count"),
            ),
            ("17\n12\n20\n15\n18\n18\n", None),
        ] {
            assert_eq!(counts(text, column), six, "{text}");
        }
        // Faces that never came.
        assert_eq!(counts("1 3 6\n7 9 8\n", None), [7, 0, 9, 0, 0, 8]);
        assert_eq!(counts("{\"tails\": 40, \"heads\": 60}", None), [60, 40]);
        assert_eq!(
            counts("1665024\n1667012\n1667964\n", None),
            [1_665_024, 1_667_012, 1_667_964]
        );
    }

    #[test]
    fn rolls_one_by_one() {
        for (text, column) in [
            ("3 1 6 2 2 6", None),
            ("3,1,6\n2,2,6\n", None),
            ("total\n3\n1\n6\n2\n2\n6\n", None),
            ("n,d6\n1,3\n2,1\n3,6\n4,2\n5,2\n6,6\n", Some("d6")),
            (
                "[{\"roll\":3},{\"roll\":1},{\"roll\":6},{\"roll\":2},{\"roll\":2},{\"roll\":6}]",
                None,
            ),
            ("who,total\na,3\nb,1\na,6\nb,2\na,2\nb,6\n", Some("total")),
            ("[3, 1, 6, 2, 2, 6]", None),
        ] {
            assert_eq!(counts(text, column), [1, 2, 1, 0, 0, 2], "{text}");
        }
        assert_eq!(counts("HTHHT", None), [3, 2]);
        assert_eq!(counts("n,side\n1,H\n2,T\n", Some("side")), [1, 1]);
        assert_eq!(counts("1 40\n2 60\n", None), [40, 60]);
        assert_eq!(counts("1 2\n40 60\n", None), [40, 60]);
        let tens: SeenRolls = "0,7,10".parse().unwrap();
        let ten = tens.counts(Some(true), Some(10), None).unwrap();
        assert_eq!(ten, [0, 0, 0, 0, 0, 0, 1, 0, 0, 2]);
        assert!(tens.counts(Some(true), None, None).is_err());
    }

    /// Sixty numbers may be rolls of a d20, or counts of a d60; two columns may give the number of
    /// each roll and its face, or each face and its count.
    #[test]
    fn texts_with_two_readings_are_refused() {
        let names = Names::default();
        let sixty: Vec<String> = (0..60).map(|i| (1 + 7 * i % 20).to_string()).collect();
        assert!(is_refused(&sixty.join(",")));
        let lines: Vec<String> = (1..)
            .zip(&sixty)
            .map(|(i, roll)| format!("{i},{roll}"))
            .collect();
        assert!(is_unread(&lines.join("\n"), None));
        // They are parsed if the user says what they are.
        let array = Json::from((1..=60u64).map(|i| 1 + 7 * i % 20).collect::<Vec<_>>());
        let seen = SeenRolls::of_json(&array, names).unwrap();
        assert_eq!(seen.counts(None, None, None).unwrap().len(), 60);
        assert_eq!(SeenRolls::of_json(&seen.json().unwrap(), names), Ok(seen));
        // More numbers than the die has faces are rolls; fewer than two for each face are counts.
        let seen: SeenRolls = "1,2,1,1,2,2".parse().unwrap();
        assert_eq!(seen.counts(None, Some(2), None).unwrap(), [3, 3]);
        assert_eq!(counts("17 12 20 15 18 18", None).len(), 6);
    }

    /// If the user says that numbers are rolls, all of them are rolls, except those that number the
    /// rolls.
    #[test]
    fn every_number_of_a_file_is_a_roll() {
        let rolls = |text: &str, column: Option<&str>| {
            let seen: SeenRolls = SeenRolls::parse_file(text, column)
                .unwrap()
                .parse()
                .unwrap();
            assert_eq!(seen.to_string().parse(), Ok(seen.clone()));
            seen.counts(Some(true), None, None)
        };
        for (text, counts) in [
            ("3 4\n5 6\n1 1\n2 6\n6 2\n4 5\n", [2, 2, 1, 2, 2, 3]),
            ("1 2 3 4 5 6\n1 2 3 4 5 6\n", [2, 2, 2, 2, 2, 2]),
            ("1,2,3\n4,5,6\n", [1, 1, 1, 1, 1, 1]),
            ("3,4\n5,6\n1,1\n2,6\n", [2, 1, 1, 1, 1, 2]),
            ("3 5\n6 2\n", [0, 1, 1, 0, 1, 1]),
            ("1 2 5 6\n3 1 6 2\n", [2, 2, 1, 0, 1, 2]),
        ] {
            assert_eq!(rolls(text, None).unwrap(), counts, "{text}");
            assert!(is_unread(text, None), "{text}");
        }
        for (text, counts) in [
            ("1 2 3 4 5 6\n3 1 2 1 4 5\n", vec![3, 1, 2, 1, 4, 5]),
            ("3 1\n1 2\n2 3\n1 4\n", vec![3, 1, 2, 1]),
        ] {
            let seen: SeenRolls = SeenRolls::parse_file(text, None).unwrap().parse().unwrap();
            assert!(seen.counts(None, None, None).is_err(), "{text}");
            assert_eq!(seen.counts(Some(false), None, None).unwrap(), counts);
        }
        assert_eq!(
            counts("face,count\n1,20\n2,30\n3,50\n", Some("count")),
            [20, 30, 50]
        );
        for text in ["1,3\n2,1\n3,6\n", "{\"1\": 3, \"2\": 5}"] {
            assert!(rolls(text, None).is_err(), "{text}");
        }
        let table = "face,count\n1,3\n3,2\n";
        assert_eq!(rolls(table, Some("count")).unwrap(), [0, 1, 1]);
    }

    /// Counts of faces from 2 on are those of a sum of dice. A last count that is the sum of the
    /// others may be a total instead of a count.
    /// The column next to a column of totals decides whether these are rolls.
    #[test]
    fn totals_beside_dates_are_rolls() {
        let days = "date,total\n2024-01-05,17\n2024-01-06,12\n2024-01-07,20\n";
        let seen = parse_column(days, "total").unwrap();
        assert_eq!(seen.reading, Some(NumberMeaning::Rolls));
        assert_eq!(seen.numbers, [17, 12, 20]);
        let bins = parse_column("Bin,Frequency\n1,17\n2,12\nMore,0\n", "Frequency");
        assert!(bins.unwrap_err().contains("\"More\" is not a face"));
        let sessions = "session,total\n1,17\n2,12\n3,20\n";
        let seen = parse_column(sessions, "total").unwrap();
        let refused = seen.numbers_to_use(None).unwrap_err().to_string();
        assert!(refused.contains("can be rolls or counts"), "{refused}");
        assert_eq!(seen.numbers_to_use(Some(true)).unwrap(), [17, 12, 20]);
        assert_eq!(seen.numbers_to_use(Some(false)).unwrap(), [17, 12, 20]);
    }

    #[test]
    fn counts_that_may_be_others() {
        let two = "total,count\n2,3\n3,4\n4,5\n5,4\n6,3\n7,9\n8,9\n9,9\n10,9\n11,9\n12,3\n";
        let json = "{\"2\": 3, \"3\": 4, \"4\": 5}";
        for (text, column) in [
            (two, Some("count")),
            (json, None),
            ("2 30\n3 40\n4 90\n", None),
        ] {
            let seen: SeenRolls = SeenRolls::parse_file(text, column)
                .unwrap()
                .parse()
                .unwrap();
            let said = seen.counts(None, None, None).unwrap_err().to_string();
            assert!(said.contains("the faces begin at 2"), "{said}");
            let law: TargetText = "2d6".parse().unwrap();
            assert_eq!(
                seen.counts(None, None, Some(&law)).unwrap()[..2],
                [0, seen.numbers[0]]
            );
        }
        for text in ["17,12,20,15,18,18,100", "40,60,100"] {
            let seen: SeenRolls = text.parse().unwrap();
            let said = seen.counts(None, None, None).unwrap_err().to_string();
            assert!(said.contains("the sum of the others"), "{said}");
            assert!(seen.counts(Some(false), None, None).is_ok());
        }
        let law: TargetText = "2d6".parse().unwrap();
        for (faces, law, what) in [
            (None, Some(&law), "roll 3 is 13: an outcome of 2d6"),
            (Some(6), None, "roll 2 is 7: a face from 1 to 6"),
        ] {
            let seen: SeenRolls = "2,7,13,8".parse().unwrap();
            let said = seen.counts(Some(true), faces, law).unwrap_err().to_string();
            assert!(said.contains(what), "{said}");
        }
    }

    /// If numbers may be rolls or counts, a note says as which of them they were read.
    #[test]
    fn a_note_says_how_numbers_are_read() {
        for (text, word) in [
            ("6\n5\n4\n", "read as the counts of 3 faces"),
            ("5\n3\n8\n", "read as the counts of 3 faces"),
            ("6\n5\n4\n3\n2\n1\n", "read as rolls"),
            ("3\n5\n1\n6\n2\n2\n4\n", "read as rolls"),
            ("20\n1\n13\n5\n7\n18\n", "read as the counts of 6 faces"),
            ("00\n10\n20\n90\n", "read as the counts of 4 faces"),
            ("7\n0\n3\n9\n1\n0\n4\n", "read as the counts of 7 faces"),
            ("0\n1\n1\n0\n", "read as the counts of 4 faces"),
            ("3\n4\n", "read as the counts of 2 faces"),
            ("0,3\n1,50\n2,4\n", "face 1 here is face 0 of the file"),
            ("{\"0\": 3, \"1\": 5}", "face 1 here is face 0 of the file"),
        ] {
            let seen = SeenRolls::parse_file(text, None).unwrap();
            let note = seen.parse::<SeenRolls>().unwrap().reading_note(None);
            let note = note.unwrap().to_string();
            assert!(note.contains(word), "{text}: {note}");
        }
        for text in ["20,1,13,5,7,18", "2,3", "0,1,2"] {
            let seen: SeenRolls = text.parse().unwrap();
            assert!(seen.reading_note(None).is_some(), "{text}");
        }
        for text in ["17,12,20,15,18,18", "HTHHT", "60,40", "558,487,483,472"] {
            let seen: SeenRolls = text.parse().unwrap();
            assert_eq!(seen.reading_note(None), None, "{text}");
        }
        // Faces from 0, and a column that is called count.
        for (text, word) in [
            ("face,count\n0,3\n1,5\n2,4\n", Some("face 1 here is face 0")),
            ("face,count\n1,6\n2,5\n3,4\n", None),
            ("count\n6\n5\n4\n", None),
        ] {
            let seen = SeenRolls::parse_file(text, Some("count")).unwrap();
            let note = seen.parse::<SeenRolls>().unwrap().reading_note(None);
            let note = note.map(|note| note.to_string());
            let is_right = match word {
                Some(word) => note.as_ref().is_some_and(|note| note.contains(word)),
                None => note.is_none(),
            };
            assert!(is_right, "{text}: {note:?}");
        }
    }

    #[test]
    fn texts_that_are_neither_rolls_nor_counts() {
        for (text, column) in [
            ("player,total\na,6\nb,5\n", None),
            ("1,2,3\n2,2,4\n3,9,9\n", None),
            ("1 2 3\n2 2 4\n3 9 9\n", None),
            ("{\"sword\": 5, \"axe\": 3}", None),
            ("{\"1\": [5]}", None),
            ("[{\"face\": 1}, 2]", None),
            ("3 x 4", None),
            ("1 2 5 6\n3 1 6 2\n", None),
            ("HTX", None),
            ("2 3\n3 4\n4 9\n", None),
            (
                "0 18446744073709551615\n18446744073709551615 2\n5 4\n",
                None,
            ),
            ("1,204\n987\n12,310\n", None),
            ("12,5\n7,5\n80,0\n", None),
            ("face,count\n1,17\n2,12\nTotal,29\n", Some("count")),
            ("total\n", Some("total")),
            // A column of faces does not contain counts, and no face may occur twice.
            ("face,count\n1,17\n3,3\n4,12\n", Some("face")),
            ("count,face\n17,1\n3,3\n12,4\n", Some("2")),
            ("face,count\n1,17\n1,3\n2,12\n", Some("count")),
            // A field is never split into two numbers.
            ("Item;Gewicht\r\nA;1,5\r\nB;2,25\r\n", Some("Gewicht")),
            ("f;n\n1;1,200\n2;1,300\n", Some("n")),
            ("[\"1,5\", \"2,25\"]", None),
            ("{\"1\": 3, \"1\": 2}", None),
            // Dates are refused; they are not computed as differences.
            ("2024-01-01\n2024-01-02\n", None),
            ("day,n\n2024-01-01,3\n2024-01-02,5\n", Some("day")),
            ("5-2\n3-1\n", None),
            // Lines of two numbers: which of them are faces, or all rolls?
            ("3 4\n5 6\n1 1\n2 6\n6 2\n4 5\n", None),
            ("3,4\n5,6\n1,1\n2,6\n", None),
            ("face,count\n1,17\n1,12\n", Some("count")),
            ("face,percent\n1,17\n2,83\n", Some("percent")),
            ("face,cumulative\n1,17\n2,29\n", Some("cumulative")),
            // Decimal commas, and blanks or commas between thousands.
            ("0,5;0,3;0,2", None),
            ("0,5, 0,3, 0,2", None),
            ("1,000\n2,500\n", None),
            ("1 000\n2 500\n", None),
            ("[12:31] Bob rolled 5\n[12:32] Ann rolled 3\n", None),
            ("{1: 17, 2: 12}", None),
            // Two lines of two numbers.
            ("3,5\n2,1\n", None),
            ("1,2\n2,1\n", None),
            ("3 1\n2 2\n", None),
        ] {
            assert!(is_unread(text, column), "{text}");
        }
    }
}
