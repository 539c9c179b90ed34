//! Targets as people write them, with the names of their outcomes.
//!
//! [`Weights`] has the grammar.

mod brackets;
mod dice;
mod file;
mod lines;
mod named;
mod table;
mod values;

pub use values::MAX_WEIGHTS;
pub use values::{Weights, WeightsError};

use super::Target;
use flipcost_number::expression::{ExpressionError, parse_natural, parse_rational};
use flipcost_number::grammar::{items, unbracketed};
use flipcost_number::named::NamedNumber;

use std::str::FromStr;

pub(super) use values::WORDS;
use values::{check_percentages, error_at, error_in_part, integers, move_error, too_many_weights};

impl Weights {
    /// Parses the weights in the text of a file, in one of these forms. (1) One weight in each line
    /// (a number as in the grammar of targets; blank lines and lines that begin with `#` are
    /// skipped), or all weights in one line. (2) Lines of fields between commas, semicolons or
    /// tabs: a name and a weight, or a table with a column `weight` ([`Weights::of_column`] takes
    /// another column). (3) JSON: a list of numbers, an object, or a list of rows. (4) A Python
    /// dict of whole numbers and fractions, as `icepool` and `dyce` print it.
    ///
    /// ```
    /// use flipcost::task::Weights;
    /// assert_eq!(Weights::of_file("4\n7\n8\n")?.target().to_string(), "4:7:8");
    /// let table = Weights::of_file("name,weight\nred,1/2\nblue,1/6\nelse,1/3\n")?;
    /// assert_eq!((table.target().to_string().as_str(), table.label(&1u8.into()).as_str()), ("3:1:2", "blue"));
    /// let dict = Weights::of_file("Die({2: Fraction(1, 3), 5: Fraction(2, 3)})")?;
    /// assert_eq!((dict.target().to_string().as_str(), dict.label(&1u8.into()).as_str()), ("1:2", "5"));
    /// # Ok::<(), flipcost::task::WeightsError>(())
    /// ```
    ///
    /// # Errors
    /// [`WeightsError`], which names the line.
    pub fn of_file(text: &str) -> Result<Weights, WeightsError> {
        file::read(text, None)
    }

    /// Parses a table whose weights are in the column with this name, or with this number, counted
    /// from 1.
    ///
    /// # Errors
    /// [`WeightsError`], if the table has no such column, or if a weight is invalid.
    pub fn of_column(text: &str, column: &str) -> Result<Weights, WeightsError> {
        file::read(text, Some(column))
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    /// Parses a target in the grammar of [`Weights`]. Cost: linear in the length of the text and
    /// the number of weights, except for expressions.
    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let first = text.trim_start();
        if let Some((inner, begin)) = unbracketed(text)
            && (inner.contains([',', ':']) || dice::has_dice(inner))
        {
            return inner
                .parse()
                .map_err(|error| move_error(text, begin, error));
        }
        if dice::is_formula(first) && first.contains(':') {
            return DiceLaw::read(text, &[], 1)?.weights();
        }
        if let Some((name, fields)) = first.split_once(':')
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !begins_with_a_number(name)
        {
            let begin = text.len() - fields.len();
            return named::read(text, text.len() - first.len(), name.trim_end(), begin);
        }
        if let Some((example, end)) = named::law_example(first) {
            let at = text[..text.len() - first.len() + end].chars().count();
            let what = format!("the law has fields, as in {example}");
            return Err(error_at(text, at, what));
        }
        let refused = (comma_readings(text).or_else(|| grouped_readings(text)))
            .or_else(|| lines::date_readings(text))
            .or_else(|| share_readings(text))
            .or_else(|| factorial_readings(text));
        if let Some(what) = refused {
            return Err(ExpressionError::of_value(text, &WORDS, what).into());
        }
        if items(text).nth(1).is_some() {
            return parse_list(text, ',');
        }
        if text.contains(':') {
            return parse_list(text, ':');
        }
        if dice::has_dice(text) {
            return DiceLaw::read(text, &[], 1)?.weights();
        }
        let sides = parse_natural(text).map_err(|error| {
            // A die has at least one side.
            let what = error.what().replace("number from 0", "number from 1");
            if error.has_place() {
                error_in_part(text, 0, &error)
            } else {
                ExpressionError::of_value(text, &WORDS, what).into()
            }
        })?;
        Ok(Weights::new(Target::uniform(sides)?))
    }
}

/// The two meanings of `6!!`.
fn factorial_readings(text: &str) -> Option<String> {
    (text.contains("!!") && !dice::has_dice(text)).then(|| {
        "it has two readings: the factorial of a factorial is written with brackets, (3!)!, and a double factorial as a product, 6*4*2".to_string()
    })
}

/// Checks whether the first word is the name of a number, as in `mlkem:1`.
fn begins_with_a_number(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next();
    word.is_some_and(|word| NamedNumber::find(word).is_some())
}

/// The two meanings of `1,5:2,5`.
fn comma_readings(text: &str) -> Option<String> {
    let is_part = |b: u8| b.is_ascii_digit() || b" ,:.%".contains(&b);
    let parts: Vec<&str> = text.split(':').collect();
    let has_comma = |part: &&str| part.matches(',').count() == 1;
    let are_decimals = parts.len() > 1
        && text.bytes().all(is_part)
        && parts
            .iter()
            .all(|part| has_comma(part) || !part.contains(','))
        && (has_comma(&parts[0]) || has_comma(&parts[parts.len() - 1]));
    are_decimals.then(|| {
        format!(
            "it has two readings: decimals have a point, as in {}, and weights have one mark between them, as in {}",
            text.trim().replace(',', "."),
            text.trim().replace(',', ":")
        )
    })
}

/// The two meanings of numbers whose commas may be between groups of three digits, 1,000, or before
/// decimals, 0,5; and of weights whose points may be between such groups, 1.000:500.
fn grouped_readings(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.iter().any(|part| !lines::is_digits(part)) {
        return lines::point_readings(text.split([',', ':']));
    }
    let weights = parts.join(":");
    let are_groups = lines::is_digit_group(parts[0]) && !parts[0].starts_with('0');
    if are_groups && parts.len() > 1 && parts[1..].iter().all(|part| part.len() == 3) {
        return Some(format!(
            "it has two readings: the number is written {}, and the weights {weights}",
            parts.concat()
        ));
    }
    let are_decimals =
        parts.len().is_multiple_of(2) && parts.iter().step_by(2).all(|part| *part == "0");
    are_decimals.then(|| {
        let decimals: Vec<String> = parts.chunks(2).map(|pair| pair.join(".")).collect();
        format!(
            "it has two readings: decimals have a point, as in {}, and the weights are written {weights}",
            decimals.join(":")
        )
    })
}

/// The two meanings of two shares of 100 with a slash between them, as in 80/20.
pub(crate) fn share_readings(text: &str) -> Option<String> {
    let text = text.trim();
    let (first, last) = text.split_once('/')?;
    let is_split = !text.contains(char::is_whitespace) && lines::is_split_of_hundred(text);
    is_split.then(|| {
        format!(
            "it has two readings: odds or shares are written {first}:{last}, and a quotient with blanks, as in {first} / {last}"
        )
    })
}

/// Parses numbers separated by commas, or by colons.
fn parse_list(text: &str, mark: char) -> Result<Weights, WeightsError> {
    let (mut weights, mut begin) = (Vec::new(), 0);
    for part in text.split(mark) {
        let weight = parse_rational(part).map_err(|error| error_in_part(text, begin, &error))?;
        weights.push(weight);
        begin += part.len() + mark.len_utf8();
        if weights.len() > MAX_WEIGHTS {
            return Err(too_many_weights());
        }
    }
    check_percentages(text.split(mark), &weights)
        .map_err(|what| ExpressionError::of_value(text, &WORDS, what))?;
    Ok(Weights::new(Target::weighted(integers(weights)?)?))
}

pub use dice::{DiceLaw, digit_die, has_dice, is_formula, roll_formula};
pub use file::column_of_text;
pub(super) use lines::is_decimal;
pub use named::finite_double;

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::BigUint;
    use num_traits::One;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        match text.parse::<Weights>() {
            Ok(weights) => weights.target().to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn numbers_with_two_readings_are_refused() {
        for (text, readings) in [
            ("1,000", "the number is written 1000, and the weights 1:000"),
            (
                "100,200,300",
                "the number is written 100200300, and the weights 100:200:300",
            ),
            ("0,5", "as in 0.5, and the weights are written 0:5"),
            (
                "0,4,0,6",
                "as in 0.4:0.6, and the weights are written 0:4:0:6",
            ),
            ("1.000:500", "\"1.000\" has two readings"),
            ("1.000", "write 1000 or 1, without a point"),
            (
                "50/50",
                "odds or shares are written 50:50, and a quotient with blanks, as in 50 / 50",
            ),
            ("60/40", "odds or shares are written 60:40"),
        ] {
            let said = text.parse::<Weights>().unwrap_err().to_string();
            assert!(said.contains(readings), "{text}: {said}");
        }
        assert_eq!(read("64 - 1"), "63");
        assert_eq!(read("8 / 2"), "4");
        assert_eq!(read("0,1,2"), "0:1:2");
        assert_eq!(read("10,1000"), "1:100");
    }

    #[test]
    fn one_grammar() {
        assert_eq!(read("6"), "6");
        assert_eq!(read("2^70"), (BigUint::one() << 70u8).to_string());
        assert_eq!(read("4,7,8"), "4:7:8");
        assert_eq!(read(" 4 : 7 : 8 "), "4:7:8");
        assert_eq!(read("2:2"), "2");
        assert_eq!(read("0.1, 0.2, 0.7"), "1:2:7");
        assert_eq!(read("2^64, 1"), "18446744073709551616:1");
        assert_eq!(read("1d6"), "6");
        assert_eq!(read("2d2"), "1:2:1");
        assert_eq!(read("d2 + d2"), "1:2:1");
        assert_eq!(read("d6 + 1d4"), read("1d6 + 1d4"));
        assert_eq!(read("d2*2 + 1"), "2");
        assert_eq!(read("0:3:0"), "0:1:0");
        assert_eq!(read("70%:30%"), "7:3");
        assert_eq!(read("33.3%:33.3%:33.3%"), "3");
        let less = read("40%:30%:20%");
        assert!(
            less.contains("sum to 90%, which has two readings"),
            "{less}"
        );
        assert!(read("60%,50.5%").contains("sum to 110.5%"));
        assert_eq!(read("70%:0.3"), "7:3");
        for (text, point) in [("1,5:2,5", "1.5:2.5"), ("1,5%:98,5%", "1.5%:98.5%")] {
            let said = read(text);
            assert!(
                said.contains("two readings") && said.contains(point),
                "{said}"
            );
        }
        for text in ["2024-01-31", "1/31/2024"] {
            assert!(read(text).contains("a date is no number"), "{}", read(text));
            let law = DiceLaw::read(text, &[], 1).unwrap_err().to_string();
            assert!(law.contains("a date is no number"), "{law}");
        }
        assert_eq!(read("2024 - 01 - 31"), "1992");
        assert_eq!(read("10-2-3"), "5");
        let mixed = read("40:30%:30%");
        assert!(mixed.contains("40 percent are written 40%"), "{mixed}");
        assert_eq!(read("mlkem"), "3329");
        assert_eq!(read("mlkem - 1 : 1"), "3328:1");
        let date = read("2024-01-01");
        assert!(
            date.contains("a date is no number") && date.contains("2024 - 01 - 01"),
            "{date}"
        );
        assert_eq!(read("2024 - 1 - 1"), "2022");
        assert_eq!(read("2024-101-1"), "1922");
        for text in ["zipf 5", "zipf(5)", "zipf n=5,s=1", "Zipff 5"] {
            let said = read(text);
            assert!(said.contains("fields, as in zipf:n=10,s=1"), "{said}");
        }
        assert!(read("zipff:5").contains("did you mean zipf? it is written as in zipf:n=10,s=1"));
        assert_eq!(
            read("ed25519"),
            read("2^252 + 27742317777372353535851937790883648493")
        );
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, at) in [
            ("1:2:x", 4),
            ("1,,2", 2),
            ("1,2,", 4),
            ("1;2", 1),
            ("", 0),
            ("3d", 1),
            ("3d6 +", 5),
            ("-1:2", 0),
            ("3d6^2", 3),
            ("binomial:n=20", 13),
            ("binomial:n=20,q=3", 14),
            ("poisson:l=3", 0),
            ("zipf:n=x", 7),
            ("é:2", 0),
            ("1:é", 2),
        ] {
            match text.parse::<Weights>() {
                Err(WeightsError::Text(error)) => {
                    assert_eq!(error.position(), at, "{text}: {error}")
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert_eq!(
            read("0:0"),
            "weights that are all 0 give no outcome: at least one must be above 0"
        );
        assert_eq!(
            read("0"),
            "a target of 0 sides has no outcome: n must be at least 1"
        );
    }

    proptest! {
        /// The text of a target is parsed to the same target.
        #[test]
        fn a_target_is_read_back(weights in prop::collection::vec(any::<u64>(), 1..20), n in 1u64..) {
            for target in [Target::weighted(weights), Target::uniform(n)].into_iter().flatten() {
                // A single weight makes a fair die of one side.
                prop_assert_eq!(target.to_string().parse::<Weights>(), Ok(Weights::new(target)));
            }
        }

        /// The parser does not panic on any text.
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9dx:,+*/%.()<= a-c^-]{0,24}") {
            let _ = text.parse::<Weights>();
            let _ = Weights::of_file(&text);
        }
    }
}
