//! Choosing K of N items: the cost of each way, and how far its sets are from uniform.

use crate::subset::{MAX_CHOSEN, SubsetMethod, subset};
use flipcost::table::Precision;
use flipcost::task::Source;
use flipcost_libraries::{LibrarySample, SAMPLES, SampleCost};
use flipcost_number::Real;
use flipcost_question::Probability;
use flipcost_question::prelude::*;
use std::cmp::Ordering;

question! {
    /// The cost of choosing K of N items without replacement, and how far the sets are from uniform
    ///
    /// A row for each way to choose, the fair ways first and the cheapest of them at the top. A row
    /// has the expected number of indices or other numbers that are drawn, the rolls of the source
    /// that these take (each index by the fast dice roller), and the distance of the chosen sets
    /// from uniform: the total variation, and the largest probability of a set relative to a
    /// uniform one. Functions of libraries are included; their rolls are the bits that they draw,
    /// or their words if the source is such a word. With `failure`, also the number of draws that
    /// suffices except with that probability. A way that takes a million times the rolls of the
    /// best has no row; a note names it.
    pub struct Subset: "subset" {
        /// The number of items
        items: u64; word("N"),
        /// The number of items to choose
        chosen: u64; word("K"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Also show the number of draws that suffices, except with this probability, as in 2^-128
        failure: Option<Probability>; option("P"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Table
    examples: ["subset 52 5", "subset 12323 134 --failure 2^-128", "subset 1000 100 --source word:64"]
}

/// A way that costs more than this many times as much as the best gets no row; a note names it.
const MAX_COST_RATIO: f64 = 1e6;

impl Question for Subset {
    fn summary(&self, answer: &Answer) -> String {
        let what = format!("to choose {} of {} items takes", self.chosen, self.items);
        let by = |row: usize| {
            let rolls = answer.measure(row, "rolls").unwrap_or_default();
            format!("{rolls} on average by {}", answer.cell(row, "method"))
        };
        let exact = (0..answer.rows.len())
            .filter(|row| {
                matches!(
                    answer.cell(*row, "draws"),
                    Cell::Double(_) | Cell::Decimal(_)
                )
            })
            .count();
        match answer.extremes("rolls") {
            Some(_) if exact > 0 => format!("{what} {}", by(0)),
            _ => format!(
                "{} ways to choose {} of {}",
                answer.rows.len(),
                self.chosen,
                self.items
            ),
        }
    }

    fn estimate(&self) -> Estimate {
        let digits = u128::from(self.digits.unwrap_or(16));
        Estimate::space(
            50_000_000 + 100 * u128::from(self.chosen),
            20 * (400 + 4 * digits),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.source.fair("a choice of items")?;
        let precision = precision(self.digits, false)?;
        let (n, k) = (self.items, self.chosen);
        if n == 0 {
            return Err(QueryError::wrong("items", "there is no item to choose"));
        }
        if !(1..=n.min(MAX_CHOSEN)).contains(&k) {
            let what = say!("{k} of {n} items cannot be chosen here");
            let most = n.min(MAX_CHOSEN);
            return Err(QueryError::wrong("chosen", what).right(say!("1 to {most} were expected")));
        }
        let ways = subset(&self.source.0, n, k).map_err(QueryError::for_field("source"))?;
        let mut foot = Foot::default();
        let rolls = ways.iter().filter(|way| way.id != "bound");
        let rolls = rolls.filter_map(|way| way.rolls.as_ref().ok()?.to_f64().ok());
        let best = rolls
            .filter(|rolls| *rolls > 0.0)
            .fold(f64::INFINITY, f64::min);
        let (mut rows, mut dear, mut bound) = (Vec::new(), Vec::new(), None);
        for way in ways {
            control.go_on()?;
            match &way.rolls {
                Err(error) => foot.note(format!("{}: {error}", way.id)),
                Ok(rolls)
                    if rolls
                        .to_f64()
                        .is_ok_and(|rolls| rolls > MAX_COST_RATIO * best) =>
                {
                    dear.push(way.id);
                }
                Ok(rolls) => {
                    let row = self.method_row(&way, rolls, precision)?;
                    if way.id == "bound" {
                        bound = Some(row);
                    } else {
                        let is_fair = way.bias.0.as_ref().is_some_and(Real::is_zero);
                        rows.push((Rank(!is_fair, Some(rolls.clone())), row));
                    }
                }
            }
        }
        for line in SAMPLES {
            control.go_on()?;
            match line.cost(n, k) {
                Ok(cost) => {
                    let rank = Rank(!cost.bias_at_most.is_zero(), self.rolls_of(&cost));
                    rows.push((rank, self.sample_row(line, cost, precision)?));
                }
                Err(error) => foot.note(format!("{}: {error}", line.id)),
            }
        }
        rows.sort_by(|(one, _), (other, _)| one.compare(other));
        let rows = rows.into_iter().map(|(_, row)| row).chain(bound).collect();
        if !dear.is_empty() {
            foot.note(format!(
                "left out, since they take more than a million times as many rolls as the best: {}",
                dear.join(", ")
            ));
        }
        foot.note(
            "largest_ratio: the largest probability of a set, relative to a uniform one; for functions of libraries the total variation is at most the sum over their draws",
        );
        let unit = self.source.0.unit().plural();
        let head = Head::new()
            .column("method", CellKind::Text)
            .measured("draws_exact", CellKind::Exact, "draws")
            .measured("draws", CellKind::Decimal, "draws")
            .measured("rolls", CellKind::Decimal, unit)
            .answers()
            .column("total_variation", CellKind::Decimal)
            .answers()
            .column("largest_ratio", CellKind::Decimal);
        let head = if self.failure.is_some() {
            head.measured("draws_sufficient", CellKind::Count, "draws")
                .answers()
        } else {
            head
        };
        sink.write_answer(&head.column("what", CellKind::Text), rows, foot)
    }
}

/// The rank of a way in the table: whether the way is biased, and its rolls.
struct Rank(bool, Option<Real>);

impl Rank {
    /// Compares ranks: fair ways first, then the cheapest; ways with unknown rolls come last.
    fn compare(&self, other: &Rank) -> Ordering {
        let by_rolls = || match (&self.1, &other.1) {
            (Some(one), Some(other)) => one.compare(other.clone()).unwrap_or(Ordering::Equal),
            (one, other) => one.is_none().cmp(&other.is_none()),
        };
        self.0.cmp(&other.0).then_with(by_rolls)
    }
}

impl Subset {
    /// The number of rolls of the source that a library's function takes, if the source is a coin
    /// or the function's words.
    fn rolls_of(&self, cost: &SampleCost) -> Option<Real> {
        match (cost.word_bits, self.source.0.bits()) {
            (Some(bits), None) if self.source.0 == Source::COIN => {
                Some(cost.words.times(&Real::integer(bits)))
            }
            (Some(bits), Some(source)) if bits == source => Some(cost.words.clone()),
            _ => None,
        }
    }

    fn method_row(
        &self,
        way: &SubsetMethod,
        rolls: &Real,
        precision: Precision,
    ) -> Result<Vec<Cell>, QueryError> {
        let known = |value: &Option<Real>| match value {
            Some(value) => decimal(value, precision),
            None => Ok(Cell::Empty),
        };
        let mut row = row![way.id.to_string()];
        row.extend(match way.id {
            "bound" => [Cell::Empty, Cell::Empty],
            _ => [
                super::shuffle::short_exact_cell(&way.draws),
                decimal(&way.draws, precision)?,
            ],
        });
        row.extend([
            decimal(rolls, precision)?,
            known(&way.bias.0)?,
            known(&way.bias.1)?,
        ]);
        if let Some(failure) = &self.failure {
            let draws = way.law.sufficient(failure.get());
            row.push(draws.map_or(Cell::Empty, |draws| Cell::Integer(draws.into())));
        }
        row.push(Cell::Text(way.name.to_string()));
        Ok(row)
    }

    fn sample_row(
        &self,
        line: &LibrarySample,
        cost: SampleCost,
        precision: Precision,
    ) -> Result<Vec<Cell>, QueryError> {
        let rolls = self.rolls_of(&cost);
        let mut row = row![
            line.id.to_string(),
            super::shuffle::short_exact_cell(&cost.draws),
            decimal(&cost.draws, precision)?,
            rolls.map_or(Ok(Cell::Empty), |rolls| decimal(&rolls, precision))?,
            decimal(&cost.bias_at_most, precision)?,
            if cost.bias_at_most.is_zero() {
                decimal(&Real::integer(1), precision)?
            } else {
                Cell::Empty
            }
        ];
        if self.failure.is_some() {
            row.push(Cell::Empty);
        }
        let version = format!(
            "{}, {} ({})",
            line.function,
            line.version,
            line.checked.word()
        );
        row.push(Cell::Text(version));
        Ok(row)
    }
}
