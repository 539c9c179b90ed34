//! The rows for a batch: the four ways, the eager variants and the best order.

use super::{Batch, head};
use crate::dice::targets;
use crate::order::MAX_EXHAUSTIVE;
use crate::{batch, best_order, eager_batch};
use flipcost::table::Precision;
use flipcost::task::Target;
use flipcost_number::Real;
use flipcost_number::total::total;
use flipcost_question::prelude::*;
use flipcost_question::value::join_values;
use std::cmp::Ordering;

/// The number of ways to roll a batch that are always compared.
const MODE_COUNT: u64 = 4;

impl Batch {
    pub(super) fn costs(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        self.source.fair("a batch")?;
        let (source, targets) = (&self.source.0, targets(&self.values()));
        let several = self.capacities().len() > 1;
        let row = |mode: &str, capacity: Option<u64>, order: &str, cost: &Real, shares: &[Real]| {
            mode_row(mode, capacity, several, order, cost, shares, precision)
        };
        let all = self.capacities().len() as u64 + u64::from(self.best_order) + MODE_COUNT;
        let (mut rows, mut foot) = (Vec::new(), Foot::default());
        let order = shortened_names(self.targets.get());
        let alone = self.separate_costs(control)?;
        let costs = batch(source, &targets).map_err(QueryError::input)?;
        for (done, mode) in (0..).zip(costs.modes()) {
            control.go_on()?;
            control.progress(done, all);
            let (cost, shares) = match (&alone, mode.id) {
                (Some([separate, _]), "separate") => (&separate.0, &separate.1),
                (Some([_, bound]), "bound") => (&bound.0, &bound.1),
                _ => (&mode.cost, &mode.shares),
            };
            rows.push(row(mode.id, None, &order, cost, shares)?);
        }
        if alone.is_some() {
            foot.note(
                "the rows keep and product look up weights from a fair die of their sum; the row separate is the optimum for each target, and the bound is the entropy",
            );
        }
        for (done, capacity) in (MODE_COUNT..).zip(self.capacities()) {
            control.go_on()?;
            control.progress(done, all);
            let eager = eager_batch(source, &targets, *capacity);
            let eager = eager.map_err(QueryError::input)?.keep;
            rows.push(row(
                "eager",
                Some(*capacity),
                &order,
                &eager.cost,
                &eager.shares,
            )?);
        }
        if self.best_order {
            control.go_on()?;
            control.progress(all - 1, all);
            let best = best_order(source, &targets).map_err(QueryError::input)?;
            if !best.exhaustive {
                foot.note(format!(
                    "more than {MAX_EXHAUSTIVE} targets (or one above 2^64): not all orders were compared, but no move of a single target to another place is better"
                ));
            } else if !best.proved {
                foot.note(
                    "all orders were compared, but too many cost nearly the same to prove which is the best: no order is cheaper by more than 1 part in 10^9",
                );
            }
            let keep = batch(source, &best.targets)
                .map_err(QueryError::input)?
                .keep;
            // If the given order costs just as little, it needs no further row.
            if best.cost.compare(&costs.keep.cost) == Ok(Ordering::Less) {
                let order = shortened_names(self.targets_in_order(&best.targets));
                rows.push(row("keep", None, &order, &best.cost, &keep.shares)?);
            } else {
                foot.note("no order was found that costs less than the given one");
            }
        }
        let unit = self.source.0.unit().plural();
        let head = head(several, unit).measured("shares", CellKind::Text, unit);
        sink.write_answer(&head, rows, foot)
    }
}

/// Lists the targets of an order; long names are shortened.
fn shortened_names<'a>(targets: impl IntoIterator<Item = &'a TargetText>) -> String {
    join_values(targets.into_iter().map(|target| format!("{target:#}")), " ")
}

/// A cost, and the share of each target in it.
type Shared = (Real, Vec<Real>);

impl Batch {
    /// If any target has weights: the least cost of the targets one by one, and their entropy.
    fn separate_costs(&self, control: &Control) -> Result<Option<[Shared; 2]>, QueryError> {
        if !self.any_weights() {
            return Ok(None);
        }
        let (mut costs, mut bounds) = (Vec::new(), Vec::new());
        for wanted in self.targets.get() {
            control.go_on()?;
            let task = wanted.task(&self.source.0)?;
            let law = wanted
                .algorithm(&self.source)
                .0
                .law(&task)
                .map_err(QueryError::for_field("targets"))?;
            costs.push(law.mean_real());
            bounds.push(task.entropy());
        }
        let shared = |parts: Vec<Real>| (total(&parts), parts);
        Ok(Some([shared(costs), shared(bounds)]))
    }
}

impl Batch {
    /// The targets, in the order of these dice.
    fn targets_in_order(&self, dice: &[Target]) -> Vec<&TargetText> {
        let mut left: Vec<&TargetText> = self.targets.get().iter().collect();
        let mut next = |die: &Target| {
            let at = left
                .iter()
                .position(|one| one.target().weight_sum() == die.weight_sum());
            left.remove(at.expect("an order is a permutation of the targets"))
        };
        dice.iter().map(&mut next).collect()
    }
}

/// The row of a way: the targets in order, the cost, and the cost of each target.
fn mode_row(
    mode: &str,
    capacity: Option<u64>,
    several: bool,
    order: &str,
    cost: &Real,
    shares: &[Real],
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let shares = shares.iter().map(|share| decimal(share, precision));
    let shares: Vec<Cell> = shares.collect::<Result<_, _>>()?;
    let mut cells = row![mode.to_string()];
    if several {
        cells.push(capacity.map_or(Cell::Empty, |capacity| Cell::Integer(capacity.into())));
    }
    cells.extend([
        Cell::Text(order.to_string()),
        exact_cell(cost),
        decimal(cost, precision)?,
        Cell::Text(join_values(&shares, " ")),
    ]);
    Ok(cells)
}
