//! What one target costs, algorithm by algorithm.

use crate::precision::{READABLE, precision, spelled};
use crate::sentence::{field, say};
use crate::value::algorithms_for;
use crate::{
    AlgorithmId, ColumnId, CommandLine, Control, Estimate, Foot, QueryError, Question, Sentence,
    Sides, Sink, TargetText, column,
};
use flipcost::algorithms::Algorithm;
use flipcost::number::{Rational, Real};
use flipcost::table::{Precision, Request, Row};
use flipcost::task::Task;
use flipcost::unstable::table::{PreparedRow, size_in_words};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What one target costs: a row for each algorithm, best first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The target: the sides of a fair die, or weights.
    pub target: TargetText,
    /// The source.
    #[serde(default)]
    pub source: Sides,
    /// Only these algorithms; without any, all that were made for such a target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub algorithms: Vec<AlgorithmId>,
    /// Only these columns, in this order; without any, all that are shown for such a target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnId>,
    /// Correctly rounded decimals instead of the nearest doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u32>,
    /// Exact fractions however large they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
}

/// One sentence on the exact fractions that were left out.
pub fn left_out(of: &str, more: u64, size: &str) -> Sentence {
    let more = match more {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    say!(
        "the exact fraction of {of}{more} is left out: it {size}; ",
        field("exact").is(true),
        " asks for it all the same"
    )
}

/// The rows in which expressions have no value, such as a logarithm of 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undefined(Vec<WithoutValue>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WithoutValue {
    expression: String,
    rows: u64,
    /// What the first of them is about.
    first: String,
    why: String,
}

impl Undefined {
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes a row, which is about `of`.
    pub fn add(&mut self, row: &Row, of: impl Fn() -> String) {
        for (expression, why) in &row.undefined {
            self.count(expression, 1, || (of(), why.clone()));
        }
    }

    /// Notes those of later rows.
    pub fn join(&mut self, later: Undefined) {
        for other in later.0 {
            self.count(&other.expression, other.rows, || (other.first, other.why));
        }
    }

    fn count(&mut self, expression: &str, rows: u64, first: impl FnOnce() -> (String, String)) {
        match self
            .0
            .iter_mut()
            .find(|known| known.expression == expression)
        {
            Some(known) => known.rows += rows,
            None => {
                let (first, why) = first();
                self.0.push(WithoutValue {
                    expression: expression.to_string(),
                    rows,
                    first,
                    why,
                });
            }
        }
    }

    /// One sentence on each expression.
    pub fn notes(&self) -> impl Iterator<Item = Sentence> {
        self.0.iter().map(|of| {
            let more = match of.rows - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let WithoutValue {
                expression,
                first,
                why,
                ..
            } = of;
            say!("{expression} is left out of {first}{more}: {why}")
        })
    }
}

impl Cost {
    /// Is it the algorithm that costs the least, which nobody named, and the source a word that it
    /// does not take? A list without it would be read as if the optimum were in it.
    fn is_optimum_from_a_wide_word(&self, algorithm: &dyn Algorithm) -> bool {
        let optimum = self.target.algorithm().id();
        let wide = self.source.narrow("").is_err();
        self.algorithms.is_empty() && algorithm.about().id == optimum && wide
    }
}

/// What was found of an algorithm.
struct Found {
    id: &'static str,
    /// Is it biased, and what does it cost? Of one row alone this is not asked.
    order: Option<(bool, Real)>,
    /// The total variation distance of the outcomes from the target, of a rule that is not exact.
    distance: Option<Rational>,
    row: Row,
}

impl Question for Cost {
    fn command(&self) -> CommandLine {
        CommandLine::new("cost")
            .target(&self.target)
            .source(self.source)
            .list("algorithm", &self.algorithms)
            .list("columns", &self.columns)
            .maybe("digits", self.digits)
            .flag("exact", self.exact)
    }

    fn estimate(&self) -> Estimate {
        let bits = u128::from(self.target.bits());
        let (weights, listed) = self.target.size();
        let digits = u128::from(self.digits.unwrap_or(20)) * 4 + 128;
        let fraction = match self.exact {
            true => 1 << 37,
            false => Precision::default().exact_limit,
        };
        let rows =
            algorithms_for(&self.algorithms, self.source.0, self.target.target()).len() as u128;
        let length = bits.saturating_add(digits);
        let squared = length
            .saturating_mul(length)
            .saturating_add(fraction.saturating_mul(64))
            .saturating_add(weights.saturating_mul(length));
        let mut estimate = Estimate::table(rows, 14, squared, length.saturating_add(fraction) / 8);
        if self.target.sides().is_none() {
            // the weights, and what an algorithm keeps of each; their text in every row
            estimate.memory = (estimate.memory)
                .saturating_add(64 * weights)
                .saturating_add(listed / 2);
            estimate.output = (estimate.output).saturating_add(rows * (weights + listed / 3));
        }
        estimate
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let target = self.target.checked()?;
        let request = Request {
            algorithms: algorithms_for(&self.algorithms, self.source.0, target),
            source: self.source.0,
            columns: column::columns_for(&self.columns, target)?,
            precision: precision(self.digits, self.exact)?,
        };
        let task = Task::new(self.source.0, target.clone());
        let mut foot = Foot::default();
        let mut rows = Vec::new();
        let all = request.algorithms.len() as u64;
        for (done, algorithm) in (0..).zip(&request.algorithms) {
            control.go_on()?;
            control.progress(done, all);
            let mut prepared = PreparedRow::new(*algorithm, &task);
            // One row has no order: what no column asks for is not computed.
            let order = match request.algorithms.len() {
                1 => Ok(None),
                _ => (prepared.costs())
                    .map(|costs| Some((costs.bias().is_some(), costs.mean().clone()))),
            };
            match order.and_then(|order| Ok((order, request.row_from(&mut prepared)?))) {
                Ok((order, row)) => {
                    let distance = prepared.bias().map(|bias| bias.total_variation());
                    rows.push(Found {
                        id: algorithm.about().id,
                        order,
                        distance,
                        row,
                    });
                }
                Err(error) if self.is_optimum_from_a_wide_word(*algorithm) => {
                    let id = algorithm.about().id;
                    foot.note(format!("{id}, the optimum, is left out: {error}"));
                }
                Err(error) if self.algorithms.len() != 1 => {
                    let id = algorithm.about().id;
                    foot.asides.push(say!("{id}: {error}"));
                }
                Err(error) => return Err(QueryError::of("algorithms")(error)),
            }
        }
        // Best first, biased ones last; equal means keep the order of the registry.
        rows.sort_by(|a, b| match (&a.order, &b.order) {
            (Some((biased, a)), Some((other, b))) => {
                (biased.cmp(other)).then_with(|| a.compare(b).unwrap_or(Ordering::Equal))
            }
            _ => Ordering::Equal,
        });
        let mut said = Vec::new();
        for Found { id, row, .. } in &rows {
            if let Some(size) = row.left_out {
                let of = format!("{id} for {}", self.target.in_words());
                foot.note(left_out(&of, 0, &size_in_words(size)));
            }
            if let Some((name, why)) = &row.not_known {
                let note = say!("{name} is left out: {why}");
                if !said.contains(&note) {
                    said.push(note);
                }
            }
        }
        for Found { id, distance, .. } in &rows {
            if let Some(distance) = distance {
                foot.note(format!(
                    "{id} is not exact: the total variation distance of its outcomes from equally likely ones is {}",
                    spelled(distance, READABLE, Precision::default())?
                ));
            }
        }
        for Found { id, row, .. } in &rows {
            let mut undefined = Undefined::default();
            undefined.add(row, || format!("{id} for {}", self.target.in_words()));
            foot.notes.extend(undefined.notes());
        }
        foot.notes.extend(said);
        if let Some(bits) = self.source.0.bits() {
            foot.note(format!(
                "every try reads whole words: {bits} times the expected words are the bits that are read"
            ));
        }
        sink.head(&column::head(&request.columns, Some(self.source.0)))?;
        sink.rows(rows.into_iter().map(|found| found.row.cells).collect())?;
        sink.foot(foot)
    }
}
