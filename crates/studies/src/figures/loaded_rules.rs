//! The figure `loaded-rules`: see [`LoadedRules`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{LOADED_SEARCHES, STEPS, at_most};
use crate::values::{FigureName, Line, Written, read_from_text};
use flipcost::table::Cell;
use flipcost::task::Source;
use flipcost_figures::{Axis, Drawing, HeatMap, Ticks};
use flipcost_number::threads;
use flipcost_one_draw::questions::Cost;
use flipcost_question::{Control, Query, Sides, TargetText};
use num_integer::Integer;
use schemars::JsonSchema;
use serde::Deserialize;
use std::num::NonZeroU64;

/// The best rule of all for every target from every loaded coin up to a sum of its weights, and from other sources, beside
/// the interval algorithm: a table, and a map of what the best rule saves.
///
/// ```toml
/// [[loaded-rules]]
/// name = "optimum"
/// title = "What the best rule saves of the flips of the interval algorithm"
/// coins = 5
/// sources = ["1:2:3"]
/// targets = ["2", "3", "1:2"]
/// effort = 100000
/// x = { label = "target" }
/// y = { label = "source" }
/// value = { label = "share that is saved" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadedRules {
    name: FigureName,
    title: Line,
    /// All coins a:b, a < b without a common factor, of which a + b is at most this.
    coins: u64,
    /// More sources.
    #[serde(default)]
    sources: Vec<LoadedSource>,
    targets: Vec<Wanted>,
    /// The steps of each search.
    effort: NonZeroU64,
    x: AxisSpec,
    y: AxisSpec,
    /// The axis of the colours.
    value: AxisSpec,
}

/// The largest sum of the weights of a coin.
const MOST_SUM: u64 = 100;

struct LoadedSource(Sides);

impl Written for LoadedSource {
    const WHAT: &'static str = "a source with known probabilities, such as \"1:2:3\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let Line(text) = Line::read(text)?;
        text.parse().map(LoadedSource).map_err(Mistake::split)
    }
}

/// A target, with its text.
struct Wanted(String, TargetText);

impl Written for Wanted {
    const WHAT: &'static str = "a target, such as \"6\" or \"1:2\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let Line(text) = Line::read(text)?;
        let target = text.parse().map_err(Mistake::split)?;
        Ok(Wanted(text, target))
    }
}

read_from_text!(LoadedSource, Wanted);

impl Wanted {
    /// What stands at the axis: d6, 1:2.
    fn name(&self) -> String {
        match self.0.parse::<u64>() {
            Ok(sides) => format!("d{sides}"),
            Err(_) => self.0.clone(),
        }
    }
}

/// The coins in the order of p, then the other sources.
fn sources(coins: u64, others: &[LoadedSource]) -> Vec<Sides> {
    let pairs = (2..=coins).flat_map(|sum| (1..sum.div_ceil(2)).map(move |a| [a, sum - a]));
    let mut pairs: Vec<[u64; 2]> = pairs.filter(|[a, b]| a.gcd(b) == 1).collect();
    pairs.sort_by(|[a, b], [c, d]| (a * d).cmp(&(c * b)));
    let coin = |pair| Sides(Source::loaded::<u64>(pair).expect("both are above 0"));
    let others = others.iter().map(|source| source.0.clone());
    pairs.into_iter().map(coin).chain(others).collect()
}

/// A row of the table, and the share of the interval algorithm's rolls that the rule saves.
struct Found {
    row: Vec<Cell>,
    saved: f64,
}

impl LoadedRules {
    fn found(&self, target: &Wanted, source: &Sides) -> Result<Found, StudyError> {
        let query = Query::from(Cost {
            optimal: true,
            effort: Some(self.effort),
            ..Cost::new(target.1.clone(), source.clone())
        });
        let place = |wrong: Mistake| StudyError::from(wrong).at(format!("`{}`", query.command()));
        let answer =
            (query.answer(&Control::default())).map_err(|wrong| place(Mistake::new(wrong)))?;
        let number = |name: &str| {
            let cell = answer.column(name).and_then(|mut cells| cells.next());
            let value = cell.and_then(|cell| cell.to_string().parse::<f64>().ok());
            value.ok_or_else(|| place(Mistake::new(format!("{name} is no number"))))
        };
        Ok(Found {
            saved: 1.0 - number("expected")? / number("interval")?,
            row: answer.rows[0].clone(),
        })
    }

    fn map(&self, sources: &[Sides], found: &[Found]) -> Result<Drawing, StudyError> {
        let places = |names: Vec<String>| -> (Vec<f64>, Vec<(f64, String)>) {
            let at: Vec<f64> = (1..=names.len()).map(|place| place as f64).collect();
            (at.clone(), at.into_iter().zip(names).collect())
        };
        let (columns, targets) = places(self.targets.iter().map(Wanted::name).collect());
        // the first source is on top
        let (rows, names) = places(sources.iter().rev().map(Sides::to_string).collect());
        let values = found.chunks(columns.len());
        let values = values.map(|row| row.iter().map(|found| Some(found.saved)).collect());
        let values = values.rev().collect();
        let axis = |spec: &AxisSpec, ticks| Axis {
            ticks: Ticks::At(ticks),
            ..spec.axis()
        };
        let height = 130.0 + 15.0 * rows.len() as f64;
        let map = HeatMap::new(&self.title.0, columns, rows, values)
            .x(axis(&self.x, targets))
            .y(axis(&self.y, names))
            .value(self.value.axis())
            .size(720.0, height);
        Ok(map.draw()?)
    }
}

impl Draw for LoadedRules {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &Work) -> Result<Drawn, StudyError> {
        at_most(
            "coins",
            self.coins,
            "as the sum of a coin's weights",
            MOST_SUM,
        )?;
        let sources = sources(self.coins, &self.sources);
        let searches = (sources.len() * self.targets.len()) as u64;
        at_most("targets", searches, "searches", LOADED_SEARCHES)?;
        let steps = self.effort.get().saturating_mul(searches);
        at_most("effort", steps, "steps of all searches", STEPS)?;
        if searches == 0 {
            let what = "a map needs a source and a target at least";
            return Err(Mistake::of("targets", self.targets.len(), what).into());
        }
        let cases = sources
            .iter()
            .flat_map(|source| self.targets.iter().map(move |target| (target, source)));
        let cases: Vec<(&Wanted, &Sides)> = cases.collect();
        let found = threads::map_of(&cases, &|(target, source)| {
            let found = self.found(target, source);
            (work.told)();
            found
        });
        let found = found
            .into_iter()
            .collect::<Result<Vec<Found>, StudyError>>()?;
        Ok(Drawn {
            drawing: self.map(&sources, &found)?,
            headers: headers([
                "target",
                "source",
                "expected_exact",
                "expected",
                "lower_exact",
                "proved",
                "interval",
                "rule",
            ]),
            rows: found.into_iter().map(|found| found.row).collect(),
        })
    }
}
