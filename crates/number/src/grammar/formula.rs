//! Formulas over machine integers: variables, whole division, remainders and comparisons.

use super::{Algebra, AlgebraError, Expr, ExpressionError, Literal, Operator, Vocabulary};

static FORMULA_VOCABULARY: Vocabulary = Vocabulary {
    noun: "a formula",
    operand: "a number, a variable or a bracket was expected",
    operator: "one of + - * / % < <= = >= > or the end was expected",
    names: true,
    dice: false,
    functions: &[],
};

/// A formula over `i64`, parsed once and evaluated for many values of its variables.
///
/// A formula may contain `+ - *`, `/` and `%` (whole division and the nonnegative remainder, by
/// Euclid) and `< <= = >= >` (1 if the comparison holds, otherwise 0). Overflow and division by 0
/// are errors.
///
/// ```
/// use flipcost_number::grammar::Formula;
/// let formula = Formula::read("6 * (a - 1) + b", &["a", "b"]).unwrap();
/// assert_eq!(formula.value(&[2, 5]).unwrap(), 11);
/// let error = Formula::read("6 * (a - 1) + c", &["a", "b"]).unwrap_err();
/// assert!(error.to_string().ends_with("at character 15 ('c')"));
/// ```
#[derive(Clone, Debug)]
pub struct Formula {
    expr: Expr,
    /// The operations in postfix order, each with its position.
    code: Vec<(FormulaOp, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum FormulaOp {
    Number(i64),
    Variable(usize),
    Negate,
    Binary(Operator),
}

/// The algebra that compiles an expression to operations.
struct FormulaCompiler<'a> {
    variables: &'a [&'a str],
    code: Vec<(FormulaOp, usize)>,
}

impl FormulaCompiler<'_> {
    fn push(&mut self, step: FormulaOp, at: usize) -> Result<(), AlgebraError> {
        self.code.push((step, at));
        Ok(())
    }
}

impl Algebra for FormulaCompiler<'_> {
    type Value = ();

    fn words(&self) -> &'static Vocabulary {
        &FORMULA_VOCABULARY
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<(), AlgebraError> {
        let value = number.word();
        let value = value.map_err(|what| AlgebraError::new(at, what))?;
        self.push(FormulaOp::Number(value), at)
    }

    fn name(&mut self, name: &str, at: usize) -> Result<(), AlgebraError> {
        match self.variables.iter().position(|known| *known == name) {
            Some(variable) => self.push(FormulaOp::Variable(variable), at),
            None if self.variables.is_empty() => Err(FORMULA_VOCABULARY.no_operand(at)),
            None => {
                let known = self.variables.join(", ");
                Err(AlgebraError::new(
                    at,
                    format!("only {known} have a value here"),
                ))
            }
        }
    }

    fn percent(&mut self, (): (), at: usize) -> Result<(), AlgebraError> {
        Err(AlgebraError::new(at, "a value was expected after %"))
    }

    fn negate(&mut self, (): (), at: usize) -> Result<(), AlgebraError> {
        self.push(FormulaOp::Negate, at)
    }

    fn binary(
        &mut self,
        operator: Operator,
        (): (),
        (): (),
        at: usize,
    ) -> Result<(), AlgebraError> {
        match operator {
            Operator::Power => Err(FORMULA_VOCABULARY.no_operator(at)),
            _ => self.push(FormulaOp::Binary(operator), at),
        }
    }
}

impl Formula {
    /// Parses a formula with these variable names.
    ///
    /// # Errors
    /// If the text is not an expression, contains other names, or contains numbers of 2^63 or more,
    /// decimals, powers, factorials or functions.
    pub fn read(text: &str, variables: &[&str]) -> Result<Formula, ExpressionError> {
        let expr = Expr::parse(text, &FORMULA_VOCABULARY)?;
        let mut coder = FormulaCompiler {
            variables,
            code: Vec::new(),
        };
        expr.evaluate(&mut coder)?;
        let code = coder.code;
        Ok(Formula { expr, code })
    }

    /// The text from which the formula was parsed.
    pub fn text(&self) -> &str {
        self.expr.text()
    }

    /// The number of operations of one evaluation.
    pub fn steps(&self) -> usize {
        self.code.len()
    }

    /// Evaluates the formula for these values of the variables, in the order of their names.
    ///
    /// # Errors
    /// On division by 0, or if a result exceeds `i64`.
    ///
    /// # Panics
    /// If there are fewer values than variables.
    pub fn value(&self, variables: &[i64]) -> Result<i64, ExpressionError> {
        let wrong = |at, what: &str| {
            self.expr
                .refuse(&FORMULA_VOCABULARY, AlgebraError::new(at, what))
        };
        let mut stack: Vec<i64> = Vec::new();
        for &(step, at) in &self.code {
            let mut operand = || stack.pop().expect("operands come before their operator");
            let value = match step {
                FormulaOp::Number(value) => Some(value),
                FormulaOp::Variable(variable) => Some(variables[variable]),
                FormulaOp::Negate => operand().checked_neg(),
                FormulaOp::Binary(operator) => {
                    let y = operand();
                    let x = operand();
                    match operator {
                        Operator::Over | Operator::Modulo if y == 0 => {
                            return Err(wrong(at, "a divisor was 0"));
                        }
                        operator => operator.of_words(x, y),
                    }
                }
            };
            let value = value.ok_or_else(|| wrong(at, "a result exceeded 2^63"))?;
            stack.push(value);
        }
        Ok(stack.pop().expect("an expression has a value"))
    }
}
