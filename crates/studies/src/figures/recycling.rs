//! The figure `recycling`: see [`Recycling`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{CAPACITIES, at_most};
use crate::stores::{common, grants_bound};
use crate::values::{FigureName, Line, Span, task};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Series};
use flipcost_number::{BigInt, Decimal, Rational, Real};
use flipcost_streams::eager_repeat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an endless stream of one target loses with a store that is filled up to 2^c values before
/// every outcome, from a coin, against c; a curve for each target. The table has the exact cost
/// where the chain of the stores has at most 600 states, else the decimals that a rigorous
/// enclosure leaves, and beside every capacity the largest store.
///
/// The loss is the flips per outcome less log2 n. Grant's bound of it is H(p) / (1 - p), with p =
/// (n-1) / s, s the least store, and H(p) the entropy of a coin of probability p.
///
/// ```toml
/// [[recycling]]
/// name = "loss"
/// title = "Flips above the entropy, per outcome"
/// targets = [5, 6, 52]
/// bits = "6..12"
/// show = "loss"
/// x = { label = "c" }
/// y = { label = "flips", scale = "log10" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recycling {
    name: FigureName,
    title: Line,
    /// The sides of the targets.
    targets: Vec<u64>,
    /// The range of c.
    bits: Span,
    /// What is drawn: the loss, or the part of the bound that it is.
    show: Shown,
    x: AxisSpec,
    y: AxisSpec,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Shown {
    Loss,
    PartOfBound,
}

/// One row, and the point that is drawn.
type Found = (Vec<Cell>, Option<(f64, f64)>);

impl Recycling {
    fn row(&self, n: u64, bits: u64) -> Result<Option<Found>, StudyError> {
        task(2, n)?;
        let capacity = 1u64 << bits;
        if capacity < n {
            return Ok(None);
        }
        let run = eager_repeat(2, n, capacity);
        let Some((least, largest)) = run.stores else {
            return Ok(None);
        };
        let entropy = Real::log(&n.into(), 2);
        let p = Rational::new(BigInt::from(n - 1), least.into());
        let bound = grants_bound(&p);
        let [low, high] = [&run.low, &run.high].map(|cost| Real::Exact(cost.clone()));
        let [loss_low, loss_high] = [&low, &high].map(|cost| cost.minus(&entropy));
        let cost = common(&low, &high)?;
        let loss = common(&loss_low, &loss_high)?;
        let part = common(&loss_low.over(&bound), &loss_high.over(&bound))?;
        let shown = match self.show {
            Shown::Loss => &loss,
            Shown::PartOfBound => &part,
        };
        let place = shown.as_ref().map(Decimal::to_f64);
        let exact = run.exact.filter(|exact| exact.to_string().len() <= 100);
        let known = |value: Option<Decimal>| value.map_or(Cell::Empty, Cell::Decimal);
        let row = vec![
            Cell::Integer(n.into()),
            Cell::Integer(capacity.into()),
            Cell::Integer((largest as u64).into()),
            Cell::Integer((run.states.unwrap_or(0) as u64).into()),
            exact.map_or(Cell::Empty, Cell::from),
            known(cost),
            known(loss),
            Cell::Decimal(bound.decimal(12)?),
            known(part),
        ];
        Ok(Some((row, place.map(|y| (bits as f64, y)))))
    }
}

impl Draw for Recycling {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        at_most("bits", *self.bits.0.end(), "bits of a store", 24)?;
        let all = self.bits.count() * self.targets.len() as u64;
        at_most("targets", all, "capacities", CAPACITIES)?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let mut rows = Vec::new();
        for &n in &self.targets {
            if n < 2 {
                let what = "a target of one outcome takes no flips";
                return Err(Mistake::of("targets", n, what)
                    .right("targets of 2 or more")
                    .into());
            }
            let mut points = Vec::new();
            for bits in self.bits.0.clone() {
                if let Some((row, point)) = self.row(n, bits)? {
                    rows.push(row);
                    points.extend(point);
                }
            }
            chart = chart.series(Series::line(format!("n = {n}"), points));
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers([
                "n",
                "capacity",
                "largest_store",
                "states",
                "flips_exact",
                "flips",
                "loss",
                "bound",
                "part_of_bound",
            ]),
            rows,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grant 2025, a draft: a d5 with 2^8 values in store loses at most 0.118 flips, and all 52 cards
    /// of a shuffle with 2^31 at most 1.7e-5, here 1.6966e-5.
    #[test]
    fn published_bounds() {
        let bound = |n: i64, store: u64| {
            let p = Rational::new((n - 1).into(), store.into());
            grants_bound(&p)
        };
        assert_eq!(bound(5, 1 << 8).decimals(3).unwrap(), "0.118");
        let cards = (2..=52).map(|n| bound(n, 1 << 31));
        let shuffle = cards.reduce(|a, b| a.plus(&b)).unwrap();
        assert_eq!(shuffle.decimals(9).unwrap(), "0.000016966");
    }
}
