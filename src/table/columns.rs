//! The columns of a row: what an algorithm costs with a source and a target.

use super::{Cell, Integer};
use crate::algorithms::{Algorithm, Survey};
use crate::law::{Law, Size, TooLarge};
use crate::number::order::Orbit;
use crate::number::real::{Real, Undecided};
use crate::number::{BigUint, Rational};
use crate::task::{Refusal, Task};
use num_traits::{ToPrimitive, Zero};
use std::cell::OnceCell;
use std::ops::RangeInclusive;

/// Exact fractions above this many bits are left out unless they are asked for all the same.
pub const EXACT_LIMIT: u128 = 100_000;

/// Rounds are counted by stepping up to this many rolls.
pub const MOST_ROLLS: u64 = 1 << 32;

macro_rules! columns {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// A column.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Column { $(#[doc = $doc] $variant,)* }

        impl Column {
            /// Every column, in the order in which they are written.
            pub const ALL: &'static [Column] = &[$(Column::$variant,)*];

            /// The name in headers.
            pub fn name(self) -> &'static str {
                match self { $(Column::$variant => $name,)* }
            }

            /// What it holds.
            pub fn about(self) -> &'static str {
                match self { $(Column::$variant => $doc,)* }
            }
        }
    };
}

columns! {
    N "n" "sides of the target",
    Source "source" "sides of the source",
    Algorithm "algorithm" "id of the algorithm",
    ExpectedExact "expected_exact" "expected source rolls, a reduced fraction",
    Expected "expected" "expected source rolls, the nearest double or rounded decimals",
    Entropy "entropy" "log_m n in source rolls: no algorithm costs less",
    Toll "toll" "expected source rolls above log_m n",
    Efficiency "efficiency" "log_m n over the expected source rolls",
    VarianceExact "variance_exact" "variance in source rolls squared, a reduced fraction",
    Variance "variance" "variance in source rolls squared, the nearest double or rounded decimals",
    WorstCase "worst_case" "the most source rolls that can be needed, or inf",
    Preperiod "preperiod" "rolls before m^t mod n is periodic (fast dice roller)",
    Period "period" "rolls in one period of m^t mod n (fast dice roller)",
    CycleRounds "cycle_rounds" "rounds in the cycle of the flow chart, 1 if there is none (fast dice roller)",
}

impl Column {
    /// The column of this name.
    pub fn find(name: &str) -> Option<Column> {
        Column::ALL
            .iter()
            .copied()
            .find(|column| column.name() == name)
    }

    /// Does it hold integers only?
    pub fn is_integer(self) -> bool {
        use Column::*;
        matches!(
            self,
            N | Source | WorstCase | Preperiod | Period | CycleRounds
        )
    }

    /// Does it speak of the flow chart's cycle?
    pub fn is_cycle(self) -> bool {
        matches!(
            self,
            Column::Preperiod | Column::Period | Column::CycleRounds
        )
    }
}

/// How numbers are written, and how large an exact fraction may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Decimals; without them, the nearest double.
    pub digits: Option<u32>,
    /// The most bits of an exact fraction.
    pub exact_limit: u128,
}

impl Default for Precision {
    fn default() -> Self {
        Precision {
            digits: None,
            exact_limit: EXACT_LIMIT,
        }
    }
}

impl Precision {
    /// A real as this precision writes it.
    pub fn cell(&self, value: &Real) -> Result<Cell, Undecided> {
        Ok(match self.digits {
            Some(digits) => Cell::Exact(value.decimals(digits)?),
            None => Cell::Double(value.nearest_f64()?),
        })
    }
}

/// Why a row could not be computed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RowError {
    /// The algorithm does not work with these dice.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no closed form and the chain is too large.
    #[error("{algorithm} has no closed form for n = {n}, and {error}")]
    TooLarge {
        /// The algorithm's id.
        algorithm: &'static str,
        /// The target.
        n: BigUint,
        /// The limit.
        error: TooLarge,
    },
    /// A rounding could not be decided.
    #[error("a target of {} bits: {error}", n.bits())]
    Undecided {
        /// The target.
        n: BigUint,
        /// How far it was tried.
        error: Undecided,
    },
}

/// What is asked of every n: algorithms, source, columns.
#[derive(Clone)]
pub struct Request {
    /// The algorithms, in the order of the rows.
    pub methods: Vec<&'static dyn Algorithm>,
    /// Sides of the source.
    pub source: u64,
    /// The columns.
    pub columns: Vec<Column>,
    /// How numbers are written.
    pub precision: Precision,
}

/// Tables for a range; see [`Request::survey`].
pub struct Surveys(Vec<Option<Box<dyn Survey>>>);

/// What the surveys told of a range, asked once: one entry for each algorithm.
pub struct Answers<'a> {
    low: u64,
    of: Vec<Answer<'a>>,
}

/// What the survey of one algorithm told. What is asked of a whole range is kept here, in order.
struct Answer<'a> {
    orbits: Option<Vec<Orbit>>,
    rounds: Option<Vec<u64>>,
    exact_means: Option<Vec<Rational>>,
    means: Option<&'a dyn Survey>,
}

/// A column of which every cell of a range is known and is a word.
#[derive(Clone, Copy)]
pub enum Words<'a> {
    /// The target.
    Target,
    /// The same word.
    Same(u64),
    /// One for each n, from the first.
    Listed(u64, &'a [u64]),
    /// One for each n, from the first, in its orbit.
    Orbits(u64, &'a [Orbit], fn(&Orbit) -> u64),
}

impl Words<'_> {
    /// The cell of n.
    #[inline]
    pub fn of(&self, n: u64) -> u64 {
        match self {
            Words::Target => n,
            Words::Same(word) => *word,
            Words::Listed(low, words) => words[(n - low) as usize],
            Words::Orbits(low, orbits, word) => word(&orbits[(n - low) as usize]),
        }
    }
}

/// What is known of one n before its law is.
#[derive(Clone, Copy, Default)]
struct Known<'a> {
    n: u64,
    orbit: Option<&'a Orbit>,
    rounds: Option<u64>,
    exact_mean: Option<&'a Rational>,
    means: Option<&'a dyn Survey>,
}

impl Answers<'_> {
    fn known(&self, method: usize, n: u64) -> Known<'_> {
        let answer = &self.of[method];
        let at = (n - self.low) as usize;
        Known {
            n,
            orbit: answer.orbits.as_ref().map(|all| &all[at]),
            rounds: answer.rounds.as_ref().map(|all| all[at]),
            exact_mean: answer.exact_means.as_ref().map(|all| &all[at]),
            means: answer.means,
        }
    }
}

impl Known<'_> {
    /// The cell of a column, where it needs no law.
    #[inline]
    fn cell(&self, column: Column, precision: Precision) -> Option<Cell> {
        match (column, precision.digits) {
            (Column::Expected, None) => self.means?.mean(self.n).map(Cell::Double),
            (Column::Expected, Some(digits)) => {
                self.means?.decimals(self.n, digits).map(Cell::Exact)
            }
            (Column::Preperiod, _) => {
                (self.orbit).map(|orbit| Cell::Integer(orbit.pre_period.into()))
            }
            (Column::Period, _) => self.orbit.map(|orbit| Cell::Integer(orbit.period.into())),
            (Column::CycleRounds, _) => self.rounds.map(|rounds| Cell::Integer(rounds.into())),
            (Column::ExpectedExact, _) => self.exact_mean.map(|value| Cell::Exact(fraction(value))),
            _ => None,
        }
    }
}

/// A row, and what was left out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The values, in the order of the columns.
    pub cells: Vec<Cell>,
    /// The size of an exact fraction that is too large to be written unasked.
    pub left_out: Option<Size>,
}

/// What one algorithm costs with given dice: the values behind the columns.
pub struct Costs {
    /// The law of T.
    pub law: Law,
    /// `E[T]`.
    pub mean: Real,
    /// log_m n.
    pub entropy: Real,
}

impl Costs {
    /// The costs of a method.
    pub fn new(method: &dyn Algorithm, dice: &Task) -> Result<Costs, RowError> {
        let law = method
            .prepare(dice)?
            .law()
            .map_err(|error| RowError::TooLarge {
                algorithm: method.about().id,
                n: dice.target().weight_sum().clone(),
                error,
            })?;
        Ok(Costs {
            mean: law.mean(),
            entropy: entropy(dice)?,
            law,
        })
    }

    /// `E[T]` - log_m n.
    pub fn toll(&self) -> Real {
        self.mean.minus(&self.entropy)
    }

    /// log_m n / `E[T]`; `None` for a roll that costs nothing.
    pub fn efficiency(&self) -> Option<Real> {
        let free = self.mean.exact().is_some_and(|mean| mean.is_zero());
        (!free).then(|| self.entropy.over(&self.mean))
    }
}

/// The entropy of a fair target in source rolls, log_m n.
fn entropy(task: &Task) -> Result<Real, Refusal> {
    let dice = task.fair()?;
    Ok(Real::log(dice.n, dice.m))
}

/// A fraction as it is written: an integer has no slash.
pub fn fraction(value: &Rational) -> String {
    value.to_string()
}

impl Request {
    /// The row of one algorithm and one target.
    pub fn row(&self, method: &dyn Algorithm, n: &BigUint) -> Result<Row, RowError> {
        let mut row = Row::default();
        self.fill(method, &n.into(), Known::default(), &mut row)?;
        Ok(row)
    }

    /// The tables that make a range up to `last` fast, one for each algorithm that has them.
    pub fn survey(&self, last: u64) -> Surveys {
        let rounds = self.columns.contains(&Column::CycleRounds);
        Surveys(
            (self.methods.iter())
                .map(|method| method.survey(self.source, last, rounds))
                .collect(),
        )
    }

    /// What the surveys tell of a range: what one n costs the less, the more are asked together.
    pub fn ask<'a>(&self, targets: &RangeInclusive<u64>, surveys: &'a Surveys) -> Answers<'a> {
        let (low, high) = (*targets.start(), *targets.end());
        let rounds = self.columns.contains(&Column::CycleRounds);
        let orbits =
            [Column::Preperiod, Column::Period].map(|column| self.columns.contains(&column));
        let means = self.columns.contains(&Column::Expected);
        let exact = self.columns.contains(&Column::ExpectedExact);
        let answer = |survey: &'a Option<Box<dyn Survey>>| {
            let survey = survey.as_deref();
            let end = high.checked_add(1);
            let most = self.precision.exact_limit;
            Answer {
                orbits: survey
                    .and_then(|survey| survey.orbits(low..end.filter(|_| orbits != [false; 2])?)),
                rounds: survey.and_then(|survey| survey.rounds(low..end.filter(|_| rounds)?)),
                exact_means: survey
                    .and_then(|survey| survey.exact_means(low..end.filter(|_| exact)?, most)),
                means: survey.filter(|_| means),
            }
        };
        Answers {
            low,
            of: surveys.0.iter().map(answer).collect(),
        }
    }

    /// The columns of all rows, one list for each algorithm, if all cells are known and are words. [`Request::each_row`]
    /// gives the same, slower.
    pub fn words<'a>(&self, answers: &'a Answers) -> Option<Vec<Vec<Words<'a>>>> {
        let low = answers.low;
        let column = |answer: &'a Answer, column: &Column| {
            let orbits = answer.orbits.as_deref();
            match column {
                Column::N => Some(Words::Target),
                Column::Source => Some(Words::Same(self.source)),
                Column::Preperiod => Some(Words::Orbits(low, orbits?, |orbit| orbit.pre_period)),
                Column::Period => Some(Words::Orbits(low, orbits?, |orbit| orbit.period)),
                Column::CycleRounds => Some(Words::Listed(low, answer.rounds.as_deref()?)),
                _ => None,
            }
        };
        let row = |answer| {
            self.columns
                .iter()
                .map(|name| column(answer, name))
                .collect()
        };
        answers.of.iter().map(row).collect()
    }

    /// Calls `each` on n and the rows of a range, or of a part of the range that was asked, in order of
    /// n, then algorithm. Refusal dice leave the cells empty.
    pub fn each_row<E: From<RowError>>(
        &self,
        targets: RangeInclusive<u64>,
        answers: &Answers,
        mut each: impl FnMut(u64, &Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut row = Row::default();
        for n in targets {
            let sides = Integer::Word(n);
            for (i, method) in self.methods.iter().enumerate() {
                match self.fill(*method, &sides, answers.known(i, n), &mut row) {
                    Err(RowError::Refused(_) | RowError::TooLarge { .. }) => {
                        self.blank(*method, &sides, &mut row)
                    }
                    filled => filled?,
                }
                each(n, &row)?;
            }
        }
        Ok(())
    }

    /// The rows of a range; see [`Request::each_row`].
    pub fn rows(
        &self,
        targets: RangeInclusive<u64>,
        surveys: &Surveys,
    ) -> Result<Vec<Row>, RowError> {
        let answers = self.ask(&targets, surveys);
        let mut rows = Vec::new();
        self.each_row(targets, &answers, |_, row| {
            rows.push(row.clone());
            Ok::<(), RowError>(())
        })?;
        Ok(rows)
    }

    /// Adds the cell of a column that says whose row it is; is it one?
    #[inline]
    fn key(
        &self,
        method: &dyn Algorithm,
        n: &Integer,
        column: Column,
        cells: &mut Vec<Cell>,
    ) -> bool {
        match column {
            Column::N => match n {
                Integer::Word(word) => cells.push(Cell::Integer(Integer::Word(*word))),
                Integer::Big(_) => cells.push(Cell::Integer(n.clone())),
            },
            Column::Source => cells.push(Cell::Integer(Integer::Word(self.source))),
            Column::Algorithm => cells.push(Cell::Text(method.about().id.to_string())),
            _ => return false,
        }
        true
    }

    fn blank(&self, method: &dyn Algorithm, n: &Integer, row: &mut Row) {
        row.cells.clear();
        for column in &self.columns {
            if !self.key(method, n, *column, &mut row.cells) {
                row.cells.push(Cell::Empty);
            }
        }
        row.left_out = None;
    }

    fn fill(
        &self,
        method: &dyn Algorithm,
        n: &Integer,
        known: Known,
        row: &mut Row,
    ) -> Result<(), RowError> {
        use Column::*;
        let made = OnceCell::new();
        let dice = || {
            made.get_or_init(|| {
                Task::dice(self.source, n.to_big()).expect("the request was checked")
            })
        };
        let written = |value: &Real| {
            let cell = self.precision.cell(value);
            cell.map_err(|error| RowError::Undecided {
                n: n.to_big(),
                error,
            })
        };
        let (mut costs, mut stepped) = (None, None); // what only some columns need
        let mut left_out = None;
        let cells = &mut row.cells;
        cells.clear();
        for column in &self.columns {
            if self.key(method, n, *column, cells) {
                continue;
            }
            if let Some(cell) = known.cell(*column, self.precision) {
                cells.push(cell);
                continue;
            }
            if column.is_cycle() {
                if stepped.is_none() {
                    let rounds = self.columns.contains(&CycleRounds);
                    let most = if rounds { MOST_ROLLS } else { 0 };
                    stepped = Some(method.prepare(dice())?.cycle(most));
                }
                let cycle = stepped.as_ref().and_then(|cycle| cycle.as_ref());
                cells.push(match (cycle, column) {
                    (None, _) => Cell::Empty,
                    (Some(cycle), Preperiod) => Cell::Integer((&cycle.pre_period).into()),
                    (Some(cycle), Period) => Cell::Integer((&cycle.period).into()),
                    (Some(cycle), _) => {
                        (cycle.rounds).map_or(Cell::Empty, |rounds| Cell::Integer(rounds.into()))
                    }
                });
                continue;
            }
            if costs.is_none() {
                costs = Some(Costs::new(method, dice())?);
            }
            let costs = costs.as_ref().expect("just made");
            let exact = |value: fn(&Law) -> Rational| {
                let fits = matches!(costs.law.size(), Size::Bits(bits) if bits <= self.precision.exact_limit);
                fits.then(|| Cell::Exact(fraction(&value(&costs.law))))
            };
            cells.push(match column {
                ExpectedExact | VarianceExact => {
                    let value = if *column == ExpectedExact {
                        Law::exact_mean
                    } else {
                        Law::exact_variance
                    };
                    exact(value).unwrap_or_else(|| {
                        left_out = Some(costs.law.size());
                        Cell::Empty
                    })
                }
                Expected => written(&costs.mean)?,
                Entropy => written(&costs.entropy)?,
                Toll => written(&costs.toll())?,
                Efficiency => match costs.efficiency() {
                    Some(efficiency) => written(&efficiency)?,
                    None => Cell::Empty,
                },
                Variance => written(&costs.law.variance())?,
                WorstCase => match costs.law.worst_case() {
                    Some(rolls) => Cell::Integer(rolls.into()),
                    None => Cell::Text("inf".to_string()),
                },
                N | Source | Algorithm | Preperiod | Period | CycleRounds => {
                    unreachable!("done above")
                }
            });
        }
        row.left_out = left_out;
        Ok(())
    }
}

/// A clause that says how large a fraction would be.
pub type SizeInWords = String;

/// How large a fraction would be, in words.
pub fn size_in_words(size: Size) -> SizeInWords {
    match size {
        Size::Unknown => {
            "would have one denominator of an unknown number of bits: its period needs the prime \
             factors of n, which were not found"
                .to_string()
        }
        Size::Bits(u128::MAX) => "would have more than 2^128 bits".to_string(),
        Size::Bits(bits) => {
            let digits = (bits as f64 * std::f64::consts::LOG10_2)
                .to_u128()
                .unwrap_or(u128::MAX);
            format!(
                "would have about {bits} bits ({digits} digits) in numerator and denominator each"
            )
        }
    }
}
