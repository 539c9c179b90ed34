//! The place of each card after a shuffle that is not uniform.

use super::Shuffle;
use crate::broken::{MAX_BROKEN, NAMES};
use crate::positions::{CardPlace, MAX_DECIMALS, extreme_places, places, places_of_card};
use flipcost::table::Precision;
use flipcost_number::{Real, threads};
use flipcost_question::prelude::*;

/// Fractions whose denominator has more bits than this are not written.
const MAX_FRACTION_BITS: u64 = 4096;

fn probability_cell(probability: &Real) -> Cell {
    if probability
        .exact()
        .is_some_and(|p| p.denom().bits() <= MAX_FRACTION_BITS)
    {
        exact_cell(probability)
    } else {
        Cell::Empty
    }
}

impl Shuffle {
    pub(super) fn position_rows(
        &self,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let few = self.cards <= MAX_BROKEN;
        if !few && precision.digits.is_some_and(|digits| digits > MAX_DECIMALS) {
            let what = say!(
                "with more than {MAX_BROKEN} cards places have at most {MAX_DECIMALS} decimals"
            );
            return Err(QueryError::wrong("digits", what).right(say!(
                "ask for {MAX_DECIMALS} decimals or fewer, or for {MAX_BROKEN} cards or fewer"
            )));
        }
        let found = threads::map_of(&NAMES, &|(id, _)| {
            control.go_on()?;
            let found = if let Some(card) = self.card {
                places_of_card(id, self.cards, card as usize - 1)
            } else if few {
                places(id, self.cards)
            } else {
                extreme_places(id, self.cards).to_vec()
            };
            let rows = found.into_iter().map(
                |CardPlace {
                     card,
                     place,
                     probability,
                 }| {
                    Ok(row![
                        id.to_string(),
                        card as u64 + 1,
                        place as u64 + 1,
                        probability_cell(&probability),
                        decimal(&probability, precision)?
                    ])
                },
            );
            rows.collect::<Result<Vec<_>, QueryError>>()
        });
        let rows = found.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        let mut foot = Foot::default();
        if !few && self.card.is_none() {
            foot.note(
                "for each shuffle, the card and place with the largest probability and those with the least; if several are equal, the first",
            );
        }
        let head = Head::new()
            .column("id", CellKind::Text)
            .columns(CellKind::Count, ["card", "position"])
            .column("probability_exact", CellKind::Exact)
            .column("probability", CellKind::Decimal)
            .answers();
        sink.write_answer(&head, rows, foot)
    }
}
