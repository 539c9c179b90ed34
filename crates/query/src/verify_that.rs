//! A statement about columns, decided for every target of a range.

use crate::description::question;
use crate::sentence::say;
use crate::sweep::targets;
use crate::value::algorithms;
use crate::{
    AlgorithmId, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sides, Sink, Verdict,
};
use flipcost::algorithms::Algorithm;
use flipcost::number::{Double, Real};
use flipcost::table::{Cell, Precision, Request, RowError};
use flipcost::unstable::number::expression::ExpressionError;
use flipcost::unstable::number::short_digits;
use flipcost::unstable::sweep::{Workers, cost};
use flipcost::unstable::table::{Decision, Statement, ValueError};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A statement as it was written, such as `expected < log2(n) + 2`: two expressions of columns and
/// one of `< <= = >= >` between them.
///
/// ```
/// let that: flipcost_query::That = "expected < log2(n) + 2".parse()?;
/// assert_eq!(that.to_string(), "expected < log2(n) + 2");
/// # Ok::<(), flipcost::unstable::number::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct That(Statement);

impl PartialEq for That {
    fn eq(&self, other: &That) -> bool {
        self.0.text() == other.0.text()
    }
}

impl fmt::Display for That {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.text())
    }
}

impl FromStr for That {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<That, ExpressionError> {
        Statement::read(text).map(That)
    }
}

question! {
    /// Check a theorem or conjecture for every n of a range by computing what it says
    ///
    /// A statement about columns, decided for every target of a range and every algorithm, up to the
    /// first counterexample: one row. Targets that an algorithm does not work on are left out. The
    /// verdict fails if there is a counterexample.
    pub struct VerifyThat: "verify-that", "verify" {
        /// A statement of your own: two expressions of columns (see `flipcost columns`) and one of
        /// < <= = >= > between them, as in "expected < log2(n) + 2"
        that: That; option("STATEMENT").without(&["claim"]).dash(),
        /// The first n
        from: u64 = 1; option("A").printed(),
        /// The last n, or the largest sum of weights
        to: u64; option("N").alias("sum"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Only these algorithms; all without any.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
    }
    purpose: Numbers
    examples: ["verify --that \"expected < log2(n) + 2\" -a fast-dice-roller --to 1000"]
}

/// Consecutive targets that are decided together.
const CHUNK: u64 = 64;

/// A side of a statement takes about as many steps on words as this.
const STEPS: u128 = 20_000;

/// What a part of the range says.
#[derive(Default)]
struct Found {
    checked: u64,
    /// Pairs of a target and an algorithm that does not work on it.
    left_out: u64,
    wrong: Option<String>,
}

/// A value as a counterexample names it: a short fraction, else a double, else its first and last
/// digits.
fn shown(value: &Real) -> String {
    const LONGEST: usize = 40;
    let fraction = value.exact().map(ToString::to_string);
    match (fraction, value.double()) {
        (Some(text), _) if text.len() <= LONGEST => text,
        (_, Ok(Double::Is(double))) => double.to_string(),
        (Some(text), _) => {
            let parts: Vec<String> = text.split('/').map(short_digits).collect();
            parts.join("/")
        }
        (None, _) => value.to_string(),
    }
}

impl VerifyThat {
    /// What stands for the columns of the statement where work is estimated.
    fn request(&self) -> Result<Request, QueryError> {
        targets(self.from, self.to)?;
        Ok(Request {
            algorithms: algorithms(&self.algorithms, self.source.0),
            source: self.source.0,
            columns: self.that.0.columns().collect(),
            precision: Precision::default(),
        })
    }

    /// One target and one algorithm.
    fn decide(
        &self,
        algorithm: &'static dyn Algorithm,
        n: u64,
        found: &mut Found,
    ) -> Result<(), QueryError> {
        let (id, source) = (algorithm.about().id, self.source.0);
        match self.that.0.decide(algorithm, source, &n.into()) {
            Ok(Decision::Holds) => found.checked += 1,
            Ok(Decision::Fails { left, right }) => {
                found.checked += 1;
                let (left, right) = (shown(&left), shown(&right));
                found.wrong = Some(format!(
                    "n = {n} with {id}: the left side is {left}, the right side {right}"
                ));
            }
            Err(ValueError::Row(RowError::Refused(_))) => found.left_out += 1,
            Err(error) => {
                let what = say!("n = {n} with {id} is not decided: {error}");
                return Err(QueryError::wrong("that", what));
            }
        }
        Ok(())
    }
}

/// How the run over the parts of the range ends early.
enum End {
    /// A counterexample was found.
    Wrong,
    Failed(QueryError),
}

impl Question for VerifyThat {
    fn estimate(&self) -> Estimate {
        let Ok(request) = self.request() else {
            return Estimate::table(0, 0, 0, 0);
        };
        let rows = u128::from(self.to - self.from + 1) * request.algorithms.len() as u128;
        let columns = cost::work(&request, self.from - 1, self.to);
        Estimate {
            work: rows.saturating_mul(STEPS).saturating_add(columns),
            memory: 1 << 24,
            output: 1000,
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let request = self.request()?;
        let work = |part: RangeInclusive<u64>| {
            let mut found = Found::default();
            for n in part {
                control.go_on().map_err(End::Failed)?;
                for algorithm in &request.algorithms {
                    self.decide(*algorithm, n, &mut found)
                        .map_err(End::Failed)?;
                    if found.wrong.is_some() {
                        return Ok(found);
                    }
                }
            }
            Ok(found)
        };
        let mut all = Found::default();
        let range = self.from..=self.to;
        let done = Workers::new(control.threads).ordered(range, CHUNK, work, |found, last| {
            all.checked += found.checked;
            all.left_out += found.left_out;
            all.wrong = found.wrong;
            control.progress(last - self.from + 1, self.to - self.from + 1);
            match all.wrong {
                Some(_) => Err(End::Wrong),
                None => Ok(()),
            }
        });
        if let Err(End::Failed(error)) = done {
            return Err(error);
        }
        if all.checked == 0 {
            let (from, to) = (self.from, self.to);
            return Err(
                QueryError::wrong("algorithms", "there is nothing to check").right(say!(
                    "no algorithm that was asked for works on a target from {from} to {to}"
                )),
            );
        }
        let head = Head::new()
            .column("claim", Kind::Text)
            .column("standing", Kind::Text)
            .column("from", Kind::Count)
            .column("to", Kind::Count)
            .column("checked", Kind::Count)
            .column("extreme", Kind::Text)
            .column("counterexample", Kind::Text);
        sink.head(&head)?;
        let standing = match all.wrong {
            Some(_) => "false: the counterexample is decided exactly".to_string(),
            None => {
                let of = match request.algorithms.len() {
                    1 => "n",
                    _ => "cases",
                };
                format!("true for all {} {of}, each decided exactly", all.checked)
            }
        };
        sink.rows(vec![vec![
            Cell::Text(self.that.to_string()),
            Cell::Text(standing),
            Cell::Integer(self.from.into()),
            Cell::Integer(self.to.into()),
            Cell::Integer(all.checked.into()),
            Cell::Empty,
            all.wrong.clone().map_or(Cell::Empty, Cell::Text),
        ]])?;
        let mut foot = Foot::default();
        if all.left_out > 0 {
            let cases = match all.left_out {
                1 => "1 case is".to_string(),
                many => format!("{many} cases are"),
            };
            foot.note(format!(
                "{cases} left out: the algorithm does not work on the target"
            ));
        }
        foot.verdict = Some(match all.wrong {
            Some(wrong) => Verdict::Fails(format!("a counterexample: {wrong}")),
            None => Verdict::Holds,
        });
        sink.foot(foot)
    }
}
