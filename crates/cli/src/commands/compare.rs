//! `flipcost compare`: the best algorithm for every pair of dice.

use super::args::{self, DigitsArg, OutputArgs};
use super::sweep::progress;
use super::{Failure, flowchart};
use flipcost::algorithms::Algorithm;
use flipcost::number::real::Real;
use flipcost::table::Cell;
use flipcost::table::columns::{Costs, RowError};
use flipcost::task::Task;
use flipcost_figures::{Axis, HeatMap, Ticks};
use flipcost_query::Numbers;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::path::PathBuf;

/// The best algorithm for every source and target, its cost, and its toll over the entropy bound
#[derive(clap::Args)]
pub struct Compare {
    /// The sources: ranges and lists, as in 2..20 or 2,6,10 (both ends included)
    #[arg(long, value_name = "M", default_value = "2,4,6,8,10,12,20", value_parser = args::sources, allow_negative_numbers = true)]
    sources: Numbers,
    /// The targets, written the same way
    #[arg(long, value_name = "N", default_value = "2..100", value_parser = args::targets, allow_negative_numbers = true)]
    targets: Numbers,
    /// Only these algorithms, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm())]
    algorithm: Vec<&'static dyn Algorithm>,
    /// Draw a heat map of the toll in bits as well: the name ends in .svg or .png (-o with such a name
    /// does the same)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

/// The most cells.
const MOST: usize = 100_000;

/// The most sources that the map names: more labels would overlap.
const MOST_LABELS: usize = 24;

/// The best of a cell.
struct Best {
    id: &'static str,
    /// Others that cost the same.
    also: Vec<&'static str>,
    cost: Real,
    toll: Real,
    bits: Real,
    toll_bits: Real,
}

fn source_name(sides: u64) -> String {
    match sides {
        2 => "coin".to_string(),
        m => format!("d{m}"),
    }
}

/// A row, and its toll in bits for the map.
type Drawn = (Vec<Cell>, Option<f64>);

fn best(methods: &[&'static dyn Algorithm], dice: &Task) -> Result<Option<Best>, Failure> {
    let mut best: Option<(&'static str, Vec<&'static str>, Costs)> = None;
    for method in methods {
        let id = method.about().id;
        let costs = match Costs::new(*method, dice) {
            Ok(costs) => costs,
            Err(RowError::Refused(_) | RowError::TooLarge { .. }) => continue,
            Err(error) => return Err(Failure::input(error)),
        };
        match &mut best {
            None => best = Some((id, Vec::new(), costs)),
            Some((_, also, old)) => match costs.mean.compare(&old.mean) {
                Ok(Ordering::Less) => best = Some((id, Vec::new(), costs)),
                Ok(Ordering::Greater) => {}
                // not told apart by thousands of digits: the same
                Ok(Ordering::Equal) | Err(_) => also.push(id),
            },
        }
    }
    Ok(best.map(|(id, also, costs)| {
        let bit = Real::log(&dice.source().sides(), 2);
        Best {
            id,
            also,
            toll: costs.toll(),
            bits: costs.mean.times(&bit),
            toll_bits: costs.toll().times(&bit),
            cost: costs.mean,
        }
    }))
}

impl Compare {
    pub fn run(mut self) -> Result<(), Failure> {
        args::check_pairs(&self.sources, &self.targets, MOST)?;
        if self.chart.is_none() {
            self.chart = self.output.take_picture();
        }
        let (sources, targets) = (&self.sources.get(), &self.targets.get());
        let methods = args::methods(&self.algorithm);
        let pairs: Vec<(u64, u64)> = sources
            .iter()
            .flat_map(|&m| targets.iter().map(move |&n| (m, n)))
            .collect();
        // Every cell, and its toll in bits for the map.
        let bar = progress(pairs.len() as u64);
        let cells: Result<Vec<Drawn>, Failure> = pairs
            .into_par_iter()
            .map(|(m, n)| {
                bar.inc(1);
                let mut row = vec![Cell::Integer(m.into()), Cell::Integer(n.into())];
                let dice = Task::dice(m, n).map_err(Failure::input)?;
                let Some(best) = best(&methods, &dice)? else {
                    row.resize(9, Cell::Empty);
                    return Ok((row, None));
                };
                let number = |value: &Real| self.digits.cell(value);
                row.extend([
                    Cell::Text(best.id.to_string()),
                    self.digits.exact(&best.cost),
                    number(&best.cost)?,
                    number(&best.bits)?,
                    number(&best.toll)?,
                    number(&best.toll_bits)?,
                    Cell::Text(best.also.join(" ")),
                ]);
                let toll = best.toll_bits.nearest_f64().map_err(Failure::input)?;
                Ok((row, Some(toll)))
            })
            .collect();
        bar.finish_and_clear();
        let (rows, tolls): (Vec<Vec<Cell>>, Vec<Option<f64>>) = cells?.into_iter().unzip();
        if let Some(path) = &self.chart {
            let values = tolls.chunks(targets.len()).map(<[_]>::to_vec).collect();
            let places: Vec<f64> = (0..sources.len()).map(|i| i as f64).collect();
            let every = sources.len().div_ceil(MOST_LABELS).max(1);
            let ticks = sources.iter().zip(&places).step_by(every);
            let ticks = ticks.map(|(m, at)| (*at, source_name(*m))).collect();
            let xs = targets.iter().map(|&n| n as f64).collect();
            let map = HeatMap::new(
                "What the best algorithm pays above the entropy",
                xs,
                places,
                values,
            )
            .x(Axis::new("sides of the target"))
            .y(Axis::new("source").ticks(Ticks::At(ticks)))
            .value(Axis::new("toll, bits"))
            .missing("impossible");
            flowchart::write(path, None, || map.draw())?;
        }
        let headers = [
            "source",
            "target",
            "algorithm",
            "expected_exact",
            "expected",
            "bits",
            "toll",
            "toll_bits",
            "also",
        ];
        self.output.write(&headers, &rows)
    }
}
