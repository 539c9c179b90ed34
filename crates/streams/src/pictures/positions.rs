//! Draws a map of the probability of each card at each place, after a shuffle that is not uniform.

use crate::broken::NAMES;
use crate::positions::places_in_doubles;
use crate::questions::Shuffle;
use flipcost_figures::{Axis, Drawing, HeatMap, Ticks};
use flipcost_question::{Answer, PictureError, say};

/// The maximum number of cards in a map.
const MAX_POSITIONS: u64 = 200;
/// The largest ratio of a probability to 1/K that has its own shade. Larger ratios have the same
/// shade; otherwise one very biased shuffle would leave few shades for the others.
const MAX_SHOWN_RATIO: f64 = 2.0;

impl Shuffle {
    /// Draws a map for each shuffle, one below the other, with a row for each card and a column for
    /// each place; the shade is the probability of the card at that place, relative to 1/K.
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        if !(self.broken && self.positions) {
            return Err(PictureError::kind(answer));
        }
        if self.cards > MAX_POSITIONS {
            return Err(PictureError::Input(say!(
                "a map shows up to {MAX_POSITIONS} cards"
            )));
        }
        let (cards, count) = (self.cards as f64, self.cards as usize);
        let (mut values, mut ticks) = (Vec::new(), Vec::new());
        for (id, _) in NAMES.into_iter().rev() {
            if !values.is_empty() {
                values.push(vec![None; count]);
            }
            ticks.push((values.len() as f64 + (cards - 1.0) / 2.0, id.to_string()));
            let laws = places_in_doubles(id, self.cards).into_iter().rev();
            values.extend(laws.map(|law| {
                law.into_iter()
                    .map(|p| Some((p * cards).min(MAX_SHOWN_RATIO)))
                    .collect()
            }));
        }
        let places = (1..=count).map(|place| place as f64).collect();
        let rows = (0..values.len()).map(|row| row as f64).collect();
        let title =
            format!("Where the cards of a deck of {count} lie after shuffles that are not fair");
        let map = HeatMap::new(title, places, rows, values)
            .x(Axis::new("place"))
            .y(Axis::new("the cards of each shuffle, the first on top").ticks(Ticks::At(ticks)))
            .value(Axis::new(
                "times as likely as 1/K (2 stands for larger values too)",
            ))
            .size(900.0, 1100.0);
        Ok(map.draw()?)
    }
}
