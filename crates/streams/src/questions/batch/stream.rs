//! The cost per result of an endless stream of one target, exact or enclosed.

use super::{Batch, head};
use crate::{LongRun, eager_repeat, repeat};
use flipcost::table::EXACT_LIMIT;
use flipcost::table::Precision;
use flipcost::task::{Target, Task};
use flipcost_number::Real;
use flipcost_number::{BigUint, Decimal};
use flipcost_question::precision::cell_between_bounds;
use flipcost_question::prelude::*;
use flipcost_question::value::fast_dice_roller;

/// The default number of decimals for the bounds of an enclosed long-run cost.
const BOUND_DECIMALS: u32 = 12;

/// The cells of a cost: the exact value, the decimals, the lower bound and the upper bound.
type Cost = [Cell; 4];

impl Batch {
    pub(super) fn stream(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        self.source.fair("a stream")?;
        let (source, capacities) = (&self.source.0, self.capacities());
        let several = capacities.len() > 1;
        let n = self.one_target("an endless stream")?;
        let wanted = &self.targets.get()[0];
        let task = wanted.task(&self.source.0)?;
        let (mut rows, mut foot) = (Vec::new(), Foot::default());
        let mut add = |mode: &str, capacity: Option<u64>, order: String, cost: Cost| {
            let mut row = row![mode.to_string()];
            if several {
                row.push(capacity.map_or(Cell::Empty, |capacity| Cell::Integer(capacity.into())));
            }
            row.push(Cell::Text(order));
            row.extend(cost);
            rows.push(row);
        };
        let order = wanted.target().to_string();
        if wanted.sides().is_none() {
            foot.note(format!(
                "the weights are looked up from a die of their sum, {n}; separate is the optimum for each result, and the bound is the entropy"
            ));
        }
        if self.repeat {
            let die = Target::uniform(n).map_err(QueryError::for_field("targets"))?;
            let run = repeat(source, &die).map_err(QueryError::input)?;
            let cost = long_run("repeat", &run, precision, &mut foot)?;
            add("repeat", None, order.clone(), cost);
            let mut last = (n, run);
            for (done, &capacity) in (0..).zip(capacities) {
                control.go_on()?;
                control.progress(done, capacities.len() as u64);
                // Capacities up to n all have the same effect as n.
                let enough = n.max(capacity);
                if last.0 != enough {
                    let run = eager_repeat(source, &die, enough);
                    last = (enough, run.map_err(QueryError::input)?);
                }
                let mode = if several {
                    format!("eager, capacity {capacity}")
                } else {
                    "eager".to_string()
                };
                let cost = long_run(&mode, &last.1, precision, &mut foot)?;
                add("eager", Some(capacity), order.clone(), cost);
            }
        }
        control.go_on()?;
        let known = |cost: &Real| -> Result<Cost, QueryError> {
            let (low, high) = (Cell::Empty, Cell::Empty);
            Ok([exact_cell(cost), decimal(cost, precision)?, low, high])
        };
        if let Some(power) = self.power {
            let all = self.fast(BigUint::from(n).pow(power as u32))?;
            let cost = known(&all.over(&Real::integer(power)))?;
            add("power", None, format!("{order}^{power}"), cost);
        }
        add(
            "separate",
            None,
            order.clone(),
            known(&self.mean(&task, wanted.algorithm(&self.source))?)?,
        );
        add("bound", None, order, known(&task.entropy())?);
        let unit = self.source.0.unit().plural();
        let head = head(several, unit)
            .measured("low", CellKind::Bound, unit)
            .measured("high", CellKind::Bound, unit);
        sink.write_answer(&head, rows, foot)
    }

    /// The expected rolls of the fast dice roller for a die of n sides.
    fn fast(&self, n: BigUint) -> Result<Real, QueryError> {
        let target = Target::uniform(n).map_err(QueryError::for_field("targets"))?;
        self.mean(
            &Task::new(target, self.source.0.clone()),
            fast_dice_roller(),
        )
    }

    /// The expected rolls of an algorithm: exact if the fraction is not too large.
    fn mean(&self, task: &Task, algorithm: AlgorithmId) -> Result<Real, QueryError> {
        let law = algorithm.0.law(task).map_err(QueryError::input)?;
        let exact = law.mean_up_to(EXACT_LIMIT);
        Ok(exact.map_or_else(|_| law.mean_real(), Real::Exact))
    }
}

/// The cells of a long-run cost: exact, or enclosed with bounds rounded outwards and a note that
/// gives the reason.
fn long_run(
    mode: &str,
    run: &LongRun,
    precision: Precision,
    foot: &mut Foot,
) -> Result<Cost, QueryError> {
    let (low, high) = (Real::Exact(run.low.clone()), Real::Exact(run.high.clone()));
    let (below, above) = (decimal(&low, precision)?, decimal(&high, precision)?);
    if run.exact.is_some() {
        return Ok([exact_cell(&low), below, Cell::Empty, Cell::Empty]);
    }
    let known = cell_between_bounds(&below, &above);
    if known == Cell::Empty {
        let why = match run.classes {
            Some(classes) if classes > 1 => format!(
                "it depends on chance in which of {classes} closed classes of the chain the stream ends"
            ),
            _ => "the chain is too large to solve exactly".to_string(),
        };
        foot.note(format!("{mode}: {why}; the cost lies between low and high"));
    }
    let digits = precision.digits.unwrap_or(BOUND_DECIMALS).max(1);
    let low = Cell::Decimal(Decimal::down(&run.low, digits));
    let high = Cell::Decimal(Decimal::up(&run.high, digits));
    Ok([Cell::Empty, known, low, high])
}
