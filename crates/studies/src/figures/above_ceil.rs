//! The figure `above-ceil`: see [`AboveCeil`].

use crate::axis::{AxisSpec, HueName};
use crate::costs::{all_n_up_to, dice_costs};
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::StudyError;
use crate::octaves;
use crate::values::{AlgorithmName, FigureName, Line, Span};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Dash, Hue, Series};
use flipcost_number::Real;
use flipcost_number::chunks::{Pace, ordered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The expected flips of an algorithm above ceil(log2 n), and those of n = (2^k + 1)/3, k odd and 3 or more,
/// which come nearest to 1 for the fast dice roller.
///
/// ```toml
/// [[above-ceil]]
/// name = "above-ceil"
/// title = "Flips above ceil(log₂ n)"
/// algorithm = "fast-dice-roller"
/// targets = "1..=4096"
/// per-octave = 256
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
    /// The powers of two, and so many n between each two of them: the first, the last and others in equal
    /// steps, or all where they are no more; all n unless it is given.
    per_octave: Option<u64>,
    x: AxisSpec,
    y: AxisSpec,
    hue: Option<HueName>,
}

/// The n = (2^k + 1) / 3 of a range, k odd and 3 or more.
fn thirds(range: &Span) -> impl Iterator<Item = u64> {
    let all = (3..64).step_by(2).map(|k| ((1u64 << k) + 1) / 3);
    all.filter(|n| range.0.contains(n))
}

impl Draw for AboveCeil {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let sharp: BTreeSet<u64> = thirds(&self.targets).collect();
        let mut targets = octaves::targets("targets", &self.targets, self.per_octave)?;
        targets.extend(&sharp);
        targets.sort_unstable();
        targets.dedup();
        all_n_up_to("targets", self.algorithm.0, 2, *self.targets.0.end())?;
        let work = |part: RangeInclusive<u64>| {
            let above = |n: u64| {
                let ceil = n.ilog2() + u32::from(!n.is_power_of_two());
                let costs = dice_costs(self.algorithm.0, 2, n)?;
                Ok((n, costs.mean().minus(&Real::integer(ceil)).nearest_f64()?))
            };
            part.map(|i| above(targets[i as usize]))
                .collect::<Result<Vec<_>, StudyError>>()
        };
        let mut values: Vec<(u64, f64)> = Vec::new();
        ordered(
            0..=targets.len() as u64 - 1,
            Pace::default(),
            work,
            |part, _| {
                values.extend(part);
                Ok::<(), StudyError>(())
            },
        )?;
        let points = |values: &[(u64, f64)]| values.iter().map(|&(n, y)| (n as f64, y)).collect();
        let sharp = values.iter().filter(|(n, _)| sharp.contains(n));
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
