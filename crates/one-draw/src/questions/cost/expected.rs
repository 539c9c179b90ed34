//! The expected cost of a row, for the first sentence of the answer.

use flipcost::table::{Column, EXPECTED, EXPECTED_EXACT, Request, Row};
use flipcost_number::expression::parse_signed;
use flipcost_question::prelude::*;
use flipcost_question::spell::round_near_integer;

/// The expected cost of a row, even if no column shows it.
pub(super) struct ExpectedCells {
    /// The cost as a fraction; empty if the fraction is long.
    pub(super) exact: Cell,
    /// The cost in decimals, or as the nearest double.
    digits: Cell,
}

impl ExpectedCells {
    pub(super) fn new(request: &Request, row: &Row) -> ExpectedCells {
        let cell = |column: &'static Column| {
            let mut columns = request.columns.iter().zip(&row.cells);
            let found = columns.find(|(known, _)| **known == column);
            found.map_or(Cell::Empty, |(_, cell)| cell.clone())
        };
        ExpectedCells {
            exact: cell(EXPECTED_EXACT),
            digits: cell(EXPECTED),
        }
    }

    /// Returns whether the decimals show an integer although the cost may not be an integer.
    pub(super) fn may_be_rounded_to_integer(&self) -> bool {
        let is_whole = matches!(self.digits, Cell::Double(cost) if cost.fract() == 0.0);
        is_whole && self.exact == Cell::Empty
    }

    pub(super) fn phrase(&self, unit: &str, is_rounded: bool) -> Option<String> {
        let phrase = match &self.digits {
            Cell::Decimal(near) if is_rounded => {
                let value = parse_signed(near.text()).unwrap_or_default();
                format!("about {}", round_near_integer(&value, 5).0)
            }
            digits => value_phrase(&self.exact, digits)?,
        };
        Some(with_unit(&phrase, unit))
    }
}
