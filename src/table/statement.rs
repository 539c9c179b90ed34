//! Statements about columns that are true or false: `expected < log2(n) + 2`, `5/2 < entropy <=
//! expected`.
//!
//! If both sides are known as fractions, exact arithmetic decides a comparison; otherwise
//! enclosures of up to 8192 bits do. If the enclosures overlap, long fractions, which are enclosed
//! at first, are computed exactly. If that does not decide the comparison either, the statement is
//! refused. Two sides that are the same expression are equal.

use super::Integer;
use super::columns::{CYCLE_ROUNDS, Column, ColumnFormula, RowTarget};
use super::expression::{Expression, NameLookup, WORDS};
use super::request::{PreparedRow, ValueError};
use crate::algorithms::Algorithm;
use crate::task::Source;
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::{AlgebraError, Expr, Operator, Vocabulary};
use flipcost_number::{BigUint, Real};
use std::cmp::Ordering;

static STATEMENT: Vocabulary = Vocabulary {
    noun: "a statement",
    operator: "one of + - * / ^ ! < <= = >= > or the end was expected",
    ..WORDS
};

/// The words for error messages about one side of a statement.
static STATEMENT_SIDE: Vocabulary = Vocabulary {
    noun: STATEMENT.noun,
    operator: "one of + - * / ^ ! was expected, since comparisons cannot be in brackets",
    ..WORDS
};

/// Two or more expressions with comparison signs between them; the statement is true if all
/// comparisons hold.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::table::Statement;
/// let statement = Statement::read("log2(n) <= expected < log2(n) + 1")?;
/// let coin = flipcost::task::Source::COIN;
/// let decided = statement.decide(FAST_DICE_ROLLER, coin, &6u8.into())?;
/// let Some((left, right)) = decided.wrong() else { panic!("11/3 > 1 + log2 6") };
/// assert_eq!((left.to_string(), right.to_string()), ("11/3".into(), "≈3.58496250072115618145".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Statement {
    text: String,
    sides: Vec<Expression>,
    /// The comparison signs between the sides.
    operators: Vec<Operator>,
}

/// The result of evaluating a statement for one case.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The values of the sides.
    pub values: Vec<Real>,
    /// The index of the first comparison that does not hold.
    fails_at: Option<usize>,
}

impl Decision {
    /// Whether the statement is true.
    pub fn holds(&self) -> bool {
        self.fails_at.is_none()
    }

    /// The values before and after the first comparison that does not hold.
    pub fn wrong(&self) -> Option<(&Real, &Real)> {
        let at = self.fails_at?;
        Some((&self.values[at], &self.values[at + 1]))
    }
}

/// Returns the value of a name; if the second argument is true, a long fraction is returned exactly
/// instead of enclosed.
pub type Values<'a> = dyn FnMut(&str, bool) -> Result<Real, ValueError> + 'a;

impl Statement {
    /// Parses a statement about columns. Cost: linear in the length of the text.
    ///
    /// # Errors
    /// As [`Expression::read`]; also if the text has no comparison.
    pub fn read(text: &str) -> Result<Statement, ExpressionError> {
        Statement::with(text, &|_| Ok(false))
    }

    /// As [`Statement::read`], but accepts other names as well.
    ///
    /// # Errors
    /// As [`Statement::read`].
    pub fn with(text: &str, others: NameLookup) -> Result<Statement, ExpressionError> {
        let text = text.trim();
        let refuse = |what: &str, at: usize| {
            let at = text[..at].chars().count();
            ExpressionError::new(text, &STATEMENT, AlgebraError::new(at, what))
        };
        if let Some(at) = text.find("!=") {
            let what = "there is no !=: write 3! = 6, with a blank, for a factorial";
            return Err(refuse(what, at));
        }
        if let Some(at) = text.find("==") {
            let meant = text.replace("==", "=");
            return Err(refuse(
                &format!("write equality with a single sign, as in {meant}"),
                at,
            ));
        }
        let mut left = Expr::parse(text, &STATEMENT)?;
        let (mut sides, mut operators) = (Vec::new(), Vec::new());
        while let Some((before, operator, after)) = left.comparison() {
            sides.push(Expression::from_expr(after, &STATEMENT_SIDE, others)?);
            operators.push(operator);
            left = before;
        }
        if operators.is_empty() {
            let what = "a comparison such as expected < log2(n) + 2 was expected";
            return Err(refuse(what, text.len()));
        }
        sides.push(Expression::from_expr(left, &STATEMENT_SIDE, others)?);
        sides.reverse();
        operators.reverse();
        Ok(Statement {
            text: text.to_string(),
            sides,
            operators,
        })
    }

    /// The text from which the statement was parsed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The statement's expressions, from left to right.
    pub fn sides(&self) -> &[Expression] {
        &self.sides
    }

    /// The signs between the expressions.
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// The columns in the sides of the statement.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        self.sides.iter().flat_map(|side| side.columns()).copied()
    }

    /// Decides the statement for an algorithm, a source and a target. Cost: the values of its
    /// columns, and O(1) enclosures of each side: of 40 bits if the sides are far apart, otherwise
    /// of at most 8192 bits.
    ///
    /// # Errors
    /// [`ValueError`], in particular if the sides may be equal and one of them is not known
    /// exactly.
    pub fn decide(
        &self,
        algorithm: &'static dyn Algorithm,
        source: Source,
        n: &BigUint,
    ) -> Result<Decision, ValueError> {
        self.decide_with(algorithm, source, n, &mut |_, _| {
            unreachable!("it was read without")
        })
    }

    /// As [`Statement::decide`], with values for the names that are not columns.
    ///
    /// # Errors
    /// As [`Statement::decide`].
    pub fn decide_with(
        &self,
        algorithm: &'static dyn Algorithm,
        source: Source,
        n: &BigUint,
        others: &mut Values,
    ) -> Result<Decision, ValueError> {
        let target = Integer::from(n);
        let mut lazy = PreparedRow::for_target(algorithm, source, RowTarget::Sides(&target));
        lazy.check_possible()?;
        let counted = self.columns().any(|column| column == CYCLE_ROUNDS);
        self.evaluate(&mut |name, exact| match Column::find(name) {
            Ok(column) => lazy.number(column, exact, counted),
            Err(_) => others(name, exact),
        })
    }

    /// Evaluates the statement with values for its names.
    ///
    /// # Errors
    /// As [`Statement::decide`].
    pub fn evaluate(&self, values: &mut Values) -> Result<Decision, ValueError> {
        let mut sides = |exact: bool| {
            let side = |side: &Expression| side.value_of(&mut |name| values(name, exact));
            self.sides
                .iter()
                .map(side)
                .collect::<Result<Vec<Real>, _>>()
        };
        let mut values = sides(false)?;
        let mut fails_at = None;
        let mut exactly = false;
        for (at, operator) in self.operators.iter().enumerate() {
            let order = if self.sides[at] == self.sides[at + 1] {
                Ok(Ordering::Equal)
            } else {
                values[at].compare(&values[at + 1])
            };
            let order = match order {
                Err(undecided) if !exactly => {
                    // Fractions with many bits were enclosed; an exact fraction may equal the other
                    // side.
                    values = sides(true).map_err(|_| undecided)?;
                    exactly = true;
                    match (&values[at], &values[at + 1]) {
                        (Real::Exact(left), Real::Exact(right)) => left.cmp(right),
                        _ => return Err(undecided.into()),
                    }
                }
                order => order?,
            };
            let holds = match operator {
                Operator::Less => order == Ordering::Less,
                Operator::AtMost => order != Ordering::Greater,
                Operator::Equal => order == Ordering::Equal,
                Operator::AtLeast => order != Ordering::Less,
                _ => order == Ordering::Greater,
            };
            if !holds && fails_at.is_none() {
                fails_at = Some(at);
            }
        }
        Ok(Decision { values, fails_at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{FAST_DICE_ROLLER, find};
    use crate::table::columns::NoValue;
    use crate::table::request::RowError;

    fn decide(text: &str, algorithm: &str, n: u64) -> Result<bool, ValueError> {
        let statement = Statement::read(text).unwrap();
        let decision = statement.decide(find(algorithm).unwrap(), Source::COIN, &n.into())?;
        Ok(decision.holds())
    }

    #[test]
    fn equality_is_one_sign() {
        let said = Statement::read("toll == 3").unwrap_err().to_string();
        assert!(
            said.contains("write equality with a single sign, as in toll = 3"),
            "{said}"
        );
    }

    #[test]
    fn every_sign_compares() {
        // E(6) = 11/3
        for (sign, below, equal, above) in [
            ("<", true, false, false),
            ("<=", true, true, false),
            ("=", false, true, false),
            (">=", false, true, true),
            (">", false, false, true),
        ] {
            for (right, holds) in [("4", below), ("11/3", equal), ("pi", above)] {
                let text = format!("expected {sign} {right}");
                assert_eq!(
                    decide(&text, "fast-dice-roller", 6).unwrap(),
                    holds,
                    "{text}"
                );
            }
        }
    }

    /// No enclosure can prove that the sides are equal; that follows only from their expressions.
    #[test]
    fn sides_that_are_the_same_expression_are_equal() {
        for (sign, holds) in [
            ("<", false),
            ("<=", true),
            ("=", true),
            (">=", true),
            (">", false),
        ] {
            let text = format!("log2(n) - toll {sign} ((log2( n ))) - toll");
            assert_eq!(
                decide(&text, "fast-dice-roller", 6).unwrap(),
                holds,
                "{text}"
            );
        }
        // No side has a value.
        assert!(decide("1 / (n - 6) = 1 / (n - 6)", "fast-dice-roller", 6).is_err());
    }

    /// The mean of a target with a long period is enclosed; if the two sides are equal, the
    /// fraction decides.
    #[test]
    fn an_enclosed_mean_is_equal_to_its_fraction() {
        let n = 2029; // 2 is a primitive root
        for text in ["expected = expected_exact", "variance >= variance_exact"] {
            assert!(decide(text, "fast-dice-roller", n).unwrap(), "{text}");
        }
        let task = crate::task::Task::die(n, crate::task::Source::COIN).unwrap();
        let mean = FAST_DICE_ROLLER.law(&task).unwrap().mean().unwrap();
        assert!(mean.denom().bits() > 256);
        assert!(!decide(&format!("expected < {mean}"), "fast-dice-roller", n).unwrap());
    }

    #[test]
    fn undecided_statements_are_reported() {
        let error = |text, algorithm, n| decide(text, algorithm, n).unwrap_err();
        // log2 6 on both sides, written in two ways.
        let same = error("entropy = 1 + log2(n / 2)", "fast-dice-roller", 6);
        assert!(matches!(same, ValueError::Undecided(_)));
        assert!(decide("entropy = log2(n)", "fast-dice-roller", 64).unwrap());
        let infinite = error("worst_case < 9", "rejection", 6);
        let why = NoValue::Infinite;
        assert!(
            matches!(infinite, ValueError::Column { column: "worst_case", why: w } if w == why)
        );
        assert!(decide("worst_case = 3", "fast-dice-roller", 8).unwrap());
        let offered = error("period = 1", "rejection", 6);
        assert!(matches!(
            offered,
            ValueError::Column {
                column: "period",
                ..
            }
        ));
        let divisor = error("1 / (n - 6) < 1", "rejection", 6);
        assert!(matches!(divisor, ValueError::Operation(_)));
        let refused = error("n = 3", "bounded", 3);
        // A column that only identifies the row does not need the algorithm; but the statement is
        // not decided for a task that the algorithm refuses.
        assert!(matches!(refused, ValueError::Row(RowError::Refused(_))));
    }

    /// A roll of a d6 is not a whole number of bits, so the column of bits is empty, not infinite.
    #[test]
    fn an_empty_column_is_not_infinite() {
        let source = Source::die(6u8).unwrap();
        let statement = Statement::read("bits_drawn_exact < 3").unwrap();
        let refused = statement.decide(find("rejection").unwrap(), source, &5u8.into());
        let why = NoValue::Empty;
        assert!(matches!(refused, Err(ValueError::Column { why: w, .. }) if w == why));
    }

    #[test]
    fn errors_of_statements_have_a_position() {
        for (text, what, at) in [
            ("expected", "a comparison such as", 8),
            ("", "was expected", 0),
            (
                "1 < (expected < 3)",
                "comparisons cannot be in brackets",
                14,
            ),
            (
                "n == 3",
                "write equality with a single sign, as in n = 3",
                2,
            ),
            ("expected < entrpy", "did you mean entropy?", 11),
            (
                "algorithm = 3",
                "only n, weight_sum, source, expected_exact",
                0,
            ),
            (
                "n mod 2 = 1",
                "one of + - * / ^ ! < <= = >= > or the end was expected",
                2,
            ),
            ("expected != 2", "there is no !=", 9),
            ("n < log2(1, 2)", "log2 takes one number", 4),
            ("n < f(1)", "have names here", 4),
        ] {
            let error = Statement::read(text).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
            assert_eq!(error.position(), at, "{error}");
        }
    }
}
