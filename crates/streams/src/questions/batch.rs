//! The cost of several targets in a row, with or without keeping the state between them, and of
//! endless streams of one target.

mod costs;
mod stream;
mod trace;

use flipcost::table::EXACT_LIMIT;
use flipcost_figures::Drawing;
use flipcost_number::BigUint;
use flipcost_number::short::short;
use flipcost_question::prelude::*;
use flipcost_question::{Answer, PictureError};
use flipcost_question::{Numbers, Targets};
use num_traits::ToPrimitive;

question! {
    /// The cost of several targets in a row, with or without keeping the state between them
    ///
    /// The cost of serving several targets in a row from one source: a row for each way to serve
    /// them. With `repeat` or `power`, the long-run cost per result of an endless stream of one
    /// target; with `trace`, the steps of an actual run and no cost.
    ///
    /// With several capacities, a further column names the capacity of each row.
    pub struct Batch: "batch" {
        /// The targets, in order: the sides of fair dice, or weights such as 1:2:3, 3d6 or @FILE; a
        /// comma separates them, and a law with commas stands in brackets: '(binomial:n=20,p=1/3)'
        targets: Targets; word("N"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Add the order of the targets that costs least if the state is kept
        best_order: bool; flag(),
        /// Roll the targets once, and show every step
        trace: bool; flag().short('t').without(&["best_order", "repeat", "power", "chart", "digits", "format", "output"]),
        /// A person's own rolls for `trace`: `HTHHT` for a coin (H is 1, T is 2), or faces as in
        /// `6,3,4`.
        input: Option<String>; ROLLS.with("trace").without(&["seed"]),
        /// The seed of repeatable rolls for `trace`.
        seed: Option<u64>; option("S").with("trace"),
        /// The long-run cost per result of an endless stream of one target
        repeat: bool; flag().without(&["best_order"]),
        /// The eager variant: expand the state to at least C values before every result (a list
        /// such as 1,64,4096 gives a row for each C)
        capacity: Option<Numbers>; option("C"),
        /// The cost per result if one roll of a die with N^J sides serves J results
        power: Option<u64>; option("J").without(&["best_order"]),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Table
    examples: ["batch 4 13 --source 6", "batch 6 --repeat --capacity 1000"]
}

/// The maximum number of targets.
const MAX_TARGETS: usize = 10_000;
/// The maximum number of targets whose order is optimised.
const MAX_ORDERED_TARGETS: usize = 100;
/// The maximum number of capacities, which is more than enough for all powers of two.
const MAX_CAPACITIES: usize = 1000;
/// The maximum power.
const MAX_POWER: u64 = 10_000;

impl Question for Batch {
    fn summary(&self, answer: &Answer) -> String {
        if self.trace {
            let steps = count_with_noun(answer.rows.len() as u64, "step");
            return format!("the targets were rolled once, in {steps}");
        }
        let mode = answer.cell(0, "mode");
        match (answer.measure(0, "expected"), answer.phrase(1, "expected")) {
            (Some(keep), Some(separate)) if !self.repeat && self.power.is_none() => format!(
                "together these targets take {keep} on average with the rest kept, and {separate} one by one"
            ),
            (Some(cost), _) => {
                format!("a result takes {cost} on average in an endless stream ({mode})")
            }
            _ => answer.row_phrase(0),
        }
    }

    fn estimate(&self) -> Estimate {
        let targets = self.targets.get().len().min(MAX_TARGETS) as u128;
        let sizes = self.targets.get().iter().map(|n| u128::from(n.bits()));
        let bits: u128 = sizes.fold(0, u128::saturating_add);
        let capacities = (self.capacity.as_ref()).map_or(0, |all| all.get().len() as u128);
        let digits = u128::from(self.digits.unwrap_or(16));
        if self.repeat || self.power.is_some() {
            let power = u128::from(self.power.unwrap_or(0).min(MAX_POWER));
            // Two rows may contain exact fractions, each with a numerator and a denominator.
            return Estimate::space(
                50_000_000 + 2 * (bits * power + digits),
                (capacities + 4) * (50 + bits + 4 * digits) + 2 * 2 * EXACT_LIMIT / 3,
            );
        }
        Estimate::space(
            (targets + 1) * 20_000 + (bits + digits + 64) * 200,
            (capacities + 5) * (targets + 2) * (bits + digits + 20),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.check()?;
        control.go_on()?;
        if self.trace {
            self.trace(control, sink)
        } else if self.repeat || self.power.is_some() {
            self.stream(control, sink)
        } else {
            self.costs(control, sink)
        }
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

impl Batch {
    /// Returns the question whose answer this question draws as a curve: the cost per result of an
    /// endless stream for each of the capacities. If only one capacity is given, the curve shows
    /// the powers of two up to it.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there is no capacity, or unless there is exactly one target, below
    /// 2^64.
    pub fn curve(&self) -> Result<Batch, QueryError> {
        let capacity = (self.capacity.as_ref()).ok_or_else(|| {
            let what = say!("a chart needs ", field("capacity").with_word("C"));
            QueryError::wrong("capacity", what)
                .right("it shows the cost for the capacities up to C")
        })?;
        self.check()?;
        self.one_target("the chart")?;
        let capacity = match capacity.get() {
            [last] => {
                let powers = (0..64).map(|k| 1u64 << k);
                Numbers::from_values(powers.take_while(|power| power < last).chain([*last]))
            }
            _ => capacity.clone(),
        };
        Ok(Batch {
            repeat: true,
            capacity: Some(capacity),
            ..Batch::with_defaults([
                ("targets", self.targets.json()),
                ("source", self.source.json()),
            ])
        })
    }

    /// Rejects options that contradict each other, before anything is computed.
    fn check(&self) -> Result<(), QueryError> {
        self.check_targets()?;
        self.check_capacities()?;
        self.check_trace()?;
        self.check_best_order()?;
        self.check_stream()
    }

    fn check_targets(&self) -> Result<(), QueryError> {
        let targets = self.targets.get();
        if targets.is_empty() {
            let what = "a batch has at least one target";
            return Err(QueryError::wrong("targets", what));
        }
        let count = targets.len();
        if count > MAX_TARGETS {
            let what = say!("{count} targets are too many");
            let right = say!("{MAX_TARGETS} is the most");
            return Err(QueryError::wrong("targets", what).right(right));
        }
        for target in targets {
            target
                .checked()
                .map_err(|error| error.in_field("targets"))?;
        }
        Ok(())
    }

    fn check_capacities(&self) -> Result<(), QueryError> {
        let capacities = self.capacities();
        if capacities.first() == Some(&0) {
            let wrong = QueryError::wrong("capacity", "a capacity of 0 is too small");
            return Err(wrong.right("it must be at least 1"));
        }
        let count = capacities.len();
        if count > MAX_CAPACITIES {
            let what = say!("{count} capacities are too many");
            let right = say!("{MAX_CAPACITIES} is the most");
            return Err(QueryError::wrong("capacity", what).right(right));
        }
        Ok(())
    }

    /// Whether the question is about an endless stream of one target.
    fn is_stream(&self) -> bool {
        self.repeat || self.power.is_some()
    }

    fn check_trace(&self) -> Result<(), QueryError> {
        if !self.trace {
            let given = match (&self.input, &self.seed) {
                (Some(_), _) => "input",
                (None, Some(_)) => "seed",
                (None, None) => return Ok(()),
            };
            let what = say!(
                field("input"),
                " and ",
                field("seed"),
                " give the rolls for ",
                field("trace")
            );
            return Err(QueryError::wrong(given, what).right("add it"));
        }
        if self.best_order || self.is_stream() || self.digits.is_some() {
            let wrong = QueryError::wrong("trace", say!(field("trace").is(true), " really rolls"));
            return Err(wrong.right(say!(
                "it cannot be used with ",
                field("best_order"),
                ", ",
                field("repeat"),
                ", ",
                field("power"),
                " or ",
                field("digits")
            )));
        }
        if self.capacities().len() > 1 {
            let wrong = QueryError::wrong("capacity", say!(field("trace").is(true), " rolls once"));
            return Err(wrong.right(say!("it takes one ", field("capacity"))));
        }
        Ok(())
    }

    fn check_best_order(&self) -> Result<(), QueryError> {
        if !self.best_order {
            return Ok(());
        }
        if self.is_stream() {
            let what = say!(
                field("best_order"),
                " is about several targets, and ",
                field("repeat"),
                " and ",
                field("power"),
                " about one"
            );
            return Err(QueryError::wrong("best_order", what));
        }
        let targets = self.targets.get().len();
        if targets > MAX_ORDERED_TARGETS {
            let what = say!("{targets} targets are too many for ", field("best_order"));
            let right = say!("{MAX_ORDERED_TARGETS} is the most");
            return Err(QueryError::wrong("best_order", what).right(right));
        }
        Ok(())
    }

    fn check_stream(&self) -> Result<(), QueryError> {
        if self.repeat {
            self.one_target(field("repeat"))?;
        }
        if let Some(power) = self.power {
            self.one_target(field("power"))?;
            if power == 0 {
                let wrong = QueryError::wrong("power", "a power of 0 serves no result");
                return Err(wrong.right("it must be at least 1"));
            }
            if power > MAX_POWER {
                let wrong = QueryError::wrong("power", say!("a power of {power} is too high"));
                return Err(wrong.right(say!("{MAX_POWER} is the most")));
            }
        }
        Ok(())
    }

    /// The capacities, in increasing order.
    fn capacities(&self) -> &[u64] {
        self.capacity.as_ref().map_or(&[], Numbers::get)
    }

    /// Whether any target is not fair.
    fn any_weights(&self) -> bool {
        self.targets
            .get()
            .iter()
            .any(|target| target.sides().is_none())
    }

    /// The numbers of sides of the fair dice that make the outcomes; for weights, their sums.
    fn values(&self) -> Vec<BigUint> {
        let sums = (self.targets.get().iter()).map(|target| target.target().weight_sum().clone());
        sums.collect()
    }

    /// The number of sides of the single target of a stream; for weights, their sum.
    fn one_target(&self, why: impl Into<Sentence>) -> Result<u64, QueryError> {
        let [target] = self.targets.get() else {
            let many = self.targets.get().len();
            return Err(QueryError::wrong(
                "targets",
                say!(
                    why,
                    " is about an endless stream of one target, and {many} targets are given"
                ),
            ));
        };
        let n = target.checked()?.weight_sum();
        n.to_u64().ok_or_else(|| {
            let what = match target.sides() {
                Some(_) => "n",
                None => "the sum of the weights",
            };
            let n = short(n);
            QueryError::wrong(
                "targets",
                say!(why, " needs a target below 2^64, and {what} = {n}"),
            )
        })
    }
}

/// The columns that the rows of batches and of streams have in common.
fn head(several_capacities: bool, unit: &str) -> Head {
    let mut head = Head::new().column("mode", CellKind::Text);
    if several_capacities {
        head = head.column("capacity", CellKind::Count);
    }
    head.column("order", CellKind::Text)
        .measured("expected_exact", CellKind::Exact, unit)
        .measured("expected", CellKind::Decimal, unit)
}
