//! The figure `survival`: see [`Survival`].

use crate::axis::AxisSpec;
use crate::costs::dice_costs;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::StudyError;
use crate::limits::{COLUMNS, ROLLS, at_most, few_bits};
use crate::values::{AlgorithmName, FigureName, Line, Span, coin, task};
use flipcost::table::Cell;
use flipcost_figures::HeatMap;
use flipcost_number::Rational;
use flipcost_number::Real;
use num_traits::Zero;
use schemars::JsonSchema;
use serde::Deserialize;

/// P(T > t) of an algorithm as a map over n and t.
///
/// ```toml
/// [[survival]]
/// name = "survival-by-n"
/// title = "Still undecided after t flips: the fast dice roller"
/// source = 2
/// algorithm = "fast-dice-roller"
/// targets = "1..=128"
/// upto = 20
/// x = { label = "sides of the die, n" }
/// y = { label = "flips, t" }
/// value = { label = "P(T > t)", scale = "log10", range = [1e-5, 1] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Survival {
    name: FigureName,
    title: Line,
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    targets: Span,
    /// The last number of rolls t.
    upto: u64,
    x: AxisSpec,
    y: AxisSpec,
    /// The scale of the colours.
    value: AxisSpec,
}

impl Draw for Survival {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let count = self.targets.count();
        at_most("targets", count, "targets", COLUMNS)?;
        at_most("upto", self.upto, "rolls", ROLLS)?;
        task(self.source, *self.targets.0.end())?;
        let roll = u128::from(u64::BITS - self.source.leading_zeros());
        let upto = u128::from(self.upto) + 1;
        few_bits(roll * upto * upto * u128::from(count))?;
        let mut columns: Vec<Vec<Rational>> = Vec::new();
        for n in self.targets.0.clone() {
            let costs = dice_costs(self.algorithm.0, self.source, n)?;
            columns.push(
                costs
                    .law()
                    .survival()
                    .take(self.upto as usize + 1)
                    .collect(),
            );
        }
        let mut values = Vec::new();
        let mut rows = Vec::new();
        for t in 0..=self.upto as usize {
            let mut line = Vec::new();
            for (n, column) in self.targets.0.clone().zip(&columns) {
                let p = &column[t];
                line.push(if p.is_zero() {
                    None
                } else {
                    Some(Real::Exact(p.clone()).nearest_f64()?)
                });
                rows.push(vec![
                    Cell::Integer(n.into()),
                    Cell::Integer((t as u64).into()),
                    Cell::from(p),
                ]);
            }
            values.push(line);
        }
        let xs = self.targets.0.clone().map(|n| n as f64).collect();
        let ys = (0..=self.upto).map(|t| t as f64).collect();
        let map = HeatMap::new(&self.title.0, xs, ys, values)
            .x(self.x.axis())
            .y(self.y.axis())
            .value(self.value.axis())
            .missing("exactly 0");
        Ok(Drawn {
            drawing: map.draw()?,
            headers: headers(["n", "t", "survival_exact"]),
            rows,
        })
    }
}
