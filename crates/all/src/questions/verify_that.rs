//! The question `verify` about a user's own statement, which is decided for every target of a
//! range.

use super::verify::verdict_phrase;
use flipcost::algorithms::{Algorithm, FAST_DICE_ROLLER};
use flipcost::sweep;
use flipcost::table::Expression;
use flipcost::table::Statement;
use flipcost::table::ValueError;
use flipcost::table::{Precision, Request, RowError};
use flipcost_number::Real;
use flipcost_number::short::short_digits;
use flipcost_number::threads::Workers;
use flipcost_question::Verdict;
use flipcost_question::prelude::*;
use flipcost_question::sides::check_known_source;
use flipcost_question::value::algorithms;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// The values of those names in a statement that are not columns.
pub(crate) trait NameValues: fmt::Debug + Send + Sync {
    /// Returns whether there are no such names.
    fn is_empty(&self) -> bool;
    /// Returns whether any of the values depends on n.
    fn depends_on_n(&self) -> bool;
    /// Returns the value of a name, which may also be n itself.
    fn value(&self, name: &str, n: Option<u64>, exact: bool) -> Result<Real, ValueError>;
}

/// A statement as it was typed, for example `expected < log2(n) + 2`. It consists of expressions
/// with `< <= = >= >` between them. The expressions contain columns and the answers of questions
/// ([`crate::Measure`]).
///
/// ``` let that: flipcost_all::questions::Assertion = "11/3 = cost(6, algorithm:
/// knuth-yao).expected".parse()?; assert_eq!(that.to_string(), "11/3 = cost(6, algorithm:
/// knuth-yao).expected"); # Ok::<(), flipcost_number::expression::ExpressionError>(()) ```
#[derive(Clone, Debug)]
pub struct Assertion {
    pub(crate) statement: Statement,
    pub(crate) names: Arc<dyn NameValues>,
}

impl Assertion {
    /// Returns the statement.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Returns the value of an expression of this statement.
    ///
    /// # Errors
    /// If the expression has no value.
    pub fn value(&self, side: &Expression, n: Option<u64>) -> Result<Real, ValueError> {
        side.value_of(&mut |name| self.names.value(name, n, false))
    }

    /// Returns whether the statement depends on n.
    pub fn depends_on_n(&self) -> bool {
        self.names.depends_on_n() || self.statement.columns().next().is_some()
    }

    /// Returns whether the statement uses columns other than n, which belong to an algorithm.
    fn uses_algorithm_columns(&self) -> bool {
        self.statement.columns().any(|column| column.name() != "n")
    }
}

impl PartialEq for Assertion {
    fn eq(&self, other: &Assertion) -> bool {
        self.statement.text() == other.statement.text()
    }
}

impl fmt::Display for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.statement.text())
    }
}

question! {
    /// Check a theorem or conjecture for every n of a range by computing it
    ///
    /// Decides a statement about columns for every target of a range and each of the given
    /// algorithms, up to the first counterexample: one row. Targets that an algorithm refuses are
    /// left out. The verdict fails if there is a counterexample.
    pub struct VerifyThat: "verify-that", "verify" {
        /// Your own statement: expressions of columns (see `flipcost list columns`) and < <= = >= >
        /// between them, as in "expected < log2(n) + 2"; a column of another question is written
        /// "cost(6, source: 10, algorithm: interval).expected < 2"
        that: Assertion; option("STATEMENT").without(&["claim"]).dash(),
        /// The first n
        from: u64 = 1; option("A"),
        /// The last n, or the largest sum of weights [default: 1000 for a statement of n]
        to: Option<u64>; option("N").alias("sum").printed(),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// These algorithms [default: the fast dice roller, which no algorithm beats; all
        /// algorithms from a loaded source]
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
    }
    purpose: Numbers in units
    examples: [
        "verify --that \"expected < log2(n) + 2\" -a fast-dice-roller --to 1000",
        "verify --that \"cost(6, algorithm: fast-dice-roller).expected = 11/3\"",
    ]
}

/// The last n by default, for a statement that depends on n.
const MAX_USUAL_N: u64 = 1000;

/// The number of consecutive targets that one thread decides at a time.
const CHUNK_TARGETS: u64 = 64;

/// The approximate number of word operations for one side of a statement.
const STEPS_PER_SIDE: u128 = 20_000;

/// The result of deciding a statement.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct AssertionResult {
    /// The number of cases that were decided.
    pub cases: u64,
    /// The number of pairs of a target and an algorithm that refuses this target.
    pub left_out: u64,
    /// The first case in which the statement is false, with the values of both sides.
    pub wrong: Option<String>,
    /// The values of both sides in the last case that was decided. The results of units do not
    /// contain them.
    #[serde(skip)]
    pub values: Vec<Real>,
    /// The n of that case, if the statement depends on n.
    #[serde(skip)]
    pub n: Option<u64>,
}

/// Describes the values of the two sides. If they look the same, also says how far they are apart.
fn describe_unequal_sides(left: &Real, right: &Real) -> String {
    let sides = [format_value(left), format_value(right)];
    let apart = if sides[0] == sides[1] {
        let apart = right - left;
        match apart.to_f64() {
            _ if apart.is_zero() => String::new(),
            Ok(more) if more != 0.0 && more.is_finite() => format!(", {more:e} more"),
            _ => ", and they differ by less than any double".to_string(),
        }
    } else {
        String::new()
    };
    let [left, right] = sides;
    format!("the left side is {left}, the right side {right}{apart}")
}

/// Formats a value for a counterexample: as a fraction if this is short, otherwise as a double,
/// otherwise by its first and last digits.
fn format_value(value: &Real) -> String {
    const MAX_EXPRESSION_LEN: usize = 40;
    let fraction = value.exact().map(ToString::to_string);
    match (fraction, value.to_f64()) {
        (Some(text), _) if text.len() <= MAX_EXPRESSION_LEN => text,
        (_, Ok(double)) if double.is_finite() && (double != 0.0 || value.is_zero()) => {
            double.to_string()
        }
        (Some(text), _) => {
            let parts: Vec<String> = text.split('/').map(short_digits).collect();
            parts.join("/")
        }
        (None, _) => value.to_string(),
    }
}

impl AssertionResult {
    /// Adds the result for the next cases. It is ignored if an earlier case was already false.
    fn join(&mut self, later: AssertionResult) {
        if self.wrong.is_none() {
            let (cases, left_out) = (self.cases + later.cases, self.left_out + later.left_out);
            *self = AssertionResult {
                cases,
                left_out,
                ..later
            };
        }
    }
}

/// Fails unless `from` to `to` is a nonempty range of dice with at least one side.
fn check_target_range(from: u64, to: u64) -> Result<(), QueryError> {
    match (from, to) {
        (0, _) => {
            let what = say!(field("from").is(0), " is not a target");
            Err(QueryError::wrong("from", what).right("it must be at least 1"))
        }
        _ if from > to => Err(QueryError::reversed_range(from, to, "target")),
        _ => Ok(()),
    }
}

impl VerifyThat {
    /// Returns the last n; `None` if the statement does not depend on n.
    fn last_n(&self) -> Option<u64> {
        let usual = self
            .that
            .depends_on_n()
            .then_some(self.from.max(MAX_USUAL_N));
        self.to.or(usual)
    }

    /// Returns the range of n; `None` if the statement does not depend on n.
    fn range(&self) -> Result<Option<RangeInclusive<u64>>, QueryError> {
        let Some(to) = self.last_n() else {
            return Ok(None);
        };
        check_target_range(self.from, to)?;
        Ok(Some(self.from..=to))
    }

    /// Returns the algorithms whose columns the statement uses; `None` if it uses no such columns.
    fn algorithms(&self) -> Option<Vec<&'static dyn Algorithm>> {
        let any = self.that.uses_algorithm_columns() || !self.algorithms.is_empty();
        let best = self.algorithms.is_empty() && self.source.0.is_fair();
        any.then(|| {
            if best {
                vec![FAST_DICE_ROLLER]
            } else {
                algorithms(&self.algorithms, &self.source.0)
            }
        })
    }

    /// Decides the statement for one target and algorithm.
    fn decide_case(
        &self,
        algorithm: Option<&'static dyn Algorithm>,
        n: Option<u64>,
        found: &mut AssertionResult,
    ) -> Result<(), QueryError> {
        let Assertion { statement, names } = &self.that;
        let of = match (n, algorithm) {
            (Some(n), Some(algorithm)) => format!("n = {n} with {}", algorithm.about().id),
            (Some(n), None) => format!("n = {n}"),
            _ => "the statement".to_string(),
        };
        let mut value = |name: &str, exact| names.value(name, n, exact);
        let decided = match (algorithm, n) {
            (Some(algorithm), Some(n)) => {
                statement.decide_with(algorithm, self.source.0.clone(), &n.into(), &mut value)
            }
            _ => statement.evaluate(&mut value),
        };
        match decided {
            Ok(decision) => {
                found.cases += 1;
                found.wrong = decision
                    .wrong()
                    .map(|(left, right)| format!("{of}: {}", describe_unequal_sides(left, right)));
                (found.values, found.n) = (decision.values, n);
            }
            Err(ValueError::Row(RowError::Refused(_))) => found.left_out += 1,
            Err(error) => {
                let what = say!("{of} is not decided: {error}");
                return Err(QueryError::wrong("that", what));
            }
        }
        Ok(())
    }

    /// Decides the statement for its whole range, or up to the first case in which it is false.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the statement cannot be decided, [`QueryError::Stopped`] if
    /// `control` stops the question.
    pub fn check(&self, control: &Control) -> Result<AssertionResult, QueryError> {
        check_known_source(&self.source.0)?;
        let all = match self.range()? {
            Some(range) => self.decide_cases(range, control)?,
            None => {
                let mut all = AssertionResult::default();
                self.decide_case(None, None, &mut all)?;
                all
            }
        };
        self.check_not_empty(&all)?;
        Ok(all)
    }

    /// Fails if no case was decided.
    fn check_not_empty(&self, all: &AssertionResult) -> Result<(), QueryError> {
        if all.cases > 0 {
            return Ok(());
        }
        let (from, to) = (self.from, self.last_n().unwrap_or(self.from));
        Err(
            QueryError::wrong("algorithms", "there is nothing to check").right(say!(
                "none of the algorithms works on a target from {from} to {to}"
            )),
        )
    }

    /// Decides the cases of these n, up to the first case in which the statement is false.
    fn decide_cases(
        &self,
        range: RangeInclusive<u64>,
        control: &Control,
    ) -> Result<AssertionResult, QueryError> {
        let mut all = AssertionResult::default();
        let algorithms = match self.algorithms() {
            Some(algorithms) => algorithms.into_iter().map(Some).collect(),
            None => vec![None],
        };
        let work = |part: RangeInclusive<u64>| {
            let mut found = AssertionResult::default();
            for n in part {
                control.go_on().map_err(EarlyEnd::Failed)?;
                for algorithm in &algorithms {
                    self.decide_case(*algorithm, Some(n), &mut found)
                        .map_err(EarlyEnd::Failed)?;
                    if found.wrong.is_some() {
                        return Ok(found);
                    }
                }
            }
            Ok(found)
        };
        let (from, to) = range.clone().into_inner();
        // a statement that contains questions takes long to decide
        let chunk = if self.that.names.is_empty() {
            CHUNK_TARGETS
        } else {
            16
        };
        let done = Workers::new(control.threads).ordered(range, chunk, work, |found, last| {
            all.join(found);
            control.progress(last - from + 1, to - from + 1);
            match all.wrong {
                Some(_) => Err(EarlyEnd::Wrong),
                None => Ok(()),
            }
        });
        match done {
            Err(EarlyEnd::Failed(error)) => Err(error),
            _ => Ok(all),
        }
    }
}

/// The reason why the run over the parts of the range ended early.
enum EarlyEnd {
    /// A counterexample was found.
    Wrong,
    Failed(QueryError),
}

impl Question for VerifyThat {
    fn summary(&self, answer: &Answer) -> String {
        verdict_phrase(answer)
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let Ok(range) = self.range() else {
            return Estimate::NOTHING;
        };
        let (from, to) = range.unwrap_or(1..=1).into_inner();
        let request = Request {
            algorithms: self.algorithms().unwrap_or_default(),
            source: self.source.0.clone(),
            columns: self.that.statement.columns().collect(),
            precision: Precision::default(),
        };
        let rows = u128::from(to - from + 1) * request.algorithms.len().max(1) as u128;
        let columns = sweep::nanoseconds(&request, from - 1, to);
        Estimate::new(
            rows.saturating_mul(STEPS_PER_SIDE).saturating_add(columns),
            1 << 24,
            1000,
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.write_result(self.check(control)?, sink)
    }
}

// the index of a place is an n of the range; a statement that does not depend on n has a single
// place
impl Chunked for VerifyThat {
    fn count(&self) -> Result<u64, QueryError> {
        let range = self.range()?.unwrap_or(1..=1);
        Ok((range.end() - range.start()).saturating_add(1))
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        even_time_estimate(self.estimate().work, self.count().unwrap_or(1))
    }

    fn compute(&self, places: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError> {
        let found = match self.range()? {
            Some(range) => {
                let n = |place: u64| range.start() + place;
                self.decide_cases(n(places.start)..=n(places.end - 1), control)?
            }
            None => self.check(control)?,
        };
        Ok(ChunkResult {
            rows: Buffers::default(),
            seen: to_json_value(&found),
        })
    }

    fn join(&self, seen: Json, later: Json) -> Result<Json, QueryError> {
        let mut all: AssertionResult = from_json_value(seen)?;
        all.join(from_json_value(later)?);
        Ok(to_json_value(&all))
    }

    fn answer(&self, all: ChunkResult, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let all: AssertionResult = from_json_value(all.seen)?;
        self.check_not_empty(&all)?;
        self.write_result(all, sink)
    }
}

impl VerifyThat {
    fn write_result(&self, all: AssertionResult, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let head = Head::new()
            .columns(CellKind::Text, ["claim", "standing"])
            .columns(CellKind::Count, ["from", "to", "checked"])
            .columns(CellKind::Text, ["extreme", "counterexample"]);
        sink.head(&head)?;
        let standing = match (&all.wrong, self.algorithms()) {
            (Some(_), _) => "false: the counterexample is decided exactly".to_string(),
            (None, _) if self.last_n().is_none() => "true, decided exactly".to_string(),
            (None, Some(several)) if several.len() > 1 => {
                format!("true for all {} cases, each decided exactly", all.cases)
            }
            _ if all.cases == 1 => "true for the one n, decided exactly".to_string(),
            _ => format!("true for all {} n, each decided exactly", all.cases),
        };
        let end = |end: u64| {
            self.last_n()
                .map_or(Cell::Empty, |_| Cell::Integer(end.into()))
        };
        sink.rows(vec![row![
            self.that.to_string(),
            standing,
            end(self.from),
            end(self.last_n().unwrap_or_default()),
            all.cases,
            Cell::Empty,
            all.wrong.clone()
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
