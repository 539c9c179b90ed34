//! The sentence that answers what one target costs.

use super::Cost;
use flipcost_question::prelude::*;

impl Cost {
    /// The cost of the first row, and whether no method takes fewer.
    pub(super) fn sentence(&self, answer: &Answer) -> String {
        let (what, from) = (self.target.with_article(), self.source.0.with_article());
        let Some(cost) = answer.measure(0, "expected") else {
            return format!("{what} from {from}: {}", answer.row_phrase(0));
        };
        let takes = format!("{what} from {from} {} {cost} on average", take(&what));
        if self.optimal {
            return match answer.phrase(0, "lower") {
                _ if answer.cell(0, "proved").to_string() == "yes" => {
                    format!("{takes} by the best rule; no method takes fewer")
                }
                Some(least) => format!(
                    "{takes} by the best rule that was found; no method takes fewer than {least}"
                ),
                None => takes,
            };
        }
        let id = match (answer.cell(0, "algorithm"), &self.algorithms[..]) {
            (Cell::Text(id), _) => id.clone(),
            (_, [one]) => one.to_string(),
            _ => return takes,
        };
        let by = by_algorithm(&id);
        // no method takes fewer than the optimum, whose row may have an equal one above it
        let optimum = ["fast-dice-roller", "knuth-yao"];
        let exact = |row: usize| answer.cell(row, "expected_exact");
        let is_optimum = |row: usize| {
            let id = answer.cell(row, "algorithm").to_string();
            optimum.contains(&id.as_str()) && *exact(0) != Cell::Empty && exact(row) == exact(0)
        };
        let is_least = self.source.0.is_fair()
            && (optimum.contains(&id.as_str()) || (0..answer.rows.len()).any(is_optimum));
        match (is_least, self.source.0.is_unknown()) {
            (true, _) => format!("{takes} by {by}; no method takes fewer"),
            (_, true) if self.at.is_none() => {
                format!("{takes} by {by}, whatever the probabilities are")
            }
            _ => format!("{takes} by {by}"),
        }
    }
}
