//! The figure `store-growth`: see [`StoreGrowth`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{CURVES, at_most};
use crate::stores::{found, loss, near, one, sizes};
use crate::values::{FigureName, Line, Span, coin, task};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Series};
use flipcost_number::threads;
use flipcost_number::{BigUint, Real};
use schemars::JsonSchema;
use serde::Deserialize;

/// How fast the loss of the best policy falls: bits lost for each outcome, times S / log2 S, against the
/// states S of the store; a curve for each target. It is level where the loss falls like (log S) / S.
///
/// ```toml
/// [[store-growth]]
/// name = "growth"
/// title = "The loss of the best policy from coins, times S / log2 S"
/// source = 2
/// targets = [3, 5]
/// states = "8..=64"
/// every = 2
/// x = { label = "states of the store, S", scale = "log2" }
/// y = { label = "bits times S / log2 S" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreGrowth {
    name: FigureName,
    title: Line,
    #[serde(default = "coin")]
    source: u64,
    /// The sides of the targets.
    targets: Vec<u64>,
    /// The sizes of the store.
    states: Span,
    /// Every so many of them.
    #[serde(default = "one")]
    every: u64,
    x: AxisSpec,
    y: AxisSpec,
}

impl Draw for StoreGrowth {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &Work) -> Result<Drawn, StudyError> {
        at_most(
            "targets",
            self.targets.len() as u64,
            "targets",
            CURVES as u64,
        )?;
        for target in &self.targets {
            task(self.source, *target)?;
        }
        let m = self.source;
        let sizes = sizes(&self.states, self.every)?;
        if sizes.first().is_some_and(|least| *least < 2) {
            let what = "a store of 1 state has no log2 S to divide by";
            return Err(Mistake::of("states", 1, what)
                .right("begin with 2 or more")
                .into());
        }
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let mut rows = Vec::new();
        for &n in &self.targets {
            let line = threads::map_of(&sizes, &|states| {
                let found = found(m, n, *states)?;
                (work.told)();
                let Some(found) = found else {
                    return Ok(None);
                };
                let scale = Real::integer(*states).over(&Real::log(&BigUint::from(*states), 2));
                let scaled = |cost| loss(m, n, cost).times(&scale);
                let high = (found.low != found.high).then(|| scaled(&found.high));
                let (cell, y) = near(&scaled(&found.low), high.as_ref())?;
                Ok(Some((*states, cell, y)))
            });
            let line = line.into_iter().collect::<Result<Vec<_>, StudyError>>()?;
            let mut points = Vec::new();
            for (states, cell, y) in line.into_iter().flatten() {
                points.extend(y.map(|y| (states as f64, y)));
                rows.push(vec![
                    Cell::Integer(n.into()),
                    Cell::Integer(states.into()),
                    cell,
                ]);
            }
            chart = chart.series(Series::line(format!("d{n}"), points));
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers(["target", "states", "scaled_loss"]),
            rows,
        })
    }
}
