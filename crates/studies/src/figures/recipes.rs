//! The figure `recipes`: see [`Recipes`].

use crate::axis::{AxisSpec, subscript};
use crate::costs::dice_costs;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::StudyError;
use crate::limits::{COLUMNS, at_most};
use crate::values::{FigureName, Line, Span, task};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::algorithms::factoring::{Part, Procedure, recipe};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Dash, Hue, Series};
use flipcost_number::Real;
use schemars::JsonSchema;
use serde::Deserialize;

/// The cheapest recipes by procedures A, B and C against n, by the last procedure used.
///
/// ```toml
/// [[recipes]]
/// name = "procedures"
/// title = "The cheapest recipe by procedures A, B and C from a d6"
/// source = 6
/// targets = "2..=100"
/// x = { label = "sides of the die, N", range = [0, 100] }
/// y = { label = "expected rolls", range = [0, 5] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipes {
    name: FigureName,
    title: Line,
    source: u64,
    targets: Span,
    x: AxisSpec,
    y: AxisSpec,
}

impl Draw for Recipes {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        at_most("targets", self.targets.count(), "targets", COLUMNS)?;
        task(self.source, *self.targets.0.end())?;
        let mut rows = Vec::new();
        let (mut bound, mut fast) = (Vec::new(), Vec::new());
        let mut points: [Vec<(f64, f64)>; 3] = Default::default();
        for n in self.targets.0.clone() {
            let found = recipe(&[self.source.into()], n)?;
            let costs = dice_costs(FAST_DICE_ROLLER, self.source, n)?;
            let cost = Real::Exact(found.cost.clone()).nearest_f64()?;
            let (mean, entropy) = (costs.mean().nearest_f64()?, costs.entropy().nearest_f64()?);
            let (kind, name) = match found.root.procedure {
                Procedure::Nothing | Procedure::Roll(_) | Procedure::Reduce(_) => (0, "A"),
                Procedure::Retry(_) => (1, "B"),
                Procedure::Product(..) => (2, "C"),
            };
            points[kind].push((n as f64, cost));
            fast.push((n as f64, mean));
            bound.push((n as f64, entropy));
            rows.push(vec![
                Cell::Integer(n.into()),
                Cell::Text(name.to_string()),
                Cell::Text(words(&found.root)),
                Cell::from(&found.cost),
                Cell::Double(cost),
                Cell::Double(mean),
                Cell::Double(entropy),
            ]);
        }
        let names = [
            ("A: read off one roll", Hue::Orange),
            ("B: a larger die, re-rolled", Hue::Vermillion),
            ("C: a product", Hue::Purple),
        ];
        let mut chart = Chart::new(&self.title.0)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(
                Series::line("fast dice roller", fast)
                    .hue(Hue::Green)
                    .dash(Dash::DashDot),
            )
            .series(
                Series::line(format!("entropy, log{} n", subscript(self.source)), bound)
                    .hue(Hue::Blue)
                    .dash(Dash::Solid),
            );
        for ((name, hue), points) in names.into_iter().zip(points) {
            if !points.is_empty() {
                chart = chart.series(Series::points(name, points).hue(hue));
            }
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers([
                "n",
                "procedure",
                "recipe",
                "cost_exact",
                "cost",
                "fast_dice_roller",
                "entropy",
            ]),
            rows,
        })
    }
}

/// A recipe in a line: `d6 mod 2 x d6`, `(d6 x d6) up to 35`.
fn words(part: &Part) -> String {
    let inner = |part: &Part| match part.procedure {
        Procedure::Product(..) | Procedure::Reduce(_) | Procedure::Retry(_) => {
            format!("({})", words(part))
        }
        _ => words(part),
    };
    match &part.procedure {
        Procedure::Nothing => "nothing".to_string(),
        Procedure::Roll(die) if *die == part.sides.into() => format!("d{die}"),
        Procedure::Roll(die) => format!("d{die} mod {}", part.sides),
        Procedure::Reduce(from) => format!("{} mod {}", inner(from), part.sides),
        Procedure::Retry(from) => format!("{} up to {}", inner(from), part.sides),
        Procedure::Product(first, second) => format!("{} x {}", inner(first), inner(second)),
    }
}
