//! Which dice make which in a bounded number of rolls.

use crate::Numbers;
use crate::Sources;
use crate::question::*;
use flipcost::task::Target;
use flipcost::unstable::algorithms::bounded_rolls;

question! {
    /// Which dice can be made in a bounded number of rolls, and in how few
    pub struct Bounded: "bounded" {
        /// The sources: ranges and lists, as in 2..20 or 2,6,10 (both ends included)
        sources: Sources = Sources::of(2..=20); option("M").printed(),
        /// The targets, written the same way
        targets: Numbers = Numbers::of(2..=100); option("N").printed(),
    }
    purpose: Table
    examples: ["bounded --sources 6,10,12 --targets 2..20"]
}

/// The most pairs.
const MOST: usize = 1_000_000;

impl Question for Bounded {
    fn estimate(&self) -> Estimate {
        let pairs = self.sources.get().len() as u128 * self.targets.get().len() as u128;
        Estimate::table(pairs, 4, 1000, 8)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let what = "the number of rolls that always suffices";
        let (sources, targets) = (self.sources.fair(what)?, self.targets.get());
        for &target in targets {
            Target::uniform(target).map_err(QueryError::of("targets"))?;
        }
        QueryError::few_pairs(sources.len(), targets.len(), MOST)?;
        let head = Head::new()
            .columns(Kind::Count, ["source", "target"])
            .measured("rolls", Kind::Count, "rolls")
            .column("missing_prime", Kind::Count);
        sink.head(&head)?;
        for &source in sources {
            control.go_on()?;
            let row = |target: &u64| {
                let (rolls, missing) = match bounded_rolls(source.into(), &(*target).into()) {
                    Ok(rolls) => (Cell::Integer(rolls.into()), Cell::Empty),
                    Err(prime) => (Cell::Text("never".to_string()), Cell::Integer(prime.into())),
                };
                let (source, target) = (source.into(), (*target).into());
                row![Cell::Integer(source), Cell::Integer(target), rolls, missing]
            };
            sink.rows(targets.iter().map(row).collect())?;
        }
        sink.foot(Foot::default())
    }
}
