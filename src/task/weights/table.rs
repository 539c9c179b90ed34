//! Parses a table in the text of a file: lines with the same number of fields, some of which are
//! numbers.

use super::lines::{
    calculation_readings, comma_readings, is_decimal, is_number, name_and_weight, parse_ranges,
    point_readings, table_lines,
};
use super::values::{
    Labels, MAX_WEIGHTS, Weights, WeightsError, check_percentages, integers, too_many_weights,
};
use crate::task::Target;
use flipcost_number::Rational;
use flipcost_number::expression::parse_rational;
use num_traits::One;

/// The maximum number of letters of a text that an error repeats.
const MAX_SHOWN: usize = 40;

pub(super) fn printable_prefix(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .take(MAX_SHOWN)
        .collect()
}

pub(super) fn number(text: &str, line: usize) -> Result<Rational, WeightsError> {
    if let Some(what) = calculation_readings(text.trim()) {
        return Err(WeightsError::Line { line, what });
    }
    parse_rational(text.trim()).map_err(|error| WeightsError::Line {
        line,
        what: error.to_string(),
    })
}

/// Parses numbers as weights; an error names the line.
pub(super) fn numbers<'a>(
    texts: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> Result<Vec<Rational>, WeightsError> {
    let weights = texts.clone().map(|(line, text)| number(text, line));
    let weights = weights.collect::<Result<Vec<_>, _>>()?;
    let only_texts = texts.map(|(_, text)| text);
    check_percentages(only_texts, &weights).map_err(WeightsError::Column)?;
    Ok(weights)
}

pub(super) fn from_ratios(
    weights: Vec<Rational>,
    names: Vec<String>,
) -> Result<Weights, WeightsError> {
    Ok(Weights {
        target: Target::weighted(integers(weights)?)?,
        labels: if names.is_empty() {
            Labels::Faces
        } else {
            Labels::Names(names.into())
        },
    })
}

/// Names of rows that contain the sum of the other rows, besides names that begin with "total".
const TOTAL_NAMES: [&str; 8] = [
    "sum",
    "subtotal",
    "grand total",
    "all",
    "overall",
    "gesamt",
    "insgesamt",
    "summe",
];

/// Checks whether a row with this name contains a total, even if the other rows do not sum to it.
fn names_total(field: &str) -> bool {
    if !field
        .trim_start()
        .starts_with(['t', 'T', 's', 'S', 'g', 'G', 'i', 'I'])
    {
        return false;
    }
    let name = field.trim().trim_end_matches(':').to_lowercase();
    let (first, rest) = name.split_once(' ').unwrap_or((name.as_str(), ""));
    let of = [
        "weight",
        "count",
        "sum",
        "probability",
        "chance",
        "percent",
        "percentage",
        "%",
    ];
    ["total", "totals"].contains(&first)
        && (rest.is_empty() || of.contains(&rest.trim_end_matches('s')))
        || ["subtotal", "grand total", "insgesamt", "summe"].contains(&name.as_str())
}

/// Removes the marks of bold and italic letters around a field of a Markdown table.
fn strip_emphasis(field: &mut String) {
    let text = field.trim();
    let inner = |mark: &str| text.strip_prefix(mark)?.strip_suffix(mark);
    let inner = ["**", "__", "*", "_"].into_iter().find_map(inner);
    *field = inner.unwrap_or(text).to_string();
}

/// Fields with letters that are numbers, or that stand for a missing number, so they are not column
/// names.
const NOT_NAMES: [&str; 10] = [
    "nan", "inf", "infinity", "e", "pi", "na", "n/a", "null", "nil", "none",
];

/// Checks whether the first line of a table contains the names of its columns.
fn names_columns(head: &[String], column: Option<&str>) -> bool {
    let columns = head.len();
    let is_name = |field: &String| {
        let number = field.trim_start_matches(['-', '+']).to_lowercase();
        field.contains(char::is_alphabetic)
            && !is_number(field)
            && !NOT_NAMES.contains(&number.as_str())
    };
    let is_column = |name: &String| column.is_some_and(|column| is_same(name, column));
    head.iter().any(|name| is_weight(name) || is_column(name))
        || head.iter().all(|field| field.is_empty() || is_name(field))
            && !head[columns - 1].contains(|c: char| c.is_ascii_digit())
}

/// A table: lines with the same number of fields, with optional column names.
pub(super) struct FileTable {
    pub(super) names: Vec<String>,
    pub(super) columns: usize,
    pub(super) rows: Vec<(usize, Vec<String>)>,
}

impl FileTable {
    pub(super) fn of_lines(text: &str, column: Option<&str>) -> Result<FileTable, WeightsError> {
        let (lines, is_markdown) = table_lines(text);
        let refuse = |(line, what): (usize, String)| WeightsError::Line { line, what };
        if let Some(rows) = parse_ranges(&lines).map_err(refuse)? {
            let rows = rows.into_iter().map(|(line, row)| (line, row.into()));
            return Ok(FileTable {
                names: Vec::new(),
                columns: 2,
                rows: rows.collect(),
            });
        }
        let mut all = lines.into_iter().peekable();
        let Some(&(at, first)) = all.peek() else {
            let what = "a weight was expected, but nothing is there".to_string();
            return Err(WeightsError::Line { line: 1, what });
        };
        let marks: &[char] = if is_markdown {
            &['|']
        } else {
            &['\t', ';', ',']
        };
        let mark = marks.iter().copied().find(|mark| first.contains(*mark));
        let split = |at: usize, line: &str| -> Result<Vec<String>, WeightsError> {
            if let Some(mark) = mark {
                return Ok(fields(line, mark));
            }
            Ok(
                match name_and_weight(line).map_err(|what| refuse((at, what)))? {
                    Some([name, weight]) if name.is_empty() => vec![weight],
                    Some(both) => both.into(),
                    None => vec![line.to_string()],
                },
            )
        };
        let head: Vec<String> = split(at, first)?
            .iter()
            .map(|name| name.trim().to_string())
            .collect();
        let columns = head.len();
        let has_names = names_columns(&head, column);
        let names = if has_names {
            all.next();
            head
        } else {
            Vec::new()
        };
        if all.peek().is_none() {
            let what = "a weight was expected below the names of columns".to_string();
            return Err(WeightsError::Line { line: 1, what });
        }
        let mut rows = Vec::new();
        for (line, text) in all {
            let fields = split(line, text)?;
            if fields.len() != columns {
                let what = format!(
                    "the line has {}, and the first line has {columns}",
                    match fields.len() {
                        1 => "1 field".to_string(),
                        count => format!("{count} fields"),
                    }
                );
                return Err(WeightsError::Line { line, what });
            }
            rows.push((line, fields));
            if rows.len() > MAX_WEIGHTS {
                return Err(too_many_weights());
            }
        }
        let table = FileTable {
            names,
            columns,
            rows,
        };
        match table.number_readings(mark, column) {
            Some(readings) => Err(refuse(readings)),
            None => Ok(table),
        }
    }

    /// If the numbers of the table have two meanings: both meanings, and a line where they occur.
    fn number_readings(&self, mark: Option<char>, column: Option<&str>) -> Option<(usize, String)> {
        let decimals = mark == Some(',') && self.names.is_empty() && column.is_none();
        if decimals && let Some(found) = comma_readings(&self.rows) {
            return Some(found);
        }
        let place = self.column_index(column).ok()?;
        if let Some(found) = self
            .face_count_readings()
            .or_else(|| self.total_row_readings(place))
        {
            return Some(found);
        }
        let weights = self.rows.iter().map(|(_, fields)| fields[place].as_str());
        let line = self.rows.first()?.0;
        Some((line, point_readings(weights)?))
    }

    /// The two meanings of two columns without names, of which the second lists 1, 2, 3, ...; `uniq
    /// -c` prints counts in this form.
    fn face_count_readings(&self) -> Option<(usize, String)> {
        if !self.names.is_empty() || self.columns != 2 || self.rows.len() < 3 {
            return None;
        }
        let column = |at: usize| -> Option<Vec<u64>> {
            let fields = self
                .rows
                .iter()
                .map(|(_, fields)| fields[at].trim().parse().ok());
            fields.collect()
        };
        let (first, second) = (column(0)?, column(1)?);
        let follow = |all: &[u64]| {
            all.windows(2)
                .all(|pair| pair[0].checked_add(1) == Some(pair[1]))
        };
        let (count, face) = (first[0], second[0]);
        (follow(&second) && !follow(&first) && face <= 1).then(|| {
            let what = format!(
                "\"{count} {face}\" has two readings: a weight of {count} is written {face};{count}, and the value {count} with the weight {face} is {count};{face} below a first line value;weight"
            );
            (self.rows[0].0, what)
        })
    }

    /// The two meanings of a row that contains the sum of the others: the last row, or a row that
    /// is named as a total.
    fn total_row_readings(&self, place: usize) -> Option<(usize, String)> {
        let (last, others) = self.rows.split_last()?;
        let is_total = |(at, field): (usize, &String)| {
            let name = field.trim().trim_end_matches(':').to_lowercase();
            let are_named = || others.iter().all(|(_, row)| !row[at].trim().is_empty());
            name.starts_with("total")
                || TOTAL_NAMES.contains(&name.as_str())
                || name.is_empty() && are_named()
        };
        let value = |row: &(usize, Vec<String>)| parse_rational(row.1[place].trim()).ok();
        if others.len() > 1 && last.1.iter().enumerate().any(is_total) {
            let sum = others.iter().map(value).sum::<Option<Rational>>();
            if sum.is_some() && sum == value(last) {
                let what = "the last row is the total of the others: leave it out".to_string();
                return Some((last.0, what));
            }
        }
        let named = |(line, row): &(usize, Vec<String>)| {
            let name = row.iter().find(|field| names_total(field))?;
            Some((*line, name.trim().to_string()))
        };
        let (line, name) = self.rows.iter().find_map(named)?;
        let what = format!(
            "\"{name}\" has two readings: the total of the others is left out, and an outcome has another name"
        );
        Some((line, what)).filter(|_| !others.is_empty())
    }

    /// Returns the index of the column with this name or number, or of the column of the weights.
    /// If the choice is unclear it is an error; the code never guesses.
    pub(super) fn column_index(&self, column: Option<&str>) -> Result<usize, WeightsError> {
        let wrong = |what: String| {
            let shown: Vec<String> = self
                .names
                .iter()
                .map(|name| printable_prefix(name))
                .collect();
            let there = if shown.is_empty() {
                format!("the columns 1 to {}", self.columns)
            } else {
                format!("the columns {}", shown.join(", "))
            };
            let example = shown.last().cloned().unwrap_or(self.columns.to_string());
            let what = format!(
                "{what}: the file has {there}; name one of them after the file's name, as in @FILE:{example}"
            );
            Err(WeightsError::Column(what))
        };
        let place = |column: &str| self.names.iter().position(|name| is_same(name, column));
        let asked = column.unwrap_or("weight");
        let same = |name: &&String| is_same(name, asked);
        if self.columns > 1 && self.names.iter().filter(same).count() > 1 {
            let first = place(asked).map_or(1, |place| place + 1);
            return Err(WeightsError::Column(format!(
                "several columns are called \"{}\": give the number of one of them after the file's name, as in @FILE:{first}",
                printable_prefix(asked)
            )));
        }
        match column {
            Some(column) => {
                let number = column.trim().parse().ok();
                let number = number.filter(|number| (1..=self.columns).contains(number));
                match place(column).or(number.map(|number| number - 1)) {
                    Some(place) => Ok(place),
                    None => wrong(format!(
                        "no column is called \"{}\"",
                        printable_prefix(column)
                    )),
                }
            }
            None if self.columns == 1 => Ok(0),
            None => match place("weight") {
                Some(place) => Ok(place),
                None if self.names.is_empty() && self.columns == 2 => Ok(1),
                None => wrong("it is not clear which column is meant".to_string()),
            },
        }
    }

    /// The weights in one column; the first of the other columns contains the names of the
    /// outcomes.
    pub(super) fn weights(self, column: Option<&str>) -> Result<Weights, WeightsError> {
        let place = self.column_index(column)?;
        if let Some((line, what)) = self.total_row_readings(place) {
            return Err(WeightsError::Line { line, what });
        }
        let others = || (0..self.columns).filter(|other| *other != place);
        // A column without a name is the index that pandas writes.
        let has_name = |other: &usize| self.names.get(*other).is_none_or(|name| !name.is_empty());
        let is_distinct = |other: &usize| {
            let mut seen = std::collections::HashSet::new();
            self.rows
                .iter()
                .all(|(_, row)| seen.insert(row[*other].trim()))
        };
        let named = || others().filter(has_name);
        let is_name = |other: &usize| {
            let name = self.names.get(*other);
            name.is_some_and(|name| {
                ["name", "item", "label"]
                    .iter()
                    .any(|word| is_same(name, word))
            })
        };
        let name = named()
            .find(|other| is_name(other) && is_distinct(other))
            .or_else(|| named().find(is_distinct))
            .or(named().next())
            .or(others().next());
        if let Some(name) = name
            && let Some(twice) = repeated_name_error(
                self.rows
                    .iter()
                    .map(|(line, row)| (*line, row[name].trim())),
            )
        {
            return Err(twice);
        }
        let texts = self
            .rows
            .iter()
            .map(|(line, row)| (*line, row[place].as_str()));
        let weights = numbers(texts)?;
        self.check_column_name(place, &weights)?;
        let names = name.map(|name| {
            self.rows
                .iter()
                .map(|(_, row)| row[name].trim().to_string())
                .collect()
        });
        from_ratios(weights, names.unwrap_or_default())
    }
}

impl FileTable {
    /// Refuses weights in a column whose name says that they are faces, odds, or percentages that
    /// do not sum to 100.
    fn check_column_name(&self, place: usize, weights: &[Rational]) -> Result<(), WeightsError> {
        let Some(shown) = self.names.get(place) else {
            return Ok(());
        };
        let name = shown.trim().to_lowercase();
        let shown = printable_prefix(shown);
        let sides = name.strip_prefix('d').unwrap_or_default();
        let is_die = !sides.is_empty() && sides.bytes().all(|c| c.is_ascii_digit() || c == b'%');
        let names_faces = is_die || ["die", "dice", "face", "roll"].contains(&name.as_str());
        let follow = |begin: i64| {
            let faces = (begin..).map(|face| Rational::from_integer(face.into()));
            weights
                .iter()
                .zip(faces)
                .all(|(weight, face)| *weight == face)
        };
        if names_faces && weights.len() > 2 && (follow(0) || follow(1)) {
            return Err(WeightsError::Column(format!(
                "the column \"{shown}\" has two readings: faces are written as lines name;1, and weights stand in a column called weight"
            )));
        }
        if name
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "odds")
        {
            return Err(WeightsError::Column(format!(
                "the column \"{shown}\" has two readings, odds for and odds against: write probabilities, or weights in a column called weight"
            )));
        }
        let is_percent = name.contains("percent") || name.contains('%');
        if !is_percent || weights.iter().sum::<Rational>().is_one() {
            return Ok(());
        }
        let texts: Vec<(usize, String)> = (self.rows.iter())
            .map(|(line, row)| (*line, row[place].trim()))
            .map(|(line, text)| {
                let is_plain = is_decimal(text) && !text.ends_with('%');
                (line, format!("{text}{}", if is_plain { "%" } else { "" }))
            })
            .collect();
        let checked = numbers(texts.iter().map(|(line, text)| (*line, text.as_str())));
        checked.map(|_| ()).map_err(|error| {
            let what = error.to_string();
            WeightsError::Column(
                what.replace("are written without %", "stand in a column called weight"),
            )
        })
    }
}

/// The error for a name that occurs in two rows.
fn repeated_name_error<'a>(names: impl Iterator<Item = (usize, &'a str)>) -> Option<WeightsError> {
    let mut seen = std::collections::HashSet::new();
    let (line, name) = names.into_iter().find(|(_, name)| !seen.insert(*name))?;
    let what = format!(
        "\"{}\" occurs twice: give it once, with the sum of its weights",
        printable_prefix(name)
    );
    Some(WeightsError::Line { line, what })
}

pub(super) fn is_same(name: &str, column: &str) -> bool {
    name.trim().eq_ignore_ascii_case(column.trim())
}

pub(super) fn is_weight(name: &str) -> bool {
    is_same(name, "weight")
}

/// Splits a line into its fields; a field in double quotes may contain the separator, and `""`
/// stands for a quote.
pub(super) fn fields(line: &str, mark: char) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            c if c == mark && !quoted => all.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    all.push(field);
    if mark == '|' {
        all.iter_mut().for_each(strip_emphasis);
    }
    all
}
