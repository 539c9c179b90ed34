//! The question `cost` about one target: a row with the cost for each algorithm.

pub mod best;
mod expected;
mod known;
mod optimal;
pub mod remarks;
pub mod rows;
mod sentence;
pub mod summary;

use flipcost::algorithms::{Algorithm, Purpose, keeping_bits};
use flipcost::law::CostFormula;
use flipcost::table::PreparedRow;
use flipcost::table::{ALGORITHM, ENTROPY, EXPECTED};
use flipcost::table::{Precision, Row};
use flipcost::task::{RollUnit, Target, Task};
use flipcost_figures::Drawing;
use flipcost_number::{Rational, Real};
use flipcost_question::long::OptionalFractions;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use flipcost_question::{ColumnId, KnownSources, PictureError};
use std::cmp::Ordering;
use std::num::NonZeroU64;
use std::sync::Arc;

pub use remarks::Remarks;
pub use rows::CostRows;

use expected::ExpectedCells;

/// Rows that cost more than this many times the cheapest row are left out of a list.
const MAX_TIMES_DEARER: u64 = 1_000_000;

/// The largest number of transitions of a chain whose cost formula is found by elimination.
pub const FORMULA_LIMIT: usize = 1 << 14;

question! {
    /// The cost of a target (a fair die or weights): the algorithms side by side, the best first
    pub struct Cost: "cost" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Only these algorithms; by default, all algorithms for this kind of target.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns; a column may be an expression of others, as in "expected - log2(n)"
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
        /// Evaluate the cost from an unknown source at these probabilities: the probabilities of
        /// heads, as in p=1/3,1/10, or the weights of a die.
        at: Option<KnownSources>; option("P"),
        /// Instead of algorithms, search for the best rule of any form and try to prove that it is
        /// the best
        optimal: bool; flag().without(&["algorithms", "columns", "exact", "at"]),
        /// Stop the search for the best rule after this many steps, as in 10^8 [default: 2*10^7 for
        /// up to 20 outcomes, some seconds]
        effort: Option<NonZeroU64>; option("STEPS").with("optimal"),
        /// When weights are drawn from words, keep the unused bits of a result's last word for the
        /// next result, and count each bit as a fraction of a word
        keep_bits: bool; flag().without(&["optimal", "at"]),
    }
    purpose: Numbers
    examples: [
        "cost 6",
        "cost 52! --source 6 --digits 30",
        "cost 6 -a rejection,interval -f csv",
        "cost 6 -c algorithm,expected_exact -f latex",
        "cost 4:7:8",
        "cost 3d6 -a fldr,aldr:K=11,knuth-yao",
        "cost 6 -c \"algorithm,expected - log2(n)\"",
        "cost 4:7:8 --source word:64 --keep-bits",
        "cost 2 --source p=1/3",
        "cost 2 --source 1:2 --optimal",
        "cost 2 --source unknown:2",
        "cost 2 --source unknown:2 --at p=1/3,1/10",
    ]
}

impl Cost {
    /// Returns the question about the costs by all algorithms that were made for the target.
    pub fn new(target: TargetText, source: Sides) -> Cost {
        Cost::with_defaults([("target", target.json()), ("source", source.json())])
    }

    /// Returns the same question for the probabilities 1/100, 2/100, ..., 99/100 of heads, to draw
    /// a curve of this column. If the column is that of the expected flips, the question also asks
    /// for the entropy. Returns `None` if the source is not an unknown coin.
    pub fn against_p(&self, column: ColumnId) -> Option<Cost> {
        if !self.source.0.is_unknown() || self.source.get() != 2 {
            return None;
        }
        let beside = (column == ColumnId(EXPECTED)).then_some(ColumnId(ENTROPY));
        let shown = [ColumnId(ALGORITHM), column].into_iter().chain(beside);
        Some(Cost {
            columns: shown.collect(),
            at: Some(KnownSources::hundredths()),
            ..self.clone()
        })
    }

    /// Returns whether the algorithm is for loaded sources and the user did not name it. Most
    /// algorithms for loaded sources make few targets, so their refusals are not reported.
    fn is_omitted_quietly(&self, algorithm: &dyn Algorithm) -> bool {
        let loaded = [Purpose::UnknownSources, Purpose::LoadedSources];
        self.algorithms.is_empty() && loaded.contains(&algorithm.purpose())
    }

    /// Returns a sentence that converts the expected flips to words, for a library function that
    /// reads words.
    fn words_note(
        &self,
        id: &str,
        task: &Task,
        prepared: &mut PreparedRow,
    ) -> Result<Option<String>, QueryError> {
        let mut named = self.algorithms.iter().filter(|named| named.id() == id);
        let named = named.next().filter(|_| self.source == Sides::default());
        let bits = named.and_then(|named| named.0.word_bits(task));
        let Some(bits) = bits.filter(|bits| *bits > 1) else {
            return Ok(None);
        };
        let flips = prepared.costs().map_err(QueryError::input)?.mean();
        let words = flips.over(&Real::integer(bits));
        let said = |value: &Real| match value.exact().map(Rational::to_string) {
            Some(exact) if exact.len() <= MAX_SENTENCE_FRACTION => Ok(exact),
            _ => decimal(value, Precision::default()).map(|near| format!("about {near}")),
        };
        let (flips, words) = (said(flips)?, said(&words)?);
        Ok(Some(format!(
            "{id} reads words of {bits} bits: {flips} flips are {words} words"
        )))
    }
}

/// The sort key of algorithms: whether the algorithm is biased, and its mean.
type AlgorithmRank = (bool, Real);

/// Compares algorithms by their means; biased algorithms come last.
fn best_first(a: &AlgorithmRank, b: &AlgorithmRank) -> Ordering {
    let by_mean = || a.1.compare(&b.1).unwrap_or(Ordering::Equal);
    a.0.cmp(&b.0).then_with(by_mean)
}

/// The results for one algorithm.
struct AlgorithmRow {
    algorithm: &'static dyn Algorithm,
    /// The exact cost and its digits, for the first sentence, even if no column shows them.
    expected: ExpectedCells,
    /// The sort key; `None` if there is only one row.
    order: Option<AlgorithmRank>,
    /// The total variation distance of the outcomes from the target, if the algorithm is not exact.
    distance: Option<Rational>,
    row: Row,
}

impl Question for Cost {
    fn summary(&self, answer: &Answer) -> String {
        self.rows_sentence(answer)
    }

    fn is_streamed(&self) -> bool {
        self.optimal
    }

    fn estimate(&self) -> Estimate {
        if self.optimal {
            let steps = u128::from(self.optimal_steps());
            // At most 2^20 states are kept in memory.
            return Estimate::new(steps * 250, (1 << 24) + 300 * steps.min(1 << 20), 100_000);
        }
        let target = &self.target;
        let bits = u128::from(target.bits());
        let (weights, listed) = target.size();
        let digits = u128::from(self.digits.unwrap_or(20)) * 4 + 128;
        let fraction = precision(None, self.exact).map_or(0, |known| known.exact_limit);
        let rows = algorithms_for(&self.algorithms, &self.source.0, target.target()).len() as u128;
        let length = bits.saturating_add(digits);
        let squared = length
            .saturating_mul(length)
            .saturating_add(fraction.saturating_mul(64))
            .saturating_add(weights.saturating_mul(length));
        let mut estimate = Estimate::table(rows, 14, squared, length.saturating_add(fraction) / 8);
        if target.sides().is_none() {
            // The estimate includes the weights, what an algorithm stores for each weight, and the
            // text of the weights in every row.
            estimate.memory = (estimate.memory)
                .saturating_add(64 * weights)
                .saturating_add(listed / 2);
            estimate.output = (estimate.output).saturating_add(rows * (weights + listed / 3));
        }
        estimate
    }

    fn optional_fractions(&self) -> Option<OptionalFractions> {
        let short = OptionalFractions {
            answers: &[],
            ask: |name| {
                say!(
                    field("columns").is(vec![name]),
                    " or ",
                    field("exact").is(true)
                )
            },
        };
        (self.columns.is_empty() && !self.exact).then_some(short)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let target = &self.target;
        if self.optimal {
            return self.answer_optimal(control, sink);
        }
        if self.effort.is_some() {
            let what = say!(field("effort"), " limits a search");
            let right = say!("it needs ", field("optimal").is(true));
            return Err(QueryError::wrong("effort", what).right(right));
        }
        if self.source.0.is_unknown() && self.at.is_none() {
            return self.formula_rows(target, control, sink);
        }
        if self.keep_bits && !self.takes_bits(target.target()) {
            let what = say!(
                field("keep_bits"),
                " works only for weights that are drawn bit by bit from words"
            );
            let right = say!(
                "weights such as 1:2:3, and ",
                field("source").is("word:64"),
                ", were expected"
            );
            return Err(QueryError::wrong("keep_bits", what).right(right));
        }
        let task = Task::new(target.checked()?.clone(), self.source.0.clone());
        let prepared = self.prepare_algorithms(&task, control)?;
        self.answer_known_sources(&task, &prepared, control, sink)
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

/// The algorithms that have a row, and the reasons why other algorithms have no row.
struct PreparedAlgorithms {
    algorithms: Vec<&'static dyn Algorithm>,
    asides: Vec<Sentence>,
}

impl Cost {
    /// Returns whether the algorithms take the bits of words one by one.
    fn takes_bits(&self, target: &Target) -> bool {
        let source = &self.source.0;
        target.sides().is_none() && source.is_fair() && source.unit() == RollUnit::Words
    }

    /// Unless the user named the algorithms, removes rows that cost far more than the best row, and
    /// adds a note that names the removed algorithms.
    fn remove_expensive_rows(&self, rows: &mut Vec<AlgorithmRow>, foot: &mut Foot) {
        let mean = |row: &AlgorithmRow| row.order.as_ref().map(|(_, mean)| mean.clone());
        let Some(best) = rows
            .first()
            .and_then(mean)
            .filter(|best| !best.is_zero() && self.algorithms.is_empty())
        else {
            return;
        };
        let most = best.times(&Real::integer(MAX_TIMES_DEARER));
        let is_far = |row: &AlgorithmRow| {
            mean(row).is_some_and(|mean| mean.compare(most.clone()).is_ok_and(Ordering::is_gt))
        };
        let far: Vec<&str> = rows
            .iter()
            .filter(|row| is_far(row))
            .map(|row| row.algorithm.about().id)
            .collect();
        if !far.is_empty() {
            foot.note(format!(
                "{} left out: more than 10^6 times the {} of the cheapest",
                if far.len() == 1 {
                    format!("{} is", far[0])
                } else {
                    format!("{} are", far.join(", "))
                },
                self.source.0.unit().plural()
            ));
        }
        rows.retain(|row| !is_far(row));
    }

    /// Returns the rows for a source whose probabilities are unknown; their costs are formulas.
    fn formula_rows(
        &self,
        target: &TargetText,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let target = target.checked()?;
        let task = Task::new(target.clone(), self.source.0.clone());
        let names = self.formula_columns()?;
        let mut foot = Foot::default();
        let found = self.for_each_algorithm(target, &mut foot.asides, control, |algorithm| {
            let formula = algorithm.formula(&task, FORMULA_LIMIT);
            formula.map(|formula| (algorithm.about().id, Arc::new(formula)))
        })?;
        if let Some((id, formula)) = found.first() {
            foot.set_summary(&self.formula_sentence(id, formula));
        }
        let row = |(id, formula): &(&str, Arc<CostFormula>)| self.formula_row(&names, id, formula);
        let rows = found.iter().map(row).collect();
        foot.note(match self.source.get() {
            2 => "p is the probability of heads; which algorithm costs the least may depend on p".to_string(),
            m => format!("p1, ..., p{m} are the probabilities of the faces; which costs the least may depend on them"),
        });
        sink.write_answer(&self.formula_head(&names), rows, foot)
    }

    /// Returns the names of the columns to show if the costs are formulas.
    fn formula_columns(&self) -> Result<Vec<String>, QueryError> {
        let usual = ["target", "source", "algorithm", "expected_exact"].map(str::to_string);
        let names: Vec<String> = if self.columns.is_empty() {
            usual.to_vec()
        } else {
            self.columns.iter().map(ColumnId::to_string).collect()
        };
        if let Some(other) = names.iter().find(|name| !usual.contains(name)) {
            let what = format!("{other} has no formula for unknown probabilities");
            let right = say!(
                usual.join(", "),
                " have one, and ",
                field("at"),
                " evaluates all columns"
            );
            return Err(QueryError::wrong("columns", what).right(right));
        }
        Ok(names)
    }

    fn formula_row(&self, names: &[String], id: &str, formula: &Arc<CostFormula>) -> Vec<Cell> {
        let cell = |name: &String| match name.as_str() {
            "target" => Cell::Text(self.target.to_string()),
            "source" => Cell::Text(self.source.to_string()),
            "algorithm" => Cell::Text(id.to_string()),
            _ => Cell::Formula(formula.clone()),
        };
        names.iter().map(cell).collect()
    }

    fn formula_head(&self, names: &[String]) -> Head {
        let unit = self.source.0.unit().plural();
        names
            .iter()
            .fold(Head::default(), |head, name| match name.as_str() {
                "expected_exact" => head.measured(name, CellKind::Formula, unit),
                name => head.column(name, CellKind::Text),
            })
    }

    /// Returns the algorithms that the answer lists, one row each.
    fn listed_algorithms(
        &self,
        target: &Target,
    ) -> Result<Vec<&'static dyn Algorithm>, QueryError> {
        let mut algorithms = algorithms_for(&self.algorithms, &self.source.0, target);
        if self.keep_bits {
            algorithms = algorithms.into_iter().map(keeping_bits).collect();
        }
        if algorithms.is_empty() {
            let from = self.source.0.with_article();
            let what = format!(
                "the rules for {from} make equally likely outcomes, and this target has weights"
            );
            let right = "a number such as 2 was expected";
            return Err(QueryError::wrong("target", what).right(right));
        }
        Ok(algorithms)
    }

    /// Computes the result of each algorithm, and adds a note for each algorithm that refuses. If
    /// all algorithms refuse, the error is the first refusal.
    fn for_each_algorithm<T, E: std::fmt::Display>(
        &self,
        target: &Target,
        asides: &mut Vec<Sentence>,
        control: &Control,
        compute: impl Fn(&'static dyn Algorithm) -> Result<T, E>,
    ) -> Result<Vec<T>, QueryError> {
        let (mut all, mut refused) = (Vec::new(), None);
        for algorithm in self.listed_algorithms(target)? {
            control.go_on()?;
            match compute(algorithm) {
                Ok(one) => all.push(one),
                Err(error) => {
                    let id = algorithm.about().id;
                    if !self.is_omitted_quietly(algorithm) {
                        asides.push(say!("{id}: {error}"));
                    }
                    refused.get_or_insert((algorithm, error));
                }
            }
        }
        match refused.filter(|_| all.is_empty()) {
            Some((algorithm, error)) => {
                Err(QueryError::of_algorithm("algorithms", algorithm)(error))
            }
            None => Ok(all),
        }
    }

    fn prepare_algorithms(
        &self,
        task: &Task,
        control: &Control,
    ) -> Result<PreparedAlgorithms, QueryError> {
        let mut asides = Vec::new();
        let algorithms =
            self.for_each_algorithm(task.target(), &mut asides, control, |algorithm| {
                if task.source().is_unknown() {
                    algorithm.of_unknown(task)
                } else {
                    Ok(algorithm)
                }
            })?;
        Ok(PreparedAlgorithms { algorithms, asides })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::{About, Rule, algorithm_from_rule, find};
    use flipcost::law::Step;
    use flipcost_question::{Answer, Query};
    use std::sync::atomic::{AtomicU64, Ordering as AtomicOrdering};

    static PREPARED: AtomicU64 = AtomicU64::new(0);
    static SOLVED: AtomicU64 = AtomicU64::new(0);

    /// An algorithm for a d5 from a d6. It counts how often it is prepared and how often its chain
    /// is explored.
    struct AgainOnSix;

    impl Rule for AgainOnSix {
        type State = u8;

        fn start(&self) -> Step<u8> {
            SOLVED.fetch_add(1, AtomicOrdering::Relaxed);
            Step::Roll(0)
        }

        fn step(&self, _: &u8, face: u64) -> Step<u8> {
            match face {
                5 => Step::Roll(0),
                face => Step::Output(face.into()),
            }
        }
    }

    /// The algorithm is prepared once for sorting, for its row and for its distance from fair.
    #[test]
    fn a_row_is_prepared_once() {
        let again_on_six = algorithm_from_rule(About::new("again-on-six"), |_| {
            PREPARED.fetch_add(1, AtomicOrdering::Relaxed);
            Ok(AgainOnSix)
        });
        let algorithms = [Box::leak(again_on_six), find("rejection").unwrap()];
        let query = Query::from(Cost {
            algorithms: algorithms.map(AlgorithmId::from).into(),
            ..Cost::new(5.into(), "6".parse().unwrap())
        });
        let answer: Answer = query.answer(&Control::default()).unwrap();
        let mut means = answer.column("expected_exact").unwrap();
        assert_eq!(means.next().unwrap().to_string(), "6/5");
        assert_eq!(PREPARED.load(AtomicOrdering::Relaxed), 1);
        assert_eq!(SOLVED.load(AtomicOrdering::Relaxed), 1);
    }
}
