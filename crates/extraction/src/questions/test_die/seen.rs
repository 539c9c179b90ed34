//! The observations that a user gives of a die: its rolls, or the counts of its faces.

use crate::fairness::FaceCounts;
use flipcost::algorithms::parse_rolls;
use flipcost::task::{Weights, WeightsError, column_of_text};
use flipcost_number::BigUint;
use flipcost_number::expression::parse_u64;
use flipcost_question::description::{ValueAbout, text_from_json, to_sentence};
use flipcost_question::prelude::*;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// Numbers that are either rolls or counts of the faces.
///
/// ```
/// use flipcost_extraction::questions::SeenRolls;
/// assert_eq!("HTT".parse::<SeenRolls>()?, "rolls:1,2,2".parse()?);
/// assert!("-1".parse::<SeenRolls>().is_err() && "1.5".parse::<SeenRolls>().is_err());
/// # Ok::<(), flipcost_extraction::questions::SeenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRolls {
    numbers: Vec<u64>,
    reading: Option<NumberMeaning>,
}

/// Whether the numbers are rolls or counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberMeaning {
    Rolls,
    Counts,
    /// Counts of faces, which a file numbers from 0.
    CountsFromZero,
}

/// The error if a text is not a list of counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a count of a face: a whole number from 0 to {most} was expected, or rolls such as HTHHT", most = FaceCounts::MAX_ROLLS
)]
pub struct SeenError(String);

impl FromStr for SeenRolls {
    type Err = SeenError;

    fn from_str(text: &str) -> Result<SeenRolls, SeenError> {
        let (reading, list) = match text.split_once(':') {
            Some(("rolls", list)) => (Some(NumberMeaning::Rolls), list),
            Some(("counts", list)) => (Some(NumberMeaning::Counts), list),
            Some(("counts from 0", list)) => (Some(NumberMeaning::CountsFromZero), list),
            _ => (None, text),
        };
        let is_coin = list.contains(char::is_alphabetic);
        if is_coin && let Ok(rolls) = parse_rolls(list, 2) {
            return Ok(SeenRolls {
                numbers: rolls.into_iter().map(|face| face + 1).collect(),
                reading: Some(NumberMeaning::Rolls),
            });
        }
        let numbers = list
            .split(',')
            .map(parse_number)
            .collect::<Result<_, _>>()?;
        Ok(SeenRolls { numbers, reading })
    }
}

/// Formats the numbers so that they can be parsed again. If the numbers alone could be rolls or
/// counts and their meaning is known, the word `rolls` or `counts` comes first.
impl fmt::Display for SeenRolls {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.reading {
            Some(NumberMeaning::Rolls) => f.write_str("rolls:")?,
            Some(NumberMeaning::Counts) => f.write_str("counts:")?,
            Some(NumberMeaning::CountsFromZero) => f.write_str("counts from 0:")?,
            None => {}
        }
        let numbers: Vec<String> = self.numbers.iter().map(u64::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

impl FieldValue for SeenRolls {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(SeenRolls::parse_file),
        ..ValueAbout::python("SupportsIndex").several()
    };

    fn value_if_absent() -> Option<SeenRolls> {
        let (numbers, reading) = (Vec::new(), None);
        Some(SeenRolls { numbers, reading })
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
        if self.numbers.is_empty() {
            return None;
        }
        // a list contains counts, and numbers that can be rolls or counts remain a text
        let listed = SeenRolls::new(self.numbers.clone(), Some(NumberMeaning::Counts));
        Some(if listed == *self && self.reading.is_none() {
            self.numbers.clone().into()
        } else {
            self.to_string().into()
        })
    }
}

impl SeenRolls {
    /// Forgets the meaning of numbers that can only be counts, so that equal values compare equal.
    fn new(numbers: Vec<u64>, reading: Option<NumberMeaning>) -> SeenRolls {
        let most = numbers.iter().copied().max().unwrap_or(0).max(2);
        let is_short = (numbers.len() as u64) < most.saturating_mul(2);
        let reading = reading.filter(|reading| *reading == NumberMeaning::Rolls || !is_short);
        SeenRolls { numbers, reading }
    }

    /// Returns whether the numbers can be rolls of a die with this many faces: at least two rolls
    /// for each face.
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

    /// Returns whether there are fewer numbers than faces, and all numbers are faces.
    fn are_too_few(&self, faces: Option<u64>) -> bool {
        faces.is_some_and(|faces| {
            (self.numbers.len() as u64) < faces
                && self
                    .numbers
                    .iter()
                    .all(|number| (1..=faces).contains(number))
        })
    }

    /// Returns whether the numbers can be a few rolls of a die with at most 100 faces: the
    /// probability that this many rolls all reach the smallest of the numbers is not small.
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

    /// Returns how often each face occurred. Rejects numbers that could be either rolls or counts,
    /// unless `wanted` says whether they are rolls. `outcomes` are the outcomes of the law, if
    /// there is one.
    pub(super) fn counts(
        &self,
        wanted: Option<bool>,
        faces: Option<u64>,
        outcomes: Option<&BigUint>,
    ) -> Result<Vec<u64>, QueryError> {
        let given = self.numbers.len() as u64;
        let are_rolls = match (wanted, self.reading) {
            (Some(rolls), _) => rolls,
            (None, Some(reading)) => reading == NumberMeaning::Rolls,
            (None, None) if self.can_be_rolls(faces) || self.are_too_few(faces) => {
                let can_be_counts = given <= FaceCounts::MAX_FACES as u64
                    && faces.is_none_or(|faces| given <= faces)
                    && outcomes.is_none_or(|outcomes| BigUint::from(given) == *outcomes);
                if can_be_counts {
                    let most = self.numbers.iter().copied().max().unwrap_or(0);
                    let die = faces.unwrap_or(most.max(2));
                    let what = say!(
                        "these {given} numbers can be {given} rolls of a d{die}, or the counts of {given} faces"
                    );
                    let right = say!(
                        field("rolls"),
                        " says that they are rolls, ",
                        field("as_counts"),
                        " that they are counts"
                    );
                    return Err(QueryError::wrong("counts", what).right(right));
                }
                true
            }
            (None, None) => false,
        };
        if !are_rolls {
            return Ok(self.numbers.clone());
        }
        let mut counts = vec![0u64; 2];
        for (roll, number) in (1..).zip(&self.numbers) {
            let face = match (number, faces) {
                (0, Some(printed @ (10 | 100))) => printed,
                (number, _) => *number,
            };
            if !(1..=FaceCounts::MAX_FACES as u64).contains(&face) {
                let what = say!("roll {roll} is {number}");
                let most = FaceCounts::MAX_FACES;
                let right = say!("a face from 1 to {most} was expected");
                return Err(QueryError::wrong("counts", what).right(right));
            }
            if counts.len() < face as usize {
                counts.resize(face as usize, 0);
            }
            counts[face as usize - 1] += 1;
        }
        Ok(counts)
    }

    /// Returns a sentence that says how the numbers were interpreted, if they could be rolls or
    /// counts and the user did not say which.
    pub(super) fn reading_note(&self, faces: Option<u64>) -> Option<Sentence> {
        let given = self.numbers.len() as u64;
        let most = self.numbers.iter().copied().max().unwrap_or(0);
        if !(2..=FaceCounts::MAX_FACES as u64).contains(&given) {
            return None;
        }
        match self.reading {
            Some(NumberMeaning::CountsFromZero) => Some(say!(
                "the {given} numbers are read as the counts of the faces from 0 on: face 1 here is face 0 of the file"
            )),
            Some(NumberMeaning::Rolls) if given < 3 || most < 3 => None,
            Some(NumberMeaning::Rolls) => Some(say!(
                "the {given} numbers are read as rolls; ",
                field("as_counts"),
                " says that they are counts"
            )),
            // there are seldom fewer rolls than a third of the number of faces
            None if (most <= 3 * given || self.can_be_few_rolls())
                && !self.can_be_rolls(faces)
                && !self.are_too_few(faces) =>
            {
                Some(say!(
                    "the {given} numbers are read as the counts of {given} faces; ",
                    field("rolls"),
                    " says that they are rolls"
                ))
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

/// Returns the counts of faces, if all faces differ; faces that are missing never occurred.
fn counts_of_faces(pairs: &[(u64, u64)]) -> Option<SeenRolls> {
    let counts: BTreeMap<u64, u64> = pairs.iter().copied().collect();
    let most = *counts.last_key_value()?.0;
    let are_faces = counts.len() == pairs.len()
        && !counts.contains_key(&0)
        && (2..=FaceCounts::MAX_FACES as u64).contains(&most);
    let count = |face| counts.get(&face).copied().unwrap_or(0);
    are_faces.then(|| SeenRolls::new((1..=most).map(count).collect(), Some(NumberMeaning::Counts)))
}

/// Returns the meaning of a column's numbers, according to the column's name.
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

/// Returns the counts from lines of two numbers: a face, and how often it occurred. Returns `None`
/// if the lines have another meaning.
fn counts_of_pairs(rows: &[Vec<u64>]) -> Option<Result<SeenRolls, String>> {
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
        [Some(_), None] | [Some(0), Some(1..)] => 0,
        [None, Some(_)] | [Some(1..), Some(0)] => 1,
        [Some(_), Some(_)] => {
            let line = format!("\"{} {}\"", columns[0][0], columns[1][0]);
            return Some(Err(format!(
                "{line} has two readings, a face with its count or a count with its face: a first line face,count was expected"
            )));
        }
    };
    let pairs = columns[faces]
        .iter()
        .copied()
        .zip(columns[1 - faces].iter().copied());
    let counts: BTreeMap<u64, u64> = pairs.collect();
    let (first, last) = (*counts.first_key_value()?.0, *counts.last_key_value()?.0);
    if first > 1 {
        return Some(Err(format!(
            "the faces begin at {first}: a face that never came was expected with the count 0, or, for a sum of dice, the counts alone"
        )));
    }
    let count = |face| counts.get(&face).copied().unwrap_or(0);
    let numbers = (first..=last).map(count).collect();
    let reading = match first {
        0 => Some(NumberMeaning::CountsFromZero),
        _ => Some(NumberMeaning::Counts),
    };
    Some(Ok(SeenRolls { numbers, reading }))
}

/// Returns the possible meanings of two lines of two numbers: a face and its count in each line,
/// two faces above their counts, or four rolls.
fn square_readings(rows: &[Vec<u64>]) -> Option<String> {
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
    };
    let is_number =
        |label: &String, number: u64| parse_u64(label.trim()).is_ok_and(|n| n == number);
    let begin_at_zero = (0..).zip(labels).all(|(i, label)| is_number(label, i));
    if begin_at_zero && !labels.is_empty() && (are_counts || !plain.can_be_rolls(None)) {
        return Ok(SeenRolls {
            reading: Some(NumberMeaning::CountsFromZero),
            ..plain
        });
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
            reading: plain.reading.or(counts.reading),
            ..counts
        }),
        // The labels are in order: numbers of rolls, or faces.
        Some(counts) if counts.numbers.len() == plain.numbers.len() => Ok(SeenRolls {
            reading: None,
            ..counts
        }),
        Some(_) => Err(
            "the column next to the values holds either the numbers of the rolls, or faces some of which never came: a file with only the column of values was expected"
                .to_string(),
        ),
        None if !different && !are_counts => Ok(SeenRolls {
            reading: Some(NumberMeaning::Rolls),
            ..plain
        }),
        None if !different => {
            let twice = labels.iter().zip(1usize..).find(|(label, i)| labels[*i..].contains(label));
            let twice = twice.map_or("", |(label, _)| label.as_str());
            Err(format!(
                "\"{twice}\" occurs twice in the column next to the counts: one count for each face was expected"
            ))
        }
        None => Ok(plain),
    }
}

/// Returns the error for a column of faces next to which there is a column of counts.
fn faces_next_to_counts_error(text: &str, of: &[(usize, String)]) -> Option<String> {
    let field = |name: &str| column_of_text(text, Some(name)).ok();
    let are_faces = ["face", "faces", "side", "sides"]
        .into_iter()
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
    if let Some(wrong) = faces_next_to_counts_error(text, &of) {
        return Err(wrong);
    }
    let are_counts = meaning_of_column(column) == Some(NumberMeaning::Counts);
    let label = ["1", "2"].into_iter().find_map(|place| {
        let other = fields(place).ok()?;
        // A column with the same value in each line says which die was rolled.
        let differ =
            !are_counts || other.len() < 2 || other.windows(2).any(|pair| pair[0].1 != pair[1].1);
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
        .collect::<Result<_, _>>();
    match (values, label) {
        // A field is a single number, or a letter for a side of a coin.
        (Err(wrong), _) if texts.iter().any(|text| has_digit(text)) => Err(wrong),
        (Ok(numbers), _) if meaning_of_column(column) == Some(NumberMeaning::Rolls) => {
            Ok(SeenRolls {
                numbers,
                reading: Some(NumberMeaning::Rolls),
            })
        }
        (Ok(values), Some(labels)) => values_with_labels(&labels, values, are_counts),
        (Ok(numbers), None) if are_counts => Ok(SeenRolls {
            numbers,
            reading: Some(NumberMeaning::Counts),
        }),
        (_, _) => parse_text(&texts.join("\n")),
    }
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Parses JSON: an object of faces, a list of numbers, or a list of objects.
fn parse_json(text: &str, column: Option<&str>) -> Result<SeenRolls, String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let value = |json: &Json| match json {
        Json::String(text) => text.clone(),
        json => json.to_string(),
    };
    match json {
        Json::Object(faces) => {
            let labels: Vec<String> = faces.keys().cloned().collect();
            let values = faces.values().map(|count| parse_count(&value(count)));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            // The parsed object has only one value for a face that occurs twice.
            if let Err(wrong @ WeightsError::Line { .. }) = Weights::of_file(text) {
                return Err(wrong.to_string());
            }
            // The faces are named heads and tails.
            let is_coin = matches!(&labels[..], [heads, tails]
                if heads.to_lowercase().starts_with('h') && tails.to_lowercase().starts_with('t'));
            if !is_coin && labels.iter().any(|label| parse_count(label).is_err()) {
                return Err("the names of the object are to be faces from 1".to_string());
            }
            values_with_labels(&labels, values, true)
        }
        Json::Array(items) if items.iter().any(Json::is_object) => {
            let mut table = String::new();
            for (i, item) in items.iter().enumerate() {
                let fields = item
                    .as_object()
                    .ok_or("an object was expected in each place")?;
                if i == 0 {
                    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
                    table += &(names.join("\t") + "\n");
                }
                let fields: Vec<String> = fields.values().map(value).collect();
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

/// Parses lines of numbers, and the name above them, if there is one: above one column, or above a
/// table as R prints it.
fn parse_lines(text: &str) -> Result<(Option<&str>, Vec<Vec<u64>>), String> {
    let lines = text.lines().map(str::trim);
    let mut lines = lines
        .filter(|line| line.contains(char::is_alphanumeric) && !line.starts_with('#'))
        .peekable();
    let is_name = |line: &&str| !line.contains(|c: char| c.is_ascii_digit() || ",;\t".contains(c));
    let name = lines.next_if(is_name);
    let split = |line: &str| -> Option<Vec<u64>> {
        let parts = line.split(|c: char| c.is_whitespace() || ",;\t".contains(c));
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(|part| parse_number(part).ok()).collect()
    };
    let rows: Option<Vec<Vec<u64>>> = lines.map(split).collect();
    let rows = rows.ok_or_else(|| match column_of_text(text, None) {
        Err(which @ WeightsError::Column(_)) => which.to_string(),
        _ => match parse_rolls(text, FaceCounts::MAX_FACES as u128) {
            Err(error) => error.of_some_die().to_string(),
            Ok(_) => "rolls, or how often each face came, were expected".to_string(),
        },
    })?;
    Ok((name, rows))
}

/// Whether the lines begin with 1, 2, ...
fn are_numbered(rows: &[Vec<u64>]) -> bool {
    rows.len() > 1 && rows.iter().zip(1..).all(|(row, i)| row[0] == i)
}

/// Whether all numbers can be rolls.
fn are_rolls(numbers: &[u64]) -> bool {
    // Fewer rolls than the largest number are unlikely, so the numbers are then counts.
    let most = numbers.iter().copied().max().unwrap_or(0);
    numbers.iter().all(|number| *number > 0)
        && numbers.len() as u64 >= most
        && most <= FaceCounts::MAX_FACES as u64
}

/// The counts of a table as R prints it: lines of faces, each above a line of their counts.
fn printed_counts(rows: &[Vec<u64>], are_rolls: bool) -> Result<Option<SeenRolls>, String> {
    let is_ascending = |row: &[u64]| row.len() > 1 && row.windows(2).all(|pair| pair[0] < pair[1]);
    let mut pairs = Vec::new();
    for lines in rows.chunks(2) {
        match lines {
            [faces, counts] if faces.len() == counts.len() && is_ascending(faces) => {
                pairs.extend(faces.iter().copied().zip(counts.iter().copied()));
            }
            _ => return Ok(None),
        }
    }
    let are_all = pairs.iter().zip(1..).all(|((face, _), i)| *face == i);
    let counts = counts_of_faces(&pairs);
    if counts.is_some() && !are_all && are_rolls {
        return Err(
            "these lines can be rolls, or faces with their counts below: all faces, \
             or the rolls alone, were expected"
                .to_string(),
        );
    }
    Ok(counts)
}

/// Parses rolls, one after another; or counts, if the numbers cannot be rolls; or lines of faces
/// and counts.
fn parse_text(text: &str) -> Result<SeenRolls, String> {
    if !has_digit(text) {
        let rolls = parse_rolls(text, 2).map_err(|error| error.to_string())?;
        return Ok(SeenRolls {
            numbers: rolls.into_iter().map(|face| face + 1).collect(),
            reading: Some(NumberMeaning::Rolls),
        });
    }
    let (name, rows) = parse_lines(text)?;
    let all_have = |length: usize| rows.iter().all(|row| row.len() == length);
    if let Some(reading) = name.and_then(meaning_of_column)
        && all_have(1)
    {
        return Ok(SeenRolls {
            numbers: rows.into_iter().flatten().collect(),
            reading: Some(reading),
        });
    }
    if let Some(readings) = square_readings(&rows) {
        return Err(readings);
    }
    if are_numbered(&rows) && all_have(2) {
        let labels: Vec<String> = rows.iter().map(|row| row[0].to_string()).collect();
        return values_with_labels(&labels, rows.iter().map(|row| row[1]).collect(), false);
    }
    if rows.len() > 2
        && all_have(2)
        && let Some(counts) = counts_of_pairs(&rows)
    {
        return counts;
    }
    let numbers: Vec<u64> = rows.iter().flatten().copied().collect();
    let are_rolls = are_rolls(&numbers);
    if let Some(counts) = printed_counts(&rows, are_rolls)? {
        return Ok(counts);
    }
    if are_numbered(&rows) && rows.iter().all(|row| row.len() > 2) {
        return Err(match column_of_text(text, None) {
            Err(which @ WeightsError::Column(_)) => which.to_string(),
            _ => {
                "the faces have several counts each: one column of counts was expected".to_string()
            }
        });
    }
    if !are_rolls && rows.len() > 1 && rows.iter().any(|row| row.len() > 1) {
        return Err(
            "the counts of the faces were expected one to a line, or all on one line".to_string(),
        );
    }
    Ok(SeenRolls {
        numbers,
        reading: are_rolls.then_some(NumberMeaning::Rolls),
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

    fn is_refused(seen: &str) -> bool {
        let seen: SeenRolls = seen.parse().unwrap();
        let both = [true, false].map(|rolls| seen.counts(Some(rolls), None, None).unwrap());
        both[0] != both[1] && seen.counts(None, None, None).is_err()
    }

    /// Parses the same six counts, 100 rolls of a d6, from various formats.
    #[test]
    fn counts_are_parsed_from_many_formats() {
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
            ("17\n12\n20\n15\n18\n18\n", None),
        ] {
            assert_eq!(counts(text, column), six, "{text}");
        }
        // Faces that never occurred have count 0.
        assert_eq!(counts("1 3 6\n7 9 8\n", None), [7, 0, 9, 0, 0, 8]);
        assert_eq!(counts("{\"tails\": 40, \"heads\": 60}", None), [60, 40]);
        assert_eq!(
            counts("1665024\n1667012\n1667964\n", None),
            [1_665_024, 1_667_012, 1_667_964]
        );
    }

    #[test]
    fn rolls_are_parsed_one_by_one() {
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

    /// Sixty numbers may be rolls of a d20, or counts of a d60; two columns may be numbers of rolls
    /// with their faces, or faces with their counts.
    #[test]
    fn texts_with_two_readings_are_refused() {
        let names = Names::default();
        let sixty: Vec<String> = (0..60).map(|i| (1 + 7 * i % 20).to_string()).collect();
        assert!(is_refused(&sixty.join(",")));
        let lines: Vec<String> = (1..)
            .zip(&sixty)
            .map(|(i, roll)| format!("{i},{roll}"))
            .collect();
        assert!(is_refused(
            &SeenRolls::parse_file(&lines.join("\n"), None).unwrap()
        ));
        // With a word that says whether they are rolls or counts, they are parsed.
        let array = Json::from((1..=60u64).map(|i| 1 + 7 * i % 20).collect::<Vec<_>>());
        let seen = SeenRolls::of_json(&array, names).unwrap();
        assert_eq!(seen.counts(None, None, None).unwrap().len(), 60);
        assert_eq!(SeenRolls::of_json(&seen.json().unwrap(), names), Ok(seen));
        // More numbers than the die has faces, or fewer than two rolls for each face.
        let seen: SeenRolls = "1,2,1,1,2,2".parse().unwrap();
        assert_eq!(seen.counts(None, Some(2), None).unwrap(), [3, 3]);
        assert_eq!(counts("17 12 20 15 18 18", None).len(), 6);
    }

    /// If numbers may be rolls or counts, a note says how they are interpreted.
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
        // The faces are counted from 0, and a column is called count.
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
    fn texts_that_are_neither_rolls_nor_counts_are_refused() {
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
            // Faces are not counts, and no face occurs twice.
            ("face,count\n1,17\n3,3\n4,12\n", Some("face")),
            ("count,face\n17,1\n3,3\n12,4\n", Some("2")),
            ("face,count\n1,17\n1,3\n2,12\n", Some("count")),
            // A field is never split into two numbers.
            ("Item;Gewicht\r\nA;1,5\r\nB;2,25\r\n", Some("Gewicht")),
            ("f;n\n1;1,200\n2;1,300\n", Some("n")),
            ("[\"1,5\", \"2,25\"]", None),
            ("{\"1\": 3, \"1\": 2}", None),
            // Dates and differences are not computed.
            ("2024-01-01\n2024-01-02\n", None),
            ("day,n\n2024-01-01,3\n2024-01-02,5\n", Some("day")),
            ("5-2\n3-1\n", None),
            // Two lines of two numbers.
            ("3,5\n2,1\n", None),
            ("1,2\n2,1\n", None),
            ("3 1\n2 2\n", None),
        ] {
            assert!(SeenRolls::parse_file(text, column).is_err(), "{text}");
        }
    }
}
