//! Expressions that contain answers of questions, for example `cost(6, source: 10).expected < 2`.
//!
//! A question is written as a function. Its name is its `ask`, with `_` for `-`. Its fields are in
//! the brackets. Fields that the command takes by position come first; others are written `name:
//! value`, and a flag is only its name. If the answer has several rows, square brackets select one
//! row by one of its texts (`[keep]`), by the value of a column (`[t=3]`), or as the `[last]` row.
//! A point and the name of a column follow. Everywhere in the question, the letters n and k stand
//! for numbers: n is a number of the range, and k is the least exponent with 2^k >= n. `sum(n in
//! 2..52, 1/n)` is a sum.
//!
//! Statements can contain every question, so [`Assertion`] is parsed in this package.

use crate::asked::AnswerNumber;
use crate::letters::{ceil_log2, substitute_n, substitute_n_and_k};
use crate::questions::Assertion;
use crate::questions::verify_that::NameValues;
use flipcost::table::Expression;
use flipcost::table::Statement;
use flipcost::table::ValueError;
use flipcost::table::{Cell, Precision};
use flipcost_number::Real;
use flipcost_number::expression::ExpressionError;
use flipcost_number::expression::parse_u64;
use flipcost_question::description::{text_from_json, to_sentence};
use flipcost_question::prelude::FieldValue;
use flipcost_question::{Names, Sentence};
use serde_json::Value as Json;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

/// The largest number of terms of a sum.
const MAX_TERMS: u64 = 1_000_000;

/// The meaning of a name that is not a column.
#[derive(Clone, Debug)]
enum NameMeaning {
    Exponent,
    Sum(Arc<MeasureSum>),
    Asked(Arc<AnswerNumber>),
}

impl NameMeaning {
    /// Parses a name; returns `None` if it has no meaning.
    fn read(text: &str) -> Result<Option<NameMeaning>, String> {
        Ok(match text.split_once('(') {
            _ if text == "k" => Some(NameMeaning::Exponent),
            Some(("sum", rest)) if text.ends_with(')') => {
                let inner = &rest[..rest.len() - 1];
                Some(NameMeaning::Sum(MeasureSum::read(inner)?.into()))
            }
            Some((name, rest)) => Some(NameMeaning::Asked(AnswerNumber::read(name, rest)?.into())),
            None => None,
        })
    }

    fn depends_on_n(&self) -> bool {
        match self {
            NameMeaning::Exponent => true,
            NameMeaning::Sum(sum) => sum.depends_on_n(),
            NameMeaning::Asked(asked) => asked.depends_on_n(),
        }
    }

    fn value(&self, n: Option<u64>, exact: bool) -> Result<Real, String> {
        match (self, n) {
            (NameMeaning::Exponent, Some(n)) => Ok(Real::integer(ceil_log2(n))),
            (NameMeaning::Exponent, None) => Err("k depends on n, but no n is given".to_string()),
            (NameMeaning::Sum(sum), n) => sum.value(n, exact),
            (NameMeaning::Asked(asked), n) => AnswerNumber::value(asked, n, exact),
        }
    }
}

/// The names in expressions that are not names of columns.
#[derive(Clone, Debug, Default)]
struct NonColumnNames(Vec<(String, NameMeaning)>);

/// Returns whether a name means a number.
fn is_known(name: &str) -> Result<bool, String> {
    NameMeaning::read(name).map(|name| name.is_some())
}

impl NonColumnNames {
    /// Collects the names in these expressions. The expressions were parsed with [`is_known`],
    /// which decides what is a name.
    fn from_expressions<'a>(
        expressions: impl IntoIterator<Item = &'a Expression>,
    ) -> NonColumnNames {
        let others = expressions.into_iter().flat_map(Expression::others);
        let named = |text: &String| Some((text.clone(), NameMeaning::read(text).ok()??));
        NonColumnNames(others.filter_map(named).collect())
    }
}

impl NameValues for NonColumnNames {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn depends_on_n(&self) -> bool {
        self.0.iter().any(|(_, name)| name.depends_on_n())
    }

    fn value(&self, text: &str, n: Option<u64>, exact: bool) -> Result<Real, ValueError> {
        let value = match (self.0.iter().find(|(known, _)| known == text), n) {
            (Some((_, name)), n) => name.value(n, exact),
            (None, Some(n)) if text == "n" => Ok(Real::integer(n)),
            _ => Err(format!(
                "{text} has no value here: write it as in cost(n, algorithm: interval).{text}"
            )),
        };
        value.map_err(ValueError::Named)
    }
}

impl FromStr for Assertion {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Assertion, ExpressionError> {
        let statement = Statement::with(text, &is_known)?;
        let names = Arc::new(NonColumnNames::from_expressions(statement.sides()));
        Ok(Assertion { statement, names })
    }
}

impl FieldValue for Assertion {
    fn of_json(json: &Json, names: Names) -> Result<Assertion, Sentence> {
        let text = text_from_json(json)?;
        text.parse().map_err(|error: ExpressionError| {
            suggest_algorithm_column(&text, names)
                .map_or_else(|| to_sentence(error), Sentence::from)
        })
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}

/// Suggests the right notation for a text such as `rejection.expected`, the column of an algorithm.
fn suggest_algorithm_column(text: &str, names: Names) -> Option<String> {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(|c: char| !is_id(c) && !"._:".contains(c));
    let (id, column) = words
        .filter_map(|word| word.split_once('.'))
        .find(|(id, _)| names.algorithms.find(id).is_ok())?;
    Some(format!(
        "\"{id}.{column}\" is not a name: the column of one algorithm is written cost(n, algorithm: {id}).{column}"
    ))
}

/// An expression of numbers and of the answers of questions; it may depend on n.
///
/// ```
/// let value = flipcost_all::Measure::read("cost(n, algorithm: rejection).expected - log2(n)")?;
/// assert!(value.depends_on_n());
/// assert_eq!(value.value_at(Some(6))?.decimals(6)?, "1.415037");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Measure {
    text: String,
    expression: Expression,
    names: NonColumnNames,
}

impl Measure {
    /// Parses an expression.
    ///
    /// # Errors
    /// [`ExpressionError`] if the text is not an expression, or if it has columns outside of a
    /// question.
    pub fn read(text: &str) -> Result<Measure, ExpressionError> {
        let expression = Expression::with(text, &is_known)?;
        let names = NonColumnNames::from_expressions([&expression]);
        Ok(Measure {
            text: text.trim().to_string(),
            expression,
            names,
        })
    }

    /// Returns whether the value depends on n.
    pub fn depends_on_n(&self) -> bool {
        self.names.depends_on_n() || self.expression.has_columns()
    }

    /// Returns the value for this n.
    ///
    /// # Errors
    /// If the expression has no value.
    pub fn value_at(&self, n: Option<u64>) -> Result<Real, ValueError> {
        self.value(n, false)
    }

    fn value(&self, n: Option<u64>, exact: bool) -> Result<Real, ValueError> {
        let names = &self.names;
        self.expression
            .value_of(&mut |name| names.value(name, n, exact))
    }

    /// Returns the question, if the expression is just one column of its answer.
    fn single_column(&self) -> Option<&AnswerNumber> {
        match &self.names.0[..] {
            [(name, NameMeaning::Asked(asked))] if *name == self.text => Some(asked),
            _ => None,
        }
    }

    /// Returns the cell for this n. If the expression is just one column of an answer, this is the
    /// cell of the answer, which may be a text or a bound. Otherwise it is the nearest double.
    ///
    /// # Errors
    /// If the expression has no value.
    pub fn cell(&self, n: Option<u64>) -> Result<Cell, ValueError> {
        if let Some(asked) = self.single_column() {
            return asked.unchanged_cell(n).map_err(ValueError::Named);
        }
        let value = self.value(n, false)?;
        let cell = Precision::default().cell(&value);
        cell.map_err(|error| ValueError::Named(error.to_string()))
    }

    /// Returns the cells for all n of a range at once, if the expression is a column of `cost(n,
    /// ...)`; otherwise `None`. A cell is empty if the algorithm refuses n.
    ///
    /// # Errors
    /// The errors of [`Measure::cell`].
    pub fn cells(&self, range: RangeInclusive<u64>) -> Option<Result<Vec<Cell>, ValueError>> {
        let cells = self.single_column()?.cells_for_range(range)?;
        Some(cells.map_err(ValueError::Named))
    }
}

/// A sum, written as in `n in 2..52, 1/n`.
#[derive(Debug)]
struct MeasureSum {
    first: String,
    last: String,
    of: Measure,
}

impl MeasureSum {
    fn read(text: &str) -> Result<MeasureSum, String> {
        let form = "a sum is written as sum(n in 2..52, 1/n)";
        let range = text.trim_start().strip_prefix("n in ").ok_or(form)?;
        let (range, of) = range.split_once(',').ok_or(form)?;
        let (first, last) = range.split_once("..").ok_or(form)?;
        let [first, last] = [first, last].map(|end| end.trim().to_string());
        let of = Measure::read(of).map_err(|error| error.to_string())?;
        Ok(MeasureSum { first, last, of })
    }

    fn depends_on_n(&self) -> bool {
        [&self.first, &self.last]
            .iter()
            .any(|end| substitute_n_and_k(end, 1).is_some())
    }

    fn value(&self, n: Option<u64>, exact: bool) -> Result<Real, String> {
        let end = |text: &str| parse_u64(&substitute_n(text, n)).map_err(|error| error.to_string());
        let range = end(&self.first)?..=end(&self.last)?;
        if range.end().saturating_sub(*range.start()) >= MAX_TERMS {
            return Err(format!("a sum has at most {MAX_TERMS} terms"));
        }
        let term = |n| self.of.value(Some(n), exact);
        let terms = range.map(term).collect::<Result<Vec<Real>, _>>();
        let mut terms = terms.map_err(|error| error.to_string())?;
        // add neighbouring terms in pairs, so that the tree of enclosures does not become deep
        while terms.len() > 1 {
            let pair = |pair: &[Real]| match pair {
                [a, b] => a.plus(b),
                rest => rest[0].clone(),
            };
            terms = terms.chunks(2).map(pair).collect();
        }
        Ok(terms.pop().unwrap_or_else(|| Real::integer(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::substitute_variables;

    #[test]
    fn cells_of_a_range_equal_single_cells() {
        for text in [
            "cost(n, algorithm: interval).toll",
            "cost(n, source: 6, algorithm: parity-bits).expected",
            "cost(n, algorithm: rejection).expected_exact",
        ] {
            let measure = Measure::read(text).unwrap();
            let at_once = measure.cells(2..=40).unwrap().unwrap();
            let alone = (2..=40).map(|n| measure.cell(Some(n)).unwrap());
            assert_eq!(at_once, alone.collect::<Vec<Cell>>(), "{text}");
        }
        for text in [
            "log2(n)",
            "cost(2*n, algorithm: interval).toll",
            "cost(n, algorithm: aldr:K=n).toll",
            "cost(n, algorithm: interval).toll + 1",
            "batch(n, repeat)[repeat].expected",
        ] {
            assert!(
                Measure::read(text).unwrap().cells(2..=9).is_none(),
                "{text}"
            );
        }
    }

    /// The recipe for a d12 from a d6 ends with its third number, which is c = 6 (a - 1) + b.
    #[test]
    fn an_expression_selects_a_cell_of_an_answer() {
        let cell = |text: &str| Measure::read(text).unwrap().cell(None).unwrap().to_string();
        let plan = "plan(12, dice: 6, factoring)[last].instruction";
        assert_eq!(cell(plan), "The result is c.");
        assert_eq!(cell("stream(3, states: 8).expected_exact"), "8/3");
        assert_eq!(
            cell("stream(3, states: 8).expected_exact / 3"),
            "0.8888888888888888"
        );
    }

    #[test]
    fn only_single_letters_are_replaced() {
        let meaning = |letter| (letter == 'x').then(|| "6".to_string());
        let replaced = |text: &str| substitute_variables(text, &meaning);
        assert_eq!(
            replaced("cost(x, source: 2*x)").as_deref(),
            Some("cost(6, source: 2*6)")
        );
        for text in ["max(2)", "mr:x=1/29", "x_1"] {
            assert_eq!(replaced(text), None, "{text}");
        }
    }
}
