//! The figure `above-ceil`: see [`AboveCeil`].

use crate::studies::axis::{AxisSpec, HueName};
use crate::studies::costs::{all_n_up_to, dice_costs};
use crate::studies::draw::{Draw, Drawn, headers};
use crate::studies::error::StudyError;
use crate::studies::limits::{POINTS, at_most};
use crate::studies::values::{AlgorithmName, FigureName, Line, Span};
use flipcost::number::Real;
use flipcost::table::Cell;
use flipcost::unstable::sweep::{Pace, ordered};
use flipcost_figures::{Chart, Dash, Hue, Series};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;

/// The expected flips of an algorithm above ceil(log2 n), and where they come nearest to 1.
///
/// ```toml
/// [[above-ceil]]
/// name = "above-ceil"
/// title = "Flips above ceil(log₂ n)"
/// algorithm = "fast-dice-roller"
/// targets = "1..=4096"
/// x = { label = "sides of the die, n", scale = "log2" }
/// y = { label = "flips" }
/// hue = "green"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AboveCeil {
    name: FigureName,
    title: Line,
    algorithm: AlgorithmName,
    targets: Span,
    x: AxisSpec,
    y: AxisSpec,
    hue: Option<HueName>,
}

/// Is n = (2^k + 1) / 3 for an odd k?
fn is_third_of_power(n: u64) -> bool {
    let power = u128::from(n) * 3 - 1;
    power.is_power_of_two() && power.trailing_zeros() % 2 == 1
}

impl Draw for AboveCeil {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        at_most(self.targets.count(), "targets", POINTS)?;
        all_n_up_to(self.algorithm.0, 2, *self.targets.0.end())?;
        let work = |part: RangeInclusive<u64>| {
            let above = |n: u64| {
                let ceil = n.ilog2() + u32::from(!n.is_power_of_two());
                let mean = dice_costs(self.algorithm.0, 2, n)?.mean;
                Ok((n, mean.minus(&Real::integer(ceil)).nearest_f64()?))
            };
            part.map(above).collect::<Result<Vec<_>, StudyError>>()
        };
        let mut values: Vec<(u64, f64)> = Vec::new();
        ordered(self.targets.0.clone(), Pace::default(), work, |part, _| {
            values.extend(part);
            Ok::<(), StudyError>(())
        })?;
        let points = |values: &[(u64, f64)]| values.iter().map(|&(n, y)| (n as f64, y)).collect();
        let sharp = values.iter().filter(|(n, _)| is_third_of_power(*n));
        let sharp: Vec<(u64, f64)> = sharp.copied().collect();
        let HueName(hue) = self.hue.unwrap_or(HueName(Hue::Green));
        let name = self.algorithm.0.about().name;
        let bound = Series::hline("bound, 1 flip", 1.0);
        let chart = Chart::new(&self.title.0)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(Series::points(name, points(&values)).hue(hue))
            .series(Series::line("n = (2ᵏ + 1)/3, k odd", points(&sharp)).hue(Hue::Vermillion))
            .series(bound.hue(Hue::Grey).dash(Dash::Dotted));
        let rows = values
            .iter()
            .map(|&(n, y)| vec![Cell::Integer(n.into()), Cell::Double(y)]);
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers(["n", "above_ceil"]),
            rows: rows.collect(),
        })
    }
}
