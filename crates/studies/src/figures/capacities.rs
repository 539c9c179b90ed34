//! The figure `capacities`: see [`Capacities`].

use crate::axis::{AxisSpec, subscript};
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{CAPACITIES, at_most};
use crate::values::{FigureName, Line, task};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Hue, Series};
use flipcost_number::Real;
use flipcost_streams::eager_repeat;
use schemars::JsonSchema;
use serde::Deserialize;

/// Rolls per outcome of an endless stream against the capacity of the state.
///
/// ```toml
/// [[capacities]]
/// name = "stream-of-coins"
/// title = "An endless stream of d2 from a d6, the state kept"
/// source = 6
/// n = 2
/// capacities = [1, 6, 12, 18, 24, 36]
/// x = { label = "capacity: roll on while the state is smaller" }
/// y = { label = "rolls per bit", range = [0.36, 0.62] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capacities {
    name: FigureName,
    title: Line,
    source: u64,
    n: u64,
    /// The capacities: before an outcome is taken, rolls are added until the state has one of at
    /// least this size.
    capacities: Vec<u64>,
    x: AxisSpec,
    y: AxisSpec,
}

impl Draw for Capacities {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        at_most(
            "capacities",
            self.capacities.len() as u64,
            "capacities",
            CAPACITIES,
        )?;
        let mut points = Vec::new();
        let mut rows = Vec::new();
        for &capacity in &self.capacities {
            task(self.source, self.n)?;
            let cost = eager_repeat(self.source.into(), self.n, capacity).exact;
            let cost = cost.map(Real::Exact).ok_or_else(|| {
                let what = format!(
                    "the stream of a d{} from a d{} with capacity {capacity} has too many states for an exact cost",
                    self.n, self.source
                );
                Mistake::of("capacities", capacity, what)
            })?;
            let near = cost.nearest_f64()?;
            points.push((capacity as f64, near));
            let exact = cost.exact().filter(|exact| exact.to_string().len() <= 100);
            rows.push(vec![
                Cell::Integer(capacity.into()),
                exact.map_or(Cell::Empty, Cell::from),
                Cell::Double(near),
            ]);
        }
        let bound = Real::log(&self.n.into(), self.source).nearest_f64()?;
        let bound = Series::hline(
            format!("entropy, log{} {}", subscript(self.source), self.n),
            bound,
        );
        let chart = Chart::new(&self.title.0)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(bound.hue(Hue::Blue))
            .series(Series::points("state kept", points).hue(Hue::Green));
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers(["capacity", "rolls_exact", "rolls"]),
            rows,
        })
    }
}
