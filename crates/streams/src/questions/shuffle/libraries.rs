//! The shuffles of libraries: a row for each shuffle in the table of libraries.

use super::{Shuffle, short_exact_cell};
use flipcost::table::Precision;
use flipcost_libraries::{CHECKED, SHUFFLES, with_word};
use flipcost_number::Real;
use flipcost_number::threads;
use flipcost_question::prelude::*;

impl Shuffle {
    pub(super) fn library_rows(
        &self,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let row = |line: &&flipcost_libraries::LibraryShuffle| {
            control.go_on()?;
            let cost = line
                .cost(self.cards)
                .map_err(QueryError::for_field("cards"))?;
            let bits = cost
                .word_bits
                .map(|bits| cost.words.times(&Real::integer(bits)));
            let texts = [
                line.language,
                line.function,
                line.version,
                line.file,
                line.checked.word(),
            ];
            let mut row = row![
                line.id.to_string(),
                short_exact_cell(&cost.words),
                decimal(&cost.words, precision)?,
                bits.map_or(Ok(Cell::Empty), |bits| decimal(&bits, precision))?,
                cost.least,
                decimal(&cost.deviation, precision)?,
                Cell::or_infinite(cost.most),
                decimal(&cost.bias_at_most, precision)?
            ];
            row.extend(texts.map(|text| Cell::Text(text.to_string())));
            Ok(row)
        };
        let lines = with_word(SHUFFLES, self.library.as_deref(), "library")?;
        let rows = threads::map_of(&lines, &row);
        let rows = rows.into_iter().collect::<Result<Vec<_>, QueryError>>()?;
        let mut foot = Foot::default();
        foot.note(
            "a word is one call of the generator; least is the number of words if no word is rejected; the total variation of the orders from uniform is at most the sum over the draws, and at most 1",
        );
        let head = Head::new()
            .column("id", CellKind::Text)
            .measured("words_exact", CellKind::Exact, "words")
            .measured("words", CellKind::Decimal, "words")
            .answers()
            .measured("bits_drawn", CellKind::Decimal, "bits")
            .measured("least", CellKind::Count, "words")
            .measured("deviation", CellKind::Decimal, "words")
            .measured("worst_case", CellKind::Count, "words")
            .column("total_variation_at_most", CellKind::Decimal)
            .answers()
            .column("language", CellKind::Text)
            .answers()
            .column("function", CellKind::Text)
            .answers()
            .columns(CellKind::Text, ["version", "file", "checked"])
            .explained(&CHECKED);
        sink.write_answer(&head, rows, foot)
    }
}
