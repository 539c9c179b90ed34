//! The figures `store` and `store-map`: see [`Store`] and [`StoreMap`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::StudyError;
use crate::limits::{COLUMNS, at_most};
use crate::stores::{found, grants_bound, lost, one, sizes};
use crate::values::{FigureName, Line, Span, coin, task};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Dash, HeatMap, Hue, Series};
use flipcost_number::threads;
use flipcost_number::{Rational, Real};
use flipcost_streams::Staged;
use schemars::JsonSchema;
use serde::Deserialize;

/// What is lost for each outcome of an endless stream, in bits, against the states of the store: by the
/// best policy that keeps one whole number, by filling and extracting, from coins by the staged rule,
/// Grant's bound of filling, and what no policy is below.
///
/// No policy that holds whole requests only loses as little as log2(p^e) / S, for a prime p that does not divide m and whose
/// power p^e divides n exactly. Grant's bound is H(p) / (1 - p), p = (n - 1) / C, C = S / m + 1 the
/// capacity.
///
/// ```toml
/// [[store]]
/// name = "d3"
/// title = "A stream of d3 from coins"
/// source = 2
/// n = 3
/// states = "4..=64"
/// every = 2
/// x = { label = "states of the store, S", scale = "log10" }
/// y = { label = "bits lost for each outcome", scale = "log10" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Store {
    name: FigureName,
    title: Line,
    #[serde(default = "coin")]
    source: u64,
    n: u64,
    /// The sizes of the store.
    states: Span,
    /// Every so many of them.
    #[serde(default = "one")]
    every: u64,
    x: AxisSpec,
    y: AxisSpec,
}

/// What the best policy of a store loses, as a map of target and store; its table has the exact costs.
///
/// ```toml
/// [[store-map]]
/// name = "loss"
/// title = "Bits that the best policy loses for each outcome"
/// source = 2
/// targets = "2..=12"
/// states = "4..=32"
/// every = 2
/// x = { label = "sides of the target, n" }
/// y = { label = "states of the store, S" }
/// value = { label = "bits" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreMap {
    name: FigureName,
    title: Line,
    #[serde(default = "coin")]
    source: u64,
    targets: Span,
    /// The sizes of the store.
    states: Span,
    /// Every so many of them.
    #[serde(default = "one")]
    every: u64,
    x: AxisSpec,
    y: AxisSpec,
    /// The axis of the colours.
    value: AxisSpec,
}

impl Draw for Store {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &Work) -> Result<Drawn, StudyError> {
        task(self.source, self.n)?;
        let (m, n) = (self.source, self.n);
        let sizes = sizes(&self.states, self.every)?;
        let all = threads::map_of(&sizes, &|states| {
            let found = found(m, n, *states)?;
            let staged = if m == 2 && *states >= 4 {
                Staged::new(n, *states).cost()
            } else {
                None
            };
            (work.told)();
            Ok((*states, found, staged))
        });
        let all = all.into_iter().collect::<Result<Vec<_>, StudyError>>()?;
        let [mut best, mut fill, mut by_stages, mut grant, mut least] = [const { Vec::new() }; 5];
        let mut rows = Vec::new();
        let power = least_power(m, n);
        for (states, found, staged) in &all {
            let x = *states as f64;
            let cell = |exact: Option<&Rational>| exact.map_or(Cell::Empty, Cell::from);
            let of = |ends: Option<(&Rational, &Rational)>| match ends {
                Some((low, high)) => lost(m, n, low, high),
                None => Ok((Cell::Empty, None)),
            };
            let exact = found.as_ref().filter(|found| found.low == found.high);
            let filling = found.as_ref().and_then(|found| found.fill.as_ref());
            let (best_loss, y) = of(found.as_ref().map(|found| (&found.low, &found.high)))?;
            best.extend(y.map(|y| (x, y)));
            let (fill_loss, y) = of(filling.map(|cost| (cost, cost)))?;
            fill.extend(y.map(|y| (x, y)));
            let (staged_loss, y) = of(staged.as_ref().map(|cost| (cost, cost)))?;
            by_stages.extend(y.map(|y| (x, y)));
            let p = Rational::new((n - 1).into(), (states / m + 1).into());
            if n > 1 && p <= Rational::new(1.into(), 2.into()) {
                grant.push((x, grants_bound(&p).nearest_f64()?));
            }
            if power > 1 {
                let bound = Real::log(&power.into(), 2).over(&Real::integer(*states));
                least.push((x, bound.nearest_f64()?));
            }
            rows.push(vec![
                Cell::Integer((*states).into()),
                cell(exact.map(|found| &found.high)),
                best_loss,
                cell(filling),
                fill_loss,
                staged_loss,
                found
                    .as_ref()
                    .map_or(Cell::Empty, |found| Cell::Integer(found.exceptions.into())),
            ]);
        }
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let names = [
            "Grant's bound of filling",
            "fill, then extract",
            "best that keeps one whole number",
            "staged rule (keeps a half-answered request, too)",
            "bound for one whole number",
        ];
        let lines = [
            (grant, Hue::Vermillion, Dash::Dotted),
            (fill, Hue::Orange, Dash::Dashed),
            (best, Hue::Blue, Dash::Solid),
            (by_stages, Hue::Green, Dash::DashDot),
            (least, Hue::Black, Dash::Dotted),
        ];
        // what loses nothing has no place on a logarithmic axis
        for (name, (points, hue, dash)) in names.into_iter().zip(lines) {
            let points: Vec<(f64, f64)> = points.into_iter().filter(|(_, y)| *y > 0.0).collect();
            if !points.is_empty() {
                chart = chart.series(Series::line(name, points).hue(hue).dash(dash));
            }
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers([
                "states",
                "expected_exact",
                "loss_bits",
                "fill_exact",
                "fill_loss_bits",
                "staged_loss_bits",
                "exceptions",
            ]),
            rows,
        })
    }
}

/// The greatest p^e that divides n exactly, p a prime that does not divide m.
fn least_power(m: u64, n: u64) -> u64 {
    let (mut rest, mut most) = (n, 1);
    for p in 2..=n {
        if p * p > rest && rest == 1 {
            break;
        }
        let mut power = 1;
        while rest.is_multiple_of(p) {
            rest /= p;
            power *= p;
        }
        if !m.is_multiple_of(p) {
            most = most.max(power);
        }
    }
    most
}

impl Draw for StoreMap {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &Work) -> Result<Drawn, StudyError> {
        let m = self.source;
        at_most("targets", self.targets.count(), "targets", COLUMNS)?;
        task(m, *self.targets.0.end())?;
        let sizes = sizes(&self.states, self.every)?;
        let targets: Vec<u64> = self.targets.0.clone().collect();
        let all = threads::map_of(&sizes, &|states| {
            let row = targets.iter().map(|n| found(m, *n, *states));
            let row = row.collect::<Result<Vec<_>, StudyError>>()?;
            (work.told)();
            Ok(row)
        });
        let all = all.into_iter().collect::<Result<Vec<_>, StudyError>>()?;
        let (mut values, mut rows) = (Vec::new(), Vec::new());
        for line in &all {
            let mut cells = Vec::new();
            for found in line {
                let Some(found) = found else {
                    cells.push(None);
                    continue;
                };
                let (lost, near) = lost(m, found.n, &found.low, &found.high)?;
                cells.push(near);
                let exact = (found.low == found.high).then_some(&found.high);
                let cell = |exact: Option<&Rational>| exact.map_or(Cell::Empty, Cell::from);
                rows.push(vec![
                    Cell::Integer(found.n.into()),
                    Cell::Integer(found.states.into()),
                    cell(exact),
                    cell(found.fill.as_ref()),
                    lost,
                    Cell::Integer(found.exceptions.into()),
                ]);
            }
            values.push(cells);
        }
        let double = |numbers: &[u64]| numbers.iter().map(|x| *x as f64).collect();
        let map = HeatMap::new(&self.title.0, double(&targets), double(&sizes), values)
            .x(self.x.axis())
            .y(self.y.axis())
            .value(self.value.axis())
            .missing("no policy ever gives an outcome");
        Ok(Drawn {
            drawing: map.draw()?,
            headers: headers([
                "target",
                "states",
                "expected_exact",
                "fill_exact",
                "loss_bits",
                "exceptions",
            ]),
            rows,
        })
    }
}
