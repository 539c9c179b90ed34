//! A shuffle whose indices a library draws: a row for each function of the table.

use super::{Shuffle, short_exact};
use crate::library_shuffle;
use flipcost::table::Precision;
use flipcost_libraries::LIBRARIES;
use flipcost_number::Real;
use flipcost_number::threads;
use flipcost_question::prelude::*;

impl Shuffle {
    pub(super) fn by_libraries(
        &self,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let shuffles = threads::map_of(&LIBRARIES, &|line| {
            control.go_on()?;
            Ok((line, library_shuffle(line, self.cards).ok()))
        });
        let shuffles: Vec<_> = shuffles.into_iter().collect::<Result<_, QueryError>>()?;
        let (mut rows, mut beyond) = (Vec::new(), Vec::new());
        let known = |value: Option<&Real>| match value {
            Some(value) => decimal(value, precision),
            None => Ok(Cell::Empty),
        };
        for (line, shuffle) in &shuffles {
            control.go_on()?;
            if shuffle.is_none() {
                beyond.push(line.id);
            }
            let shuffle = shuffle.as_ref();
            let words = shuffle.map(|shuffle| &shuffle.words);
            rows.push(row![
                line.id.to_string(),
                words.map_or(Cell::Empty, short_exact),
                known(words)?,
                known(shuffle.and_then(|shuffle| shuffle.bits_drawn.as_ref()))?,
                known(shuffle.map(|shuffle| &shuffle.bias_at_most))?,
                line.language.to_string(),
                line.function.to_string()
            ]);
        }
        let mut foot = Foot::default();
        foot.note(
            "each index by the function that is named; the total variation of the orders from uniform is at most the sum over the indices, and at most 1",
        );
        if !beyond.is_empty() {
            foot.note(format!(
                "{} cards are beyond the type of {}",
                self.cards,
                beyond.join(", ")
            ));
        }
        let head = Head::new()
            .column("id", CellKind::Text)
            .measured("words_exact", CellKind::Exact, "words")
            .measured("words", CellKind::Decimal, "words")
            .answers()
            .measured("bits_drawn", CellKind::Decimal, "bits")
            .column("total_variation_at_most", CellKind::Decimal)
            .answers()
            .column("language", CellKind::Text)
            .answers()
            .column("function", CellKind::Text)
            .answers();
        sink.write_answer(&head, rows, foot)
    }
}
