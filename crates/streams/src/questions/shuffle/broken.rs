//! Shuffles that are not uniform, compared with the uniform law of all orders.

use super::Shuffle;
use crate::broken;
use flipcost::law::Bias;
use flipcost::table::Precision;
use flipcost_libraries::questions::measures::{STATISTICAL, distance_row, head};
use flipcost_number::rationals::product_of;
use flipcost_question::prelude::*;

impl Shuffle {
    pub(super) fn biased_rows(
        &self,
        precision: Precision,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let orders = product_of(1..=self.cards);
        let mut rows = Vec::new();
        for shuffle in broken(self.cards) {
            let bias = Bias::new(&shuffle.law, orders.clone());
            let mut cells = distance_row(shuffle.id, &bias, precision)?;
            cells.push(Cell::Text(shuffle.name.to_string()));
            rows.push(cells);
        }
        let mut foot = Foot::default();
        foot.note(STATISTICAL);
        foot.note(format!("the outcomes are the {orders} orders of the deck"));
        sink.write_answer(&head().column("what", CellKind::Text).answers(), rows, foot)
    }
}
