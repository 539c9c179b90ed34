//! Finds the best algorithm for a pair of a source and a target, and for many pairs.

use super::CostRows;
use flipcost::algorithms::{Algorithm, REGISTRY};
use flipcost::law::Law;
use flipcost::table::source_cell;
use flipcost::table::{Costs, Precision, RowError};
use flipcost::task::{Source, Target, Task};
use flipcost_number::{Real, threads};
use flipcost_question::prelude::*;
use flipcost_question::value::{algorithms_for, fast_dice_roller};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering as Memory};

/// The largest number of pairs of one question.
const MAX_PAIRS: usize = 100_000;

/// The best algorithm for a pair of a source and a target.
struct BestAlgorithm {
    algorithm: &'static dyn Algorithm,
    /// The ids of other algorithms that cost the same.
    equally_cheap: Vec<&'static str>,
    costs: Costs,
}

/// An algorithm that cannot make the target, and its error.
type RefusedAlgorithm = Option<(&'static dyn Algorithm, RowError)>;

/// Returns the cheapest unbiased algorithm that makes the target; of several with equal costs, the
/// first. If no algorithm makes the target, returns the refusal of the last one that was tried.
fn best_algorithm(
    algorithms: &[&'static dyn Algorithm],
    task: &Task,
    control: &Control,
) -> Result<Result<BestAlgorithm, RefusedAlgorithm>, QueryError> {
    let mut best: Option<BestAlgorithm> = None;
    let mut refused = None;
    for &algorithm in algorithms {
        control.go_on()?;
        let costs = match Costs::new(algorithm, task) {
            Ok(costs) => costs,
            Err(error @ (RowError::Refused(_) | RowError::TooLarge { .. })) => {
                refused = Some((algorithm, error));
                continue;
            }
            Err(error) => return Err(QueryError::input(error)),
        };
        if costs.bias().is_some() {
            continue;
        }
        let order = |known: &BestAlgorithm| costs.mean().compare(known.costs.mean());
        match best.as_mut().map(|known| (order(known), known)) {
            Some((Ok(Ordering::Greater), _)) => {}
            // means that agree to thousands of digits count as equal
            Some((Ok(Ordering::Equal) | Err(_), known)) => {
                known.equally_cheap.push(algorithm.about().id)
            }
            None | Some((Ok(Ordering::Less), _)) => {
                let equally_cheap = Vec::new();
                best = Some(BestAlgorithm {
                    algorithm,
                    equally_cheap,
                    costs,
                })
            }
        }
    }
    Ok(best.ok_or(refused))
}

/// Returns the cheapest of the algorithms that were made for this target, with its law.
pub(crate) fn cheapest(
    target: &TargetText,
    source: &Sides,
    control: &Control,
) -> Result<(&'static dyn Algorithm, Law), QueryError> {
    let task = target.task(&source.0)?;
    let mut algorithms = algorithms_for(&[], &source.0, target.checked()?);
    // No algorithm makes a fair die at a lower cost than the fast dice roller, and of algorithms
    // with equal costs the first is chosen.
    if task.fair().is_ok() && AlgorithmId::from(algorithms[0]) == fast_dice_roller() {
        algorithms.truncate(1);
    }
    match best_algorithm(&algorithms, &task, control)? {
        Ok(best) => Ok((best.algorithm, best.costs.law().clone())),
        Err(refused) => {
            let (algorithm, error) =
                refused.expect("the interval algorithm is tried for every target");
            Err(QueryError::of_algorithm("targets", algorithm)(error))
        }
    }
}

/// Returns the entropy of a roll of the source, in bits.
fn entropy_bits(source: &Source) -> Real {
    match source.law() {
        Some(law) => Task::new(law.clone(), Source::COIN).entropy(),
        None => Real::log(source.sides(), 2),
    }
}

impl CostRows {
    pub(super) fn best_estimate(&self) -> Estimate {
        let sources = self.sources.as_ref().map_or(1, |all| all.get().len()) as u128;
        let pairs = sources.saturating_mul(self.target.count());
        let each = match self.algorithms.len() {
            0 => REGISTRY.len() as u128,
            named => named as u128,
        };
        let listed: u128 = self
            .target
            .targets_outside_ranges()
            .map(|target| target.size().1)
            .sum();
        let bytes = 40 + sources * listed / pairs.max(1);
        Estimate::table(pairs, 9, each * 100_000 + listed, bytes)
    }

    /// Returns the number of pairs of a source and a target.
    pub(super) fn pairs(&self) -> Result<u64, QueryError> {
        let (sources, targets) = (self.all_sources()?.len(), self.target.count());
        let targets = usize::try_from(targets).unwrap_or(usize::MAX);
        QueryError::check_pair_count(sources, targets, MAX_PAIRS)?;
        Ok((sources * targets) as u64)
    }

    /// Returns the pairs with these indices. All targets of the first source come first, then those
    /// of the next source.
    fn pairs_at(&self, places: Range<u64>) -> Result<Vec<(&Sides, Target)>, QueryError> {
        let targets = self
            .target
            .iter_targets()
            .collect::<Result<Vec<Target>, _>>()?;
        let all = (self.all_sources()?.into_iter())
            .flat_map(|source| targets.iter().map(move |target| (source, target.clone())));
        let some = all.skip(places.start as usize);
        Ok(some.take((places.end - places.start) as usize).collect())
    }

    /// Returns the rows of these pairs, in order.
    pub(super) fn best_rows(
        &self,
        pairs: Range<u64>,
        control: &Control,
    ) -> Result<Vec<Vec<Cell>>, QueryError> {
        let pairs = self.pairs_at(pairs)?;
        let (done, all) = (AtomicU64::new(0), pairs.len() as u64);
        let row = |(source, target): &(&Sides, Target)| {
            let row = self.best_row(source, target, control);
            control.progress(done.fetch_add(1, Memory::Relaxed) + 1, all);
            row
        };
        threads::map_of(&pairs, &row).into_iter().collect()
    }

    fn best_row(
        &self,
        source: &Sides,
        target: &Target,
        control: &Control,
    ) -> Result<Vec<Cell>, QueryError> {
        let written = match target.sides() {
            Some(n) => Cell::Integer(n.into()),
            None => Cell::Text(target.to_string()),
        };
        let mut row = vec![source_cell(&source.0), written];
        let task = Task::new(target.clone(), source.0.clone());
        let algorithms = algorithms_for(&self.algorithms, &source.0, target);
        let Ok(best) = best_algorithm(&algorithms, &task, control)? else {
            row.resize(9, Cell::Empty);
            return Ok(row);
        };
        let precision = Precision {
            digits: self.digits,
            ..Precision::default()
        };
        let number = |value: &Real| decimal(value, precision);
        let (cost, toll, bit) = (
            best.costs.mean(),
            best.costs.toll(),
            entropy_bits(&source.0),
        );
        row.extend([
            Cell::Text(best.algorithm.about().id.to_string()),
            exact_cell(cost),
            number(cost)?,
            number(&cost.times(&bit))?,
            number(&toll)?,
            number(&toll.times(&bit))?,
            Cell::Text(best.equally_cheap.join(" ")),
        ]);
        Ok(row)
    }

    fn best_head(&self) -> Result<Head, QueryError> {
        let kind = |counts: bool| {
            if counts {
                CellKind::Count
            } else {
                CellKind::Text
            }
        };
        let fair = self.all_sources()?.iter().all(|source| source.0.is_fair());
        let sides = self
            .target
            .targets_outside_ranges()
            .all(|target| target.sides().is_some());
        Ok(Head::new()
            .column("source", kind(fair))
            .column("target", kind(sides))
            .column("algorithm", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, "rolls")
            .answers()
            .measured("expected", CellKind::Decimal, "rolls")
            .answers()
            .measured("bits", CellKind::Decimal, "bits")
            .measured("toll", CellKind::Decimal, "rolls")
            .answers()
            .measured("toll_bits", CellKind::Decimal, "bits")
            .column("also", CellKind::Text))
    }

    /// Writes all rows, with notes on empty rows and on rows whose fraction is long.
    pub(super) fn show_best(
        &self,
        rows: Vec<Vec<Cell>>,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let mut foot = Foot::default();
        let of = |rows: usize| match rows {
            1 => "1 row".to_string(),
            rows => format!("{rows} rows"),
        };
        let is_empty = |row: &Vec<Cell>| row[2] == Cell::Empty;
        if let Some(first) = rows.iter().position(is_empty) {
            let rows = of(rows.iter().filter(|row| is_empty(row)).count());
            foot.note(say!(
                "no algorithm could be used in {rows}, for example for ",
                self.refusal_sentence(first as u64)?
            ));
        }
        let unknown = |row: &&Vec<Cell>| !is_empty(row) && row[3] == Cell::Empty;
        let long = rows.iter().filter(unknown).count();
        if long > 0 {
            let rows = of(long);
            foot.note(say!(
                "expected_exact is left out of {rows} whose mean is a long fraction, or not known as a fraction; `cost` with the column expected_exact says which of the two"
            ));
        }
        sink.write_answer(&self.best_head()?, rows, foot)
    }

    /// Returns a sentence that says why no algorithm makes the target of this pair.
    fn refusal_sentence(&self, place: u64) -> Result<String, QueryError> {
        let pairs = self.pairs_at(place..place + 1)?;
        let (Sides(source), target) = &pairs[0];
        let task = Task::new(target.clone(), source.clone());
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
        let why = first.unwrap_or_else(|| "no algorithm here is made for this target".to_string());
        Ok(format!("{of}: {why}"))
    }
}
