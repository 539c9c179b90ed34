//! The best algorithm for every pair of a source and a target.

use flipcost::algorithms::{Algorithm, REGISTRY};
use flipcost::table::columns::source_cell;
use flipcost::table::{Costs, Precision, RowError};
use flipcost::task::{Source, Target, Task};
use flipcost_figures::Drawing;
use flipcost_number::Real;
use flipcost_number::threads;
use flipcost_question::Numbers;
use flipcost_question::Sources;
use flipcost_question::long::Short;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use flipcost_question::{Answer, PictureError};
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering as Memory};

question! {
    /// The best algorithm for every source and target, its cost, and its toll over the entropy bound
    pub struct Compare: "compare" {
        /// The sources: ranges and lists, as in 2..20 or 2,6,1:2 (both ends included)
        sources: Sources = Sources::of([2, 4, 6, 8, 10, 12, 20]); option("M").printed(),
        /// A target by its weights, in place of --targets; may be repeated
        weights: Vec<TargetText>; option("TEXT").without(&["targets"]).each(),
        /// The targets, written as the sources
        targets: Numbers => if weights.is_empty() { Numbers::of(2..=100) } else { Numbers::default() }; option("N").printed(),
        /// Only these algorithms; without any, all that were made for the target.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers in units
    examples: [
        "compare --sources 2,6 --targets 2..20",
        "compare --sources 2..12 --targets 2..50 -o map.svg",
        "compare --sources 2,6 --weights 1:2:3 --weights 3d6",
    ]
}

/// The most pairs.
const MOST: usize = 100_000;

/// The best of a pair.
struct Best {
    id: &'static str,
    /// Others that cost the same.
    also: Vec<&'static str>,
    cost: Real,
    toll: Real,
    bits: Real,
    toll_bits: Real,
}

fn best(algorithms: &[&'static dyn Algorithm], task: &Task) -> Result<Option<Best>, QueryError> {
    let mut best: Option<(&'static str, Vec<&'static str>, Costs)> = None;
    for algorithm in algorithms {
        let id = algorithm.about().id;
        let costs = match Costs::new(*algorithm, task) {
            Ok(costs) => costs,
            Err(RowError::Refused(_) | RowError::TooLarge { .. }) => continue,
            Err(error) => return Err(QueryError::input(error)),
        };
        // a biased rule does not make the target
        if costs.bias().is_some() {
            continue;
        }
        match &mut best {
            None => best = Some((id, Vec::new(), costs)),
            Some((_, also, old)) => match costs.mean().compare(old.mean()) {
                Ok(Ordering::Less) => best = Some((id, Vec::new(), costs)),
                Ok(Ordering::Greater) => {}
                // equal to thousands of digits: the same
                Ok(Ordering::Equal) | Err(_) => also.push(id),
            },
        }
    }
    Ok(best.map(|(id, also, costs)| {
        let bit = bits(task.source());
        Best {
            id,
            also,
            toll: costs.toll(),
            bits: costs.mean().times(&bit),
            toll_bits: costs.toll().times(&bit),
            cost: costs.mean().clone(),
        }
    }))
}

/// The entropy of a roll, in bits.
fn bits(source: &Source) -> Real {
    match source.law() {
        Some(law) => Task::new(Source::COIN, law.clone()).entropy(),
        None => Real::log(&source.sides(), 2),
    }
}

impl Compare {
    fn all_targets(&self) -> Result<Vec<Target>, QueryError> {
        match (self.targets.get(), &self.weights[..]) {
            (sides, []) => {
                let targets = sides.iter().map(|&n| Target::uniform(n));
                (targets.collect::<Result<_, _>>()).map_err(QueryError::of("targets"))
            }
            ([], weights) => {
                let targets = weights.iter().map(|target| {
                    let checked = target.checked().cloned();
                    checked.map_err(|error| error.in_field("weights"))
                });
                targets.collect()
            }
            _ => Err(QueryError::both("targets", "weights")),
        }
    }

    fn row(&self, source: &Sides, target: &Target) -> Result<Vec<Cell>, QueryError> {
        let written = match target.sides() {
            Some(n) => Cell::Integer(n.into()),
            None => Cell::Text(target.to_string()),
        };
        let mut row = vec![source_cell(&source.0), written];
        let task = Task::new(source.0.clone(), target.clone());
        let Some(best) = best(
            &algorithms_for(&self.algorithms, task.source(), target),
            &task,
        )?
        else {
            row.resize(9, Cell::Empty);
            return Ok(row);
        };
        let precision = Precision {
            digits: self.digits,
            ..Precision::default()
        };
        let number = |value: &Real| decimal(value, precision);
        row.extend([
            Cell::Text(best.id.to_string()),
            exact(&best.cost),
            number(&best.cost)?,
            number(&best.bits)?,
            number(&best.toll)?,
            number(&best.toll_bits)?,
            Cell::Text(best.also.join(" ")),
        ]);
        Ok(row)
    }
}

impl Question for Compare {
    fn estimate(&self) -> Estimate {
        let sources = self.sources.get().len() as u128;
        let pairs = sources * (self.targets.get().len() + self.weights.len()) as u128;
        let each = match self.algorithms.len() {
            0 => REGISTRY.len() as u128,
            named => named as u128,
        };
        let listed: u128 = self.weights.iter().map(|target| target.size().1).sum();
        let bytes = 40 + sources * listed / pairs.max(1);
        Estimate::table(pairs, 9, each * 100_000 + listed, bytes)
    }

    fn short(&self) -> Option<Short> {
        Some(Short {
            answers: &[],
            ask: |name| say!("`cost` with the column {name}"),
        })
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let rows = self.rows(0..self.count()?, control)?;
        self.show(rows, sink)
    }

    fn draw(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

// a place is a pair of a source and a target, whose row it is
impl Places for Compare {
    fn count(&self) -> Result<u64, QueryError> {
        let (sources, targets) = (self.sources.get().len(), self.all_targets()?.len());
        QueryError::few_pairs(sources, targets, MOST)?;
        Ok((sources * targets) as u64)
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        evenly(self.estimate().work, self.count().unwrap_or(1))
    }

    fn compute(&self, places: Range<u64>, control: &Control) -> Result<Shown, QueryError> {
        Ok(Shown {
            rows: self.rows(places, control)?.into_iter().collect(),
            seen: Json::Null,
        })
    }

    fn answer(&self, all: Shown, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.show(all.rows.rows(0..all.rows.len()).collect(), sink)
    }
}

impl Compare {
    fn head(&self) -> Result<Head, QueryError> {
        let targets = self.all_targets()?;
        let kind = |counts: bool| if counts { Kind::Count } else { Kind::Text };
        let fair = self.sources.get().iter().all(|source| source.0.is_fair());
        let sides = targets.iter().all(|target| target.sides().is_some());
        Ok(Head::new()
            .column("source", kind(fair))
            .column("target", kind(sides))
            .column("algorithm", Kind::Text)
            .measured("expected_exact", Kind::Exact, "rolls")
            .answers()
            .measured("expected", Kind::Decimal, "rolls")
            .answers()
            .measured("bits", Kind::Decimal, "bits")
            .measured("toll", Kind::Decimal, "rolls")
            .answers()
            .measured("toll_bits", Kind::Decimal, "bits")
            .column("also", Kind::Text))
    }

    /// The rows of these pairs, in order.
    fn rows(&self, pairs: Range<u64>, control: &Control) -> Result<Vec<Vec<Cell>>, QueryError> {
        let targets = self.all_targets()?;
        let all = (self.sources.get().iter())
            .flat_map(|source| targets.iter().map(move |target| (source, target)));
        let some = all.skip(pairs.start as usize);
        let pairs: Vec<(&Sides, &Target)> = some.take((pairs.end - pairs.start) as usize).collect();
        let (done, all) = (AtomicU64::new(0), pairs.len() as u64);
        let row = |(source, target): &(&Sides, &Target)| {
            control.go_on()?;
            let row = self.row(source, target);
            control.progress(done.fetch_add(1, Memory::Relaxed) + 1, all);
            row
        };
        let rows = threads::map_of(&pairs, &row);
        rows.into_iter().collect()
    }

    /// All rows, with notes on those that are empty, and on those whose fraction is long.
    fn show(&self, rows: Vec<Vec<Cell>>, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let mut foot = Foot::default();
        let of = |rows: usize| match rows {
            1 => "1 row".to_string(),
            rows => format!("{rows} rows"),
        };
        let is_empty = |row: &Vec<Cell>| row[2] == Cell::Empty;
        if let Some(first) = rows.iter().position(is_empty) {
            let rows = of(rows.iter().filter(|row| is_empty(row)).count());
            foot.note(say!(
                "{rows} without an algorithm, as in ",
                self.refused(first)?
            ));
        }
        let unknown = |row: &&Vec<Cell>| !is_empty(row) && row[3] == Cell::Empty;
        let long = rows.iter().filter(unknown).count();
        if long > 0 {
            let rows = of(long);
            foot.note(say!(
                "expected_exact is left out of {rows} whose mean is a long fraction, or none that is known; `cost` with the column expected_exact says which"
            ));
        }
        sink.whole(&self.head()?, rows, foot)
    }

    /// What the algorithms say of this pair, none of which makes its target.
    fn refused(&self, pair: usize) -> Result<String, QueryError> {
        let targets = self.all_targets()?;
        let source = &self.sources.get()[pair / targets.len()].0;
        let target = &targets[pair % targets.len()];
        let task = Task::new(source.clone(), target.clone());
        let say = |algorithm: &'static dyn Algorithm| {
            let id = algorithm.about().id;
            match Costs::new(algorithm, &task) {
                Ok(_) => format!("{id} is biased"),
                Err(why) => format!("{id}: {why}"),
            }
        };
        let of = match target.sides() {
            Some(n) => format!("a d{n} from {}", source.with_article()),
            None => format!("{target} from {}", source.with_article()),
        };
        let first = algorithms_for(&self.algorithms, source, target)
            .first()
            .map(|first| say(*first));
        let why = first.unwrap_or_else(|| "none was made for such targets".to_string());
        Ok(format!("{of}: {why}"))
    }
}
