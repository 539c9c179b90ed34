//! What one target costs, algorithm by algorithm.

use crate::long::Short;
use crate::question::*;
use crate::value::algorithms_for;
use crate::{ColumnId, column};
use flipcost::algorithms::Algorithm;
use flipcost::algorithms::libraries::LIBRARIES;
use flipcost::law::Law;
use flipcost::number::{Rational, Real};
use flipcost::table::{Column, ColumnUnit, Precision, Request, Row, Unwritten};
use flipcost::task::Task;
use flipcost::unstable::table::columns::Costs;
use flipcost::unstable::table::{PreparedRow, size_in_words};
use std::cmp::Ordering;

question! {
    /// What a target costs, a fair die or weights, the algorithms side by side, best first
    pub struct Cost: "cost" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Only these algorithms; without any, all that were made for such a target.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns; a column may be an expression of others, as in "expected - log2(n)"
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
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
    ]
}

impl Cost {
    /// Of all algorithms that were made for the target.
    pub fn new(target: TargetText, source: Sides) -> Cost {
        Cost::usual([("target", target.json()), ("source", source.json())])
    }
}

/// One sentence on the exact fractions that were left out, although they were asked for if `exact`.
pub fn left_out(of: &str, more: u64, size: &str, exact: bool) -> Sentence {
    let more = match more {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    if exact {
        return say!(
            "the exact fraction of {of}{more} is left out: it {size}, too many to be written"
        );
    }
    say!(
        "the exact fraction of {of}{more} is left out: it {size}; ",
        field("exact").is(true),
        " asks for it all the same"
    )
}

/// What is left out of the rows of a sweep.
#[derive(Default)]
pub(crate) struct Remarks {
    /// What the first row without its exact fraction is about, the size of that, and how many follow.
    fraction: Option<(String, String, u64)>,
    undefined: Undefined,
}

impl Remarks {
    /// Notes a row, which is about `of`.
    pub fn add(&mut self, row: &Row, of: impl Fn() -> String) {
        match (row.left_out, &mut self.fraction) {
            (None, _) => {}
            (Some(_), Some((.., more))) => *more += 1,
            (Some(size), none) => *none = Some((of(), size_in_words(size), 0)),
        }
        self.undefined.add(row, of);
    }

    /// A foot that says it; the fractions were asked for if `exact`.
    pub fn foot(&self, exact: bool) -> Foot {
        let mut foot = Foot::default();
        if let Some((of, size, more)) = &self.fraction {
            foot.note(left_out(of, *more, size, exact));
        }
        foot.notes.extend(self.undefined.notes());
        foot
    }
}

/// The rows in which expressions have no value, such as a logarithm of 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Undefined(Vec<WithoutValue>);

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
            let how = match [Unwritten::TooSmall, Unwritten::TooLarge]
                .iter()
                .any(|one| one.to_string() == *why)
            {
                true => say!(": decimals (", field("digits"), ") write it"),
                false => Sentence::default(),
            };
            say!("{expression} is left out of {first}{more}: {why}", how)
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

impl Cost {
    /// What flips are in words, for a function of a library that reads words.
    fn in_words(&self, id: &str, prepared: &mut PreparedRow) -> Result<Option<String>, QueryError> {
        let line = LIBRARIES.iter().find(|line| line.id == id);
        let n = self
            .target
            .sides()
            .filter(|_| self.source == Sides::default());
        let cost = line.zip(n).and_then(|(line, n)| line.cost(n).ok());
        let Some(bits) = cost
            .and_then(|cost| cost.word_bits)
            .filter(|bits| *bits > 1)
        else {
            return Ok(None);
        };
        let flips = prepared.costs().map_err(QueryError::input)?.mean();
        let words = flips.over(&Real::integer(bits));
        let said = |value: &Real| match value.exact().map(Rational::to_string) {
            Some(exact) if exact.len() <= READABLE => Ok(exact),
            _ => decimal(value, Precision::default()).map(|near| format!("about {near}")),
        };
        let (flips, words) = (said(flips)?, said(&words)?);
        Ok(Some(format!(
            "{id} reads words of {bits} bits: {flips} flips are {words} words"
        )))
    }
}

/// What decides the order of algorithms.
struct Rank {
    biased: bool,
    mean: Real,
}

impl Rank {
    fn of(costs: &Costs) -> Rank {
        Rank {
            biased: costs.bias().is_some(),
            mean: costs.mean().clone(),
        }
    }

    /// Biased ones are last.
    fn best_first(&self, other: &Rank) -> Ordering {
        let by_mean = || self.mean.compare(&other.mean).unwrap_or(Ordering::Equal);
        (self.biased.cmp(&other.biased)).then_with(by_mean)
    }
}

/// The algorithm that stands first among all that were made for this target, with its law.
pub(crate) fn cheapest(
    target: &TargetText,
    source: Sides,
    control: &Control,
) -> Result<(&'static dyn Algorithm, Law), QueryError> {
    let task = target.task(source.0)?;
    let mut first: Option<(Rank, &dyn Algorithm, Law)> = None;
    let mut refused = None;
    for algorithm in algorithms_for(&[], source.0, target.checked()?) {
        control.go_on()?;
        match PreparedRow::new(algorithm, &task).costs() {
            Ok(costs) => {
                let rank = Rank::of(costs);
                let better = |(known, ..): &(Rank, _, _)| rank.best_first(known).is_lt();
                if first.as_ref().is_none_or(better) {
                    first = Some((rank, algorithm, costs.law().clone()));
                }
            }
            Err(error) => refused = Some(error),
        }
    }
    match (first, refused) {
        (Some((_, algorithm, law)), _) => Ok((algorithm, law)),
        (None, Some(error)) => Err(QueryError::of("targets")(error)),
        (None, None) => unreachable!("some algorithm is made for every target"),
    }
}

/// What was found of an algorithm.
struct Found {
    id: &'static str,
    /// Of one row alone this is not asked.
    order: Option<Rank>,
    /// The total variation distance of the outcomes from the target, of a rule that is not exact.
    distance: Option<Rational>,
    row: Row,
}

impl Question for Cost {
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

    fn short(&self) -> Option<Short> {
        let short = Short {
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
        let target = self.target.checked()?;
        let request = Request {
            algorithms: algorithms_for(&self.algorithms, self.source.0, target),
            source: self.source.0,
            columns: column::columns_for(&self.columns, target)?,
            precision: precision(self.digits, self.exact)?,
        };
        let task = Task::new(self.source.0, target.clone());
        let mut foot = Foot::default();
        let (mut rows, mut units) = (Vec::new(), Vec::new());
        let in_rolls = |column: &&'static Column| column.unit() == ColumnUnit::Rolls;
        let in_rolls = request.columns.iter().any(in_rolls);
        let all = request.algorithms.len() as u64;
        for (done, algorithm) in (0..).zip(&request.algorithms) {
            control.go_on()?;
            control.progress(done, all);
            let mut prepared = PreparedRow::new(*algorithm, &task);
            // One row has no order: what no column asks for is not computed.
            let order = match request.algorithms.len() {
                1 => Ok(None),
                _ => prepared.costs().map(|costs| Some(Rank::of(costs))),
            };
            match order.and_then(|order| Ok((order, request.row_from(&mut prepared)?))) {
                Ok((order, row)) => {
                    let id = algorithm.about().id;
                    let distance = prepared.bias().map(|bias| bias.total_variation());
                    if in_rolls && let Some(note) = self.in_words(id, &mut prepared)? {
                        units.push(note);
                    }
                    rows.push(Found {
                        id,
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
        // equal means keep the order of the registry
        rows.sort_by(|a, b| match (&a.order, &b.order) {
            (Some(a), Some(b)) => a.best_first(b),
            _ => Ordering::Equal,
        });
        let mut said = Vec::new();
        for Found { id, row, .. } in &rows {
            if let Some(size) = row.left_out {
                let of = format!("{id} for {}", self.target.in_words());
                foot.note(left_out(&of, 0, &size_in_words(size), self.exact));
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
        units.into_iter().for_each(|note| foot.note(note));
        if let Some(bits) = self.source.0.bits() {
            foot.note(format!("bits read = {bits} times the expected words"));
        }
        sink.whole(
            &column::head(&request.columns, Some(self.source.0)),
            rows.into_iter().map(|found| found.row.cells).collect(),
            foot,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Query};
    use flipcost::algorithms::{About, Keeps, Rule, find, from_rule};
    use flipcost::law::Step;
    use flipcost::table::Cell;
    use flipcost::task::Refusal;
    use std::sync::atomic::{AtomicU64, Ordering as Memory};

    static PREPARED: AtomicU64 = AtomicU64::new(0);
    static SOLVED: AtomicU64 = AtomicU64::new(0);

    /// A d5 from a d6, which counts how often it is prepared, and its law solved.
    struct AgainOnSix;

    impl Rule for AgainOnSix {
        const ABOUT: About = About {
            id: "again-on-six",
            name: "Again on six",
            citation: "folklore",
            keeps: Keeps::State,
            bounded: "never",
            rule: "Roll a d6 until it does not show 6.",
            law: "P(T > t) = 1/6^t, E = 6/5",
        };
        type State = u8;

        fn new(_: &Task) -> Result<Self, Refusal> {
            PREPARED.fetch_add(1, Memory::Relaxed);
            Ok(AgainOnSix)
        }

        fn start(&self) -> Step<u8> {
            Step::Roll(0)
        }

        fn step(&self, _: &u8, face: u64) -> Step<u8> {
            match face {
                5 => Step::Roll(0),
                face => Step::Output(face.into()),
            }
        }

        fn law(&self) -> Option<Law> {
            SOLVED.fetch_add(1, Memory::Relaxed);
            None
        }
    }

    /// It was prepared to be sorted, to fill its row, and for the distance from fair.
    #[test]
    fn a_row_is_prepared_once() {
        let algorithms = [from_rule::<AgainOnSix>(), find("rejection").unwrap()];
        let query = Query::from(Cost {
            target: "5".parse().unwrap(),
            source: "6".parse().unwrap(),
            algorithms: algorithms.map(AlgorithmId).into(),
            columns: Vec::new(),
            digits: None,
            exact: false,
        });
        let answer: Answer = query.answer(&Control::default()).unwrap();
        let mut means = answer.column("expected_exact").unwrap();
        assert_eq!(means.next().unwrap().to_string(), "6/5");
        assert_eq!(PREPARED.load(Memory::Relaxed), 1);
        assert_eq!(SOLVED.load(Memory::Relaxed), 1);
    }

    /// The fast dice roller for n = 10007 from a coin has a period of 10006 flips.
    #[test]
    fn a_long_fraction_is_written_where_it_is_asked_for() {
        let cost = |rest: &str| {
            let of = r#""target":"10007","algorithms":["fast-dice-roller"]"#;
            let query = Query::from_json(&format!(r#"{{"ask":"cost",{of}{rest}}}"#));
            query.unwrap().answer(&Control::default()).unwrap()
        };
        let left_out = |answer: &Answer| {
            let cell = answer.column("expected_exact").unwrap().next().cloned();
            let mut notes = answer.foot.notes.iter().map(Sentence::to_string);
            let of = |note: &String| note.starts_with("expected_exact is left out of 1 row");
            (cell == Some(Cell::Empty), notes.find(of))
        };
        let (is_empty, note) = left_out(&cost(""));
        let note = note.unwrap();
        assert!(
            is_empty
                && note
                    .ends_with("`columns=expected_exact` or `exact=true` asks for it all the same")
        );
        assert!(note.contains("a denominator of "), "{note}");
        for rest in [r#","exact":true"#, r#","columns":["expected_exact"]"#] {
            assert_eq!(left_out(&cost(rest)), (false, None), "{rest}");
        }
    }

    #[test]
    fn flips_of_a_library_are_words_of_so_many() {
        let query = |source: &str| {
            let of = r#""target":"6","algorithms":["cpython-randbelow"]"#;
            Query::from_json(&format!(r#"{{"ask":"cost",{of},"source":"{source}"}}"#)).unwrap()
        };
        let notes = |source| {
            let answer = query(source).answer(&Control::default()).unwrap();
            let notes = answer.foot.notes.iter().map(Sentence::to_string);
            notes.collect::<Vec<String>>()
        };
        let note = "cpython-randbelow reads words of 32 bits: 128/3 flips are 4/3 words";
        assert_eq!(notes("2"), [note]);
        assert!(!notes("word:32").iter().any(|note| note.contains("flips")));
    }
}
