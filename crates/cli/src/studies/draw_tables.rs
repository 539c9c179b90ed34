//! Figures that are tables: grids of two dice, look-up tables of blocks, recipes, capacities.

use super::check_costs::long_run;
use super::draw::{Drawn, Figure, dice};
use super::rule::Rule;
use super::spec::{AxisSpec, MethodId, Natural, Span, StudyError, coin};
use flipcost::algorithms::table::block_table;
use flipcost::algorithms::{self, Part, Procedure, recipe};
use flipcost::number::BigUint;
use flipcost::number::real::Real;
use flipcost::table::{Cell, RowError};
use flipcost::table::{Costs, fraction};
use flipcost_figures::{Axis, Chart, Dash, Drawing, HeatMap, Hue, Series, Ticks};
use num_traits::ToPrimitive;
use serde::Deserialize;

/// A table of results by row and column, drawn as coloured cells.
fn sheet(
    title: &str,
    (x, y): (&str, &str),
    cells: &[Vec<(Option<f64>, String)>],
) -> Result<Drawing, StudyError> {
    let count = |length: usize| (1..=length).map(|i| i as f64).collect();
    let columns = cells.first().map_or(0, Vec::len);
    let pick = |row: &Vec<(Option<f64>, String)>| row.iter().map(|cell| cell.0).collect();
    let text = |row: &Vec<(Option<f64>, String)>| row.iter().map(|cell| cell.1.clone()).collect();
    let axis = |label: &str| Axis::new(label).ticks(Ticks::Every(1.0));
    let map = HeatMap::new(
        title,
        count(columns),
        count(cells.len()),
        cells.iter().map(pick).collect(),
    )
    .x(axis(x))
    .y(axis(y))
    .value(Axis::new("result"))
    .texts(cells.iter().map(text).collect())
    .missing("discard, and roll again");
    Ok(map.draw()?)
}

/// What a rule makes of every throw of two dice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    name: String,
    title: String,
    /// The first die of the rule is the row, the second the column.
    rule: Rule,
    x: String,
    y: String,
}

impl Figure for Grid {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let throws = self.rule.throws()?;
        let [_, columns] = self.rule.dice[..] else {
            let what = format!("the grid \"{}\" needs a rule of two dice", self.name);
            return Err(StudyError::Spec(what));
        };
        let cell = |(_, value): &(Vec<i64>, Option<i64>)| match value {
            Some(value) => (Some(*value as f64), value.to_string()),
            None => (None, "–".to_string()),
        };
        let cells: Vec<Vec<_>> = throws
            .chunks(columns as usize)
            .map(|row| row.iter().map(cell).collect())
            .collect();
        let row = |(faces, value): &(Vec<i64>, Option<i64>)| {
            let word = |value: i64| Cell::Exact(value.to_string());
            let mut row: Vec<Cell> = faces.iter().map(|&face| word(face)).collect();
            row.push(value.map_or(Cell::Text("discard".to_string()), word));
            row
        };
        let headers = ["a", "b", "result"].map(String::from).to_vec();
        Ok(Drawn {
            drawing: sheet(&self.title, (&self.x, &self.y), &cells)?,
            data: Some((headers, throws.iter().map(row).collect())),
        })
    }
}

/// The look-up table of a block: the last roll is the column, the rolls before it are the row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSheet {
    name: String,
    title: String,
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    n: Natural,
    x: String,
    y: String,
}

impl Figure for BlockSheet {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let table = block_table(&dice(self.source, &self.n)?, self.algorithm.0)
            .map_err(|error| StudyError::Spec(format!("the table \"{}\": {error}", self.name)))?;
        let blank = || (None, "–".to_string());
        let (columns, mut rows) = (self.source as usize, 1);
        for _ in 1..table.rolls {
            rows *= columns;
        }
        if table.rolls == 0 || rows * columns > 1000 {
            let what = format!("the table \"{}\" is too large to be drawn", self.name);
            return Err(StudyError::Spec(what));
        }
        let mut cells = vec![vec![blank(); columns]; rows];
        let mut data = Vec::new();
        for row in &table.rows {
            let under = columns.pow((table.rolls - row.rolls.len()) as u32);
            let value = row
                .rolls
                .iter()
                .fold(0, |v, &face| v * columns + face as usize);
            let face = row.result.as_ref().map(|result| result + 1u8);
            let text = match (&face, row.early) {
                (Some(face), _) => face.to_string(),
                (None, true) => "early".to_string(),
                (None, false) => "–".to_string(),
            };
            for leaf in value * under..(value + 1) * under {
                let shown = face.as_ref().and_then(BigUint::to_f64);
                cells[leaf / columns][leaf % columns] = (shown, text.clone());
            }
            let rolls: Vec<String> = row.rolls.iter().map(|f| (f + 1).to_string()).collect();
            data.push(vec![
                Cell::Text(rolls.join(" ")),
                match (face, row.early) {
                    (Some(face), _) => Cell::Integer(face.into()),
                    (None, true) => Cell::Text("discard early".to_string()),
                    (None, false) => Cell::Text("discard".to_string()),
                },
            ]);
        }
        let headers = ["rolls", "result"].map(String::from).to_vec();
        Ok(Drawn {
            drawing: sheet(&self.title, (&self.x, &self.y), &cells)?,
            data: Some((headers, data)),
        })
    }
}

/// A recipe in a line: `d6 mod 2 x d6`, `(d6 x d6) up to 35`.
pub(super) fn words(part: &Part) -> String {
    let inner = |part: &Part| match part.procedure {
        Procedure::Product(..) | Procedure::Retry(_) => format!("({})", words(part)),
        _ => words(part),
    };
    match &part.procedure {
        Procedure::Nothing => "nothing".to_string(),
        Procedure::Roll(die) if *die == part.sides => format!("d{die}"),
        Procedure::Roll(die) => format!("d{die} mod {}", part.sides),
        Procedure::Retry(from) => format!("{} up to {}", inner(from), part.sides),
        Procedure::Product(first, second) => format!("{} x {}", inner(first), inner(second)),
    }
}

/// The cheapest recipes by procedures A, B and C against n, by the last procedure used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipes {
    name: String,
    title: String,
    source: u64,
    targets: Span,
    x: AxisSpec,
    y: AxisSpec,
}

impl Figure for Recipes {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let best = algorithms::FAST_DICE_ROLLER;
        let mut rows = Vec::new();
        let (mut bound, mut fast) = (Vec::new(), Vec::new());
        let mut points: [Vec<(f64, f64)>; 3] = Default::default();
        for n in self.targets.0.clone() {
            let found = recipe(&[self.source], n).map_err(RowError::from)?;
            let costs = Costs::new(best, &dice(self.source, &Natural(n.into()))?)?;
            let cost = Real::Exact(found.cost.clone()).nearest_f64()?;
            let (mean, entropy) = (costs.mean.nearest_f64()?, costs.entropy.nearest_f64()?);
            let (kind, name) = match found.root.procedure {
                Procedure::Nothing | Procedure::Roll(_) => (0, "A"),
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
                Cell::Exact(fraction(&found.cost)),
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
        let mut chart = Chart::new(&self.title)
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
        let headers = [
            "n",
            "procedure",
            "recipe",
            "cost_exact",
            "cost",
            "fast_dice_roller",
            "entropy",
        ];
        Ok(Drawn {
            drawing: chart.draw()?,
            data: Some((headers.map(String::from).to_vec(), rows)),
        })
    }
}

fn subscript(number: u64) -> String {
    let digit = |c: char| char::from_u32('₀' as u32 + c as u32 - '0' as u32).unwrap_or(c);
    number.to_string().chars().map(digit).collect()
}

/// Rolls per outcome of an endless stream against the capacity of the state.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacities {
    name: String,
    title: String,
    source: u64,
    n: u64,
    capacities: Vec<u64>,
    x: AxisSpec,
    y: AxisSpec,
}

impl Figure for Capacities {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let mut points = Vec::new();
        let mut rows = Vec::new();
        for &capacity in &self.capacities {
            let cost = long_run(self.source, self.n, capacity)?;
            let near = cost.nearest_f64()?;
            points.push((capacity as f64, near));
            let exact = cost.exact().map(fraction).filter(|text| text.len() <= 100);
            rows.push(vec![
                Cell::Integer(capacity.into()),
                exact.map_or(Cell::Empty, Cell::Exact),
                Cell::Double(near),
            ]);
        }
        let bound = Real::log(&self.n.into(), self.source).nearest_f64()?;
        let bound = Series::hline(
            format!("entropy, log{} {}", subscript(self.source), self.n),
            bound,
        );
        let chart = Chart::new(&self.title)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(bound.hue(Hue::Blue))
            .series(Series::points("state kept", points).hue(Hue::Green));
        let headers = ["capacity", "rolls_exact", "rolls"]
            .map(String::from)
            .to_vec();
        Ok(Drawn {
            drawing: chart.draw()?,
            data: Some((headers, rows)),
        })
    }
}
