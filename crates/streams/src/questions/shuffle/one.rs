//! A shuffle whose indices are drawn by one algorithm, or by one function of a library.

use super::{Shuffle, method_row};
use crate::fisher_yates::indices;
use flipcost::table::Precision;
use flipcost::task::{Source, Task};
use flipcost_question::prelude::*;

/// To test whether an algorithm is biased, this many indices are tried.
const MAX_TRIED_INDICES: u64 = 1000;

impl Shuffle {
    pub(super) fn method_rows(
        &self,
        algorithm: AlgorithmId,
        precision: Precision,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let about = algorithm.0.about();
        let cost = indices(algorithm.0, &self.source.0, self.cards, self.cards);
        let cost =
            cost.map_err(|error| QueryError::wrong("algorithm", format!("{}: {error}", about.id)))?;
        let bound = self.bound();
        let name = "Entropy bound".to_string();
        let rows = vec![
            method_row(about.id, &cost, &bound, about.name.to_string(), precision)?,
            method_row("bound", &bound, &bound, name, precision)?,
        ];
        let mut foot = Foot::default();
        let biased = |n: u64| {
            let task = Task::die(n, Source::die(self.source.get()).ok()?).ok()?;
            algorithm.0.prepare(&task).ok()?.bias().ok()?
        };
        if (2..=self.cards.min(MAX_TRIED_INDICES)).any(|n| biased(n).is_some()) {
            foot.note(format!(
                "{} is biased, and so is the shuffle: it may cost less than the bound",
                about.id
            ));
        }
        sink.write_answer(&self.head(), rows, foot)
    }
}
