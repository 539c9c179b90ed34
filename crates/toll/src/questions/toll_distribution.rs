//! How the toll of the optimal roller with a coin is distributed.

use crate::toll_distribution::{below, decimals};
use flipcost_number::{Rational, Real};
use flipcost_question::Positive;
use flipcost_question::prelude::*;

question! {
    /// The share of all n whose overhead, the toll of the optimal roller with a coin, is at most z
    ///
    /// The part of all n whose toll is at most z, in the limit along log n and along n (of the n between
    /// two powers of two): a row for each z. Each probability has the decimals that both ends of a proved
    /// enclosure have when they are rounded, at most 12.
    pub struct TollDistribution: "toll-distribution", "toll distribution" {
        /// These z, fractions such as 1.5 or 4/3 [default: equal steps from 0 to 2]
        at: Vec<Positive>; option("Z").without(&["parts"]),
        /// How many equal steps
        parts: u32 = 100; option("P"),
    }
    purpose: Numbers
    examples: ["toll distribution", "toll distribution --at 1,1.5,19/10"]
}

/// The most rows.
const MOST_ROWS: u32 = 4096;

/// The most decimals.
const DIGITS: u32 = 12;

impl TollDistribution {
    fn places(&self) -> Result<Vec<Rational>, QueryError> {
        if !(1..=MOST_ROWS).contains(&self.parts) || self.at.len() > MOST_ROWS as usize {
            let rows = if self.at.is_empty() {
                self.parts as usize
            } else {
                self.at.len()
            };
            let wrong = if self.at.is_empty() { "parts" } else { "at" };
            let what = say!("{rows} rows of a distribution");
            return Err(QueryError::wrong(wrong, what).right(say!("1 to {MOST_ROWS} are computed")));
        }
        if self.at.is_empty() {
            let step = |i: u32| Rational::new((2 * i).into(), self.parts.into());
            return Ok((0..=self.parts).map(step).collect());
        }
        let place = |z: &Positive| match z.value() {
            Real::Exact(z) => Ok(z.clone()),
            _ => Err(QueryError::wrong("at", say!("\"{z}\" is no fraction"))
                .right("a toll is compared with one such as 1.5 or 4/3")),
        };
        self.at.iter().map(place).collect()
    }
}

impl Question for TollDistribution {
    fn summary(&self, answer: &Answer) -> String {
        let middle = answer.rows.len() / 2;
        format!(
            "a part {} of all n has a toll of at most {}, along log n",
            answer.cell(middle, "along_log_n"),
            answer.measure(middle, "toll").unwrap_or_default()
        )
    }

    fn estimate(&self) -> Estimate {
        let rows = match self.at.len() {
            0 => u128::from(self.parts.min(MOST_ROWS)) + 1,
            rows => rows as u128,
        };
        Estimate::space((1 << 24) + rows * 1000, rows * 60)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let places = self.places()?;
        control.go_on()?;
        let head = Head::new()
            .measured("toll", CellKind::Exact, "flips")
            .columns(CellKind::Text, ["along_log_n", "along_n"]);
        let mut rows = Chunks::begin(&head, control, sink)?;
        rows.push_all(&places, distribution_row)?;
        rows.end(Foot::default())
    }
}

fn distribution_row(z: &Rational) -> Vec<Cell> {
    let found = below(z);
    let text = |ends| {
        let known = decimals(ends, DIGITS);
        known.map_or(Cell::Empty, |known| Cell::Text(known.to_string()))
    };
    row![z, text(&found.along_log), text(&found.along_n)]
}
