//! The best algorithm for every pair of a source and a target.

use crate::value::algorithms;
use crate::{
    AlgorithmId, CommandLine, Control, Estimate, Foot, Head, Kind, Numbers, QueryError, Question,
    Sink,
};
use flipcost::algorithms::Algorithm;
use flipcost::number::Real;
use flipcost::table::{Cell, Costs, Precision, RowError};
use flipcost::task::{Source, Target, Task};
use flipcost::unstable::table::fraction;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as Memory};

/// Which algorithm costs least for every source and target, and what it pays above the entropy: a
/// row for every pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// Sides of the sources.
    pub sources: Numbers,
    /// Sides of the targets.
    pub targets: Numbers,
    /// Only these algorithms; all without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub algorithms: Vec<AlgorithmId>,
    /// Correctly rounded decimals instead of the nearest doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u32>,
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
        match &mut best {
            None => best = Some((id, Vec::new(), costs)),
            Some((_, also, old)) => match costs.mean.compare(&old.mean) {
                Ok(Ordering::Less) => best = Some((id, Vec::new(), costs)),
                Ok(Ordering::Greater) => {}
                // equal to thousands of digits: the same
                Ok(Ordering::Equal) | Err(_) => also.push(id),
            },
        }
    }
    Ok(best.map(|(id, also, costs)| {
        let bit = Real::log(&task.source().sides(), 2);
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
    fn row(
        &self,
        algorithms: &[&'static dyn Algorithm],
        m: u64,
        n: u64,
    ) -> Result<Vec<Cell>, QueryError> {
        let mut row = vec![Cell::Integer(m.into()), Cell::Integer(n.into())];
        let task = Task::dice(m, n).map_err(QueryError::input)?;
        let Some(best) = best(algorithms, &task)? else {
            row.resize(9, Cell::Empty);
            return Ok(row);
        };
        let precision = Precision {
            digits: self.digits,
            ..Precision::default()
        };
        let number = |value: &Real| precision.cell(value).map_err(QueryError::input);
        let exact = best.cost.exact().map(fraction);
        row.extend([
            Cell::Text(best.id.to_string()),
            exact.map_or(Cell::Empty, Cell::Exact),
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
    fn command(&self) -> CommandLine {
        CommandLine::new("compare")
            .option("sources", &self.sources)
            .option("targets", &self.targets)
            .list("algorithm", &self.algorithms)
            .maybe("digits", self.digits)
    }

    fn estimate(&self) -> Estimate {
        let pairs = self.sources.get().len() as u128 * self.targets.get().len() as u128;
        let each = algorithms(&self.algorithms).len() as u128;
        Estimate::table(pairs, 9, each * 100_000, 40)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let (sources, targets) = (self.sources.get(), self.targets.get());
        if sources.len().saturating_mul(targets.len()) > MOST {
            return Err(QueryError::Input(format!(
                "{} sources and {} targets are too many pairs: {MOST} is the most",
                sources.len(),
                targets.len()
            )));
        }
        for &source in sources {
            let source = Source::die(source).map_err(QueryError::input)?;
            crate::Sides::try_from(source).map_err(QueryError::input)?;
        }
        for &target in targets {
            Target::uniform(target).map_err(QueryError::input)?;
        }
        let algorithms = algorithms(&self.algorithms);
        let pairs: Vec<(u64, u64)> = (sources.iter())
            .flat_map(|&m| targets.iter().map(move |&n| (m, n)))
            .collect();
        let head = Head::new()
            .column("source", Kind::Count)
            .column("target", Kind::Count)
            .column("algorithm", Kind::Text)
            .measured("expected_exact", Kind::Exact, "rolls")
            .measured("expected", Kind::Decimal, "rolls")
            .measured("bits", Kind::Decimal, "bits")
            .measured("toll", Kind::Decimal, "rolls")
            .measured("toll_bits", Kind::Decimal, "bits")
            .column("also", Kind::Text);
        sink.head(&head)?;
        let (done, all) = (AtomicU64::new(0), pairs.len() as u64);
        let row = |(m, n): (u64, u64)| {
            control.go_on()?;
            let row = self.row(&algorithms, m, n);
            control.progress(done.fetch_add(1, Memory::Relaxed) + 1, all);
            row
        };
        let rows: Result<Vec<_>, QueryError> = pairs.into_par_iter().map(row).collect();
        sink.rows(rows?)?;
        sink.foot(Foot::default())
    }
}
