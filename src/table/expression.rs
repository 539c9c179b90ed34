//! Expressions of columns, for example `expected - log2(n)`, which are columns themselves.
//!
//! [`flipcost_number::grammar`] parses the expressions, and the algebra of reals
//! ([`flipcost_number::reals`]) computes them: `+ - * / ^ !`, the functions of reals, `e` and `pi`,
//! with the names of numeric columns as variables.

use super::columns::{COLUMNS, Column, ColumnFormula, ColumnKind, NarrowColumnLookup};
use super::narrow::Program;
use super::request::ValueError;
use crate::roller::narrow::Narrow;
use flipcost_number::Real;
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::{Algebra, AlgebraError, Expr, Literal, Operator, Vocabulary};
use flipcost_number::named::NamedNumber;
use flipcost_number::reals::{FUNCTIONS, only_names, real_value};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

pub(crate) static WORDS: Vocabulary = Vocabulary {
    noun: "an expression of columns",
    operand: "a number, a column such as expected or n, or a function such as log2(n) was expected",
    operator: "one of + - * / ^ ! or the end was expected",
    names: true,
    dice: false,
    functions: FUNCTIONS,
};

/// An expression of columns, parsed once and evaluated for many targets.
///
/// ```
/// use flipcost::table::Expression;
/// let above = Expression::column("expected - log2(n)")?;
/// assert_eq!(above.name(), "expected - log2(n)");
/// let mine = Expression::column("mine = expected/log2(n)")?;
/// assert_eq!((mine.name(), mine.written()), ("mine", "mine = expected/log2(n)"));
/// let error = Expression::column("expected - entrpy").unwrap_err().to_string();
/// assert!(error.ends_with("at character 12 ('e')"));
/// # Ok::<(), flipcost::number::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    expr: Expr,
    /// The columns that the expression contains, each once.
    columns: Vec<&'static Column>,
    /// The other names in the expression, each once.
    others: Vec<String>,
}

/// Tells whether a name that is not a column stands for a number. An error says why the name cannot
/// be used.
pub(crate) type NameLookup<'a> = &'a dyn Fn(&str) -> Result<bool, String>;

/// The algebra that collects the columns of an expression and rejects unknown names.
struct NameResolver<'a> {
    words: &'static Vocabulary,
    columns: Vec<&'static Column>,
    others: Vec<String>,
    known: NameLookup<'a>,
}

impl NameResolver<'_> {
    fn refusal(&self, name: &str, at: usize) -> AlgebraError {
        let names = COLUMNS.iter().filter(|column| is_number(column));
        AlgebraError::new(at, only_names(name, names.map(|column| column.name())))
    }
}

/// Whether a column contains numbers.
fn is_number(column: &Column) -> bool {
    column.kind() != ColumnKind::Text
}

impl Algebra for NameResolver<'_> {
    type Value = ();

    fn words(&self) -> &'static Vocabulary {
        self.words
    }

    fn number(&mut self, _: Literal<'_>, _: usize) -> Result<(), AlgebraError> {
        Ok(())
    }

    fn name(&mut self, name: &str, at: usize) -> Result<(), AlgebraError> {
        match Column::find(name).ok().filter(|column| is_number(column)) {
            Some(column) if self.columns.contains(&column) => Ok(()),
            Some(column) => {
                self.columns.push(column);
                Ok(())
            }
            None if ["e", "pi"].contains(&name) || NamedNumber::find(name).is_some() => Ok(()),
            None => match (self.known)(name) {
                Ok(false) => Err(self.refusal(name, at)),
                Err(why) => Err(AlgebraError::new(at, why)),
                Ok(true) => {
                    if self.others.iter().all(|other| other != name) {
                        self.others.push(name.to_string());
                    }
                    Ok(())
                }
            },
        }
    }

    fn call(&mut self, name: &str, given: Vec<()>, at: usize) -> Result<(), AlgebraError> {
        match (self.words.functions.contains(&name), given.len()) {
            (true, 2) if name == "round" => Ok(()),
            (true, 1) if name != "round" => Ok(()),
            (true, _) if name == "round" => {
                let what = "round takes a number and its places, as in round(toll, 4)";
                Err(AlgebraError::new(at, what))
            }
            (true, _) => Err(AlgebraError::new(at, format!("{name} takes one number"))),
            (false, _) => Err(self.refusal(name, at)),
        }
    }

    fn negate(&mut self, (): (), _: usize) -> Result<(), AlgebraError> {
        Ok(())
    }

    fn factorial(&mut self, (): (), _: usize) -> Result<(), AlgebraError> {
        Ok(())
    }

    fn binary(
        &mut self,
        operator: Operator,
        (): (),
        (): (),
        at: usize,
    ) -> Result<(), AlgebraError> {
        match operator {
            Operator::Plus
            | Operator::Minus
            | Operator::Times
            | Operator::Over
            | Operator::Modulo
            | Operator::Power => Ok(()),
            _ => Err(self.words.no_operator(at)),
        }
    }
}

impl Expression {
    /// Parses an expression of columns. Cost: linear in the length of the text.
    ///
    /// # Errors
    /// If the text is not an expression, or a name is not a numeric column; the error contains the
    /// character's position.
    pub fn read(text: &str) -> Result<Expression, ExpressionError> {
        Expression::with(text, &|_| Ok(false))
    }

    /// As [`Expression::read`], but accepts other names as well.
    ///
    /// # Errors
    /// As [`Expression::read`].
    pub fn with(text: &str, others: NameLookup) -> Result<Expression, ExpressionError> {
        Expression::from_expr(Expr::parse(text, &WORDS)?, &WORDS, others)
    }

    pub(super) fn from_expr(
        expr: Expr,
        words: &'static Vocabulary,
        known: NameLookup,
    ) -> Result<Expression, ExpressionError> {
        let mut names = NameResolver {
            words,
            columns: Vec::new(),
            others: Vec::new(),
            known,
        };
        expr.evaluate(&mut names)?;
        let NameResolver {
            columns, others, ..
        } = names;
        Ok(Expression {
            expr,
            columns,
            others,
        })
    }

    /// Whether the expression contains no names.
    pub fn is_number(&self) -> bool {
        self.columns.is_empty() && self.others.is_empty()
    }

    /// The argument of `round(...)`, if the whole expression is such a call.
    pub fn unrounded(&self) -> Option<Expression> {
        let (name, mut given) = self.expr.call()?;
        (name == "round").then(|| Expression {
            expr: given.swap_remove(0),
            ..self.clone()
        })
    }

    /// Whether the expression contains columns.
    pub fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }

    /// The names in the expression that are not columns.
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// Computes the value of the expression from the values of all its names. Cost: its operations.
    ///
    /// # Errors
    /// The error for the first name without a value, or for an operation that is not possible.
    pub fn value_of(&self, value: &mut NameValues) -> Result<Real, ValueError> {
        let columns = self.columns.iter().map(|column| column.name());
        let names = columns.chain(self.others.iter().map(String::as_str));
        let names = names.map(|name| Ok((name, value(name)?)));
        let names = names.collect::<Result<Vec<(&str, Real)>, ValueError>>()?;
        Ok(real_value(&self.expr, &WORDS, &names)?)
    }

    /// Returns the column with this name, or a column for this expression. Its name is the text as
    /// it was typed, or the user's own name as in `mine = expected/log2(n)`.
    ///
    /// A column lives as long as the program, and it is reused when the same text is parsed again.
    /// At most `MAX_MADE` columns are kept.
    ///
    /// # Errors
    /// As [`Expression::read`]; also if too many columns were created.
    pub fn column(text: &str) -> Result<&'static Column, ExpressionError> {
        static COLUMNS_MADE: Mutex<BTreeMap<String, &'static Column>> = Mutex::new(BTreeMap::new());
        let text = text.trim();
        if let Ok(column) = Column::find(text) {
            return Ok(column);
        }
        if let Some((name, formula)) = text.split_once('=')
            && let Ok(column) = Column::find(name.trim_end())
            && !formula.starts_with('=')
        {
            let name = column.name();
            let what = format!(
                "{name} is a column already: another name was expected, as in my_{name}={}",
                formula.trim()
            );
            return Err(ExpressionError::new(
                text,
                &WORDS,
                AlgebraError::new(0, what),
            ));
        }
        let (own, formula) =
            split_own_name(text).map_or((None, text), |(own, rest)| (Some(own), rest));
        let expression = Expression::read(formula)?;
        if expression.columns.is_empty() {
            // Report an operation that is impossible for every row here, so that it is reported
            // only once.
            real_value(&expression.expr, &WORDS, &[])?;
        }
        let mut made = COLUMNS_MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(column) = made.get(text) {
            return Ok(column);
        }
        if made.len() == MAX_MADE {
            let what =
                format!("{MAX_MADE} different expressions were read before, which is the maximum");
            let refusal = AlgebraError::new(0, what);
            return Err(expression.expr.refuse(&WORDS, refusal));
        }
        let written: &'static str = String::leak(text.to_string());
        let column: &'static Column = Box::leak(Box::new(Column::computed(
            own.map_or(written, |own| &written[..own.len()]),
            written,
            Box::leak(Box::new(ComputedFormula {
                program: Program::compile(&expression.expr, &WORDS),
                expression,
            })),
        )));
        made.insert(text.to_string(), column);
        Ok(column)
    }
}

/// Splits a text into the user's own name and the expression that it names.
fn split_own_name(text: &str) -> Option<(&str, &str)> {
    let (name, formula) = text.split_once('=')?;
    let name = name.trim_end();
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(letter);
    let is_new = is_name && Column::find(name).is_err() && !formula.starts_with('=');
    is_new.then(|| (name, formula.trim_start()))
}

/// The maximum number of columns that a program creates from expressions.
const MAX_MADE: usize = 10_000;

/// Returns the value of a name.
pub(crate) type NameValues<'a> = dyn FnMut(&str) -> Result<Real, ValueError> + 'a;

impl ColumnFormula for Expression {
    fn columns(&self) -> &[&'static Column] {
        &self.columns
    }

    fn value(&self, names: &[(&str, Real)]) -> Result<Real, ExpressionError> {
        real_value(&self.expr, &WORDS, names)
    }
}

/// The formula of a computed column, and its program for machine words, if there is one.
struct ComputedFormula {
    expression: Expression,
    program: Option<Program>,
}

impl ColumnFormula for ComputedFormula {
    fn columns(&self) -> &[&'static Column] {
        self.expression.columns()
    }

    fn value(&self, names: &[(&str, Real)]) -> Result<Real, ExpressionError> {
        self.expression.value(names)
    }

    fn is_narrow(&self) -> bool {
        self.program.is_some()
    }

    fn narrow(&self, column: NarrowColumnLookup) -> Option<Narrow> {
        self.program.as_ref()?.value(column)
    }
}
