//! The least and the greatest toll over ranges of n.

use crate::extremes::{Extreme, MAX_N, MAX_SCANNED, TollBase, equal_parts, toll_extremes};
use crate::rounds_extremes::RoundsExtremes;
use flipcost_number::short::short;
use flipcost_question::Natural;
use flipcost_question::prelude::*;
use num_traits::ToPrimitive;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

question! {
    /// The least and the greatest toll of the optimal roller with a coin, over parts of a range up
    /// to 2^62
    ///
    /// The range of n is cut into parts that are about equally wide in log2 n. Each part has a row
    /// with the least and the greatest value of the optimal roller with a coin.
    ///
    /// Parts of up to 10,000 n are `scanned`: `least` and `greatest` are the nearest doubles to the
    /// values of `least_n` and `greatest_n`. Longer parts are enclosed by branch and bound: `least`
    /// and `greatest`, rounded outwards, are bounds that hold for every n of the part. For the
    /// rounds of the cycle (A136043) every part is exact.
    pub struct TollExtremes: "toll-extremes", "toll extremes" {
        /// The first n
        from: Natural = 1.into(); option("A").printed(),
        /// The last n
        to: Natural; option("B"),
        /// The number of parts into which the range is cut, about equally wide in log2 n
        parts: u32 = 64; option("P"),
        /// The quantity that is bounded
        of: BoundedQuantity = BoundedQuantity::Toll; option("WHAT"),
    }
    purpose: Numbers
    examples: [
        "toll extremes --to 1000 --parts 8",
        "toll extremes --from 10^18 --to 10^18+10^12",
        "toll extremes --to 10^6 --of cycle-rounds",
    ]
}

choices! {
    /// The quantity that a [`TollExtremes`] bounds.
    pub enum BoundedQuantity {
        /// Expected flips above log2 n.
        Toll = "toll",
        /// Expected flips.
        Expected = "expected",
        /// Rounds in the cycle of the flow chart (A136043), up to n = 10^7.
        CycleRounds = "cycle-rounds",
    }
}

/// The maximum number of parts.
const MAX_PARTS: u32 = 4096;

/// The largest n whose rounds are counted.
const MAX_ROUNDS: u64 = 10_000_000;

impl TollExtremes {
    fn range(&self) -> Result<RangeInclusive<u64>, QueryError> {
        let (most, named) = match self.of {
            BoundedQuantity::CycleRounds => (MAX_ROUNDS, "10^7"),
            _ => (MAX_N, "2^62"),
        };
        let n = |name: &str, n: &Natural| -> Result<u64, QueryError> {
            let value = n.positive_value(name)?;
            match value.to_u64().filter(|n| *n <= most) {
                Some(n) => Ok(n),
                None => {
                    let (n, of) = (short(value), self.of.name());
                    Err(QueryError::wrong(name, say!("n = {n} is too large"))
                        .right(say!("the {of} of a range is known up to {named}")))
                }
            }
        };
        let (from, to) = (n("from", &self.from)?, n("to", &self.to)?);
        if from > to {
            let what = say!("the range from {from} to {to} is empty");
            return Err(
                QueryError::wrong("from", what).right("the first n must not be above the last")
            );
        }
        if !(1..=MAX_PARTS).contains(&self.parts) {
            let what = format!("a range cannot be cut into {} parts", self.parts);
            return Err(
                QueryError::wrong("parts", what).right(say!("1 to {MAX_PARTS} were expected"))
            );
        }
        Ok(from..=to)
    }
}

impl Question for TollExtremes {
    fn summary(&self, answer: &Answer) -> String {
        let ((least, _), (_, most)) = (
            answer.extremes("least").unwrap_or_default(),
            answer.extremes("greatest").unwrap_or_default(),
        );
        format!(
            "from n = {} to {} the least of {} is {} and the greatest {}",
            self.from,
            self.to,
            self.of.name(),
            answer.phrase(least, "least").unwrap_or_default(),
            answer.measure(most, "greatest").unwrap_or_default()
        )
    }

    fn estimate(&self) -> Estimate {
        let parts = u128::from(self.parts.min(MAX_PARTS));
        Estimate::space((1 << 28) + parts * 200, parts * 120)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let range = self.range()?;
        let unit = match self.of {
            BoundedQuantity::CycleRounds => "rounds",
            _ => "flips",
        };
        let parts = equal_parts(range.clone(), self.parts);
        let is_scanned = |part: &RangeInclusive<u64>| part.end() - part.start() < MAX_SCANNED;
        let kind = match self.of {
            BoundedQuantity::CycleRounds => CellKind::Count,
            _ if parts.iter().all(is_scanned) => CellKind::Decimal,
            _ => CellKind::Bound,
        };
        let head = Head::new()
            .columns(CellKind::Count, ["from", "to"])
            .measured("least", kind, unit)
            .answers()
            .column("least_n", CellKind::Count)
            .measured("greatest", kind, unit)
            .answers()
            .column("greatest_n", CellKind::Count)
            .column("scanned", CellKind::Flag);
        control.go_on()?;
        let (first, last) = (*range.start(), *range.end());
        let rounds = match self.of {
            BoundedQuantity::CycleRounds => Some(RoundsExtremes::new(first..last + 1)),
            _ => None,
        };
        let mut rows = Chunks::begin(&head, control, sink)?;
        let enclosed = AtomicU64::new(0);
        rows.push_all(&parts, |part| {
            let row = self.part_row(part, rounds.as_ref());
            enclosed.fetch_add(u64::from(row[6] == Cell::Flag(false)), Ordering::Relaxed);
            row
        })?;
        let enclosed = enclosed.into_inner();
        let mut foot = Foot::default();
        if enclosed > 0 {
            foot.note(format!(
                "{enclosed} of {} parts have more than {MAX_SCANNED} n: their rows are bounds that hold for every n of the part",
                parts.len()
            ));
        }
        rows.end(foot)
    }
}

impl TollExtremes {
    /// Returns the row of a part of the range.
    fn part_row(&self, part: &RangeInclusive<u64>, rounds: Option<&RoundsExtremes>) -> Vec<Cell> {
        let count = |n: u64| Cell::Integer(n.into());
        let (from, to) = (*part.start(), *part.end());
        if let Some(rounds) = rounds {
            let (least, greatest) = rounds.extremes(part.clone());
            return row![
                from,
                to,
                least.rounds,
                least.n,
                greatest.rounds,
                greatest.n,
                true
            ];
        }
        let above = match self.of {
            BoundedQuantity::Expected => TollBase::Zero,
            _ => TollBase::Entropy,
        };
        let found = toll_extremes(part.clone(), above);
        let value = |extreme: &Extreme| Cell::Double(extreme.value);
        let n = |extreme: &Extreme| extreme.n.map_or(Cell::Empty, count);
        row![
            from,
            to,
            value(&found.least),
            n(&found.least),
            value(&found.greatest),
            n(&found.greatest),
            found.scanned
        ]
    }
}
