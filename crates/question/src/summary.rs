//! The summary, which is the first line of an answer: one plain sentence with the requested value,
//! made from the cells of the answer.

use crate::sentence::capitalize_and_stop;
use crate::spell::{power_of_two, round_near_integer, round_significant};
use crate::{Answer, ColumnHead, make_printable};
use flipcost::algorithms;
use flipcost::table::Cell;
use flipcost_number::short::short;
use flipcost_number::{BigInt, Decimal, Rational, Rounding};
use num_traits::{One, ToPrimitive, Zero};

/// The number of significant digits of a decimal in a summary.
const SUMMARY_DIGITS: u32 = 4;

/// If a fraction has more characters, only its decimal is shown.
const MAX_FRACTION_LEN: usize = 12;

/// Formats an exact value for a sentence: `11/3 ≈ 3.667`, `5/2 = 2.5`, or `about 3.667` if the
/// fraction is long.
pub fn exact_phrase(value: &Rational) -> String {
    if value.is_integer() {
        let sign = if value < &Rational::from(BigInt::ZERO) {
            "-"
        } else {
            ""
        };
        return format!("{sign}{}", short(value.numer().magnitude()));
    }
    if let Some(power) = power_of_two(value).filter(|_| value.denom().bits() > 20) {
        return power;
    }
    // Each number has at most as many digits as bits.
    let text = (value.numer().bits() + value.denom().bits() < 50).then(|| value.to_string());
    let (decimal, whole) = round_near_integer(value, SUMMARY_DIGITS);
    match text.filter(|text| text.len() <= MAX_FRACTION_LEN) {
        Some(text) if whole => format!("{text} = {decimal}"),
        Some(text) => format!("{text} ≈ {decimal}"),
        None if whole => decimal,
        None => format!("about {decimal}"),
    }
}

/// Formats a double for a sentence, with four significant digits.
pub fn double_phrase(value: f64) -> String {
    match Rational::from_float(value) {
        Some(exact) => round_near_integer(&exact, SUMMARY_DIGITS).0,
        None if value > 0.0 => "infinite".to_string(),
        None => value.to_string(),
    }
}

/// The verb after a target in a sentence: `take` after weights, `takes` after a die.
pub fn take_verb(target: &str) -> &'static str {
    if target.starts_with("weights") {
        "take"
    } else {
        "takes"
    }
}

/// Names a list of dice for a sentence: `a coin and a d6`, `3 d6`.
pub fn dice_phrase(dice: &str) -> String {
    let name = |(die, count): (&str, usize)| match (die, count) {
        ("2", 1) => "a coin".to_string(),
        ("2", many) => format!("{many} coins"),
        (die, count) if die.bytes().all(|byte| byte.is_ascii_digit()) => match count {
            1 => format!("a d{die}"),
            many => format!("{many} d{die}"),
        },
        (die, _) => die.to_string(),
    };
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for die in dice.split(',') {
        match kinds.last_mut() {
            Some((last, count)) if *last == die => *count += 1,
            _ => kinds.push((die, 1)),
        }
    }
    let mut names: Vec<String> = kinds.into_iter().map(name).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

/// Formats a cell for a sentence.
pub fn cell_phrase(cell: &Cell) -> String {
    match cell {
        Cell::Exact(value) => exact_phrase(value),
        Cell::Double(value) => double_phrase(*value),
        Cell::Integer(value) => short(&value.to_big()),
        Cell::Infinite => "infinite".to_string(),
        // A small number that rounds to 0 must not be shown as 0.
        Cell::Decimal(value) if value.rounding() != Rounding::Exact && value.units().is_zero() => {
            format!("less than 10^-{}", decimal_places(value).len())
        }
        cell => cell.to_string(),
    }
}

/// Formats a value for a sentence, from its exact cell and its decimal cell; `None` if both are
/// empty.
pub fn value_phrase(exact: &Cell, digits: &Cell) -> Option<String> {
    match (exact, digits) {
        (Cell::Empty, Cell::Empty) => None,
        (Cell::Empty, near @ Cell::Double(value)) if *value != 0.0 && value.is_finite() => {
            Some(format!("about {}", cell_phrase(near)))
        }
        (Cell::Empty, near) => Some(cell_phrase(near)),
        (Cell::Exact(value), Cell::Decimal(near))
            if !value.is_integer() && decimal_places(near).bytes().any(|digit| digit != b'0') =>
        {
            Some(near.to_string())
        }
        (exact, _) => Some(cell_phrase(exact)),
    }
}

/// Returns the digits after the decimal point.
fn decimal_places(value: &Decimal) -> &str {
    value
        .text()
        .split_once('.')
        .map_or("", |(_, places)| places)
}

/// Adds the unit, given in the plural, to a value: `11/3 ≈ 3.667 flips`, `1 flip`.
pub fn with_unit(phrase: &str, units: &str) -> String {
    let text = match phrase {
        "1" => format!("1 {}", units.strip_suffix('s').unwrap_or(units)),
        "infinite" if !units.is_empty() => format!("infinitely many {units}"),
        phrase => format!("{phrase} {units}"),
    };
    text.trim_end().to_string()
}

/// Formats a small fraction for a sentence: `2.3 in 10^8`, or `1 in 6` if the numerator is 1. A
/// fraction x above 1/2 is written as the factor 1 + x.
pub fn parts_phrase(part: &Rational) -> String {
    if part > &Rational::new(1.into(), 2.into()) {
        return format!("a factor of {}", exact_phrase(&(part + Rational::one())));
    }
    if part.numer().is_one() && part.denom().bits() <= 20 {
        return format!("1 in {}", part.denom());
    }
    let (text, _) = round_significant(part, 2);
    match text.split_once("e-") {
        Some((mantissa, places)) => format!("{mantissa} in 10^{places}"),
        None => text,
    }
}

/// Formats a large number for a sentence: `7·10^17`; below a million with all its digits.
pub fn power_of_ten_phrase(value: &Rational) -> String {
    if value.is_integer() && value.numer().bits() < 20 {
        return value.to_string();
    }
    let text = round_significant(value, 1).0.replace('e', "·10^");
    text.strip_prefix("1·").unwrap_or(&text).to_string()
}

/// Names an algorithm for a sentence: `the fast dice roller`, `Elias' blocks`. A function of a
/// library is named by its id.
pub fn algorithm_phrase(id: &str) -> String {
    let known = algorithms::REGISTRY.iter().map(|known| known.about());
    let known = known.into_iter().find(|about| about.id == id);
    let Some(name) = known.and_then(|about| about.name.split([',', '(']).next()) else {
        return id.to_string();
    };
    let name = name.trim();
    // Other names are used as they are.
    let plain = name.to_lowercase().replace(' ', "-");
    let is_other = plain != id
        && algorithms::REGISTRY
            .iter()
            .any(|other| other.about().id == plain);
    let name = &if is_other {
        format!("{name} ({id})")
    } else {
        name.to_string()
    };
    let is_of_someone = name.contains(['\'', '&']) || name.starts_with("Knuth");
    if is_of_someone {
        return name.to_string();
    }
    let lower = name[..1].to_lowercase() + &name[1..];
    let is_one = ["roller", "algorithm", "method"]
        .iter()
        .any(|word| name.ends_with(word));
    if is_one {
        format!("the {lower}")
    } else {
        lower
    }
}

impl Answer {
    /// Returns the summary of the answer.
    pub fn summary(&self) -> String {
        if let Some(summary) = &self.foot.summary {
            return summary.clone();
        }
        // If only some rows are known, the question cannot say what holds for all of them.
        let sentence = match self.query.order() {
            _ if !self.query.has_view() => self.query.question().summary(self),
            _ if self.rows.is_empty() => "no rows".to_string(),
            Some((name, is_least)) => {
                let most = if is_least { "least" } else { "largest" };
                let is_there = |key: &&str| *self.cell(0, key) != Cell::Empty;
                let keys = ["n", "target", "id", "algorithm", "value"];
                let keys = keys.into_iter().filter(|key| *key != name && is_there(key));
                let place: Vec<String> = keys
                    .take(2)
                    .map(|key| format!("{key} {}", self.cell(0, key)))
                    .collect();
                let value = self.measure(0, name).unwrap_or_default();
                if place.is_empty() {
                    format!("the {most} {name} is {value}")
                } else {
                    format!("the {most} {name} is {value}, of {}", place.join(", "))
                }
            }
            None if self.rows.len() == 1 => self.row_phrase(0),
            None => format!(
                "{} rows, the first of them with {}",
                self.rows.len(),
                self.row_phrase(0)
            ),
        };
        make_printable(&capitalize_and_stop(&sentence))
    }

    /// The cell of the column with this name; an empty cell if there is no such column.
    pub fn cell(&self, row: usize, name: &str) -> &Cell {
        let mut columns = self.head.columns.iter();
        let at = columns.position(|column| column.name == name);
        at.and_then(|at| self.rows.get(row)?.get(at))
            .unwrap_or(&Cell::Empty)
    }

    /// Formats the value of a column for a sentence: the fraction in the column `NAME_exact` if it
    /// is short. `None` if both columns are empty.
    pub fn phrase(&self, row: usize, name: &str) -> Option<String> {
        let exact = self.cell(row, &format!("{name}_exact"));
        value_phrase(exact, self.cell(row, name))
    }

    /// Returns [`Answer::phrase`] with its unit: `11/3 ≈ 3.667 flips`, `1 flip`.
    pub fn measure(&self, row: usize, name: &str) -> Option<String> {
        let phrase = self.phrase(row, name)?;
        let exact = format!("{name}_exact");
        let mut columns = self.head.columns.iter();
        let unit = columns.find(|column| column.name == name || column.name == exact);
        let unit = unit.map_or("", |column| column.unit.as_str());
        Some(with_unit(&phrase, unit))
    }

    /// The values of the answering columns of a row, with their names.
    pub fn row_phrase(&self, row: usize) -> String {
        let columns = self.head.columns.iter();
        let several = columns.clone().any(|column| column.answers);
        let shown = columns.filter(|column| column.answers || !several);
        let shown = shown.filter(|column| *self.cell(row, &column.name) != Cell::Empty);
        let phrase = |column: &ColumnHead| {
            let value = cell_phrase(self.cell(row, &column.name));
            format!("{} {}", column.name, with_unit(&value, &column.unit))
        };
        let phrases: Vec<String> = shown.take(4).map(phrase).collect();
        phrases.join(", ")
    }

    /// The indices of the rows with the least and the largest number in a column; bounds are
    /// ignored. `None` if the column has no numbers.
    pub fn extremes(&self, name: &str) -> Option<(usize, usize)> {
        let value = |row: usize| match self.cell(row, name) {
            Cell::Double(value) => Some(*value),
            Cell::Integer(value) => value.to_big().to_f64(),
            Cell::Exact(value) => value.to_f64(),
            Cell::Decimal(value) => Some(value.to_f64()),
            Cell::Infinite => Some(f64::INFINITY),
            _ => None,
        };
        let is_bound = |row: &usize| self.rows[*row][0] == Cell::Text("bound".to_string());
        let rows = || (0..self.rows.len()).filter(move |row| !is_bound(row));
        let values = || rows().filter_map(|row| Some((row, value(row)?)));
        let least = values().min_by(|a, b| a.1.total_cmp(&b.1))?;
        // The first row wins a tie.
        let most = values().min_by(|a, b| b.1.total_cmp(&a.1))?;
        Some((least.0, most.0))
    }
}
