//! The values in a study's file: numbers and names as people write them. Each value is checked when
//! it is read, so that a mistake is reported with its line and column.

use super::error::{Mistake, SerializedMistake, StudyError};
use super::limits::MAX_TEXT_LETTERS;
use flipcost::algorithms;
use flipcost::algorithms::Algorithm;
use flipcost::table::Expression;
use flipcost::table::ValueError;
use flipcost::table::{Cell, Precision};
use flipcost::task::{Fair, Source, Task, TaskError};
use flipcost_all::Measure;
use flipcost_number::expression::ExpressionError;
use flipcost_number::expression::{parse_natural, parse_signed, parse_u64};
use flipcost_number::{BigUint, Real};
use serde::de::{Deserializer, Error, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

/// A value that is parsed from a text, or from the digits of a whole number.
pub trait FromText: Sized {
    /// The expected kind of value, as a message names it.
    const WHAT: &'static str;

    /// The possible names, if they are few, for the page on studies.
    fn choices() -> Option<String> {
        None
    }

    /// Parses the value from a text.
    ///
    /// # Errors
    /// If the text is not such a value; the mistake is one sentence with its remedy.
    fn read(text: &str) -> Result<Self, Mistake>;
}

struct TextVisitor<T>(PhantomData<T>);

impl<'de, T: FromText> Visitor<'de> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(T::WHAT)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::read(text).map_err(SerializedMistake).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<T, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<T, E> {
        self.visit_str(&value.to_string())
    }
}

/// Reads a value. A mistake is reported inside the visitor, so that it gets the position of the
/// value.
///
/// # Errors
/// The errors of [`FromText::read`], with their position in the file.
pub fn read<'de, T: FromText, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_any(TextVisitor(PhantomData))
}

/// Implements `Deserialize` with [`FromText`].
macro_rules! read_from_text {
    ($($type:ty),* $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::values::read(from)
            }
        }

        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::schema::text_schema::<$type>()
            }
        }
    )*};
}
pub(crate) use read_from_text;

/// Defines types that wrap a value; a function that exists elsewhere parses the value from a text.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident($inner:ty): $what:expr, $read:expr $(, $choices:expr)?;)*) => {$(
        $(#[$doc])*
        pub struct $name(pub $inner);

        impl $crate::values::FromText for $name {
            const WHAT: &'static str = $what;

            $(fn choices() -> Option<String> {
                Some($choices.into())
            })?

            fn read(text: &str) -> Result<Self, $crate::error::Mistake> {
                $read(text).map($name).map_err($crate::error::Mistake::split)
            }
        }

        $crate::values::read_from_text!($name);
    )*};
}
pub(crate) use texts;

texts! {
    /// An expression of n and of the answers of questions.
    MeasureText(Measure):
        "an expression, such as \"2*n\" or \"cost(n, algorithm: interval).expected\"", Measure::read;
    /// An expression of the columns of a table.
    ColumnsText(Expression):
        "an expression of columns, such as \"1 - expected / interval\"", read_expression;
    /// A whole number.
    #[derive(Clone)]
    Natural(BigUint): "a whole number, such as 6 or \"10^18+9\"", parse_natural;
}

fn read_expression(text: &str) -> Result<Expression, ExpressionError> {
    Expression::with(text, &|_| Ok(true))
}

/// A text of one line that can be drawn and written into a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line(pub String);

impl FromText for Line {
    const WHAT: &'static str = "a text of one line";

    fn read(text: &str) -> Result<Self, Mistake> {
        let letters = text.chars().count();
        if letters > MAX_TEXT_LETTERS {
            let start: String = text.chars().take(20).collect();
            let start = start.escape_debug();
            let mistake = Mistake::new(format!("the text \"{start}...\" has {letters} characters"));
            return Err(mistake.right(format!("{MAX_TEXT_LETTERS} is the most")));
        }
        if text.contains(char::is_control) {
            return Err(Mistake::new(format!("the text {text:?} must be one line")));
        }
        // XML cannot represent these two characters.
        if let Some(c) = text.chars().find(|c| matches!(c, '\u{fffe}' | '\u{ffff}')) {
            let code = u32::from(c);
            let what = format!("the letter U+{code:X} in a text cannot be drawn");
            return Err(Mistake::new(what));
        }
        Ok(Line(text.to_string()))
    }
}

/// The name of a figure, which becomes the name of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureName(pub String);

/// Letters of a figure's name.
const MAX_NAME_LEN: usize = 100;

impl FromText for FigureName {
    const WHAT: &'static str = "a name of letters, digits and hyphens";

    fn read(name: &str) -> Result<Self, Mistake> {
        let Line(name) = Line::read(name)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(plain) {
            let what =
                format!("the figure's name \"{name}\" must consist of letters, digits and hyphens");
            return Err(Mistake::new(what));
        }
        if name.len() > MAX_NAME_LEN {
            let (start, letters) = (&name[..20], name.len());
            let what = format!("the figure's name \"{start}...\" has {letters} characters");
            Err(Mistake::new(what).right(format!("{MAX_NAME_LEN} is the most")))
        } else {
            Ok(FigureName(name))
        }
    }
}

/// An algorithm of the registry, by its id.
#[derive(Clone, Copy)]
pub struct AlgorithmName(pub &'static dyn Algorithm);

impl FromText for AlgorithmName {
    const WHAT: &'static str = "the id of an algorithm";

    fn choices() -> Option<String> {
        Some(algorithms::ids().join(", "))
    }

    fn read(id: &str) -> Result<Self, Mistake> {
        let found = flipcost_all::algorithms().find(id);
        Ok(AlgorithmName(found.map_err(Mistake::split)?))
    }
}

impl MeasureText {
    /// Returns the cell of a table that shows the expression for this n.
    ///
    /// # Errors
    /// If the expression has no value.
    pub fn cell(&self, n: Option<u64>) -> Result<Cell, StudyError> {
        Ok(self.0.cell(n).map_err(Mistake::split)?)
    }

    /// Returns the cells that show the expression for some n in increasing order; `None` if the
    /// expression cannot be computed for all n together.
    ///
    /// # Errors
    /// If the expression has no value for one of these n; the error is about the first of them.
    pub fn cells(&self, targets: &[u64]) -> Result<Option<Vec<Cell>>, StudyError> {
        let mut all = Vec::new();
        for run in targets.chunk_by(|a, b| a + 1 == *b) {
            match self.0.cells(run[0]..=run[run.len() - 1]) {
                Some(cells) => all.extend(cells.map_err(Mistake::split)?),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// Returns the cell of a position on the horizontal axis: a fraction if the value is rational.
    ///
    /// # Errors
    /// If the expression has no value.
    pub fn place(&self, n: u64) -> Result<Cell, StudyError> {
        let value = self.0.value_at(Some(n)).map_err(Mistake::split)?;
        match value.exact() {
            Some(exact) => Ok(Cell::from(exact)),
            None => Ok(Precision::default().cell(&value)?),
        }
    }
}

impl ColumnsText {
    /// Returns the expression's value in a row of a table; `None` if one of the cells that it uses
    /// is not a number.
    ///
    /// # Errors
    /// If the table has no such column, or the value cannot be computed.
    pub fn value(&self, heads: &[String], row: &[Cell]) -> Result<Option<f64>, StudyError> {
        let mut missing = false;
        let value = self.0.value_of(&mut |name| {
            let none = || ValueError::Named(format!("the table has no column {name}"));
            let at = heads
                .iter()
                .position(|head| head == name)
                .ok_or_else(none)?;
            let value = match &row[at] {
                Cell::Exact(exact) => Some((**exact).clone()),
                cell => parse_signed(&cell.to_string()).ok(),
            };
            missing |= value.is_none();
            Ok(Real::Exact(value.unwrap_or_default()))
        });
        if missing {
            return Ok(None);
        }
        Ok(Some(value.map_err(Mistake::new)?.to_f64()?))
    }
}

/// The whole numbers from one number to another, both included: `1..100` or `1..=100`.
#[derive(Clone)]
pub struct Span(pub RangeInclusive<u64>);

impl Span {
    /// Returns how many numbers the range contains.
    pub fn count(&self) -> u64 {
        (self.0.end() - self.0.start()).saturating_add(1)
    }

    /// Parses a range that may begin with 0.
    ///
    /// # Errors
    /// If the text is not a range.
    pub fn from_zero(text: &str) -> Result<Span, Mistake> {
        let wrong = || {
            let mistake = Mistake::new(format!("\"{text}\" is not a range of n"));
            mistake.right("write it as 1..=100")
        };
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let word = |part: &str| parse_u64(part.trim()).map_err(Mistake::split);
        let (low, high) = (word(low)?, word(high.strip_prefix('=').unwrap_or(high))?);
        if low > high {
            let what = format!("the range \"{text}\" must rise from 1 or more");
            Err(Mistake::new(what))
        } else {
            Ok(Span(low..=high))
        }
    }
}

impl FromText for Span {
    const WHAT: &'static str = "a range such as \"1..=100\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let range = Span::from_zero(text)?;
        if *range.0.start() == 0 {
            let what = format!("the range \"{text}\" must rise from 1 or more");
            Err(Mistake::new(what))
        } else {
            Ok(range)
        }
    }
}

/// Ranges and single numbers, for example `1..=512, 1000, 2000`.
pub struct NumberRanges(pub Vec<Span>);

impl NumberRanges {
    /// Returns whether n is in one of the ranges.
    pub fn contains(&self, n: u64) -> bool {
        self.0.iter().any(|range| range.0.contains(&n))
    }
}

impl FromText for NumberRanges {
    const WHAT: &'static str = "ranges and numbers such as \"1..=100, 128\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let range = |part: &str| {
            if part.contains("..") {
                Span::read(part)
            } else {
                Span::read(&format!("{part}..{part}"))
            }
        };
        let ranges = text.split(',').map(range);
        ranges.collect::<Result<_, _>>().map(NumberRanges)
    }
}

read_from_text!(Line, FigureName, AlgorithmName, Span, NumberRanges);

/// The default source of a study: a coin, which has 2 sides.
pub fn coin() -> u64 {
    2
}

/// Returns the task of rolling a fair die of n sides with a fair die of `source` sides.
///
/// # Errors
/// If the source or the target is not a die, or the source has more than 2^32 sides.
pub fn task(source: u64, n: impl Into<BigUint>) -> Result<Task, StudyError> {
    let task = Task::die(n, Source::die(source).map_err(TaskError::from)?)?;
    task.fair()?;
    Ok(task)
}

/// Returns the sides of the two dice of a task of fair dice.
///
/// # Errors
/// If the source or the target of the task is not a fair die.
pub fn fair(task: &Task) -> Result<Fair<'_>, StudyError> {
    Ok(task.fair()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_that_can_be_drawn() {
        assert!(Line::read("6 × (d2 − 1) + d6").is_ok());
        let wrong = |text: &str| Line::read(text).unwrap_err().to_string();
        assert!(wrong("a\nb").contains("must be one line"));
        assert!(wrong("\u{fffe}").contains("U+FFFE"));
        assert!(Line::read(&"x".repeat(MAX_TEXT_LETTERS)).is_ok());
        let long = wrong(&"x".repeat(1_000_000));
        assert!(long.contains("1000000 characters: 1000 is the most") && long.len() < 100);
    }

    #[test]
    fn a_figure_has_a_plain_name() {
        assert!(FigureName::read("cost-of_n2").is_ok());
        for name in ["", "a/b", "..", "a b", "é", &"x".repeat(101)] {
            assert!(FigureName::read(name).is_err(), "{name}");
        }
        assert!(FigureName::read(&"x".repeat(100)).is_ok());
    }

    #[test]
    fn ranges_have_both_ends() {
        for text in ["2..9", "2..=9", " 2 .. 9 "] {
            assert_eq!(Span::read(text).unwrap().0, 2..=9, "{text}");
        }
        assert_eq!(Span::read("0..=1").err(), Span::read("0..=1").err());
        for text in ["9", "0..9", "9..2", "2...9", "2..", "-1..4"] {
            assert!(Span::read(text).is_err(), "{text}");
        }
        assert_eq!(
            Span::read("1..18446744073709551615").unwrap().count(),
            u64::MAX
        );
    }
}
