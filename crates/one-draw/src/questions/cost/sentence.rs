//! The sentence that says what one target costs, from the data of the rows.

use super::expected::ExpectedCells;
use super::{AlgorithmRow, Cost};
use flipcost::law::CostFormula;
use flipcost::table::{EXPECTED, EXPECTED_EXACT, PreparedRow, Request, Row};
use flipcost_question::prelude::*;
use std::sync::Arc;

/// The largest amount of work, in the unit of [`Estimate`], that is spent on the sentence alone.
const MAX_WORK: u128 = 1_000_000_000;

/// For targets of at most this many bits, a cost that is shown as an integer is computed again with
/// enough decimals to show whether it is one.
const MAX_CHECKED_BITS: u64 = 4096;

impl Cost {
    /// Returns the expected cost of a row, from its columns or from the prepared row.
    pub(super) fn expected_cells(
        &self,
        request: &Request,
        row: &Row,
        costed: &mut PreparedRow,
    ) -> ExpectedCells {
        let mut cells = ExpectedCells::new(request, row);
        let sides = self.target.bits();
        let columns = vec![EXPECTED_EXACT, EXPECTED];
        let has_both = columns.iter().all(|one| request.columns.contains(one));
        let may_be_rounded_to_integer =
            |cells: &ExpectedCells| cells.may_be_rounded_to_integer() && sides <= MAX_CHECKED_BITS;
        if (has_both && !may_be_rounded_to_integer(&cells)) || self.estimate().work >= MAX_WORK {
            return cells;
        }
        let mut find = |digits: Option<u32>| {
            let request = Request {
                algorithms: Vec::new(),
                source: request.source.clone(),
                columns: columns.clone(),
                precision: precision(digits, false).ok()?,
            };
            let row = request.row_from(costed).ok()?;
            Some(ExpectedCells::new(&request, &row))
        };
        if !has_both {
            cells = find(self.digits).unwrap_or(cells);
        }
        if may_be_rounded_to_integer(&cells) {
            // A cost that is not an integer has a distance of at least about 1 / n from every
            // integer.
            cells = find(Some((sides * 3 / 10) as u32 + 6)).unwrap_or(cells);
        }
        cells
    }

    fn takes_sentence(&self, cost: &str) -> String {
        let (what, from) = (self.target.with_article(), self.source.0.with_article());
        format!("{what} from {from} {} {cost} on average", take_verb(&what))
    }

    /// Returns a sentence about the cost of the first row. If it is proved that no method takes
    /// fewer rolls, the sentence says so. Returns `None` if computing the cost was too much work.
    pub(super) fn costs_sentence(&self, rows: &[AlgorithmRow]) -> Option<String> {
        let first = rows.first()?;
        let unit = first.algorithm.unit(&self.source.0).plural();
        let cost = first.expected.phrase(unit, self.digits.is_none())?;
        let sentence = format!(
            "{} by {}",
            self.takes_sentence(&cost),
            algorithm_phrase(first.algorithm.about().id)
        );
        // the best algorithm may come after another that costs the same
        let exact = &first.expected.exact;
        let is_same = |row: &AlgorithmRow| *exact != Cell::Empty && row.expected.exact == *exact;
        let is_optimum = |row: &AlgorithmRow| row.algorithm.is_optimal() && is_same(row);
        let is_least = self.source.0.is_fair()
            && (first.algorithm.is_optimal() || rows.iter().any(is_optimum));
        Some(match first.distance {
            Some(_) => format!("{sentence}, whose outcomes are not exact"),
            None if is_least => format!("{sentence}; no method takes fewer"),
            None => sentence,
        })
    }

    /// Returns a sentence about the cost of the first row, from a source whose probabilities are
    /// unknown.
    pub(super) fn formula_sentence(&self, id: &str, formula: &Arc<CostFormula>) -> String {
        let phrase = cell_phrase(&Cell::Formula(formula.clone()));
        let cost = with_unit(&phrase, self.source.0.unit().plural());
        let takes = self.takes_sentence(&cost);
        format!(
            "{takes} by {}, whatever the probabilities are",
            algorithm_phrase(id)
        )
    }

    /// Returns a sentence about the cost of the best rule or, if computing the cost is too much
    /// work, about the first row.
    pub(super) fn rows_sentence(&self, answer: &Answer) -> String {
        let Some(cost) = answer.measure(0, "expected").filter(|_| self.optimal) else {
            let (what, from) = (self.target.with_article(), self.source.0.with_article());
            return format!("{what} from {from}: {}", answer.row_phrase(0));
        };
        let takes = self.takes_sentence(&cost);
        match answer.phrase(0, "lower") {
            _ if answer.cell(0, "proved").to_string() == "yes" => {
                format!("{takes} by the best rule; no method takes fewer")
            }
            Some(least) => format!(
                "{takes} by the best rule that was found; no method takes fewer than {least}"
            ),
            None => takes,
        }
    }
}
