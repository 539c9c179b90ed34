//! What several dice make that are at hand together: a rule chooses one of them for each roll.

use flipcost::algorithms::bounded::missing_prime;
use flipcost::table::Column;
use flipcost::table::columns::{
    ALGORITHM, MISSING_PRIME, N, POSSIBLE, SOURCE, TARGET as WRITTEN, WORST_CASE,
};
use flipcost::task::Source;
use flipcost_number::BigUint;
use flipcost_question::prelude::*;
use flipcost_question::targets::TargetList;
use flipcost_question::value::{fair, registered};
use flipcost_question::{ColumnId, Sources, column};

question! {
    /// Which targets are made in a bounded number of rolls of several dice at hand
    ///
    /// The algorithm is `bounded`: no other answers here yet. The coins 1:6 and 2 make a d7.
    pub struct DiceAtHand: "cost" {
        /// The targets.
        target: TargetList; TARGET,
        /// All dice at hand, as in 6,10.
        source: Sources = Sources::from_sides([2]); SOURCE,
        /// The algorithm `bounded`.
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns of n, target, source, algorithm, worst_case, possible and missing_prime
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// It has no decimals
        digits: Option<u32>; DIGITS,
        /// It has no fractions
        exact: bool; EXACT,
    }
    purpose: Numbers
    examples: ["cost 2..12 -s 1:2,1:3 -a bounded"]
}

/// The most targets.
const MOST: u128 = 1_000_000;

/// The columns that it has.
static KNOWN: [&Column; 7] = [
    SOURCE,
    N,
    WRITTEN,
    ALGORITHM,
    WORST_CASE,
    POSSIBLE,
    MISSING_PRIME,
];

impl DiceAtHand {
    fn columns(&self) -> Result<Vec<&'static Column>, QueryError> {
        if self.algorithms != [registered("bounded")] {
            let what = say!(
                field("source"),
                format!(" names several dice at hand: {}", self.source)
            );
            let right = say!(
                "of all algorithms only `bounded` takes them, ",
                field("algorithms").is(vec!["bounded"]),
                "; ",
                field("sources"),
                " asks for one after the other, and colons make weights: 1:2"
            );
            return Err(QueryError::wrong("algorithms", what).right(right));
        }
        if let Some(other) = self
            .columns
            .iter()
            .find(|column| !KNOWN.contains(&column.0))
        {
            let what = format!("{other} is not known of several dice at hand");
            let known: Vec<&str> = KNOWN.iter().map(|column| column.name()).collect();
            let right = format!("choose from {}", known.join(", "));
            return Err(QueryError::wrong("columns", what).right(right));
        }
        if !self.columns.is_empty() {
            return column::columns(&self.columns);
        }
        let weights = self.target.listed().any(|one| one.sides().is_none());
        let hidden = if weights { N } else { WRITTEN };
        Ok(KNOWN
            .into_iter()
            .filter(|column| *column != hidden)
            .collect())
    }
}

impl Question for DiceAtHand {
    fn summary(&self, answer: &Answer) -> String {
        let possible = answer.column("possible").into_iter().flatten();
        let possible = possible.filter(|cell| **cell == Cell::Flag(true)).count();
        let dice = dice_phrase(&self.source.to_string());
        match (
            answer.rows.len(),
            answer.phrase(0, "worst_case"),
            answer.phrase(0, "missing_prime"),
        ) {
            (1, _, Some(prime)) => format!(
                "no bounded number of rolls of {dice} makes a d{}: {prime} divides none of their products",
                self.target
            ),
            (1, Some(rolls), None) => {
                format!("a d{} takes at most {rolls} rolls of {dice}", self.target)
            }
            (many, ..) => format!(
                "{possible} of {many} targets are made in a bounded number of rolls of {dice}"
            ),
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate::cells(self.target.count().saturating_mul(5), 8)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let columns = self.columns()?;
        if self.target.count() > MOST {
            let what = format!("{} targets are too many", self.target.count());
            return Err(QueryError::wrong("target", what).right(format!("{MOST} is the most")));
        }
        let dice: Vec<Source> = self.source.get().iter().map(|one| one.0.clone()).collect();
        sink.head(&column::head(&columns, None, &self.columns))?;
        let mut foot = Foot::default();
        let (mut unknown, mut shared) = (false, false);
        let mut rows = Vec::new();
        for target in self.target.each() {
            control.go_on()?;
            let target = target?;
            let (possible, missing) = (target.is_bounded(&dice), missing_prime(&dice, &target));
            shared |= !possible && missing.is_none();
            let integer = |value: Option<BigUint>| {
                value.map_or(Cell::Empty, |value| Cell::Integer(value.into()))
            };
            let cell = |column: &&'static Column| match column.name() {
                "source" => Cell::Text(self.source.to_string()),
                "n" => integer(target.sides().cloned()),
                "target" => Cell::Text(target.to_string()),
                "algorithm" => Cell::Text("bounded".to_string()),
                "possible" => Cell::Flag(possible),
                "missing_prime" => integer(missing.clone()),
                _ if target == fair() => Cell::Integer(0u64.into()),
                _ => {
                    unknown |= possible;
                    Cell::Empty
                }
            };
            rows.push(columns.iter().map(cell).collect());
        }
        sink.rows(rows)?;
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
