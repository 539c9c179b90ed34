//! Which dice make which in a bounded number of rolls.

use flipcost_number::BigUint;
use flipcost_question::Numbers;
use flipcost_question::Sources;
use flipcost_question::prelude::*;

use flipcost::algorithms::bounded::bounded_rolls;
use flipcost::table::columns::source_cell;
use flipcost::task::{Source, Target};
use num_traits::{One, ToPrimitive};

question! {
    /// Which dice can be made in a bounded number of rolls, and in how few
    ///
    /// A row for each source and target. A fair die makes those whose prime factors divide its sides; a coin a:b, a not b,
    /// makes none, and 1:2:3 those of 2^i 3^j sides. With `together` a rule may choose one of the sources for each roll:
    /// the coins 1:6 and 2 make a d7.
    pub struct Bounded: "bounded" {
        /// The sources: ranges and lists, as in 2..20 or 2,6,10 (both ends included), or loaded ones, as in 1:2,1:2:3
        sources: Sources = Sources::of(2..=20); option("M").printed(),
        /// The targets, written the same way
        targets: Numbers = Numbers::of(2..=100); option("N").printed(),
        /// All sources are at hand, and a rule chooses one of them for each roll
        together: bool; flag(),
    }
    purpose: Table
    examples: ["bounded --sources 6,10,12 --targets 2..20", "bounded --sources 1:2,1:3 --targets 2..12 --together"]
}

/// The most pairs.
const MOST: usize = 1_000_000;

impl Question for Bounded {
    fn estimate(&self) -> Estimate {
        let pairs = self.sources.get().len() as u128 * self.targets.get().len() as u128;
        Estimate::cells(5 * pairs, 8)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let targets = self.targets.get();
        let target = |n: &u64| Target::uniform(*n).map_err(QueryError::of("targets"));
        let dice = targets
            .iter()
            .map(target)
            .collect::<Result<Vec<Target>, _>>()?;
        let sources: Vec<Source> = self.sources.get().iter().map(|one| one.0.clone()).collect();
        QueryError::few_pairs(sources.len(), targets.len(), MOST)?;
        let sets: Vec<&[Source]> = if self.together {
            vec![&sources]
        } else {
            sources.chunks(1).collect()
        };
        let head = Head::new()
            .columns(Kind::Count, ["source", "target"])
            .measured("rolls", Kind::Count, "rolls")
            .column("missing_prime", Kind::Count)
            .column("possible", Kind::Flag);
        sink.head(&head)?;
        let mut foot = Foot::default();
        let (mut unknown, mut shared) = (false, false);
        for set in sets {
            control.go_on()?;
            let name = match set {
                [source] => source_cell(source),
                _ => Cell::Text(self.sources.to_string()),
            };
            let fair = match set {
                [source] => source.in_a_word(),
                _ => None,
            };
            let row = |(n, die): (&u64, &Target)| {
                let possible = die.is_bounded(set);
                let missing = missing_prime(set, *n);
                let rolls = match (possible, fair.map(|m| bounded_rolls(m, &(*n).into()))) {
                    (false, _) => Cell::Text("never".to_string()),
                    (true, _) if *n == 1 => Cell::Integer(0u64.into()),
                    (true, Some(Ok(rolls))) => Cell::Integer(rolls.into()),
                    (true, _) => {
                        unknown = true;
                        Cell::Empty
                    }
                };
                shared |= !possible && missing.is_none();
                row![name.clone(), *n, rolls, missing, possible]
            };
            sink.rows(targets.iter().zip(&dice).map(row).collect())?;
        }
        if unknown {
            foot.note("the least number of rolls is told for one fair source");
        }
        if shared {
            foot.note(
                "never without a missing prime: the weights of all faces but one have a common divisor, which does not divide the weights of all outcomes but one",
            );
        }
        sink.foot(foot)
    }
}

/// The least prime factor of n that divides no sum of weights.
fn missing_prime(sources: &[Source], n: u64) -> Option<BigUint> {
    let sums = sources.iter().filter_map(Source::weight_sum);
    // what is left modulo n has the prime factors of n that the product has; all of them, if it is 0
    let left = sums.fold(BigUint::one(), |product, sum| product * sum % n);
    let left = left.to_u128().filter(|left| *left > 0)?;
    bounded_rolls(left, &n.into()).err()
}
