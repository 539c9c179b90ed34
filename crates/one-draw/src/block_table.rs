//! The lookup table of a block of rolls: the result of every sequence of rolls.
//!
//! A block algorithm rolls a fixed number of times. Then it either gives a result, or discards the
//! block and starts again. Its table has one row for each sequence of rolls. With early discard, a
//! row ends as soon as the block can no longer give a result.

use flipcost::algorithms::{Algorithm, AlgorithmError};
use flipcost::law::Next;
use flipcost::task::{Refusal, Task};
use flipcost_number::BigUint;
use flipcost_number::short::short;
use num_traits::{ToPrimitive, Zero};
use std::collections::BTreeSet;

/// A row of the table: a sequence of rolls and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockRow {
    /// The faces, counted from 0, in the order of the rolls.
    pub rolls: Vec<u64>,
    /// The outcome, counted from 0; `None` if the block is discarded.
    pub result: Option<BigUint>,
    /// Whether the block is discarded before its last roll.
    pub early: bool,
}

/// The lookup table of a block of rolls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockTable {
    /// The number of sides of the source.
    source: u64,
    /// The number of outcomes of the target.
    target: BigUint,
    /// The number of rolls in a whole block.
    pub rolls: usize,
    /// The rows, in the order of their rolls.
    pub rows: Vec<BlockRow>,
}

impl BlockTable {
    /// Returns the table of a coin as a short instruction, for blocks of up to four flips: `flip
    /// twice: HT heads, TH tails, else again`.
    pub fn by_hand(&self) -> Option<String> {
        let times = ["once", "twice", "three times", "four times"];
        let times = times.get(self.rolls.checked_sub(1)?)?;
        if self.source != 2 || self.accepted() == 0 {
            return None;
        }
        let is_coin = self.target == BigUint::from(2u8);
        let mut parts: Vec<String> = Vec::new();
        for outcome in self
            .rows
            .iter()
            .filter_map(|row| row.result.as_ref())
            .collect::<BTreeSet<_>>()
        {
            let name = match (is_coin, outcome.is_zero()) {
                (true, true) => "heads".to_string(),
                (true, false) => "tails".to_string(),
                _ => (outcome + 1u8).to_string(),
            };
            let rows = self
                .rows
                .iter()
                .filter(|row| row.result.as_ref() == Some(outcome));
            let words = rows.map(|row| -> String {
                row.rolls
                    .iter()
                    .map(|face| if *face == 0 { 'H' } else { 'T' })
                    .collect()
            });
            parts.push(format!("{} {name}", words.collect::<Vec<_>>().join(" or ")));
        }
        if self.accepted() < self.rows.len() {
            parts.push("else again".to_string());
        }
        Some(format!("flip {times}: {}", parts.join(", ")))
    }

    /// Returns the number of rows that give a result.
    pub fn accepted(&self) -> usize {
        self.rows.iter().filter(|row| row.result.is_some()).count()
    }
}

/// The largest number of rows of a table.
pub const MAX_ROWS: usize = 1 << 16;

/// Returns the lookup table of an algorithm's block. The table does not depend on the probabilities
/// of the faces. Cost: one step for each sequence of rolls.
///
/// # Errors
/// If the algorithm refuses the task, if it keeps something from a discarded block (then one table
/// cannot describe the algorithm), or if the table has more than [`MAX_ROWS`] rows.
///
/// ```
/// use flipcost::algorithms::find;
/// use flipcost_one_draw::block_table;
/// use flipcost::task::{Source, Task};
/// let early = find("base-conversion-early").unwrap();
/// let table = block_table(&Task::die(6u8, Source::COIN).unwrap(), early).unwrap();
/// let last = table.rows.last().unwrap();
/// assert_eq!((&last.rolls[..], &last.result, last.early), (&[1, 1][..], &None, true));
/// ```
pub fn block_table(dice: &Task, method: &dyn Algorithm) -> Result<BlockTable, Refusal> {
    let id = method.about().id;
    let (source, n) = (dice.source(), dice.target().outcomes());
    let what = || {
        let from = source.with_article();
        match dice.target().sides() {
            Some(n) => format!("the table of {id} for a d{} from {from}", short(n)),
            None => format!("the table of {id} for {:#} from {from}", dice.target()),
        }
    };
    let too_long = || Refusal::Rule(format!("{} has more than {MAX_ROWS} rows", what()));
    let m = source.sides().to_u64().filter(|m| *m <= 1 << 32);
    let m = m.ok_or_else(too_long)?;
    if dice.target().possible() > MAX_ROWS.into() {
        return Err(too_long()); // there is at least one row per possible outcome
    }
    let bound = method.prepare_to_play(dice)?;
    let (chain, _) = bound.chain(8 * MAX_ROWS).map_err(|error| match error {
        AlgorithmError::TooLarge(error) if error.limit < 8 * MAX_ROWS => {
            Refusal::Rule(format!("{} is too long: {error}", what()))
        }
        AlgorithmError::TooLarge(_) => too_long(),
        error => error.into(),
    })?;
    let (mut rows, mut longest) = (Vec::new(), 0);
    // This is a depth-first search. Each entry contains a state, the number of rolls that led to
    // the state, the last of these rolls, and whether this roll led back to the start.
    let mut open = vec![(chain.start(), 0, 0, false)];
    let (mut rolls, mut states) = (Vec::new(), Vec::new());
    let mut on_path = vec![false; chain.len()];
    while let Some((at, depth, face, back)) = open.pop() {
        for state in states.drain(depth..) {
            on_path[state as usize] = false;
        }
        if depth > 0 {
            rolls.truncate(depth - 1);
            rolls.push(face);
        }
        longest = longest.max(depth);
        if rows.len() + open.len() > MAX_ROWS {
            return Err(too_long());
        }
        let result = match at {
            Next::Outcome(outcome) => Some(chain.outcomes()[outcome as usize].clone()),
            Next::State(_) if back => None,
            Next::State(state) => {
                // If discarded blocks start again only at the start of the algorithm, a path visits
                // no state twice.
                if std::mem::replace(&mut on_path[state as usize], true) {
                    return Err(Refusal::Rule(format!(
                        "{} does not exist: the algorithm goes on from a rejected block instead of starting again",
                        what()
                    )));
                }
                states.push(state);
                for (face, &next) in chain.branches(state).iter().enumerate().rev() {
                    open.push((next, depth + 1, face as u64, next == chain.start()));
                }
                continue;
            }
        };
        rows.push(BlockRow {
            rolls: rolls.clone(),
            result,
            early: false,
        });
    }
    for row in &mut rows {
        row.early = row.result.is_none() && row.rolls.len() < longest;
    }
    Ok(BlockTable {
        source: m,
        target: n,
        rolls: longest,
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::find;
    use flipcost::task::Source;
    use std::collections::BTreeMap;

    const LATE: &str = "base-conversion";
    const EARLY: &str = "base-conversion-early";
    const BOUNDED: &str = "bounded";
    const CEIL: &str = "rejection-ceil";
    const FAST: &str = "fast-dice-roller";

    fn table(m: u64, n: u64, id: &str) -> Result<BlockTable, Refusal> {
        block_table(
            &Task::die(n, Source::die(m).unwrap()).unwrap(),
            find(id).unwrap(),
        )
    }

    #[test]
    fn a_d6_from_a_d4_accepts_12_of_16_sequences() {
        // From "Simulating Dice": 12 of 16 sequences are accepted, and a first roll of 4 is
        // discarded at once.
        let late = table(4, 6, LATE).unwrap();
        assert_eq!((late.rolls, late.rows.len(), late.accepted()), (2, 16, 12));
        assert!(late.rows.iter().all(|row| !row.early));
        let early = table(4, 6, EARLY).unwrap();
        assert_eq!((early.rows.len(), early.accepted()), (13, 12));
        assert_eq!(early.rows[12].rolls, [3]);
        assert!(early.rows[12].early);
    }

    #[test]
    fn every_outcome_has_equally_many_rows() {
        for id in [LATE, EARLY, BOUNDED, CEIL] {
            for (m, n) in [(2u64, 6u64), (6, 12), (4, 6), (10, 8), (6, 1), (3, 27)] {
                let Ok(table) = table(m, n, id) else {
                    continue;
                };
                let mut weights: BTreeMap<BigUint, u64> = BTreeMap::new();
                for row in &table.rows {
                    if let Some(outcome) = &row.result {
                        let more = table.rolls - row.rolls.len();
                        *weights.entry(outcome.clone()).or_default() += m.pow(more as u32);
                    }
                }
                assert_eq!(weights.len() as u64, n, "{id} {m} {n}");
                let first = weights[&BigUint::from(0u8)];
                assert!(weights.values().all(|w| *w == first), "{id} {m} {n}");
            }
        }
    }

    #[test]
    fn algorithms_without_a_table_are_refused() {
        assert!(table(2, 6, FAST).is_err());
        assert!(table(2, 1 << 40, LATE).is_err());
        assert!(table(6, 5, BOUNDED).is_err());
    }
}
