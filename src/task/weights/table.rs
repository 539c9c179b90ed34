//! Parses a table in the text of a file: lines with the same number of fields, some of which are
//! numbers.

use super::lines::{
    calculation_readings, comma_readings, heading_readings, is_digit_group, is_digits, is_number,
    layout_readings, name_and_weight, no_weight_error, parse_ranges, point_readings,
    printable_prefix, table_lines,
};
use super::values::{
    Labels, MAX_WEIGHTS, Weights, WeightsError, check_percentages, check_probabilities, integers,
    is_rounded_sum, short_sum, too_many_weights,
};
use crate::task::Target;
use flipcost_number::Rational;
use flipcost_number::expression::parse_rational;
use flipcost_number::reduce;
use num_traits::One;

pub(super) fn number(text: &str, line: usize) -> Result<Rational, WeightsError> {
    if let Some(what) = calculation_readings(text.trim()) {
        return Err(WeightsError::Line { line, what });
    }
    parse_rational(text.trim()).map_err(|error| {
        // For example, a line such as "sword -5".
        let is_line = text.trim().contains(' ') && text.contains(char::is_alphabetic);
        let point = text.trim().replacen(',', ".", 1);
        let mut groups = text.split_whitespace();
        let are_thousands = groups.next().is_some_and(is_digit_group)
            && text.trim().contains(char::is_whitespace)
            && groups.all(|group| group.len() == 3 && is_digits(group));
        let what = if are_thousands {
            let whole: String = text.split_whitespace().collect();
            format!(
                "\"{}\" has blanks between its digits: the number is written {whole}",
                text.trim()
            )
        } else if is_line {
            no_weight_error(text.trim())
        } else if text.contains(',') && is_number(&point) {
            let text = text.trim();
            format!("\"{text}\" has a comma: a decimal is written with a point, {point}")
        } else {
            error.to_string()
        };
        WeightsError::Line { line, what }
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

/// Words in the names of rows that contain the sum, the number or the mean of the other rows.
const TOTAL_WORDS: [&str; 22] = [
    "total",
    "totals",
    "sum",
    "subtotal",
    "grand",
    "all",
    "overall",
    "gesamt",
    "insgesamt",
    "summe",
    "n",
    "deck",
    "size",
    "weight",
    "weights",
    "items",
    "cards",
    "entries",
    "count",
    "mean",
    "average",
    "avg",
];
const COUNT_WORDS: [&str; 4] = ["items", "cards", "entries", "count"];
const MEAN_WORDS: [&str; 3] = ["mean", "average", "avg"];

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

/// Removes the marks of bold and italic text around a field of a Markdown table.
fn strip_emphasis(field: &mut String) {
    let text = field.trim();
    let inner = |mark: &str| text.strip_prefix(mark)?.strip_suffix(mark);
    let inner = ["**", "__", "*", "_"].into_iter().find_map(inner);
    *field = inner.unwrap_or(text).to_string();
}

/// Words in fields that are numbers or stand for a missing number, so that they are not column
/// names.
const NOT_COLUMN_NAMES: [&str; 10] = [
    "nan", "inf", "infinity", "e", "pi", "na", "n/a", "null", "nil", "none",
];

/// Names of columns that number the rows.
const ROW_NUMBER_NAMES: [&str; 8] = ["id", "index", "idx", "no", "nr", "#", "row", "unnamed: 0"];

/// Names of columns that may contain the weights of the rows if another column is called weight.
const OTHER_WEIGHT_NAMES: [&str; 9] = [
    "count",
    "counts",
    "frequency",
    "freq",
    "quantity",
    "qty",
    "number",
    "copies",
    "amount",
];

/// Checks whether the first line of a table contains the names of its columns.
fn names_columns(head: &[String], column: Option<&str>) -> bool {
    let columns = head.len();
    let is_name = |field: &String| {
        let number = field.trim_start_matches(['-', '+']).to_lowercase();
        field.contains(char::is_alphabetic)
            && !is_number(field)
            && !NOT_COLUMN_NAMES.contains(&number.as_str())
    };
    let is_column = |name: &String| column.is_some_and(|column| is_same(name, column));
    head.iter().any(|name| is_weight(name) || is_column(name))
        || head.iter().all(|field| field.is_empty() || is_name(field))
            && !head[columns - 1].contains(|c: char| c.is_ascii_digit())
}

/// The error for a line with more or fewer fields than the first line.
fn field_count_error(fields: usize, columns: usize) -> String {
    let plural = if fields == 1 { "" } else { "s" };
    format!("the line has {fields} field{plural}, and the first line has {columns}")
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
        if !is_markdown && let Some(readings) = layout_readings(text) {
            return Err(refuse(readings));
        }
        if let Some(rows) = parse_ranges(&lines).map_err(refuse)? {
            let rows = rows.into_iter().map(|(line, row)| (line, row.into()));
            return Ok(FileTable {
                names: Vec::new(),
                columns: 2,
                rows: rows.collect(),
            });
        }
        let mut all = lines.iter().copied().peekable();
        let Some(&(at, first)) = all.peek() else {
            let what = "a weight was expected, but nothing is there".to_string();
            return Err(WeightsError::Line { line: 1, what });
        };
        let marks = if is_markdown { "|" } else { "\t;," };
        let mark = marks.chars().find(|mark| first.contains(*mark));
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
        let head = split(at, first)?;
        let mut names: Vec<String> = head.iter().map(|name| name.trim().to_string()).collect();
        let columns = names.len();
        if names_columns(&names, column) {
            all.next();
        } else {
            names.clear();
        }
        if all.peek().is_none() {
            let what = "a weight was expected below the names of columns".to_string();
            return Err(WeightsError::Line { line: 1, what });
        }
        let mut rows = Vec::new();
        for (line, text) in all {
            let fields = split(line, text)?;
            if fields.len() != columns && mark.is_none() && columns == 1 && !is_number(first) {
                return Err(refuse((at, no_weight_error(first))));
            }
            if fields.len() != columns {
                return Err(refuse((line, field_count_error(fields.len(), columns))));
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
        let sign = lines.iter().any(|(_, line)| line.contains([':', '=']));
        let mark_or_sign = mark.or(sign.then_some(':'));
        let readings = table.number_readings(mark_or_sign, column).or_else(|| {
            let is_free = mark.is_none() && columns == 2 && table.names.is_empty();
            let fields = table.rows.iter().map(|(_, fields)| fields.as_slice());
            let lines = lines
                .iter()
                .zip(fields)
                .map(|((at, line), fields)| (*at, *line, fields));
            is_free.then(|| heading_readings(&lines.collect::<Vec<_>>()))?
        });
        match readings {
            Some(readings) => Err(refuse(readings)),
            None => Ok(table),
        }
    }

    /// If the numbers of the table have several meanings, returns a message that lists them, and a
    /// line where they occur.
    fn number_readings(&self, mark: Option<char>, column: Option<&str>) -> Option<(usize, String)> {
        if let Some(found) = self.side_error() {
            return Some(found);
        }
        let decimals = mark == Some(',') && self.names.is_empty() && column.is_none();
        if decimals && let Some(found) = comma_readings(&self.rows) {
            return Some(found);
        }
        let place = self.column_index(column).ok()?;
        if let Some(found) = self
            .face_count_readings(mark)
            .or_else(|| self.mixed_number_readings(mark))
            .or_else(|| self.total_row_readings(place))
        {
            return Some(found);
        }
        let weights = self.rows.iter().map(|(_, fields)| fields[place].as_str());
        let line = self.rows.first()?.0;
        Some((line, point_readings(weights)?))
    }

    /// The two meanings of two unnamed columns of whole numbers whose second column may list
    /// values, as in the output of `uniq -c`: the first column is not increasing, or the second
    /// counts up.
    fn face_count_readings(&self, mark: Option<char>) -> Option<(usize, String)> {
        if !self.names.is_empty() || self.columns != 2 || self.rows.len() < 2 {
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
        let is_listed = |all: &[u64]| all.is_sorted_by(|one, next| one < next);
        // Faces and their counts in a line have a mark between them, or the counts are in no order.
        let both_listed =
            mark.is_none() && is_listed(&first) && is_listed(&second) && first != second;
        let (down, equal) = (
            first.iter().rev().copied().collect::<Vec<_>>(),
            second[0] == second[1],
        );
        let (weight, value) = (first[0], second[0]);
        let are_values =
            follow(&first) || (is_listed(&first) || follow(&down)) && (!follow(&second) || equal);
        (both_listed || !are_values).then(|| {
            let what = format!(
                "\"{weight} {value}\" has two readings: a weight of {weight} is written {value};{weight}, and the value {weight} with the weight {value} is {weight};{value} below a first line value;weight"
            );
            (self.rows[0].0, what)
        })
    }

    /// The two meanings of lines such as `1 1/2`: mixed numbers, or values and their probabilities.
    fn mixed_number_readings(&self, mark: Option<char>) -> Option<(usize, String)> {
        if mark.is_some() || self.columns != 2 || !self.names.is_empty() {
            return None;
        }
        let part = |(_, fields): &(usize, Vec<String>)| {
            let (above, below) = fields[1].split_once('/')?;
            let is_mixed = [&fields[0], above, below]
                .iter()
                .all(|text| text.parse::<u64>().is_ok());
            is_mixed.then(|| parse_rational(&fields[1]).ok())?
        };
        let parts: Vec<Rational> = self.rows.iter().map(part).collect::<Option<_>>()?;
        let (line, fields) = self.rows.first()?;
        (parts.len() < 3 || !reduce::sum(&parts).is_one()).then(|| {
            let [whole, part] = [&fields[0], &fields[1]];
            let what = format!(
                "\"{whole} {part}\" has two readings: a mixed number is written {whole}+{part}, and a name and its weight {whole};{part}"
            );
            (*line, what)
        })
    }

    /// The error for a row that may be the total of the others: the first or last row, or one whose
    /// name says so.
    fn total_row_readings(&self, place: usize) -> Option<(usize, String)> {
        let value = |(_, row): &(usize, Vec<String>)| parse_rational(row[place].trim()).ok();
        let count = self.rows.len();
        for (at, which) in [(count - 1, "last"), (0, "first")] {
            let others = || (0..count).filter(|i| *i != at).map(|i| &self.rows[i]);
            let (line, row) = &self.rows[at];
            let what_is = |(column, field): (usize, &String)| {
                let name = field.trim().to_lowercase();
                let words = name.split(|c: char| !c.is_alphanumeric());
                let words = words.filter(|word| !word.is_empty() && !is_number(word));
                let words: Vec<&str> = words.collect();
                let is_total = match words.first() {
                    None => {
                        name.is_empty() && others().all(|(_, row)| !row[column].trim().is_empty())
                    }
                    Some(first) => {
                        first.starts_with("total")
                            || words.iter().all(|word| TOTAL_WORDS.contains(word))
                    }
                };
                let is_word = |all: &[&str]| words.iter().any(|word| all.contains(word));
                if !is_total || column == place {
                    return None;
                }
                let (sum, given) = (
                    others().map(value).sum::<Option<Rational>>()?,
                    value(&self.rows[at])?,
                );
                let number = Rational::from_integer((count.max(2) - 1).into());
                match () {
                    () if given == sum => Some("total"),
                    () if given == number && is_word(&COUNT_WORDS) => Some("number"),
                    () if given == &sum / &number && is_word(&MEAN_WORDS) => Some("mean"),
                    () => None,
                }
            };
            let what = row
                .iter()
                .enumerate()
                .find_map(what_is)
                .filter(|_| count > 2);
            let Some(what) = what else {
                continue;
            };
            let what = format!("the {which} row is the {what} of the others: leave it out");
            return Some((*line, what));
        }
        let sum = || {
            self.rows[..count - 1]
                .iter()
                .map(value)
                .sum::<Option<Rational>>()
        };
        let last = &self.rows[count - 1];
        if count > 4 && self.columns > 1 && sum().is_some_and(|sum| value(last) == Some(sum)) {
            let what = "the last row is the sum of the others, which has two readings: a total is left out, and an outcome stands in an earlier line";
            return Some((last.0, what.to_string()));
        }
        let named = |(line, row): &(usize, Vec<String>)| {
            let name = row.iter().find(|field| names_total(field))?;
            Some((*line, name.trim().to_string()))
        };
        let (line, name) = self.rows.iter().find_map(named)?;
        let what = format!(
            "\"{name}\" has two readings: the total of the others is to be left out, and an outcome needs another name"
        );
        Some((line, what)).filter(|_| count > 1)
    }

    /// The error for two rows of faces and weights, each with its name, instead of two columns.
    fn side_error(&self) -> Option<(usize, String)> {
        let [(_, faces), (line, weights)] = &self.rows[..] else {
            return None;
        };
        let is_row = |row: &[String]| !is_number(&row[0]) && row[1..].iter().all(|x| is_number(x));
        let begin = usize::from(faces.get(1)?.trim() != "0");
        let are_faces = (begin..)
            .zip(&faces[1..])
            .all(|(i, face)| face.trim() == i.to_string());
        (self.columns > 3 && are_faces && is_row(faces) && is_row(weights)).then(|| {
            let weights: Vec<&str> = weights[1..].iter().map(|field| field.trim()).collect();
            let what = format!(
                "the table lies on its side: weights stand in a column, or in a line alone, as in {}",
                weights.join(",")
            );
            (*line, what)
        })
    }

    /// The error for weights beside ranges of faces that have other widths.
    fn range_readings(&self, place: usize) -> Option<(usize, String)> {
        let ranges = self.names.iter().position(|name| is_same(name, "range"))?;
        let width = |(_, row): &(usize, Vec<String>)| {
            let text = row[ranges].trim_matches(|c: char| "[](){} ".contains(c));
            let (first, last) = text.split_once([',', '-', '\u{2013}'])?;
            let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            let width = i128::from(last) - i128::from(first) + 1;
            Some(Rational::from_integer(width.into()))
        };
        let weight = |(_, row): &(usize, Vec<String>)| parse_rational(row[place].trim()).ok();
        let first = self.rows.first()?;
        let differs = |row| Some(width(row)? * weight(first)? != weight(row)? * width(first)?);
        let (line, _) = self.rows.iter().find(|row| differs(row) == Some(true))?;
        let what = "the weight and the range have two readings: to draw by the weights remove the ranges, and to draw by the ranges write lines such as 1-10 goblin";
        (place != ranges).then(|| (*line, what.to_string()))
    }

    /// The error for a single row of several numbers: the weights may be the row and not a column.
    fn one_row_error(&self, place: usize) -> Option<(usize, String)> {
        let [(line, row)] = &self.rows[..] else {
            return None;
        };
        let numbers = row.iter().filter(|field| is_number(field));
        let numbers: Vec<&str> = numbers.map(|field| field.trim()).collect();
        let what = || {
            format!(
                "column {} has only one number: weights stand in a column, or in a line alone, as in {}",
                place + 1,
                numbers.join(",")
            )
        };
        (numbers.len() > 1 && self.columns > 2).then(|| (*line, what()))
    }

    /// Whether all fields of a column are numbers.
    fn holds_numbers(&self, place: usize) -> bool {
        self.rows.iter().all(|(_, row)| is_number(&row[place]))
    }

    /// Whether the first of several unnamed columns numbers the rows, from 0 or 1.
    fn has_index(&self) -> bool {
        let counts = |begin: usize| {
            let mut numbers = self.rows.iter().zip(begin..);
            numbers.all(|((_, row), i)| row[0].trim() == i.to_string())
        };
        self.names.is_empty() && self.columns > 2 && (counts(0) || counts(1))
    }

    /// Whether a column of numbers has a name such as count.
    fn has_other_weights(&self) -> bool {
        self.names.iter().enumerate().any(|(place, name)| {
            OTHER_WEIGHT_NAMES.contains(&name.trim().to_lowercase().as_str())
                && self.holds_numbers(place)
        })
    }

    /// Returns the index of the column with this name or number; without one, that of the column of
    /// weights. If the choice is unclear, this is an error; the code never guesses.
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
            let numbers = (0..shown.len()).rfind(|place| self.holds_numbers(*place));
            let example = numbers.and_then(|place| shown.get(place)).or(shown.last());
            let example = example.cloned().unwrap_or(self.columns.to_string());
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
                let are_numbers = self.names.iter().any(|name| is_number(name));
                let number =
                    number.filter(|number| (1..=self.columns).contains(number) && !are_numbers);
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
                Some(_) if self.has_other_weights() => {
                    wrong("a column called weight stands beside a column of counts".to_string())
                }
                Some(place) => Ok(place),
                None if self.names.is_empty() && self.columns == 2 => Ok(1),
                None if self.has_index() && self.columns == 3 && !self.holds_numbers(1) => Ok(2),
                None => wrong("it is not clear which column is meant".to_string()),
            },
        }
    }

    /// Returns the weights in one column; the first of the other columns contains the names of the
    /// outcomes.
    pub(super) fn weights(self, column: Option<&str>) -> Result<Weights, WeightsError> {
        let place = self.column_index(column)?;
        if let Some((line, what)) = self
            .total_row_readings(place)
            .or_else(|| self.one_row_error(place))
            .or_else(|| self.range_readings(place))
        {
            return Err(WeightsError::Line { line, what });
        }
        let others = || (0..self.columns).filter(|other| *other != place);
        // A column without a name is the index that pandas writes, and a column that numbers the
        // rows does not contain names.
        let has_index = self.has_index();
        let has_name = |other: &usize| match self.names.get(*other) {
            Some(name) => !name.is_empty(),
            None => *other > 0 || !has_index,
        };
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
                ["name", "item", "label", "text"]
                    .iter()
                    .any(|word| is_same(name, word))
            })
        };
        let numbers_rows = |other: &usize| {
            let name = self
                .names
                .get(*other)
                .map(|name| name.trim().to_lowercase());
            name.is_some_and(|name| ROW_NUMBER_NAMES.contains(&name.as_str()))
        };
        let name = named()
            .find(|other| is_name(other) && is_distinct(other))
            .or_else(|| named().find(|other| !numbers_rows(other) && is_distinct(other)))
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
        let weights = numbers(texts.clone())?;
        self.check_column_name(place, &weights)?;
        if !(self.names.get(place)).is_some_and(|name| name.to_lowercase().contains("weight")) {
            let texts = texts.map(|(_, text)| text);
            check_probabilities(texts, &weights).map_err(WeightsError::Column)?;
        }
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
        let names_faces = is_die || ["die", "dice", "face"].contains(&name.as_str());
        if ["roll", "rolls", "result", "results"].contains(&name.as_str()) {
            return Err(WeightsError::Column(format!(
                "the column \"{shown}\" has two readings: how often each number came is counted by `flipcost test-die @FILE`, and weights stand in a column called weight"
            )));
        }
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
        let has = |all: &[&str]| all.iter().any(|part| name.contains(part));
        let is_bound = || {
            let words = [
                "cum", "cumsum", "max", "to", "upper", "end", "high", "hi", "bis",
            ];
            words.contains(&name.as_str()) && weights.len() > 1 && weights.is_sorted()
        };
        if has(&["cumul", "running", "kumul"]) || name == "cdf" || is_bound() {
            return Err(WeightsError::Column(format!(
                "the column \"{shown}\" has cumulative sums: a column with the weight of each row alone was expected"
            )));
        }
        let mut words = name.split(|c: char| !c.is_alphanumeric());
        let is_share = has(&["percent", "%", "probab", "chance", "drop rate"])
            || words.any(|word| ["p", "prob", "probs"].contains(&word));
        let texts = self.rows.iter().map(|(_, row)| row[place].as_str());
        if !is_share
            || [1, 100]
                .iter()
                .any(|whole| is_rounded_sum(texts.clone(), weights, *whole))
        {
            return Ok(());
        }
        let sum = weights.iter().sum::<Rational>();
        Err(WeightsError::Column(format!(
            "the column \"{shown}\" sums to {}, which has two readings: weights in this proportion stand in a column called weight, and probabilities sum to 1 or 100%",
            short_sum(&sum)
        )))
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
