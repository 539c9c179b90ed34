//! How far a deck is from shuffled after riffles, or after a machine with shelves.

use crate::riffle::{MOST_RIFFLED, MOST_RIFFLES, MOST_SHELVES, riffled, shelved};
use flipcost::law::Bias;
use flipcost_libraries::questions::measures::{STATISTICAL, measured, measures, note_on_detection};
use flipcost_number::rationals::product_of;
use flipcost_question::Numbers;
use flipcost_question::prelude::*;

question! {
    /// How many riffles a deck takes, and how far it is from shuffled after each, exactly
    ///
    /// The distance of all orders of the deck from the uniform law, in the columns of `bias`: a row for each number of
    /// riffles (Gilbert, Shannon & Reeds: the deck is cut by flips, and the halves fall together in all ways equally
    /// likely; Bayer & Diaconis 1992), or with `shelves` a row for each number of shelves of a machine that lays each
    /// card above or below what lies on a shelf drawn at random (Diaconis, Fulman & Holmes 2013).
    pub struct Riffle: "shuffle" {
        /// Cards in the deck
        cards: u64; word("K"),
        /// In place of costs, how far the deck is from shuffled after each of these numbers of riffles, as in 5..9 or 7
        /// [default: 1..10]
        riffles: Option<Numbers>; option("T").missing("1..10").without(&["shelves"]),
        /// The same after a machine with each of these numbers of shelves, as in 10,50
        shelves: Option<Numbers>; option("M"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Table
    examples: ["shuffle 52 --riffles", "shuffle 52 --riffles 7 --digits 6", "shuffle 52 --shelves 10,50"]
}

impl Riffle {
    /// The field whose numbers are asked for, these, and the least and the most of them.
    fn requested_counts(&self) -> (&'static str, Numbers, u64, u64) {
        match (&self.shelves, &self.riffles) {
            (Some(shelves), _) => ("shelves", shelves.clone(), 1, MOST_SHELVES),
            (None, Some(riffles)) => ("riffles", riffles.clone(), 0, MOST_RIFFLES),
            (None, None) => ("riffles", Numbers::from_values(1..=10), 0, MOST_RIFFLES),
        }
    }
}

impl Question for Riffle {
    fn summary(&self, answer: &Answer) -> String {
        let last = answer.rows.len().saturating_sub(1);
        let distance = match answer.cell(last, "total_variation") {
            Cell::Empty => answer.phrase(last, "total_variation").unwrap_or_default(),
            near => cell_phrase(near),
        };
        let by = match &self.shelves {
            Some(_) => format!("a machine with {} shelves", answer.rows[last][0]),
            None => with_unit(&answer.rows[last][0].to_string(), "riffles"),
        };
        format!(
            "after {by} a deck of {} cards is {distance} away from shuffled, where 1 is the farthest",
            self.cards
        )
    }

    fn estimate(&self) -> Estimate {
        let (_, all, _, most) = self.requested_counts();
        let bits = u128::from(64 - most.leading_zeros()) + 64;
        let cards = u128::from(self.cards.min(MOST_RIFFLED + 1)); // more are refused
        let rows = all.get().len() as u128;
        let cells = rows * cards * bits;
        Estimate::space(cards * cards * bits + cells, 2 * cells + 200 * rows)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        if !(1..=MOST_RIFFLED).contains(&self.cards) {
            let what = format!("a deck of {} cards is not riffled here", self.cards);
            let right = format!("1 to {MOST_RIFFLED} cards were expected");
            return Err(QueryError::wrong("cards", what).right(right));
        }
        if self.riffles.is_some() && self.shelves.is_some() {
            return Err(QueryError::both("riffles", "shelves"));
        }
        let (name, all, least, most) = self.requested_counts();
        let column = if self.shelves.is_some() {
            "shelves"
        } else {
            "times"
        };
        if let Some(far) = all.get().iter().find(|x| !(least..=most).contains(x)) {
            let what = say!(field(name).is(*far), " is no number of them here");
            let right = format!("{least} to {most} were expected");
            return Err(QueryError::wrong(name, what).right(right));
        }
        let of = if self.shelves.is_some() {
            shelved
        } else {
            riffled
        };
        let head = measures(Head::new().column(column, CellKind::Count));
        let orders = product_of(1..=self.cards);
        let mut rows = Vec::new();
        for (done, times) in (0..).zip(all.get()) {
            control.go_on()?;
            control.progress(done, all.get().len() as u64);
            let mut cells = row![*times];
            cells.extend(measured(
                &Bias::new(&of(self.cards, *times), orders.clone()),
                precision,
            )?);
            rows.push(cells);
        }
        let mut foot = Foot::default();
        foot.note(STATISTICAL);
        foot.note("the outcomes are the orders of the deck");
        note_on_detection(&mut foot, &head, &rows);
        sink.write_answer(&head, rows, foot)
    }
}
