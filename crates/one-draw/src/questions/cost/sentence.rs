//! The sentence that answers what one target costs.

use super::Cost;
use flipcost::table::{ALGORITHM, EXPECTED, EXPECTED_EXACT};
use flipcost_number::expression::parse_signed;
use flipcost_question::prelude::*;
use flipcost_question::spell::near_integer;
use flipcost_question::{ColumnId, Query};

/// What takes more steps is not computed for the sentence alone.
const MOST_WORK: u128 = 1_000_000_000;

/// What has more bits is rounded without a difference.
const MOST_BITS: u64 = 4096;

impl Cost {
    /// Do its digits hide that the cost is no integer?
    fn is_hidden(&self, answer: &Answer) -> bool {
        let is_whole =
            matches!(answer.cell(0, "expected"), Cell::Double(cost) if cost.fract() == 0.0);
        is_whole
            && *answer.cell(0, "expected_exact") == Cell::Empty
            && self.target.bits() <= MOST_BITS
    }

    /// The answer with the columns of the sentence, where others were named.
    fn with_columns_of_sentence(&self, answer: &Answer) -> Option<Answer> {
        let names = answer.head.names();
        let has_all = [ALGORITHM, EXPECTED_EXACT, EXPECTED]
            .iter()
            .all(|column| names.contains(&column.name()));
        let is_hidden = self.is_hidden(answer);
        if (self.columns.is_empty() || has_all) && !is_hidden {
            return None;
        }
        let columns = if self.source.0.is_unknown() && self.at.is_none() {
            Vec::new()
        } else {
            [ALGORITHM, EXPECTED_EXACT, EXPECTED].map(ColumnId).into()
        };
        // the least that a cost differs from an integer by is about 1 / n
        let bits = self.target.bits();
        let digits = (bits * 3 / 10) as u32 + 6;
        let query = Query::from(Cost {
            columns,
            exact: false,
            digits: if is_hidden { Some(digits) } else { self.digits },
            ..self.clone()
        });
        let is_short = query.estimate().work < MOST_WORK;
        is_short.then(|| query.answer(&Control::default()).ok())?
    }

    /// The cost of the first row, and whether no method takes fewer.
    pub(super) fn sentence(&self, answer: &Answer) -> String {
        let (what, from) = (self.target.with_article(), self.source.0.with_article());
        let whole = self.with_columns_of_sentence(answer);
        let answer = whole.as_ref().unwrap_or(answer);
        let cost = match answer.cell(0, "expected") {
            Cell::Decimal(near) if self.digits.is_none() => {
                let value = parse_signed(near.text()).unwrap_or_default();
                let digits = near_integer(&value, 5).0;
                let unit = self.source.0.unit().plural();
                Some(with_unit(&format!("about {digits}"), unit))
            }
            _ => answer.measure(0, "expected"),
        };
        let Some(cost) = cost else {
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
