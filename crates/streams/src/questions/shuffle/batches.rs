//! Shuffles that take several indices from one word: the best batches, and published batches.

use super::{Shuffle, short_exact_cell};
use crate::{WordBatches, best_batches, greedy_batches, one_by_one, published_batches};
use flipcost::table::Precision;
use flipcost_number::{BigInt, Real};
use flipcost_question::prelude::*;

/// The maximum number of runs of batches that are written.
const MAX_RUNS: usize = 100;

/// Lists the sizes of the batches, beginning with the whole deck: `8 of 6, 1 of 3`.
pub fn sizes(batches: &WordBatches) -> String {
    let runs = batches.batches.chunk_by(|a, b| a.indices == b.indices);
    let mut runs = runs.map(|run| format!("{} of {}", run.len(), run[0].indices));
    let mut text: Vec<String> = runs.by_ref().take(MAX_RUNS).collect();
    text.extend(runs.next().map(|_| "and so on".to_string()));
    text.join(", ")
}

impl Shuffle {
    pub(super) fn batch_rows(
        &self,
        precision: Precision,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let source = self.source.get();
        let (Some(best), Some(single)) = (
            best_batches(&self.source.0, self.cards),
            one_by_one(&self.source.0, self.cards),
        ) else {
            let (source, cards) = (self.source.0.with_article(), self.cards);
            let what = say!("one roll of {source} cannot choose among {cards} cards");
            return Err(QueryError::wrong("source", what).right(say!(
                "batches need a source with at least as many sides as cards, such as ",
                field("source").is("word:64")
            )));
        };
        let mut shuffles = vec![("best", best)];
        if source == 1 << 64 {
            shuffles.push(("published", published_batches(self.cards)));
        }
        let bits = self.source.0.bits();
        let row = |id: &str, words: &Real, batches: Cell, sizes: Cell| {
            let drawn = bits.map(|bits| words.times(&Real::integer(BigInt::from(bits))));
            Ok::<_, QueryError>(row![
                id.to_string(),
                short_exact_cell(words),
                decimal(words, precision)?,
                drawn.map_or(Ok(Cell::Empty), |drawn| decimal(&drawn, precision))?,
                batches,
                sizes
            ])
        };
        let mut rows = Vec::new();
        for (id, batches) in &shuffles {
            let count = Cell::Integer((batches.batches.len() as u64).into());
            rows.push(row(
                id,
                &batches.words(),
                count,
                Cell::Text(sizes(batches)),
            )?);
        }
        let all = self.cards.saturating_sub(1);
        rows.push(row(
            "one-by-one",
            &single,
            Cell::Integer(all.into()),
            Cell::Text(format!("{all} of 1")),
        )?);
        if let Some(greedy) = greedy_batches(&self.source.0, self.cards) {
            let count = Cell::Integer((greedy.batches.len() as u64).into());
            let sizes = Cell::Text(sizes(&greedy));
            rows.push(row("greedy", &greedy.words(), count, sizes)?);
        }
        rows.push(row("bound", &self.bound(), Cell::Empty, Cell::Empty)?);
        let unit = self.source.0.unit().plural();
        let head = Head::new()
            .column("batches", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .measured("bits_drawn", CellKind::Decimal, "bits")
            .column("count", CellKind::Count)
            .column("sizes", CellKind::Text);
        let mut foot = Foot::default();
        let published = if source == 1 << 64 {
            "published: Brackett-Rozinsky & Lemire 2024; "
        } else {
            ""
        };
        foot.note(format!(
            "greedy: for any deck, a batch takes as many indices as have a product of at most m / 16; {published}bound: the entropy of all orders"
        ));
        sink.write_answer(&head, rows, foot)
    }
}
