//! Flow charts of the fast dice roller, with one row for every round.
//!
//! A round begins with v equally likely states and rolls until there are at least n of them. Then
//! it tests the state: below the threshold the chart accepts; otherwise it subtracts the threshold,
//! and the next round begins with the difference. When a number v occurs again, the chart closes
//! into a cycle.

mod draw;
mod text;

use super::error::FigureError;
use super::glyphs;

/// A round of the chart: some rolls, then one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowChartRound {
    /// The number of equally likely states before the rolls.
    pub before: String,
    /// The number of rolls that the round takes.
    pub rolls: u64,
    /// The number of states after these rolls.
    pub after: String,
    /// The threshold of the test. A number below the threshold is accepted; from any other number
    /// the threshold is subtracted.
    pub subtract: String,
}

impl FlowChartRound {
    /// Returns a round from these numbers.
    pub fn new(
        before: impl Into<String>,
        rolls: u64,
        after: impl Into<String>,
        subtract: impl Into<String>,
    ) -> FlowChartRound {
        FlowChartRound {
            before: before.into(),
            rolls,
            after: after.into(),
            subtract: subtract.into(),
        }
    }
}

/// Instructions for following a flow chart by hand. They use a number c that a person carries from
/// state to state. When a round begins, c has each of `before` values with equal probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Sentences under the title: the source, the first value of c, and the effect of each roll on
    /// c.
    pub lines: Vec<String>,
    /// The effect of one roll of the source, such as `c = 2c + flip`.
    pub roll: String,
    /// The name of the number of sides in thresholds: its digits, or `n`.
    pub n: String,
}

/// The flow chart of one target. Numbers are strings, since they may be long; numbers of more than
/// 14 digits are shortened in the middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowChart {
    /// The number of sides of the target.
    pub target: String,
    /// The name of one roll of the source: `flip` or `roll`.
    pub unit: String,
    /// The rounds in order; empty for a target of one side.
    pub rounds: Vec<FlowChartRound>,
    /// The round (counted from 0) to which the last round returns; `None` if the last test always
    /// accepts, as for powers of two.
    pub cycle: Option<usize>,
    /// Instructions for following the chart by hand; with them, the tests and arrows show the
    /// carried number.
    pub guide: Option<Guide>,
}

/// Numbers with more digits than this are shortened in the middle.
const MAX_NUMBER_LETTERS: usize = 14;

fn shorten(number: &str) -> String {
    glyphs::ellipsize(number, MAX_NUMBER_LETTERS)
}

impl FlowChart {
    fn check(&self) -> Result<(), FigureError> {
        match self.cycle {
            Some(row) if row >= self.rounds.len() => Err(FigureError::Mismatch(format!(
                "the cycle returns to round {row}, but there are {} rounds (counted from 0)",
                self.rounds.len()
            ))),
            _ => Ok(()),
        }
    }

    fn title(&self) -> String {
        format!(
            "Fast dice roller, n = {}",
            glyphs::ellipsize(&self.target, 40)
        )
    }

    /// Returns the text of the arrow that leaves round `i` after a rejection, and the round to
    /// which the arrow leads.
    fn next(&self, i: usize) -> Option<(String, usize)> {
        let next = if i + 1 < self.rounds.len() {
            Some(i + 1)
        } else {
            self.cycle
        };
        next.map(|row| (self.keep(&self.rounds[i]), row))
    }

    /// Returns the step between two rounds, for example `subtract 6` or `c = c - 6`.
    fn keep(&self, round: &FlowChartRound) -> String {
        match self.guide {
            Some(_) => format!("c = c - {}", shorten(&round.subtract)),
            None => format!("subtract {}", shorten(&round.subtract)),
        }
    }

    /// Returns the test of a round, for example `< 6?` or `c < 6?`.
    fn test(&self, round: &FlowChartRound) -> String {
        match self.guide {
            Some(_) => format!("c < {}?", shorten(&round.subtract)),
            None => format!("< {}?", shorten(&round.subtract)),
        }
    }

    /// Returns the outcome as a formula of the carried number, for example `c + 1` or `c mod 6 +
    /// 1`.
    fn result(&self, round: &FlowChartRound) -> Option<String> {
        let guide = self.guide.as_ref()?;
        Some(if guide.n == round.subtract {
            "c + 1".to_string()
        } else {
            format!("c mod {} + 1", guide.n)
        })
    }

    /// Returns the text of the rolls of a round, for example `3× flip`.
    fn rolls(&self, round: &FlowChartRound) -> String {
        format!("{}× {}", round.rolls, self.unit)
    }
}
