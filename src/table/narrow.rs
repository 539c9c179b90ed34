//! Columns in machine words: narrow enclosures that decide most doubles of a long range.
//!
//! [`Costs`](super::Costs) computes the same values more slowly, for any target and any precision.
//! If an enclosure here does not decide a cell, [`Costs`](super::Costs) computes the cell.

use super::columns::{
    CellFormula, Column, EFFICIENCY, ENTROPY, EXPECTED, N, NarrowColumnLookup, SOURCE, TOLL,
    VARIANCE, WEIGHT_SUM,
};
use crate::algorithms::{TableRequest, TableValue, Tables};
use crate::roller::narrow::Narrow;
use flipcost_number::Real;
use flipcost_number::e_pi::{e, pi};
use flipcost_number::grammar::{Algebra, AlgebraError, Expr, Literal, Operator, Vocabulary};
use flipcost_number::reals::literal_value;
use std::cell::OnceCell;

/// The maximum number of steps of an expression that is evaluated in machine words, far below any
/// limit of the algebra of reals.
const MAX_STEPS: usize = 64;

/// The maximum number of intermediate values on the stack.
const MAX_STACK_DEPTH: usize = 8;

/// The largest supported exponent.
const MAX_EXPONENT: u32 = 16;

/// The row of one target of a range; the source has few sides.
pub(super) struct NarrowRow<'a> {
    n: u64,
    source: u64,
    tables: &'a dyn Tables,
    mean: OnceCell<Option<Narrow>>,
    entropy: OnceCell<Option<Narrow>>,
}

impl<'a> NarrowRow<'a> {
    pub(super) fn new(n: u64, source: u64, tables: &'a dyn Tables) -> NarrowRow<'a> {
        NarrowRow {
            n,
            source,
            tables,
            mean: OnceCell::new(),
            entropy: OnceCell::new(),
        }
    }

    fn look_up(&self, wanted: TableRequest) -> Option<Narrow> {
        match self.tables.single_value(wanted, self.n)? {
            TableValue::Narrow(value) => Some(value),
            _ => None,
        }
    }

    fn mean(&self) -> Option<Narrow> {
        *self
            .mean
            .get_or_init(|| self.look_up(TableRequest::MeanNarrow))
    }

    /// The entropy log_m n, for a rule that is exactly fair.
    fn entropy(&self) -> Option<Narrow> {
        *self.entropy.get_or_init(|| {
            let bits = Narrow::log2(self.n);
            match self.source {
                2 => Some(bits),
                source => bits.over(Narrow::log2(source)),
            }
        })
    }

    /// The value of a column.
    pub(super) fn value(&self, column: &Column) -> Option<Narrow> {
        match column.find {
            CellFormula::Formula(formula) => formula.narrow(&|column| self.value(column)),
            CellFormula::Key(_) if column == SOURCE => Narrow::word(self.source),
            CellFormula::Key(_) if column == N || column == WEIGHT_SUM => Narrow::word(self.n),
            CellFormula::Real(_) if column == EXPECTED => self.mean(),
            CellFormula::Real(_) if column == ENTROPY => self.entropy(),
            CellFormula::Real(_) if column == TOLL => self.mean()?.minus(self.entropy()?),
            CellFormula::Real(_) if column == EFFICIENCY => self.entropy()?.over(self.mean()?),
            CellFormula::Real(_) if column == VARIANCE => {
                self.look_up(TableRequest::VarianceNarrow)
            }
            _ => None,
        }
    }
}

/// An expression of columns as a program on machine words.
pub(super) struct Program {
    words: &'static Vocabulary,
    /// The steps, in postfix order.
    steps: Vec<NarrowOp>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum NarrowOp {
    Number(Narrow),
    Column(&'static Column),
    Negate,
    Plus,
    Minus,
    Times,
    Over,
    Power(u32),
    Sqrt,
    Log2,
}

impl Program {
    /// Compiles an expression, if machine words support it and it is short.
    pub(super) fn compile(expr: &Expr, words: &'static Vocabulary) -> Option<Program> {
        let mut program = Program {
            words,
            steps: Vec::new(),
        };
        let depth = expr.evaluate(&mut program).ok()?;
        (depth <= MAX_STACK_DEPTH && program.steps.len() <= MAX_STEPS).then_some(program)
    }

    /// Computes the value of the expression from the values of its columns.
    pub(super) fn value(&self, column: NarrowColumnLookup) -> Option<Narrow> {
        let mut stack = [Narrow::integer(0); MAX_STACK_DEPTH];
        let mut length = 0;
        for step in &self.steps {
            let operands = match step {
                NarrowOp::Number(_) | NarrowOp::Column(_) => 0,
                NarrowOp::Plus | NarrowOp::Minus | NarrowOp::Times | NarrowOp::Over => 2,
                _ => 1,
            };
            length -= operands;
            let (x, y) = (stack[length], stack[(length + 1).min(MAX_STACK_DEPTH - 1)]);
            stack[length] = match *step {
                NarrowOp::Number(value) => value,
                NarrowOp::Column(named) => column(named)?,
                NarrowOp::Negate => x.negated(),
                NarrowOp::Plus => x.plus(y)?,
                NarrowOp::Minus => x.minus(y)?,
                NarrowOp::Times => x.times(y)?,
                NarrowOp::Over => x.over(y)?,
                NarrowOp::Power(exponent) => {
                    (1..exponent).try_fold(x, |power, _| power.times(x))?
                }
                NarrowOp::Sqrt => x.sqrt()?,
                NarrowOp::Log2 => x.log()?,
            };
            length += 1;
        }
        Some(stack[0])
    }

    fn push(&mut self, step: NarrowOp, depth: usize) -> Result<usize, AlgebraError> {
        self.steps.push(step);
        Ok(depth)
    }

    fn constant(&mut self, value: &Real, at: usize) -> Result<usize, AlgebraError> {
        let value = Narrow::from_real(value).ok_or_else(|| self.words.no_operand(at))?;
        self.push(NarrowOp::Number(value), 1)
    }
}

/// In this algebra the value of an expression is the maximum depth of the stack during its
/// evaluation.
impl Algebra for Program {
    type Value = usize;

    fn words(&self) -> &'static Vocabulary {
        self.words
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<usize, AlgebraError> {
        let value = literal_value(number, self.words, at)?;
        self.constant(&Real::Exact(value), at)
    }

    fn name(&mut self, name: &str, at: usize) -> Result<usize, AlgebraError> {
        match (name, Column::find(name)) {
            (_, Ok(column)) if column.is_narrow() => self.push(NarrowOp::Column(column), 1),
            ("e", _) => self.constant(&Real::enclosed(e), at),
            ("pi", _) => self.constant(&Real::enclosed(pi), at),
            _ => Err(self.words.no_operand(at)),
        }
    }

    fn call(&mut self, name: &str, given: Vec<usize>, at: usize) -> Result<usize, AlgebraError> {
        match (name, given.as_slice()) {
            ("sqrt", &[x]) => self.push(NarrowOp::Sqrt, x),
            ("log2", &[x]) => self.push(NarrowOp::Log2, x),
            ("ln", &[x]) => {
                self.steps.push(NarrowOp::Log2);
                let ln2 =
                    |bits| flipcost_number::ln(&flipcost_number::BigInt::from(2).into(), bits);
                let one = self.constant(&Real::enclosed(ln2), at)?;
                self.push(NarrowOp::Times, x.max(1 + one))
            }
            _ => Err(self.words.no_operand(at)),
        }
    }

    fn negate(&mut self, x: usize, _: usize) -> Result<usize, AlgebraError> {
        self.push(NarrowOp::Negate, x)
    }

    fn factorial(&mut self, _: usize, at: usize) -> Result<usize, AlgebraError> {
        Err(self.words.no_operator(at))
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: usize,
        y: usize,
        at: usize,
    ) -> Result<usize, AlgebraError> {
        let step = match operator {
            Operator::Plus => NarrowOp::Plus,
            Operator::Minus => NarrowOp::Minus,
            Operator::Times => NarrowOp::Times,
            Operator::Over => NarrowOp::Over,
            Operator::Power => {
                // The exponent must be a small number that is written as a number.
                let Some(NarrowOp::Number(value)) = self.steps.pop() else {
                    return Err(self.words.no_operator(at));
                };
                let exponent = (1..=MAX_EXPONENT).find(|i| Narrow::integer(*i) == value);
                let exponent = exponent
                    .filter(|_| y == 1)
                    .ok_or_else(|| self.words.no_operator(at))?;
                return self.push(NarrowOp::Power(exponent), x);
            }
            _ => return Err(self.words.no_operator(at)),
        };
        self.push(step, x.max(y + 1))
    }
}

#[cfg(test)]
mod tests {
    use crate::algorithms::find;
    use crate::table::expression::Expression;
    use crate::table::{Cell, Precision, Request};
    use crate::task::{Source, Target};
    use proptest::prelude::*;

    /// All columns that machine words support.
    const KNOWN: [&str; 16] = [
        "n",
        "expected",
        "entropy",
        "toll",
        "efficiency",
        "variance",
        "toll/expected",
        "expected - log2(n)",
        "-toll",
        "(expected - entropy)^2 * n",
        "ln(n) + e * pi - sqrt(toll)",
        "1/n",
        "n * source",
        "1.5 * log2(expected + 0.25)",
        "n/0.1 - n^3",
        "toll - toll",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// The cells of a range equal the cells of each row alone, which are computed from the law.
        #[test]
        fn words_decide_as_laws_do(
            id in prop::sample::select(vec!["fast-dice-roller", "rejection", "rejection-ceil"]),
            m in prop_oneof![3 => Just(2u64), 2 => 3u64..12, 1 => 2u64..=1 << 32],
            n in 1u64..1 << 33, shift in 0u32..33,
        ) {
            let n = (n >> shift).max(1);
            let algorithm = find(id).unwrap();
            let request = Request {
                algorithms: vec![algorithm],
                source: Source::die(m).unwrap(),
                columns: KNOWN.map(|text| Expression::column(text).unwrap()).to_vec(),
                precision: Precision::default(),
            };
            let range = n..=n + 3;
            let rows = request.rows(range.clone(), &request.tables(n + 3)).unwrap();
            for (n, row) in range.zip(rows) {
                prop_assert_eq!(row, request.compute_row(algorithm, &Target::uniform(n).unwrap()).unwrap(), "n = {}", n);
            }
        }
    }

    /// Machine words must determine the doubles of these columns, for example of 1 - log2(3)/2,
    /// without any other method.
    #[test]
    fn words_know_these_columns() {
        let tables = find("fast-dice-roller").unwrap();
        let wanted = [crate::algorithms::TableRequest::MeanNarrow];
        let tables = tables
            .tables(2, 1000, crate::algorithms::TablesWanted(&wanted))
            .unwrap()
            .0;
        let row = super::NarrowRow::new(11, 2, &*tables);
        for text in KNOWN.iter().filter(|text| **text != "toll - toll") {
            let column = Expression::column(text).unwrap();
            assert!(column.is_narrow(), "{text}");
            let found = row.value(column).and_then(|value| value.nearest());
            let request = Request {
                algorithms: vec![find("fast-dice-roller").unwrap()],
                source: Source::COIN,
                columns: vec![column],
                precision: Precision::default(),
            };
            let alone = request
                .compute_row(request.algorithms[0], &Target::uniform(11u8).unwrap())
                .unwrap();
            let double = match &alone.cells[0] {
                Cell::Integer(n) => Some(n.to_f64()),
                cell => cell.to_f64(),
            };
            assert_eq!(found, double, "{text}");
        }
        for text in [
            "cycle_rounds + toll",
            "round(toll, 3)",
            "n!",
            "toll^(1/2)",
            "toll^-1",
        ] {
            assert!(!Expression::column(text).unwrap().is_narrow(), "{text}");
        }
    }
}
