//! The figures of a study: curves over n, histograms, flow charts, maps of P(T > t).

use super::rule::Rule;
use super::spec::{AxisSpec, ColumnName, MethodId, Natural, Span, StudyError, coin};
use flipcost::algorithms;
use flipcost::number::real::Real;
use flipcost::number::{BigInt, Rational};
use flipcost::sweep::{Pace, ordered};
use flipcost::table::{Cell, Column, Precision, Request, RowError};
use flipcost::table::{Costs, fraction};
use flipcost::task::{Fair, Task};
use flipcost_figures::{Axis, Chart, Dash, Drawing, HeatMap, Hue, Scale, Series};
use flipcost_query::{Control, Query, Sides};
use num_traits::{ToPrimitive, Zero};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A drawing, and the numbers that it shows.
pub struct Drawn {
    /// The picture.
    pub drawing: Drawing,
    /// Headers and rows.
    pub data: Option<(Vec<String>, Vec<Vec<Cell>>)>,
}

/// A figure of a study.
pub trait Figure {
    /// The name of its files.
    fn name(&self) -> &str;
    /// Computes and draws it.
    fn draw(&self) -> Result<Drawn, StudyError>;
}

/// Columns against n.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Curves {
    name: String,
    title: String,
    #[serde(default = "coin")]
    source: u64,
    targets: Span,
    x: AxisSpec,
    y: AxisSpec,
    series: Vec<Curve>,
    #[serde(default)]
    lines: Vec<Line>,
}

/// One curve.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Curve {
    name: String,
    column: ColumnName,
    algorithm: Option<MethodId>,
    hue: Option<String>,
    dash: Option<String>,
    #[serde(default)]
    mark: MarkSpec,
}

/// A horizontal line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Line {
    name: String,
    y: f64,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MarkSpec {
    #[default]
    Line,
    Step,
    Points,
}

/// A double of a chart: it came from an enclosure, and is only drawn.
fn plotted(cell: &Cell) -> f64 {
    match cell {
        Cell::Double(value) => *value,
        Cell::Integer(value) => value.to_f64(),
        _ => f64::NAN,
    }
}

impl Figure for Curves {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        few(
            &self.name,
            "targets",
            self.targets.0.end() - self.targets.0.start(),
            1_000_000,
        )?;
        let mut chart = Chart::new(&self.title).x(self.x.axis()).y(self.y.axis());
        let mut headers = vec!["n".to_string()];
        let mut rows: Vec<Vec<Cell>> = self
            .targets
            .0
            .clone()
            .map(|n| vec![Cell::Integer(n.into())])
            .collect();
        for curve in &self.series {
            // the entropy is the same for every algorithm
            let method = curve
                .algorithm
                .as_ref()
                .map_or(algorithms::FAST_DICE_ROLLER, |id| id.0);
            let column = curve.column.0;
            let request = Request {
                algorithms: vec![method],
                source: self.source,
                columns: vec![column],
                precision: Precision::default(),
            };
            let mut cells = Vec::new();
            let surveys = request.tables(*self.targets.0.end());
            let collect = |part: Vec<flipcost::table::Row>, _| {
                cells.extend(part.into_iter().flat_map(|row| row.cells));
                Ok::<(), RowError>(())
            };
            ordered(
                self.targets.0.clone(),
                Pace {
                    chunk: 64,
                    threads: 0,
                },
                |part| request.rows(part, &surveys),
                collect,
            )?;
            let points = self
                .targets
                .0
                .clone()
                .zip(&cells)
                .map(|(n, cell)| (n as f64, plotted(cell)))
                .collect();
            let mut series = match curve.mark {
                MarkSpec::Line => Series::line(&curve.name, points),
                MarkSpec::Step => Series::step(&curve.name, points),
                MarkSpec::Points => Series::points(&curve.name, points),
            };
            if let Some(hue) = &curve.hue {
                series = series.hue(hue.parse::<Hue>().map_err(StudyError::Spec)?);
            }
            if let Some(dash) = &curve.dash {
                series = series.dash(dash.parse::<Dash>().map_err(StudyError::Spec)?);
            }
            chart = chart.series(series);
            headers.push(match &curve.algorithm {
                Some(id) => format!("{} {}", id.0.about().id, column.name()),
                None => column.name().to_string(),
            });
            rows.iter_mut()
                .zip(cells)
                .for_each(|(row, cell)| row.push(cell));
        }
        for line in &self.lines {
            chart = chart.series(
                Series::hline(&line.name, line.y)
                    .hue(Hue::Grey)
                    .dash(Dash::Dotted),
            );
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            data: Some((headers, rows)),
        })
    }
}

/// Exact probabilities as bars.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Bars {
    name: String,
    title: String,
    x: AxisSpec,
    y: AxisSpec,
    hue: Option<String>,
    /// The value of some source rolls, read as a number in base m and taken modulo n.
    modulo: Option<Modulo>,
    /// The rolls that an algorithm takes.
    rolls: Option<Rolls>,
    /// The outcomes of an algorithm.
    outcomes: Option<Outcomes>,
    /// The values of a rule.
    rule: Option<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Modulo {
    #[serde(default = "coin")]
    source: u64,
    rolls: u32,
    n: u64,
    #[serde(default)]
    first: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rolls {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    n: Natural,
    upto: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Outcomes {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    n: Natural,
    #[serde(default)]
    first: u64,
}

/// Refuses a figure that would not fit on paper or in memory.
fn few(name: &str, what: &str, asked: u64, most: u64) -> Result<(), StudyError> {
    match asked > most {
        true => Err(StudyError::Spec(format!(
            "the figure \"{name}\" asks for {asked} {what}: {most} is the most"
        ))),
        false => Ok(()),
    }
}

/// The dice that a study asks for.
pub fn dice(source: u64, n: &Natural) -> Result<Task, StudyError> {
    let task = Task::dice(source, n.0.clone());
    let task = task.map_err(|error| StudyError::Spec(error.to_string()))?;
    fair(&task)?;
    Ok(task)
}

/// The sides of a task of fair dice.
pub fn fair(task: &Task) -> Result<Fair<'_>, StudyError> {
    task.fair()
        .map_err(|error| StudyError::Spec(error.to_string()))
}

/// The exact distribution of the value of k rolls modulo n, its outcomes counted from `first`.
pub fn modulo_distribution(source: u64, rolls: u32, n: u64, first: u64) -> BTreeMap<u64, Rational> {
    let all = BigInt::from(source).pow(rolls);
    let (share, rest) = num_integer::Integer::div_rem(&all, &n.into());
    let count = |j: u64| &share + BigInt::from((BigInt::from(j) < rest) as u8);
    (0..n)
        .map(|j| (j + first, Rational::new(count(j), all.clone())))
        .filter(|(_, p)| !p.is_zero())
        .collect()
}

impl Figure for Bars {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let law: BTreeMap<u64, Rational> =
            match (&self.modulo, &self.rolls, &self.outcomes, &self.rule) {
                (Some(of), None, None, None) => {
                    few(&self.name, "rolls", of.rolls.into(), 4096)?;
                    few(&self.name, "outcomes", of.n, 100_000)?;
                    if of.n == 0 {
                        let what = format!("the histogram \"{}\" needs n of at least 1", self.name);
                        return Err(StudyError::Spec(what));
                    }
                    modulo_distribution(of.source, of.rolls, of.n, of.first)
                }
                (None, Some(of), None, None) => {
                    let costs = Costs::new(of.algorithm.0, &dice(of.source, &of.n)?)?;
                    few(&self.name, "rolls", of.upto, 10_000)?;
                    let survival: Vec<Rational> =
                        costs.law.survival().take(of.upto as usize + 1).collect();
                    let drop = |t: usize| &survival[t - 1] - &survival[t];
                    (1..=of.upto)
                        .map(|t| (t, drop(t as usize)))
                        .filter(|(_, p)| !p.is_zero())
                        .collect()
                }
                (None, None, Some(of), None) => {
                    let bound = of
                        .algorithm
                        .0
                        .prepare(&dice(of.source, &of.n)?)
                        .map_err(RowError::from)?;
                    let (chain, _) = bound.chain(algorithms::CHAIN_LIMIT).map_err(|error| {
                        StudyError::Spec(format!("the figure \"{}\": {error}", self.name))
                    })?;
                    let outcome = |(outcome, p): (flipcost::number::BigUint, Rational)| {
                        (outcome.to_u64().expect("few outcomes") + of.first, p)
                    };
                    chain.probabilities().into_iter().map(outcome).collect()
                }
                (None, None, None, Some(rule)) => {
                    let value = |(value, p): (i64, Rational)| Some((u64::try_from(value).ok()?, p));
                    let law: Option<_> = rule.law()?.into_iter().map(value).collect();
                    law.ok_or_else(|| {
                        StudyError::Spec(format!(
                            "the histogram \"{}\" has values below 0",
                            self.name
                        ))
                    })?
                }
                _ => {
                    let what = format!(
                        "the histogram \"{}\" needs one of modulo, rolls, outcomes and rule",
                        self.name
                    );
                    return Err(StudyError::Spec(what));
                }
            };
        let nearest = |p: &Rational| Real::Exact(p.clone()).nearest_f64();
        let mut points = Vec::new();
        for (value, p) in &law {
            points.push((*value as f64, nearest(p)?));
        }
        let labels = if law.len() <= 12 {
            law.values().map(fraction).collect()
        } else {
            Vec::new()
        };
        let step = law
            .keys()
            .zip(law.keys().skip(1))
            .map(|(a, b)| b - a)
            .min()
            .unwrap_or(1) as f64;
        // a tick without a bar is a value of probability 0: the bars leave room for it
        let step = self.x.every().map_or(step, |every| step.min(every));
        let mut bars = Series::bars("", 0.7 * step, points, labels);
        if let Some(hue) = &self.hue {
            bars = bars.hue(hue.parse::<Hue>().map_err(StudyError::Spec)?);
        }
        let chart = Chart::new(&self.title)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(bars);
        let rows = law
            .iter()
            .map(|(value, p)| vec![Cell::Integer((*value).into()), Cell::Exact(fraction(p))]);
        let headers = vec!["value".to_string(), "probability_exact".to_string()];
        Ok(Drawn {
            drawing: chart.draw()?,
            data: Some((headers, rows.collect())),
        })
    }
}

/// A flow chart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Flow {
    name: String,
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
}

impl Figure for Flow {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let query = flipcost_query::Flowchart {
            target: self.n.0.clone().into(),
            source: Sides(dice(self.source, &self.n)?.source()),
        };
        let spec =
            |error: String| StudyError::Spec(format!("the flow chart \"{}\": {error}", self.name));
        let answer = Query::from(query).answer(&Control::default());
        let answer = answer.map_err(|error| spec(error.to_string()))?;
        let drawing = flipcost_pictures::draw(&answer).map_err(|error| spec(error.to_string()))?;
        let headers = ["before", "rolls", "after"].map(String::from).to_vec();
        let row = |row: &Vec<Cell>| row[1..4].to_vec();
        Ok(Drawn {
            drawing,
            data: Some((headers, answer.rows.iter().map(row).collect())),
        })
    }
}

/// P(T > t) as a map over n and t.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Survival {
    name: String,
    title: String,
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    targets: Span,
    upto: u64,
    x: AxisSpec,
    y: AxisSpec,
    value: AxisSpec,
}

impl Figure for Survival {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        few(
            &self.name,
            "targets",
            self.targets.0.end() - self.targets.0.start(),
            10_000,
        )?;
        few(&self.name, "rolls", self.upto, 10_000)?;
        let mut columns: Vec<Vec<Rational>> = Vec::new();
        for n in self.targets.0.clone() {
            let costs = Costs::new(self.algorithm.0, &dice(self.source, &Natural(n.into()))?)?;
            columns.push(costs.law.survival().take(self.upto as usize + 1).collect());
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
                    Cell::Exact(fraction(p)),
                ]);
            }
            values.push(line);
        }
        let xs = self.targets.0.clone().map(|n| n as f64).collect();
        let ys = (0..=self.upto).map(|t| t as f64).collect();
        let map = HeatMap::new(&self.title, xs, ys, values)
            .x(self.x.axis())
            .y(self.y.axis())
            .value(self.value.axis())
            .missing("exactly 0");
        let headers = ["n", "t", "survival_exact"].map(String::from).to_vec();
        Ok(Drawn {
            drawing: map.draw()?,
            data: Some((headers, rows)),
        })
    }
}

/// One chart of a column against n, as the command line asks for it.
pub fn column_chart(
    request: &Request,
    targets: std::ops::RangeInclusive<u64>,
    column: &'static Column,
    scale: Scale,
    unit: &str,
) -> Result<Drawing, StudyError> {
    let mut chart = Chart::new(format!(
        "{} of n = {}..{}",
        column.name(),
        targets.start(),
        targets.end()
    ))
    .x(Axis::new("sides of the target, n").scale(scale))
    .y(Axis::new(format!("{} ({unit}s)", column.name())));
    for method in &request.algorithms {
        let one = Request {
            algorithms: vec![*method],
            columns: vec![column],
            ..request.clone()
        };
        let mut points = Vec::new();
        let surveys = one.tables(*targets.end());
        let mut n = *targets.start();
        let collect = |part: Vec<flipcost::table::Row>, _| {
            for row in part {
                points.push((n as f64, plotted(&row.cells[0])));
                n += 1;
            }
            Ok::<(), RowError>(())
        };
        ordered(
            targets.clone(),
            Pace {
                chunk: 64,
                threads: 0,
            },
            |part| one.rows(part, &surveys),
            collect,
        )?;
        chart = chart.series(Series::line(method.about().id, points));
    }
    Ok(chart.draw()?)
}
